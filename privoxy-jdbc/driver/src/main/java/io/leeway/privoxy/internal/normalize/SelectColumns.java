package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The columns of a select list: {@code *} written out, each with the name that the database gives it.
 *
 * <p>The names matter for queries in FROM: a reference from outside finds a column by them, and with a wrong name it
 * would find another column, or one further out.
 */
final class SelectColumns {

    private final Work work;
    private final Place place;

    /** For a select list that stands at this place, which has a scope. */
    SelectColumns(Work work, Place place) {
        this.work = work;
        this.place = place;
    }

    /** Each expression keeps its place, since it is read later, and perhaps under other absences. */
    List<ScopeColumn> of(List<SelectItem> items) {
        List<ScopeColumn> columns = new ArrayList<>();
        for (SelectItem item : items) {
            if (item instanceof SelectItem.All all) {
                columns.addAll(all(all));
            } else {
                var value = (SelectItem.Value) item;
                columns.add(new ScopeColumn(name(value), new Cell.OfExpression(value.expr(), place)));
            }
        }
        return columns;
    }

    /**
     * What a star stands for: the columns that are visible, those that joins by name have merged once and first; with a
     * qualifier all of that relation.
     */
    private List<ScopeColumn> all(SelectItem.All all) {
        // The star is read by being written out.
        work.account.read(all);
        Scope scope = Objects.requireNonNull(place.scope());
        List<ScopeColumn> columns = scope.visible();
        QualifiedName qualifier = all.qualifier();
        if (qualifier != null) {
            Relation relation = scope.relation(qualifier.parts(), work);
            if (relation == null) {
                throw work.noColumn("the table " + qualifier + ", which is not in FROM", all.position());
            }
            columns = relation.columns();
        } else if (columns.isEmpty()) {
            throw work.refuse("* without tables", all.position());
        }
        return except(columns.stream().filter(column -> !column.hidden()).toList(), all);
    }

    private List<ScopeColumn> except(List<ScopeColumn> columns, SelectItem.All all) {
        List<ScopeColumn> kept = new ArrayList<>(columns);
        for (QualifiedName name : all.except()) {
            if (!name.isSimple()
                    || !kept.removeIf(column -> column.name().equals(name.last().text()))) {
                throw work.refuse("EXCEPT of this column", name.position());
            }
        }
        return kept;
    }

    private String name(SelectItem.Value value) {
        Name alias = value.alias();
        if (alias != null) {
            return isKept(alias.text(), work) ? alias.text() : ScopeColumn.UNNAMED;
        }
        if (value.expr() instanceof Expr.Column column) {
            return column.name().last().text();
        }
        return switch (work.dialect) {
            case POSTGRESQL -> ofExpression(value.expr());
            case MARIADB, H2 -> ScopeColumn.UNNAMED;
        };
    }

    /**
     * MariaDB takes away what is no letter or mark at the beginning of a name, and perhaps at its end.
     *
     * <p>So an alias with blanks in front is found by a name that the text does not show ({@code ThirdAttackIT}).
     */
    private static boolean isKept(String name, Work work) {
        return work.dialect != Dialect.MARIADB || name.isEmpty() || (name.charAt(0) > ' ' && !name.endsWith(" "));
    }

    /** PostgreSQL names a call after its function; for other expressions it is not told here. */
    private static String ofExpression(Expr expression) {
        return expression instanceof Expr.Call call && call.form() == Expr.CallForm.NORMAL
                ? call.name().last().text()
                : ScopeColumn.UNNAMED;
    }

    /** Whether two names are one column's. */
    static boolean sameName(String a, String b, Dialect dialect) {
        return dialect.isOneName(a, b);
    }

    /** The columns under the names of a list, which may be shorter. */
    static List<ScopeColumn> renamed(List<ScopeColumn> columns, List<Name> names, Work work, int position) {
        if (names.size() > columns.size()) {
            throw work.refuse("more column names than columns", position);
        }
        List<ScopeColumn> renamed = new ArrayList<>(columns);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i).text();
            renamed.set(i, columns.get(i).named(isKept(name, work) ? name : ScopeColumn.UNNAMED));
        }
        return renamed;
    }
}
