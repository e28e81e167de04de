package io.leeway.hindex;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column of the base table: family and qualifier. In text {@code family:qualifier}, where bytes other than letters,
 * digits and {@code _ - .} are written as percent and two hexadecimal digits. Immutable and thread-safe.
 *
 * @since 0.1
 */
public final class ColumnName {

    private final byte[] family;
    private final byte[] qualifier;

    private ColumnName(byte[] family, byte[] qualifier) {
        this.family = family;
        this.qualifier = qualifier;
    }

    /** A column by its bytes; the qualifier may be empty. */
    public static ColumnName of(byte[] family, byte[] qualifier) {
        if (family.length == 0) {
            throw new IllegalArgumentException("a column without a family; write family:qualifier");
        }
        return new ColumnName(family.clone(), qualifier.clone());
    }

    /** A column by its names in UTF-8; nothing is escaped in them. */
    public static ColumnName of(String family, String qualifier) {
        return of(family.getBytes(StandardCharsets.UTF_8), qualifier.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static ColumnName parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("'" + text + "' is no column; write family:qualifier");
        }
        return of(unescape(text.substring(0, colon)), unescape(text.substring(colon + 1)));
    }

    /** A copy of the family's bytes. */
    public byte[] family() {
        return family.clone();
    }

    /** A copy of the qualifier's bytes. */
    public byte[] qualifier() {
        return qualifier.clone();
    }

    /** Whether these bytes are the family. */
    public boolean isFamily(byte[] bytes, int offset, int length) {
        return Arrays.equals(family, 0, family.length, bytes, offset, offset + length);
    }

    /** Whether these bytes are the qualifier. */
    public boolean isQualifier(byte[] bytes, int offset, int length) {
        return Arrays.equals(qualifier, 0, qualifier.length, bytes, offset, offset + length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ColumnName name
                && Arrays.equals(family, name.family)
                && Arrays.equals(qualifier, name.qualifier);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(family) + Arrays.hashCode(qualifier);
    }

    /** The text form. */
    @Override
    public String toString() {
        return escape(family) + ':' + escape(qualifier);
    }

    private static String escape(byte[] bytes) {
        var text = new StringBuilder();
        for (byte b : bytes) {
            boolean plain =
                    b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || "_-.".indexOf(b) >= 0;
            text.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b));
        }
        return text.toString();
    }

    private static byte[] unescape(String text) {
        var bytes = new ByteArrayOutputStream();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c != '%') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            if (!text.substring(at).matches("(?s)[0-9a-fA-F]{2}.*")) {
                throw new IllegalArgumentException(
                        "'" + text + "' has a % without two hexadecimal digits; write %25 for the sign itself");
            }
            bytes.write(Integer.parseInt(text.substring(at, at + 2), 16));
            at += 2;
        }
        return bytes.toByteArray();
    }
}
