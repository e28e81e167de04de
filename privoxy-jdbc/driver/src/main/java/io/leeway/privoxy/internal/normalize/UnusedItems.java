package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.List;

/**
 * Reads select lists and other clauses that nobody may use, as those of EXISTS, for the one thing in them that matters
 * even so: an aggregate over columns of an outer query, however deep, belongs to that query and makes it one that
 * groups. Reading it refuses it.
 *
 * <p>{@code EXISTS (SELECT COUNT(o.x) FROM i)} with o around: the count is one of o's rows, and the outer query has a
 * single row, whatever WHERE says ({@code NormalizerSubqueryTest.anAggregateOfAnOuterQueryIsRefusedHoweverDeep}).
 */
final class UnusedItems {

    private UnusedItems() {}

    static void check(Work work, QueryBody.Select select, Place place, Absence absence) {
        for (Node part : Tree.children(select)) {
            if (!(part instanceof FromItem) && part != select.where()) {
                work.account.ignore(part, Account.Ignored.NOT_ASKED_FOR);
            }
        }
        // Reading costs and refuses; without an aggregate or a sub-query there is nothing to find.
        if (Tree.children(select).stream()
                .filter(part -> !(part instanceof FromItem))
                .anyMatch(part -> mayAggregate(part, work))) {
            Outputs outputs = new OutputReader(work, place, select.items()).of(select, List.of());
            work.watch(() -> outputs.readAll(absence));
        }
    }

    /** A sub-query in it may have one, so that is enough to read it. */
    private static boolean mayAggregate(Node node, Work work) {
        if (node instanceof Query) {
            return true;
        }
        if (node instanceof Expr.Call call) {
            FunctionKind kind = work.kind(call.name());
            if (kind != null && kind.isAggregate()) {
                return true;
            }
        }
        return Tree.children(node).stream().anyMatch(child -> mayAggregate(child, work));
    }
}
