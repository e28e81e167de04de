package io.leeway.lazytables;

/**
 * A row as a worker sees it. The worker's own updates show at once; what others write shows after the next read of the
 * row. Good until the worker's next {@link Worker#clock()}, and for the worker's thread only. Of {@link StoredTables}
 * it is what servers had at the end of a clock, and good for ever.
 */
public interface RowView {

    /** The key of the row. */
    long key();

    /** The number of clocks of which the row holds all updates of all workers; it may hold newer ones. */
    int dataClock();

    /**
     * Of a row that {@link Worker#readWithin} returned: how far it may be at most from what it is read for, which is no
     * more than what was asked for. Infinite for rows of other reads.
     */
    double radius();

    /** The value of a cell; long values beyond 2<sup>53</sup> lose their last digits. */
    double get(int column);

    /** The value of a cell of a table of int or long. */
    long getLong(int column);

    /**
     * The number of cells that the row holds: all columns if it is dense. If it is sparse, all that hold something, and
     * perhaps some that were written and hold the identity of the table's operation again, such as a sum that went back
     * to 0: whether these are among them depends on how the row came here, so who goes through a row passes them over,
     * or asks for the {@link #filledColumns()}.
     */
    int entries();

    /**
     * The columns of the cells that hold something else than the identity of the table's operation, ascending: for rows
     * of the same values the same in every process, however the row came there, and with the worker's own updates.
     * Nought with a sign is something else than nought. A new array, for which each cell is looked at.
     */
    int[] filledColumns();

    /** The column of the i-th cell that the row holds; sparse cells come in no order. */
    int columnAt(int entry);

    /** The value of the i-th cell that the row holds. */
    double valueAt(int entry);

    /** The value of the i-th cell that the row holds, of a table of int or long. */
    long longAt(int entry);

    /**
     * Writes the row's values to the array, by column; what the row does not hold gets the identity of the table's
     * operation.
     */
    void copyTo(double[] target);
}
