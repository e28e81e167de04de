package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A window: what follows OVER, or a definition of the WINDOW clause.
 *
 * @param base name of the window it is built on; {@code OVER w} has nothing else and is not {@code inParentheses}
 * @param partitionBy expressions of PARTITION BY
 * @param orderBy expressions of ORDER BY
 * @param frame frame, or null
 */
public record Window(
        @Nullable Name base,
        List<Expr> partitionBy,
        List<OrderItem> orderBy,
        @Nullable Frame frame,
        boolean inParentheses,
        int position)
        implements Node {
    public Window {
        partitionBy = List.copyOf(partitionBy);
        orderBy = List.copyOf(orderBy);
    }

    /** A window with its name. */
    public record Named(Name name, Window window) {}

    /** {@code ROWS | RANGE | GROUPS BETWEEN start AND end EXCLUDE …}. */
    public record Frame(
            String unit,
            Bound start,
            @Nullable Bound end,
            @Nullable String exclude) {}

    /** One end of a frame. */
    public record Bound(BoundKind kind, @Nullable Expr offset) {}

    /** Kinds of bounds. */
    public enum BoundKind {
        UNBOUNDED_PRECEDING,
        PRECEDING,
        CURRENT_ROW,
        FOLLOWING,
        UNBOUNDED_FOLLOWING
    }
}
