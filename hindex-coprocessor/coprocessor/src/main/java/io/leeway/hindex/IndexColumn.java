package io.leeway.hindex;

/**
 * An indexed column: which, and how its cells become keys. In text {@code family:qualifier:encoding}.
 *
 * @param name the column
 * @param encoding how its cells become keys
 * @since 0.1
 */
public record IndexColumn(ColumnName name, Encoding encoding) {

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static IndexColumn parse(String text) {
        String[] parts = text.split(":", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no indexed column; write family:qualifier:encoding, as d:city:utf8");
        }
        return new IndexColumn(ColumnName.parse(parts[0] + ':' + parts[1]), Encoding.parse(parts[2]));
    }

    /** The text form. */
    @Override
    public String toString() {
        return name + ":" + encoding;
    }
}
