package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * The rows of a {@link TraceEntry} by their value in one column. Immutable, safe to publish by a race.
 *
 * <p>Results of many rows are joined to by templates, one look-up for each premise; without an index that is a product
 * of lengths.
 */
public final class RowIndex {

    private static final int NONE = -1;

    private final Map<Value, Integer> first;
    /** For each row the next one with the same value. */
    private final int[] next;

    RowIndex(TraceEntry entry, int column) {
        this.first = new HashMap<>(entry.rows() * 2);
        this.next = new int[entry.rows()];
        // Backwards, so that the lists run forwards.
        for (int row = entry.rows() - 1; row >= 0; row--) {
            Value value = entry.cell(row, column);
            if (value != null) {
                Integer later = first.put(value, row);
                next[row] = later == null ? NONE : later;
            }
        }
    }

    /** The first row with a value, or -1. */
    public int first(Value value) {
        return first.getOrDefault(value, NONE);
    }

    /** The next row with the same value as this one, or -1. */
    public int next(int row) {
        return next[row];
    }
}
