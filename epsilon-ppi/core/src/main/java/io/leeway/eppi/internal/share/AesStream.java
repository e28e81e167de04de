package io.leeway.eppi.internal.share;

import io.leeway.eppi.EppiException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Pseudo-random bytes out of a seed: the key stream of AES in counter mode. For one thread. */
public final class AesStream {

    /** Bytes of a seed. */
    public static final int SEED_BYTES = 16;

    private static final int BLOCK = 1 << 14;
    private static final byte[] ZEROS = new byte[BLOCK];

    private final Cipher cipher;

    /** A stream of its own for each seed. */
    public AesStream(byte[] seed) {
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"), new IvParameterSpec(new byte[16]));
        } catch (GeneralSecurityException e) {
            throw EppiException.of(EppiException.Code.INTERNAL, "AES is missing in this Java, or a seed is no key", e);
        }
    }

    /** The next bytes. */
    public void fill(byte[] bytes, int offset, int length) {
        try {
            int done = 0;
            while (done < length) {
                int part = Math.min(BLOCK, length - done);
                int written = cipher.update(ZEROS, 0, part, bytes, offset + done);
                if (written != part) {
                    throw EppiException.of(EppiException.Code.INTERNAL, "AES in counter mode held bytes back");
                }
                done += part;
            }
        } catch (GeneralSecurityException e) {
            throw EppiException.of(EppiException.Code.INTERNAL, "AES refuses", e);
        }
    }

    /** The next bytes. */
    public byte[] next(int length) {
        byte[] bytes = new byte[length];
        fill(bytes, 0, length);
        return bytes;
    }

    /** The next words. */
    public long[] nextWords(int length) {
        byte[] bytes = next(Math.multiplyExact(length, 8));
        long[] words = new long[length];
        java.nio.ByteBuffer.wrap(bytes).asLongBuffer().get(words);
        Arrays.fill(bytes, (byte) 0);
        return words;
    }
}
