package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.normalize.RowKeys.Known;
import io.leeway.privoxy.internal.normalize.RowKeys.Read;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * MariaDB takes from any row of a group, or of rows that are equal, what is neither grouped by nor an aggregate: the
 * first that it finds. So all that stands outside of aggregates must be determined by the group: columns, those of a
 * {@code *}, and what sub-queries read.
 *
 * <p>Other databases refuse such statements ({@code ONLY_FULL_GROUP_BY} is off in MariaDB by default). Which row is
 * found first is said by an index, which may be that of a hidden column; so {@code SELECT name, MAX(id) FROM t GROUP BY
 * team} tells by whose name comes out which of the hidden values is the least
 * ({@code FifthAttackIT.nothingIsTakenFromTheFirstRowOfAGroup}). Determined is what the group's columns determine by
 * keys ({@link RowKeys}): of it all rows of the group have the same.
 */
final class FirstRows {

    private final Work work;
    private final OutputReader reader;
    private final RowKeys keys;
    private final Set<Known> known;
    private final Set<Cell.Revealed> revealed = new LinkedHashSet<>();

    /**
     * For rows that agree on something.
     *
     * @param known what it is
     */
    FirstRows(Work work, OutputReader reader, RowKeys keys, Set<Known> known) {
        this.work = work;
        this.reader = reader;
        this.keys = keys;
        this.known = known;
    }

    /** Tells what is taken from the first row of a group. */
    void check(Query query, QueryBody.Select select, BiConsumer<String, Node> found) {
        for (Expr group : OutputReader.groups(select)) {
            ScopeColumn column = reader.column(group);
            if (column != null) {
                addRevealed(column.cell());
                // A column of a query in FROM is no term; that it is grouped by makes it known all the same. An alias
                // of an
                // expression is not: its value is, what it was computed from is not.
            } else if (group instanceof Expr.Column name && isPlain(name)) {
                revealed.addAll(keys.read(reader.reader(group)).mentions().revealed());
            }
        }
        for (SelectItem item : select.items()) {
            if (item instanceof SelectItem.Value value) {
                check(value.expr(), found);
            } else {
                List<ScopeColumn> columns = new SelectColumns(work, reader.place()).of(List.of(item));
                for (ScopeColumn column : columns) {
                    Read read = keys.read(now -> new ValueReader(work, reader.place(), now).read(column.cell()));
                    if (!keys.determine(known, revealed, read)) {
                        found.accept(taken("* with columns"), item);
                        break;
                    }
                }
            }
        }
        if (select.having() != null) {
            check(select.having(), found);
        }
        select.windows().forEach(named -> check(named.window(), found));
        query.orderBy().forEach(item -> checkKey(item, "of a group's", found));
    }

    /** Tells what an ORDER BY takes from the first of rows that are equal. */
    void checkOrder(Query query, BiConsumer<String, Node> found) {
        reader.columns().forEach(column -> addRevealed(column.cell()));
        query.orderBy().forEach(item -> checkKey(item, "of equal rows'", found));
    }

    /**
     * The name of a column of the select list alone is that column to ORDER BY, as is a number. What ORDER BY names of
     * the select list has been looked at there.
     */
    private void checkKey(OrderItem item, String whose, BiConsumer<String, Node> found) {
        boolean isItem = reader.column(item.key()) != null
                || item.key() instanceof Expr.Column column
                        && column.name().isSimple()
                        && reader.named(column.name().last()).size() == 1;
        if (!isItem) {
            check(item.key(), (construct, node) -> found.accept(construct.replace("of a group's", whose), node));
        }
    }

    private void addRevealed(Cell cell) {
        boolean plain =
                !(cell instanceof Cell.OfExpression expression) || expression.expression() instanceof Expr.Column;
        if (plain) {
            revealed.addAll(keys.read(now -> new ValueReader(work, reader.place(), now).read(cell))
                    .mentions()
                    .revealed());
        }
    }

    /** Whether a name is no alias of an expression. */
    private boolean isPlain(Expr.Column name) {
        return !name.name().isSimple()
                || reader.named(name.name().last()).stream()
                        .allMatch(column -> !(column.cell() instanceof Cell.OfExpression expression)
                                || expression.expression() instanceof Expr.Column);
    }

    private void check(Node node, BiConsumer<String, Node> found) {
        work.spend(node.position());
        // An aggregate is of all rows of the group. A window function is of one row, the group's first.
        if (node instanceof Expr.Call call && RowOrder.takesAll(call, work) && call.over() == null) {
            return;
        }
        if (node instanceof Expr expression) {
            // A name that is also a column's may mean the column (MariaDB prefers it in some clauses), so then it has
            // to be determined.
            boolean isAliasOnly = isAlias(expression) && !isOfTable(expression);
            if (isAliasOnly || keys.determine(known, revealed, keys.read(reader.reader(expression)))) {
                return;
            }
            // Nothing smaller is left to be determined by itself. Into a sub-query nobody looks: what it reads of the
            // row around was read with it, as a whole.
            if (Tree.children(node).isEmpty() || hasQuery(node)) {
                found.accept(
                        taken(node instanceof Expr.Column column ? "the column " + column.name() : "what is taken"),
                        node);
                return;
            }
        }
        Tree.children(node).forEach(child -> check(child, found));
    }

    private static String taken(String what) {
        return what + " of a group's first row; group by it or use an aggregate, here";
    }

    private static boolean hasQuery(Node node) {
        return Tree.children(node).stream().anyMatch(Query.class::isInstance);
    }

    /** A name that the select list gives; what it stands for is looked at there. */
    private boolean isAlias(Expr expression) {
        return expression instanceof Expr.Column column
                && column.name().isSimple()
                && !reader.named(column.name().last()).isEmpty();
    }

    private boolean isOfTable(Expr expression) {
        Scope scope = reader.place().scope();
        return expression instanceof Expr.Column column
                && scope != null
                && !scope.local(column.name(), work).isEmpty();
    }
}
