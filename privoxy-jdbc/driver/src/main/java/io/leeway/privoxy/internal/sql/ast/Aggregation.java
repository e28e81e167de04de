package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an aggregate or window function call may carry besides its arguments.
 *
 * @param orderBy order of the input, inside the parentheses
 * @param withinGroup order of an ordered-set aggregate
 * @param filter condition of FILTER, or null
 * @param separator separator of GROUP_CONCAT or LISTAGG, or null
 * @param limit limit of MariaDB's GROUP_CONCAT, or null
 * @param ignoreNulls IGNORE NULLS (true), RESPECT NULLS (false), neither (null)
 */
public record Aggregation(
        boolean distinct,
        List<OrderItem> orderBy,
        List<OrderItem> withinGroup,
        @Nullable Expr filter,
        @Nullable Expr separator,
        @Nullable Limit limit,
        @Nullable Boolean ignoreNulls) {
    public Aggregation {
        orderBy = List.copyOf(orderBy);
        withinGroup = List.copyOf(withinGroup);
    }
}
