package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/**
 * {@code c = value}, or {@code (a, b) = value} with several targets (the value is then a {@link Expr.Row} or a
 * {@link Expr.Scalar} of that many columns).
 */
public record Assignment(List<QualifiedName> targets, Expr value) implements Node {
    public Assignment {
        targets = List.copyOf(targets);
    }

    @Override
    public int position() {
        return targets.get(0).position();
    }
}
