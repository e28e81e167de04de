package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What a LIMIT says in the text itself. Its parameters and lifted literals count as unknown.
 *
 * <p>Which rows a limit lets pass depends on all rows and their order, so a limit never makes a question smaller; these
 * are the exceptions in which it can be said what passes. They are taken from what the text says: what a parameter will
 * be is not known when the statement is read, and one plan serves all values.
 */
final class Limits {

    private Limits() {}

    /** Whether no row passes, whatever there is. */
    static boolean isZero(@Nullable Limit limit) {
        return limit != null && isLiteral(limit.count(), "0");
    }

    /**
     * Whether there is a row behind it iff there is one before it.
     *
     * <p>For sub-queries of which only that is asked: {@code EXISTS (SELECT … LIMIT 1)}, which frameworks write. An
     * OFFSET counts rows, and so tells more.
     */
    static boolean keepsExistence(@Nullable Limit limit) {
        return limit == null || (skipsNothing(limit) && (limit.count() == null || isPositive(limit.count())));
    }

    /**
     * Whether it lets exactly one row pass, if there is any.
     *
     * <p>{@code WITH TIES} lets all of those pass that are sorted like the last one, which counts them.
     */
    static boolean isFirstRow(@Nullable Limit limit) {
        return limit != null && skipsNothing(limit) && isLiteral(limit.count(), "1") && !limit.withTies();
    }

    private static boolean skipsNothing(Limit limit) {
        return limit.offset() == null || isLiteral(limit.offset(), "0");
    }

    private static boolean isPositive(Expr count) {
        return count instanceof Expr.Literal literal
                && literal.kind() == Expr.LiteralKind.INTEGER
                // So that no number has to be computed that is longer than a long.
                && literal.text().matches("0*[1-9][0-9]{0,17}");
    }

    private static boolean isLiteral(@Nullable Expr expression, String text) {
        return expression instanceof Expr.Literal literal
                && literal.kind() == Expr.LiteralKind.INTEGER
                && literal.text().equals(text);
    }
}
