package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One item of FROM. */
public sealed interface FromItem extends Node {

    /**
     * A table, view or common table expression.
     *
     * @param only whether rows of tables that inherit from it are left out (PostgreSQL)
     */
    record Table(QualifiedName name, boolean only, @Nullable Alias alias) implements FromItem {
        @Override
        public int position() {
            return name.position();
        }
    }

    /** A query in parentheses. */
    record Derived(Query query, boolean lateral, @Nullable Alias alias, int position) implements FromItem {}

    /** A function that gives rows. */
    record Function(
            Expr call,
            boolean lateral,
            boolean withOrdinality,
            @Nullable Alias alias,
            int position) implements FromItem {}

    /**
     * A join.
     *
     * @param on condition, or null
     * @param using columns of USING; empty without USING
     */
    record Join(
            JoinKind kind,
            boolean natural,
            FromItem left,
            FromItem right,
            @Nullable Expr on,
            List<Name> using,
            int position)
            implements FromItem {
        public Join {
            using = List.copyOf(using);
        }
    }

    /** Kinds of joins. */
    enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        CROSS
    }
}
