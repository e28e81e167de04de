package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.List;

/**
 * What RETURNING may name. Its rows are as they are after the write; what a sub-query reads beside them is as it was
 * before it: two states of the database in one statement. A key says nothing of two rows of different states, so the
 * row before the write would be compared with what it is set to: {@code UPDATE t SET secret = 5 WHERE id = 2 RETURNING
 * (SELECT x.id FROM t x WHERE x.id = t.id AND x.secret >= t.secret)} tells whether the secret was at least 5
 * ({@code ReturnedIT}).
 */
final class Returned {

    private Returned() {}

    /** Refuses what reads another state than that of the rows. */
    static void check(List<SelectItem> items, Work work) {
        items.forEach(item -> check(item, work));
    }

    private static void check(Node node, Work work) {
        work.spend(node.position());
        if (node instanceof Query) {
            throw work.refuse(
                    "a sub-query in RETURNING, which reads the tables as they were before the write (ask for it in a statement of"
                            + " its own)",
                    node.position());
        }
        Tree.children(node).forEach(child -> check(child, work));
    }
}
