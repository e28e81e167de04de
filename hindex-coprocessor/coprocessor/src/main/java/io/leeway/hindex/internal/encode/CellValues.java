package io.leeway.hindex.internal.encode;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row, one for each indexed column, by reference. Reused from row to row, so that a write makes no
 * copies of what it has in hand already; so it is valid only as long as the arrays are. Not thread-safe.
 */
public final class CellValues {

    /** Stands where nothing is, so that an old row's bytes are not kept in memory. */
    private static final byte[] NOTHING = {};

    private final byte[][] arrays;
    private final int[] offsets;
    private final int[] lengths;

    /** For so many columns, all absent. */
    public CellValues(int columns) {
        this.arrays = new byte[columns][];
        this.offsets = new int[columns];
        this.lengths = new int[columns];
        clear();
    }

    /** The cells of a row given as whole arrays, null where absent. */
    public static CellValues of(List<byte @Nullable []> cells) {
        var values = new CellValues(cells.size());
        for (int i = 0; i < cells.size(); i++) {
            byte[] cell = cells.get(i);
            if (cell != null) {
                values.set(i, cell, 0, cell.length);
            }
        }
        return values;
    }

    /** Makes all absent. */
    public void clear() {
        Arrays.fill(arrays, NOTHING);
        Arrays.fill(lengths, -1);
    }

    /** The cell of a column. */
    public void set(int column, byte[] array, int offset, int length) {
        arrays[column] = array;
        offsets[column] = offset;
        lengths[column] = length;
    }

    /** Whether a column has a cell. */
    public boolean isPresent(int column) {
        return lengths[column] >= 0;
    }

    int size() {
        return arrays.length;
    }

    byte[] array(int column) {
        return arrays[column];
    }

    int offset(int column) {
        return offsets[column];
    }

    int length(int column) {
        return lengths[column];
    }
}
