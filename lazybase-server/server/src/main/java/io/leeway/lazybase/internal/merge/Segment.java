package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a result: a range of a run's block, whose columns are read when they are asked for, or rows that were put together.
 * For one thread.
 */
public final class Segment {

    private final @Nullable SortedRun run;
    private final int block;
    private final int from;
    private final int rows;
    private final int[] ids;
    private final @Nullable Vector[] columns;

    private Segment(@Nullable SortedRun run, int block, int from, int rows, int[] ids, @Nullable Vector[] columns) {
        this.run = run;
        this.block = block;
        this.from = from;
        this.rows = rows;
        this.ids = ids;
        this.columns = columns;
    }

    static Segment of(SortedRun run, int block, int from, int to, int[] ids) {
        return new Segment(run, block, from, to - from, ids, new Vector[ids.length]);
    }

    static Segment of(int rows, int[] ids, Vector[] columns) {
        return new Segment(null, 0, 0, rows, ids, columns);
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Where the first row stands in the columns. */
    public int from() {
        return from;
    }

    /**
     * A column; row i of the segment is row {@code from() + i} of it.
     *
     * @param index which of the columns that were asked for
     * @param isLong whether its values are longs
     */
    public Vector column(int index, boolean isLong) {
        Vector column = columns[index];
        if (column == null) {
            column = run == null ? null : run.column(block, ids[index]);
            if (column == null) {
                // Rows from before the column was added.
                column = Vector.constant(from + rows, isLong, Vector.NULL);
            }
            columns[index] = column;
        }
        return column;
    }

    /** Builds rows that were put together. */
    static final class Builder {

        private final int[] ids;
        private final VectorBuilder[] columns;
        private int rows;

        Builder(int[] ids, boolean[] isLong, int capacity) {
            this.ids = ids;
            this.columns = new VectorBuilder[ids.length];
            for (int c = 0; c < ids.length; c++) {
                columns[c] = new VectorBuilder(isLong[c], capacity);
            }
        }

        VectorBuilder column(int index) {
            return columns[index];
        }

        void advance(int count) {
            rows += count;
        }

        int rows() {
            return rows;
        }

        Segment build() {
            Vector[] built = new Vector[columns.length];
            for (int c = 0; c < columns.length; c++) {
                built[c] = columns[c].build();
            }
            Segment segment = Segment.of(rows, ids, built);
            rows = 0;
            return segment;
        }
    }
}
