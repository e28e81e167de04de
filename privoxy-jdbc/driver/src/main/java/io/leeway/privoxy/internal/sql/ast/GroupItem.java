package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/** One item of GROUP BY. */
public sealed interface GroupItem extends Node {

    /** An expression (a row of them counts as each of them). */
    record Value(Expr expr) implements GroupItem {
        @Override
        public int position() {
            return expr.position();
        }
    }

    /** {@code ()}: everything in one group. */
    record Empty(int position) implements GroupItem {}

    /** ROLLUP. */
    record Rollup(List<Expr> values, int position) implements GroupItem {
        public Rollup {
            values = List.copyOf(values);
        }
    }

    /** CUBE. */
    record Cube(List<Expr> values, int position) implements GroupItem {
        public Cube {
            values = List.copyOf(values);
        }
    }

    /** GROUPING SETS. */
    record Sets(List<GroupItem> items, int position) implements GroupItem {
        public Sets {
            items = List.copyOf(items);
        }
    }
}
