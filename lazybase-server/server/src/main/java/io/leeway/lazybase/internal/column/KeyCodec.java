package io.leeway.lazybase.internal.column;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys of columns: bytes whose order is that of the values. A long is its eight bytes with the sign turned; bytes are escaped and end
 * with two zeros; a column that may be NULL begins with a tag that puts NULL last. Immutable.
 */
public final class KeyCodec {

    private static final byte PRESENT = 1;
    private static final byte MISSING = 2;

    private final int[] columns;
    private final boolean[] isLong;
    private final boolean[] nullable;
    private final boolean exact;

    /**
     * @param columns numbers of the key's columns
     * @param isLong whether their values are longs
     * @param nullable whether they may be NULL
     */
    public KeyCodec(int[] columns, boolean[] isLong, boolean[] nullable) {
        this.columns = columns.clone();
        this.isLong = isLong.clone();
        this.nullable = nullable.clone();
        this.exact = columns.length == 1 && isLong[0] && !nullable[0];
    }

    /** Numbers of the key's columns. */
    public int[] columns() {
        return columns.clone();
    }

    /** Number of the key's columns. */
    public int width() {
        return columns.length;
    }

    /** Whether the key is one long. */
    public boolean isExact() {
        return exact;
    }

    /** The keys of all rows. */
    public Keys keys(int rows, IntFunction<@Nullable Vector> vectors) {
        if (exact) {
            return Keys.exact(rows, need(vectors.apply(columns[0])).longs());
        }
        Vector[] parts = new Vector[columns.length];
        int most = 0;
        for (int c = 0; c < columns.length; c++) {
            Vector column = vectors.apply(columns[c]);
            if (column == null) {
                column = Vector.constant(rows, isLong[c], Vector.NULL);
            }
            parts[c] = column;
            most += rows * (isLong[c] ? 9 : 4) + (isLong[c] ? 0 : column.offsets()[rows]);
        }
        byte[] bytes = new byte[most];
        int[] offsets = new int[rows + 1];
        int at = 0;
        for (int row = 0; row < rows; row++) {
            for (int c = 0; c < parts.length; c++) {
                // Escapes may need twice the room; that is seldom, so it is found out on the way.
                int need = isLong[c] ? 9 : 2 * parts[c].length(row) + 3;
                if (at + need > bytes.length) {
                    bytes = Arrays.copyOf(bytes, Math.max(at + need, bytes.length + bytes.length / 2));
                }
                at = write(bytes, at, c, parts[c], row);
            }
            offsets[row + 1] = at;
        }
        return Keys.ofBytes(rows, bytes, offsets);
    }

    private static Vector need(@Nullable Vector vector) {
        if (vector == null) {
            throw new IllegalStateException("rows without the column of their key");
        }
        return vector;
    }

    private int write(byte[] bytes, int begin, int c, Vector column, int row) {
        int at = begin;
        if (nullable[c]) {
            boolean missing = column.isNull(row);
            bytes[at++] = missing ? MISSING : PRESENT;
            if (missing) {
                return at;
            }
        }
        if (isLong[c]) {
            return writeLong(bytes, at, column.getLong(row));
        }
        byte[] source = column.bytes();
        int end = column.offsets()[row + 1];
        for (int i = column.offsets()[row]; i < end; i++) {
            bytes[at++] = source[i];
            if (source[i] == 0) {
                bytes[at++] = (byte) 0xFF;
            }
        }
        bytes[at++] = 0;
        bytes[at++] = 0;
        return at;
    }

    private static int writeLong(byte[] bytes, int at, long given) {
        long value = given ^ Long.MIN_VALUE;
        for (int i = 7; i >= 0; i--) {
            bytes[at + i] = (byte) value;
            value >>>= 8;
        }
        return at + 8;
    }

    /**
     * The beginning of a key, of values for its first columns: a Long, bytes, or null for NULL.
     *
     * @return null if a value can be in no key: NULL where none may be
     */
    public byte @Nullable [] prefix(Object @Nullable ... values) {
        var out = new ByteArrayOutputStream();
        for (int c = 0; values != null && c < values.length; c++) {
            Object value = values[c];
            if (nullable[c]) {
                out.write(value == null ? MISSING : PRESENT);
            } else if (value == null) {
                return null;
            }
            if (value instanceof Long number) {
                byte[] eight = new byte[8];
                writeLong(eight, 0, number);
                out.writeBytes(eight);
            } else if (value instanceof byte[] text) {
                for (byte b : text) {
                    out.write(b);
                    if (b == 0) {
                        out.write(0xFF);
                    }
                }
                out.write(0);
                out.write(0);
            }
        }
        return out.toByteArray();
    }

    /** The least bytes above everything that begins with these; null if there are none. */
    public static byte @Nullable [] after(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xFF) {
                byte[] next = Arrays.copyOf(prefix, i + 1);
                next[i]++;
                return next;
            }
        }
        return null;
    }
}
