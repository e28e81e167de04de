package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query: a body with the clauses that stand before and after it. */
public record Query(
        @Nullable With with,
        QueryBody body,
        List<OrderItem> orderBy,
        @Nullable Limit limit,
        List<Locking> locking,
        int position)
        implements Node {
    public Query {
        orderBy = List.copyOf(orderBy);
        locking = List.copyOf(locking);
    }
}
