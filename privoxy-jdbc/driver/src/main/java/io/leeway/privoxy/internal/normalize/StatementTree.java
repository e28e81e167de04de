package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Statement;

/**
 * The part of {@link Tree} that is about statements.
 *
 * <p>Settings' values, MERGE's clauses and what stands behind ON CONFLICT are parts like any other: most of what five
 * attackers found was a part of the text that no reader looked at ({@link Account}).
 */
final class StatementTree {

    private StatementTree() {}

    static boolean add(Node node, Tree.Parts parts) {
        if (node instanceof Statement statement) {
            return write(statement, parts) || other(statement, parts);
        }
        if (node instanceof Statement.Setting setting) {
            return parts.addAll(setting.values());
        }
        return Tree.clause(node, parts);
    }

    private static boolean write(Statement statement, Tree.Parts parts) {
        if (statement instanceof Statement.Insert insert) {
            parts.add(insert.with(), insert.source(), insert.onConflict());
            return parts.addAll(insert.returning());
        }
        if (statement instanceof Statement.Update update) {
            parts.add(update.with());
            parts.addAll(update.targets());
            parts.addAll(update.assignments());
            parts.addAll(update.from());
            parts.add(update.where());
            parts.addAll(update.orderBy());
            parts.add(update.limit());
            return parts.addAll(update.returning());
        }
        if (statement instanceof Statement.Delete delete) {
            parts.add(delete.with());
            parts.addAll(delete.targets());
            parts.addAll(delete.using());
            parts.add(delete.where());
            parts.addAll(delete.orderBy());
            parts.add(delete.limit());
            return parts.addAll(delete.returning());
        }
        if (statement instanceof Statement.Merge merge) {
            parts.add(merge.with(), merge.target(), merge.source(), merge.on());
            parts.addAll(merge.clauses());
            return parts.addAll(merge.returning());
        }
        return false;
    }

    private static boolean other(Statement statement, Tree.Parts parts) {
        if (statement instanceof Statement.Select select) {
            return parts.add(select.query());
        }
        if (statement instanceof Statement.Call call) {
            return parts.addAll(call.arguments());
        }
        if (statement instanceof Statement.CreateTableAs create) {
            return parts.add(create.query());
        }
        if (statement instanceof Statement.Copy copy) {
            return parts.add(copy.source());
        }
        if (statement instanceof Statement.Explain explain) {
            return parts.add(explain.statement());
        }
        if (statement instanceof Statement.Set set) {
            return parts.addAll(set.settings());
        }
        return statement instanceof Statement.Show
                || statement instanceof Statement.Transaction
                || statement instanceof Statement.Ddl
                || statement instanceof Statement.Other;
    }
}
