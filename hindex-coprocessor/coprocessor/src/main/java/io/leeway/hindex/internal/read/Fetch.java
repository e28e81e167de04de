package io.leeway.hindex.internal.read;

import io.leeway.hindex.ColumnName;
import java.util.List;

/**
 * What a row is returned with, besides its indexed columns.
 *
 * @param wholeRow whether all of it
 * @param columns else, which columns
 */
public record Fetch(boolean wholeRow, List<ColumnName> columns) {

    /** Nothing else. */
    public static final Fetch INDEXED = new Fetch(false, List.of());

    /** All of the row. */
    public static final Fetch ROW = new Fetch(true, List.of());

    /** Takes a copy. */
    public Fetch {
        columns = List.copyOf(columns);
    }

    /** These columns. */
    public static Fetch columns(List<ColumnName> columns) {
        return new Fetch(false, columns);
    }
}
