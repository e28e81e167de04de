package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query: a body with the clauses that stand before and after it.
 *
 * @param end number of the token before which ORDER BY stands, or more of it; 0 if it is none that is in the text
 */
public record Query(
        @Nullable With with,
        QueryBody body,
        List<OrderItem> orderBy,
        @Nullable Limit limit,
        List<Locking> locking,
        int end,
        int position)
        implements Node {
    public Query {
        orderBy = List.copyOf(orderBy);
        locking = List.copyOf(locking);
    }

    /** A part of the text that is read as a query. */
    public static Query of(QueryBody body) {
        return new Query(null, body, List.of(), null, List.of(), 0, body.position());
    }

    /** The same without a limit, which only says what it means. */
    public Query unlimited() {
        return new Query(with, body, orderBy, null, List.of(), end, position);
    }
}
