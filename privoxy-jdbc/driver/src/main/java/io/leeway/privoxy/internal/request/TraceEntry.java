package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the trace knew of one result when it was asked: answers of a query for some arguments. Immutable; later rows
 * make a new entry with the same {@link #id()} of which this one is a prefix.
 */
public final class TraceEntry {

    /**
     * Rows of which it is remembered that assertions allow them; of others it is found out each time.
     *
     * <p>A page has a handful; a request that goes through thousands of rows must not keep a set of that size.
     */
    private static final int ASSERTED_ROWS = 256;

    private final long id;
    private final Recording.Part part;
    private final List<Value> arguments;
    private final @Nullable Value[] cells;
    private final int width;
    private final int rows;
    private final boolean complete;
    /** By column; made twice if two threads ask at once, which does no harm. */
    private @Nullable RowIndex @Nullable [] indexes;
    /** Made at the first; of two that are made at once one is lost, which does no harm. */
    private volatile @Nullable Set<AssertedRow> holding;

    /** The array is shared with the trace, which never changes cells below {@code rows * width}. */
    TraceEntry(
            long id, Recording.Part part, List<Value> arguments, @Nullable Value[] cells, int rows, boolean complete) {
        this.id = id;
        this.part = part;
        this.arguments = arguments;
        this.cells = cells;
        this.width = part.query().head().size();
        this.rows = rows;
        this.complete = complete;
    }

    /** Names the result within its trace; rises from result to result. */
    public long id() {
        return id;
    }

    /** The query, with {@code Parameter(i)} standing for {@code arguments().get(i)}. */
    public ConjunctiveQuery query() {
        return part.query();
    }

    /** Values of the query's parameters. */
    public List<Value> arguments() {
        return arguments;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Number of cells in a row: the arity of the query's head. */
    public int width() {
        return width;
    }

    /** A cell, both counted from 0; null if its value is not known. */
    public @Nullable Value cell(int row, int column) {
        if (row >= rows || column >= width) {
            throw new IndexOutOfBoundsException("row " + row + ", column " + column);
        }
        return cells[row * width + column];
    }

    /** The rows by their value in a column; made at the first call. */
    public RowIndex index(int column) {
        @Nullable RowIndex[] all = indexes;
        if (all == null) {
            all = new @Nullable RowIndex[width];
            indexes = all;
        }
        RowIndex index = all[column];
        if (index == null) {
            index = new RowIndex(this, column);
            all[column] = index;
        }
        return index;
    }

    /** Whether it is remembered of a row that assertions allow it. */
    public boolean isKnownToHold(AssertedRow row) {
        Set<AssertedRow> known = holding;
        return known != null && known.contains(row);
    }

    /**
     * Remembers of a row that assertions allow it, as long as the entry is there.
     */
    public void holds(AssertedRow row) {
        Set<AssertedRow> known = holding;
        if (known == null) {
            known = ConcurrentHashMap.newKeySet();
            holding = known;
        }
        if (known.size() < ASSERTED_ROWS) {
            known.add(row);
        }
    }

    /** Whether the rows are all answers there are. */
    public boolean complete() {
        return complete;
    }

    /** Shows no data. */
    @Override
    public String toString() {
        return "entry " + id + ": " + rows + " rows" + (complete ? ", complete" : "");
    }
}
