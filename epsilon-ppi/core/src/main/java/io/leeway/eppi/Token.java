package io.leeway.eppi;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A person's pseudonym: 128 bits of a keyed hash of the identity. Who does not have the network's key can neither make
 * one nor try out identities. Immutable.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 * @since 0.1
 */
public record Token(long high, long low) implements Comparable<Token> {

    /** Bytes of a token. */
    public static final int BYTES = 16;

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");
    /** Of all scripts, and what is not seen at all, like the mark at the beginning of some files. */
    private static final Pattern BETWEEN_WORDS =
            Pattern.compile("[\\s\\p{Punct}\\p{IsPunctuation}\\p{Z}\\p{Cc}\\p{Cf}]+");

    /**
     * The pseudonym of an identity: HMAC-SHA-256 under the network's key, of the text in lower case, with accents
     * composed, blanks and punctuation left out, so that {@code "12-34 5"} and {@code "12345"} are the same person.
     *
     * @param key the network's secret, at least 16 bytes
     * @throws EppiException with {@link EppiException.Code#IDENTITY} if nothing is left of it: all such texts would be one
     *     person
     */
    public static Token of(String identity, byte[] key) {
        String text = normalized(identity);
        if (text.isEmpty()) {
            throw EppiException.of(EppiException.Code.IDENTITY, "\"" + identity + "\" has neither letters nor digits");
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return read(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)), 0);
        } catch (GeneralSecurityException e) {
            throw EppiException.of(EppiException.Code.INTERNAL, "HMAC-SHA-256 is missing in this Java", e);
        }
    }

    /** What is hashed of an identity. */
    public static String normalized(String identity) {
        String composed = Normalizer.normalize(identity, Normalizer.Form.NFKC);
        return BETWEEN_WORDS.matcher(composed).replaceAll("").toLowerCase(Locale.ROOT);
    }

    /** Reads 16 bytes. */
    public static Token read(byte[] bytes, int offset) {
        return new Token(word(bytes, offset), word(bytes, offset + 8));
    }

    /**
     * Reads 32 hexadecimal digits.
     *
     * @throws IllegalArgumentException if they are not
     */
    public static Token parse(String hex) {
        if (!HEX.matcher(hex).matches()) {
            throw new IllegalArgumentException("a token has 32 hexadecimal digits");
        }
        return new Token(
                Long.parseUnsignedLong(hex.substring(0, 16), 16), Long.parseUnsignedLong(hex.substring(16), 16));
    }

    /** Writes 16 bytes. */
    public void write(byte[] bytes, int offset) {
        for (int i = 0; i < 8; i++) {
            bytes[offset + i] = (byte) (high >>> (56 - 8 * i));
            bytes[offset + 8 + i] = (byte) (low >>> (56 - 8 * i));
        }
    }

    @Override
    public int compareTo(Token other) {
        int first = Long.compareUnsigned(high, other.high);
        return first != 0 ? first : Long.compareUnsigned(low, other.low);
    }

    /** The 32 hexadecimal digits. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%016x%016x", high, low);
    }

    private static long word(byte[] bytes, int offset) {
        long word = 0;
        for (int i = 0; i < 8; i++) {
            word = word << 8 | bytes[offset + i] & 0xff;
        }
        return word;
    }
}
