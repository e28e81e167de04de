package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.util.Arrays;

/**
 * What changes in a secondary view: for each row that is not what it was an anti-row with the old key, which hides the old entry, and a
 * whole row with the new one. That is what the source has no answer for: an old entry has another key than the new one. For one thread.
 */
public final class ViewChanges {

    private final View view;
    private final Layout layout;
    private final int[] sources;
    private final VectorBuilder[] columns;
    private byte[] flags = new byte[64];
    private int rows;
    private int[] waiting = new int[64];
    private int waitingRows;

    /** Of a view; nothing has changed yet. */
    public ViewChanges(Table table, View view) {
        this.view = view;
        this.layout = Layout.of(table, view);
        Layout primary = Layout.of(table, table.primary());
        this.sources = new int[layout.ids().length];
        this.columns = new VectorBuilder[sources.length];
        for (int c = 0; c < sources.length; c++) {
            columns[c] = new VectorBuilder(layout.isLong()[c], 64);
            for (int p = 0; p < primary.ids().length; p++) {
                if (primary.ids()[p] == layout.ids()[c]) {
                    sources[c] = p;
                }
            }
        }
    }

    private void flag(byte flag) {
        if (rows == flags.length) {
            flags = Arrays.copyOf(flags, rows * 2);
        }
        flags[rows++] = flag;
    }

    /** A row of the authority is no more, or not as it was. */
    public void remove(SortedRun authority, int block, int row) {
        copy(authority, block, row, row + 1);
        flag(Batch.DELETE);
    }

    /** All rows of a block are new. */
    public void addBlock(SortedRun run, int block) {
        copy(run, block, 0, run.rows(block));
        for (int i = 0; i < run.rows(block); i++) {
            flag(Batch.PUT);
        }
    }

    private void copy(SortedRun run, int block, int from, int to) {
        for (int c = 0; c < columns.length; c++) {
            Vector column = run.column(block, layout.ids()[c]);
            if (column == null) {
                for (int row = from; row < to; row++) {
                    columns[c].addNull();
                }
            } else {
                columns[c].addRange(column, from, to);
            }
        }
    }

    /** The row of the columns that {@link #flush} hands over is new, or not as it was. */
    public void add(int row) {
        if (waitingRows == waiting.length) {
            waiting = Arrays.copyOf(waiting, waitingRows * 2);
        }
        waiting[waitingRows++] = row;
    }

    /** The rows that were announced. */
    public void flush(Vector[] built) {
        for (int c = 0; c < columns.length; c++) {
            columns[c].addAll(built[sources[c]], waiting, waitingRows);
        }
        for (int i = 0; i < waitingRows; i++) {
            flag(Batch.PUT);
        }
        waitingRows = 0;
    }

    /** All changes in the order in which they came; it goes on empty. */
    public Batch take() {
        Vector[] built = new Vector[columns.length];
        for (int c = 0; c < columns.length; c++) {
            built[c] = columns[c].build();
        }
        var batch = new Batch(rows, Arrays.copyOf(flags, rows), layout.ids(), built);
        rows = 0;
        return batch;
    }

    /** How many changes there are. */
    int rows() {
        return rows;
    }

    /** About how much memory they take, in bytes. */
    long weight() {
        long weight = rows;
        for (VectorBuilder column : columns) {
            weight += column.weight();
        }
        return weight;
    }

    /** How the view's rows are stored. */
    public Layout layout() {
        return layout;
    }

    View view() {
        return view;
    }
}
