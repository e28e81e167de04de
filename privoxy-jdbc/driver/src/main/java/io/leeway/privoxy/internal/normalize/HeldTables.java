package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.StatementPlan.Held;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Which tables a statement reads as they are when it locks or writes their rows. That can be later than what it reads
 * beside them: on PostgreSQL and H2 after it has waited for a lock, on MariaDB whenever the transaction has a snapshot.
 *
 * <p>All tables of a statement that locks or writes count as such but those of sub-queries in expressions, and where the
 * database is known to read them without a lock the ones that a write takes its rows from. If such a sub-query locks, all do.
 */
final class HeldTables {

    private final Dialect dialect;
    private final Set<FromItem> beside = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean locks;
    private boolean writes;
    private boolean locksInside;
    /** Whether something is read of which it is not known whether it is locked. */
    private boolean isMore;

    private HeldTables(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Those of a statement. */
    static HeldTables of(Statement statement, Dialect dialect) {
        var held = new HeldTables(dialect);
        if (isRead(statement)) {
            held.look(statement, false);
            if (held.isAny()) {
                held.walk(statement, statement instanceof Statement.Select && !held.locks);
            }
            held.isMore |= held.locksInside || !held.beside.isEmpty() || !isHeldAtTheTop(statement);
            if (held.locksInside) {
                held.beside.clear();
            }
        }
        return held;
    }

    /** Those of a statement that neither locks nor writes. */
    static HeldTables none(Dialect dialect) {
        return new HeldTables(dialect);
    }

    /** Whether there are any. */
    boolean isAny() {
        return locks || writes;
    }

    /** How many of the tables. */
    Held held() {
        return !isAny() ? Held.NOTHING : isMore ? Held.SOME : Held.ALL;
    }

    /** A view was met: which of its tables are locked with it is not known. */
    void hasView() {
        isMore = true;
    }

    private static boolean isHeldAtTheTop(Statement statement) {
        return !(statement instanceof Statement.Select select)
                || !select.query().locking().isEmpty()
                        && select.query().locking().stream()
                                .allMatch(locking -> locking.of().isEmpty());
    }

    /** Whether a table is one of them. */
    boolean has(FromItem.Table table) {
        return isAny() && !beside.contains(table);
    }

    /** Whether it is of a kind that reads tables, of which others know the parts. */
    private static boolean isRead(Statement statement) {
        return statement instanceof Statement.Select || isWrite(statement);
    }

    private static boolean isWrite(Node node) {
        return node instanceof Statement.Insert
                || node instanceof Statement.Update
                || node instanceof Statement.Delete
                || node instanceof Statement.Merge
                || node instanceof Statement.CreateTableAs;
    }

    private void look(Node node, boolean inExpression) {
        writes |= isWrite(node);
        isMore |= node instanceof With
                || node instanceof FromItem.Derived
                || node instanceof FromItem.Function
                || node instanceof QueryBody.SetOperation;
        if (node instanceof Query query && !query.locking().isEmpty()) {
            locks = true;
            locksInside |= inExpression;
        }
        boolean inside = inExpression || node instanceof Expr;
        Tree.children(node).forEach(child -> look(child, inside));
    }

    @SuppressWarnings("ReferenceEquality") // A part is itself only.
    private void walk(Node node, boolean isBeside) {
        if (node instanceof FromItem.Table table && isBeside) {
            beside.add(table);
        }
        List<? extends Node> sources = dialect == Dialect.MARIADB || locks ? List.of() : sources(node);
        for (Node child : Tree.children(node)) {
            boolean isSource = sources.stream().anyMatch(source -> source == child);
            walk(child, isSource || !isWrite(node) && (isBeside || node instanceof Expr));
        }
    }

    /** What a write takes its rows from. */
    private static List<? extends Node> sources(Node node) {
        if (node instanceof Statement.Update update) {
            return update.from();
        }
        if (node instanceof Statement.Delete delete) {
            return delete.multiTable() ? List.of() : delete.using();
        }
        if (node instanceof Statement.Insert insert) {
            return List.of(insert.source());
        }
        if (node instanceof Statement.Merge merge) {
            return List.of(merge.source());
        }
        return node instanceof Statement.CreateTableAs create ? List.of(create.query()) : List.of();
    }
}
