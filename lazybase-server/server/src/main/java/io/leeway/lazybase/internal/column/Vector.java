package io.leeway.lazybase.internal.column;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One column of some rows: longs or bytes, and for each row whether the column has a value, is NULL, was not touched, or is to be added to.
 * Immutable once it is built, and then thread-safe.
 */
public final class Vector {

    /** The row has this value. */
    public static final byte SET = 0;
    /** The row's value is NULL. */
    public static final byte NULL = 1;
    /** The update did not touch the column: what is older shows through. */
    public static final byte ABSENT = 2;
    /** The value is to be added to what is older. */
    public static final byte ADD = 3;

    private final int size;
    private final long @Nullable [] longs;
    private final byte @Nullable [] bytes;
    private final int @Nullable [] offsets;
    private final byte @Nullable [] states;

    Vector(
            int size,
            long @Nullable [] longs,
            byte @Nullable [] bytes,
            int @Nullable [] offsets,
            byte @Nullable [] states) {
        this.size = size;
        this.longs = longs;
        this.bytes = bytes;
        this.offsets = offsets;
        this.states = states;
    }

    /** Of longs; states may be null if all are set. The arrays are not copied. */
    public static Vector ofLongs(int size, long[] longs, byte @Nullable [] states) {
        return new Vector(size, longs, null, null, states);
    }

    /** Of bytes, those of row i from offsets[i] to offsets[i+1]. The arrays are not copied. */
    public static Vector ofBytes(int size, byte[] bytes, int[] offsets, byte @Nullable [] states) {
        return new Vector(size, null, bytes, offsets, states);
    }

    /** A column that no row has touched, or that is NULL in every row. */
    public static Vector constant(int size, boolean isLong, byte state) {
        byte[] states = new byte[size];
        java.util.Arrays.fill(states, state);
        return isLong ? ofLongs(size, new long[size], states) : ofBytes(size, new byte[0], new int[size + 1], states);
    }

    /** Number of rows. */
    public int size() {
        return size;
    }

    /** Whether values are longs. */
    public boolean isLong() {
        return longs != null;
    }

    /** All longs; not to be changed. */
    @SuppressWarnings("NullAway")
    public long[] longs() {
        return longs;
    }

    /** All bytes; not to be changed. */
    @SuppressWarnings("NullAway")
    public byte[] bytes() {
        return bytes;
    }

    /** Where each row's bytes begin, and one more; not to be changed. */
    @SuppressWarnings("NullAway")
    public int[] offsets() {
        return offsets;
    }

    /** The states of all rows, or null if all are set. */
    public byte @Nullable [] states() {
        return states;
    }

    /** The state of a row. */
    public byte state(int row) {
        return states == null ? SET : states[row];
    }

    /** Whether a row has no value. */
    public boolean isNull(int row) {
        return states != null && (states[row] == NULL || states[row] == ABSENT);
    }

    /** The long of a row. */
    @SuppressWarnings("NullAway")
    public long getLong(int row) {
        return longs[row];
    }

    /** Length of a row's bytes. */
    @SuppressWarnings("NullAway")
    public int length(int row) {
        return offsets[row + 1] - offsets[row];
    }

    /** A copy of a row's bytes. */
    @SuppressWarnings("NullAway")
    public byte[] getBytes(int row) {
        return java.util.Arrays.copyOfRange(bytes, offsets[row], offsets[row + 1]);
    }

    /** A row's bytes as text. */
    @SuppressWarnings("NullAway")
    public String getText(int row) {
        return new String(bytes, offsets[row], offsets[row + 1] - offsets[row], StandardCharsets.UTF_8);
    }

    /** Compares a row's bytes with others, unsigned. */
    @SuppressWarnings("NullAway")
    public int compareBytes(int row, byte[] other) {
        return java.util.Arrays.compareUnsigned(bytes, offsets[row], offsets[row + 1], other, 0, other.length);
    }

    /** About how much memory it takes, in bytes. */
    public long memory() {
        long sum = 32;
        if (longs != null) {
            sum += 8L * longs.length;
        }
        if (bytes != null && offsets != null) {
            sum += bytes.length + 4L * offsets.length;
        }
        return states == null ? sum : sum + states.length;
    }
}
