package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.List;

/**
 * What a SELECT does with its rows after FROM and WHERE.
 *
 * <p>All clauses count, the ORDER BY too: to MariaDB {@code SELECT x FROM t ORDER BY COUNT(*)} has one row. An inner
 * query's sort keys were once read by nobody, sets in them made rows and aggregates one row of none
 * ({@code FourthAttackIT.whatAnInnerQuerySortsByIsRead}, {@code .anAggregateThatMakesOneRowOfNoneIsNoFact}).
 *
 * @param grouped whether rows are put together: GROUP BY, HAVING or an aggregate
 * @param aggregates whether there is an aggregate
 * @param duplicatesMatter whether an aggregate counts duplicates
 * @param windows whether there is a window function
 * @param multiplies whether a function in the select list gives several rows
 */
record Traits(boolean grouped, boolean aggregates, boolean duplicatesMatter, boolean windows, boolean multiplies) {

    static Traits of(QueryBody.Select select, List<OrderItem> orderBy, Work work) {
        var walk = new Walk(work);
        select.items().forEach(walk::visit);
        select.distinctOn().forEach(walk::visit);
        select.groupBy().forEach(walk::visit);
        select.windows().forEach(named -> walk.visit(named.window()));
        orderBy.forEach(walk::visit);
        if (select.having() != null) {
            walk.visit(select.having());
        }
        if (select.qualify() != null) {
            walk.visit(select.qualify());
            // QUALIFY filters by window functions, whether or not one stands in it by itself.
            walk.windows = true;
        }
        // To MariaDB, HAVING alone is one more condition.
        boolean having = select.having() != null && work.dialect != Dialect.MARIADB;
        boolean grouped = walk.aggregates || !select.groupBy().isEmpty() || having;
        return new Traits(grouped, walk.aggregates, walk.duplicatesMatter, walk.windows, walk.multiplies);
    }

    /** Whether the rows of FROM and WHERE are the rows of the result. */
    boolean isPlain() {
        return !grouped && !windows && !multiplies;
    }

    /** Whether all rows make one, even if there is none: an aggregate without GROUP BY. */
    static boolean isOneRow(QueryBody.Select select, Traits traits) {
        return traits.grouped() && select.groupBy().isEmpty() && !traits.multiplies();
    }

    /**
     * Whether each row of FROM and WHERE is in exactly one group, and groups differ in the expressions named.
     *
     * <p>Not with ROLLUP, CUBE or GROUPING SETS: each row is in several groups then, among them one of all rows, which
     * is there even if no row is ({@code FourthAttackIT.anAggregateWithoutGroupsHasAsManyRowsAsItsSetsSay}).
     */
    static boolean hasPlainGroups(QueryBody.Select select) {
        return !select.groupBy().isEmpty() && select.groupBy().stream().allMatch(GroupItem.Value.class::isInstance);
    }

    private static final class Walk {

        private final Work work;
        private boolean aggregates;
        private boolean duplicatesMatter;
        private boolean windows;
        private boolean multiplies;

        Walk(Work work) {
            this.work = work;
        }

        void visit(Node node) {
            // A sub-query's aggregates are its own. One over columns of this query is refused when it is read.
            if (node instanceof Query) {
                return;
            }
            if (node instanceof Expr.Call call) {
                classify(call);
            }
            Tree.children(node).forEach(this::visit);
        }

        private void classify(Expr.Call call) {
            FunctionKind kind = work.kind(call.name());
            if (call.over() != null) {
                windows = true;
            } else if (kind != null && kind.isAggregate()) {
                aggregates = true;
                boolean distinct =
                        // COUNT(DISTINCT x) is the same however often x occurs.
                        call.aggregation() != null && call.aggregation().distinct();
                duplicatesMatter |= kind == FunctionKind.AGGREGATE && !distinct;
            } else if (kind == FunctionKind.ROWS) {
                multiplies = true;
            }
        }
    }
}
