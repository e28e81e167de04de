package io.leeway.privoxy.internal.sql.ast;

import org.jspecify.annotations.Nullable;

/**
 * One key of an order.
 *
 * @param nullsFirst NULLS FIRST (true), NULLS LAST (false), unsaid (null)
 */
public record OrderItem(
        Expr key, boolean descending, @Nullable Boolean nullsFirst) implements Node {
    @Override
    public int position() {
        return key.position();
    }
}
