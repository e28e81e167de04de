package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What UPDATE and DELETE of one table touch. Reads no more of WHERE than {@code column = slot} joined by AND; whatever
 * else is there only makes the rows touched fewer. To be asked after the statement was read, when the slots' types are
 * known.
 *
 * <p>What is told decides which facts are forgotten ({@code docs/privoxy/design.md}, "What outlives a write"). Every
 * uncertainty counts as touching more: an unknown column makes it any change of the table, a condition that is not
 * understood touches all rows ({@code ForgettingPropertyTest}).
 */
final class Touched {

    private final Work work;
    private final Table table;

    Touched(Work work, Table table) {
        this.work = work;
        this.table = table;
    }

    /** An UPDATE; {@code where} is null if other tables are in sight, whose columns may have the same names. */
    Change update(List<Assignment> assignments, @Nullable Expr where) {
        Set<Integer> columns = new HashSet<>();
        for (Assignment assignment : assignments) {
            for (QualifiedName target : assignment.targets()) {
                if (!addNamed(target, columns)) {
                    // A column that the table does not seem to have: then nothing is certain about the statement.
                    return new Change.Any(table.name());
                }
            }
        }
        return new Change.Updated(table.name(), columns, pinned(where));
    }

    /** A DELETE. */
    Change delete(@Nullable Expr where) {
        Map<Integer, Integer> pinned = pinned(where);
        // Without a pinned column rows are not told from others.
        return pinned.isEmpty() ? new Change.Any(table.name()) : new Change.Removed(table.name(), pinned);
    }

    /**
     * Adds the column that is meant. Which part of a name it is depends on the dialect, so each counts that can be it.
     */
    private boolean addNamed(QualifiedName name, Set<Integer> columns) {
        boolean found = false;
        for (Name part : name.parts()) {
            int column = position(part);
            found |= column >= 0;
            if (column >= 0) {
                columns.add(column);
            }
        }
        return found;
    }

    private int position(Name name) {
        List<Column> columns = table.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (SelectColumns.sameName(columns.get(i).name(), name.text(), work.dialect)) {
                return i;
            }
        }
        return -1;
    }

    private Map<Integer, Integer> pinned(@Nullable Expr where) {
        Map<Integer, Integer> pinned = new HashMap<>();
        List<Expr> conjuncts =
                where instanceof Expr.And and ? and.operands() : where == null ? List.of() : List.of(where);
        for (Expr conjunct : conjuncts) {
            if (conjunct instanceof Expr.Comparison comparison && comparison.operator() == ComparisonOperator.EQ) {
                pin(comparison.left(), comparison.right(), pinned);
                pin(comparison.right(), comparison.left(), pinned);
            }
        }
        return pinned;
    }

    /**
     * Only if the value is read as one of the column's own type, so that another value is another one to the database.
     *
     * <p>Under a case-insensitive collation {@code WHERE name = 'bob'} also deletes Bob, of whom facts would be kept
     * ({@code NormalizerWriteTest.onlyColumnsOfExactEqualityTellRowsApart}).
     */
    private void pin(Expr left, Expr right, Map<Integer, Integer> pinned) {
        if (left instanceof Expr.Column column && right instanceof Expr.Parameter parameter) {
            int position = position(column.name().last());
            if (position >= 0
                    && table.columns().get(position).type().hasExactEquality()
                    && work.arguments
                            .types()
                            .get(parameter.slot())
                            .equals(table.columns().get(position).type())) {
                pinned.put(position, parameter.slot());
            }
        }
    }
}
