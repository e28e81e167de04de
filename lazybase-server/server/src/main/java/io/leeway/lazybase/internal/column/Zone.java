package io.leeway.lazybase.internal.column;

import java.util.Arrays;

/**
 * What values a column has in some rows: bounds of them, for bytes of their first eight as a long of the same order.
 *
 * @param min not above any value
 * @param max for longs not below any value; for bytes not below the first eight bytes of any
 * @param hasNull whether a row has no value
 * @param hasValue whether a row has one; if not, the bounds mean nothing
 */
public record Zone(long min, long max, boolean hasNull, boolean hasValue) {

    /** Of some rows of a column. */
    public static Zone of(Vector column, int from, int to) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        boolean hasNull = false;
        boolean hasValue = false;
        for (int i = from; i < to; i++) {
            if (column.isNull(i)) {
                hasNull = true;
                continue;
            }
            long value = column.isLong()
                    ? column.getLong(i)
                    : Keys.prefix(column.bytes(), column.offsets()[i], column.offsets()[i + 1]);
            hasValue = true;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        return new Zone(min, max, hasNull, hasValue);
    }

    /** What both have. */
    public Zone or(Zone other) {
        return new Zone(
                Math.min(min, other.min),
                Math.max(max, other.max),
                hasNull || other.hasNull,
                hasValue || other.hasValue);
    }

    /** The first eight bytes of a value as zones have them. */
    public static long ofBytes(byte[] value) {
        byte[] padded = Arrays.copyOf(value, Math.min(value.length, 8));
        return Keys.prefix(padded, 0, padded.length);
    }
}
