package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was read, and planned if it is a query. Immutable.
 *
 * @param statement what it is
 * @param parameters types of the parameters
 * @param columns of the result; null if it has none
 * @param query the text that is planned, with question marks
 * @param order for each question mark the number of its parameter, from 0
 * @param hints freshness and window that the text asks for
 */
public record Prepared(
        Statement statement,
        List<Column> parameters,
        @Nullable List<Column> columns,
        String query,
        List<Integer> order,
        Hints hints) {

    /** What a statement says of its own freshness; empty texts if nothing. */
    public record Hints(String freshness, String window, String atLeast) {
        static final Hints NONE = new Hints("", "", "");
    }
}
