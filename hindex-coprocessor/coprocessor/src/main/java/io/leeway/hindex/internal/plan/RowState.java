package io.leeway.hindex.internal.plan;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a row shows in the columns of an index, each of them with one cell or none. Filled once, then read only.
 *
 * <p>The state is as old as its newest cell: any change to a newer state has a newer cell or one cell less.
 *
 * <p>With single cells the timestamp of an entry is that of its cell; with several it is what tells one state from the
 * next.
 */
public final class RowState {

    private final List<byte @Nullable []> values;
    private final long[] timestamps;

    /** A row that has none of so many columns. */
    public RowState(int columns) {
        this.values = Arrays.asList(new byte[columns][]);
        this.timestamps = new long[columns];
    }

    /** The only column of an index. */
    static RowState of(byte[] value, long timestamp) {
        var state = new RowState(1);
        state.set(0, value, timestamp);
        return state;
    }

    /** Gives a column its cell. */
    public void set(int column, byte[] value, long timestamp) {
        values.set(column, value);
        timestamps[column] = timestamp;
    }

    /** Whether a column has a cell. */
    public boolean has(int column) {
        return values.get(column) != null;
    }

    /** What the cell of a column holds, or null if there is none; not to be changed. */
    public byte @Nullable [] value(int column) {
        return values.get(column);
    }

    /** The timestamp of the newest cell; the lowest there is if there is none. */
    public long timestamp() {
        long newest = Long.MIN_VALUE;
        for (int column = 0; column < timestamps.length; column++) {
            if (has(column)) {
                newest = Math.max(newest, timestamps[column]);
            }
        }
        return newest;
    }

    /**
     * Whether all cells have one timestamp.
     *
     * <p>Then all of them expire together.
     */
    public boolean isOfOneTime() {
        for (int column = 0; column < timestamps.length; column++) {
            if (has(column) && timestamps[column] != timestamp()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether it consists of the same cells, not only of equal ones.
     *
     * <p>A value that was written again is a new state, with an entry of its own time.
     */
    @SuppressWarnings("ReferenceEquality") // the cells themselves
    public boolean isSame(RowState other) {
        for (int column = 0; column < timestamps.length; column++) {
            if (value(column) != other.value(column) || timestamps[column] != other.timestamps[column]) {
                return false;
            }
        }
        return true;
    }
}
