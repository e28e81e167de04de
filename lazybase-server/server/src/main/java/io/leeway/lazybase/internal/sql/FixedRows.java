package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that are there already. For one thread. */
final class FixedRows implements Result.Rows {

    private final List<Column> columns;
    private final Iterator<Object[]> rows;
    private final String word;

    FixedRows(List<Column> columns, List<Object[]> rows, String word) {
        this.columns = columns;
        this.rows = rows.iterator();
        this.word = word;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public @Nullable Object @Nullable [] next() {
        return rows.hasNext() ? rows.next() : null;
    }

    @Override
    public List<String[]> answer() {
        return List.of();
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
