package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a SELECT gives away of its rows: the select list, and all that groups, sorts and filters them later.
 *
 * <p>Why HAVING and sort keys are outputs: which groups are left, and in which order rows come, is seen in the result.
 * {@code SELECT id FROM t ORDER BY salary} shows no salary, and yet who earns more
 * ({@code NormalizerSelectTest.sortColumnsAreRevealed}).
 */
final class OutputReader {

    private final Work work;
    private final Place place;
    private final List<ScopeColumn> columns;

    /** For a select list that stands at this place. */
    OutputReader(Work work, Place place, List<SelectItem> items) {
        this.work = work;
        this.place = place;
        this.columns = new SelectColumns(work, place).of(items);
    }

    /** The columns. */
    List<ScopeColumn> columns() {
        return columns;
    }

    Place place() {
        return place;
    }

    // Windows also where no item uses them by name, since they are run with the query.
    Outputs of(QueryBody.Select select, List<OrderItem> orderBy) {
        List<Expr> others = new ArrayList<>(select.distinctOn());
        select.groupBy().forEach(item -> addGroup(item, others));
        addIfThere(select.having(), others);
        addIfThere(select.qualify(), others);
        select.windows().forEach(named -> others.addAll(CallReader.windowKeys(named.window())));
        orderBy.forEach(item -> others.add(item.key()));
        return of(others);
    }

    /**
     * The select list and further expressions, which may use its names. Select list items may use no alias of each
     * other, the further expressions may.
     */
    Outputs of(List<Expr> others) {
        List<Outputs.Reader> items = new ArrayList<>();
        for (ScopeColumn column : columns) {
            items.add(now -> new ValueReader(work, place, now).read(column.cell()));
        }
        List<Outputs.Reader> more = new ArrayList<>();
        for (Expr other : others) {
            more.add(now -> new ValueReader(work, place, now, this::named).read(other));
        }
        return new Outputs(items, more);
    }

    /** What a GROUP BY groups by; a number is a column of the select list. */
    List<Operand> groups(QueryBody.Select select, Absence now) {
        return groups(select).stream()
                .map(group -> key(group).read(now))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The expressions of a GROUP BY. */
    static List<Expr> groups(QueryBody.Select select) {
        List<Expr> expressions = new ArrayList<>();
        select.groupBy().forEach(item -> addGroup(item, expressions));
        return expressions;
    }

    /** The columns of the select list, each for itself. */
    List<Outputs.Reader> items() {
        return of(List.of()).items();
    }

    /** A key of GROUP BY or ORDER BY: a number is a column of the select list. */
    Outputs.Reader key(Expr expression) {
        ScopeColumn column = column(expression);
        return column == null ? reader(expression) : now -> new ValueReader(work, place, now).read(column.cell());
    }

    /** Any other expression. */
    Outputs.Reader reader(Expr expression) {
        return now -> new ValueReader(work, place, now, this::named).read(expression);
    }

    /** How the values of a key are written; a name alone may be that of a column of the select list. */
    Representation formOfKey(Expr expression) {
        ScopeColumn column = column(expression);
        return column == null ? form(expression) : Representations.of(column.cell(), work);
    }

    /** How the values of any other expression are written. */
    Representation form(Expr expression) {
        List<Representation> forms = new ArrayList<>();
        if (expression instanceof Expr.Column column && column.name().isSimple()) {
            named(column.name().last()).forEach(item -> forms.add(Representations.of(item.cell(), work)));
        }
        Scope scope = place.scope();
        boolean isAlias = !forms.isEmpty()
                && (scope == null
                        || scope.local(((Expr.Column) expression).name(), work).isEmpty());
        if (!isAlias) {
            forms.add(new Representations(work, place).of(expression));
        }
        return Representation.common(forms, work.dialect);
    }

    /**
     * The column of the select list that a number means, or null.
     *
     * <p>{@code ORDER BY 2} is the second column; {@code ORDER BY 1 + 1} a constant. A number in parentheses is read
     * differently by databases and is refused where it would matter ({@link RowOrder}).
     */
    @Nullable
    ScopeColumn column(Expr expression) {
        int ordinal = ordinal(expression);
        return ordinal > 0 && ordinal <= columns.size() ? columns.get(ordinal - 1) : null;
    }

    /**
     * The columns of the select list with this name.
     *
     * <p>Several, as databases allow two columns of one name and differ in which of them ORDER BY means: all are taken.
     */
    List<ScopeColumn> named(Name name) {
        return columns.stream()
                .filter(column -> SelectColumns.sameName(column.name(), name.text(), work.dialect))
                .toList();
    }

    /** The column of the select list that a number means, from 1 on, or 0. */
    static int ordinal(Expr expression) {
        boolean number = expression instanceof Expr.Literal literal
                && literal.kind() == Expr.LiteralKind.INTEGER
                // No select list is longer, and longer numbers need not be read.
                && literal.text().length() < 5;
        return number ? Integer.parseInt(((Expr.Literal) expression).text()) : 0;
    }

    /**
     * What a name may stand for in the select list. Where an alias and a column share it both count as read
     * ({@link ValueReader}).
     */
    private List<Operand> named(Name name, Absence now) {
        List<Operand> found = new ArrayList<>();
        for (ScopeColumn column : columns) {
            if (SelectColumns.sameName(column.name(), name.text(), work.dialect)) {
                found.add(new ValueReader(work, place, now).read(column.cell()));
                // The server might take both for one name: then the name means the alias, otherwise a column further
                // out.
            } else if (work.dialect.mayBeOne(column.name(), name.text())) {
                throw work.refuse("the name " + name + " beside another, of which one is not ASCII", name.position());
            }
        }
        return found;
    }

    private static void addIfThere(@Nullable Expr expression, List<Expr> all) {
        if (expression != null) {
            all.add(expression);
        }
    }

    /**
     * The expressions of a grouping; where an item has several, each of them.
     *
     * <p>Of {@code ROLLUP} and the like too: whatever is grouped by in one of the sets is read of all rows.
     */
    static void addGroup(GroupItem item, List<Expr> all) {
        if (item instanceof GroupItem.Value value) {
            all.addAll(value.expr() instanceof Expr.Row row ? row.values() : List.of(value.expr()));
        } else if (item instanceof GroupItem.Rollup rollup) {
            all.addAll(rollup.values());
        } else if (item instanceof GroupItem.Cube cube) {
            all.addAll(cube.values());
        } else if (item instanceof GroupItem.Sets sets) {
            sets.items().forEach(inner -> addGroup(inner, all));
        }
    }
}
