package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What gives a query its rows. */
public sealed interface QueryBody extends Node {

    /**
     * SELECT.
     *
     * @param distinct whether duplicates are removed; with {@code distinctOn} not empty, all but the first row of each
     *     group
     * @param items the select list; empty only in PostgreSQL
     * @param from comma-separated items of FROM; empty without FROM
     * @param groupDistinct GROUP BY DISTINCT
     * @param windows definitions of the WINDOW clause
     * @param qualify condition on window functions (H2), or null
     */
    record Select(
            boolean distinct,
            List<Expr> distinctOn,
            List<SelectItem> items,
            List<FromItem> from,
            @Nullable Expr where,
            List<GroupItem> groupBy,
            boolean groupDistinct,
            @Nullable Expr having,
            List<Window.Named> windows,
            @Nullable Expr qualify,
            int position)
            implements QueryBody {
        public Select {
            distinctOn = List.copyOf(distinctOn);
            items = List.copyOf(items);
            from = List.copyOf(from);
            groupBy = List.copyOf(groupBy);
            windows = List.copyOf(windows);
        }
    }

    /** UNION, EXCEPT (MINUS) or INTERSECT of two bodies; with {@code all} duplicates are kept. */
    record SetOperation(SetKind kind, boolean all, QueryBody left, QueryBody right, int position)
            implements QueryBody {}

    /** VALUES. */
    record Values(List<List<Expr>> rows, int position) implements QueryBody {
        public Values {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** {@code TABLE t}: all rows of a table. */
    record Table(QualifiedName name, int position) implements QueryBody {}

    /** A query in parentheses. */
    record Nested(Query query, int position) implements QueryBody {}

    /** Set operations. */
    enum SetKind {
        UNION,
        EXCEPT,
        INTERSECT
    }
}
