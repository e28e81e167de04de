package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a clause sees: those of its own block first, then those of the blocks around it. A name is resolved
 * as the database does, or refused where the databases (or their settings) differ: a wrong reading would check another
 * query than the one that runs.
 *
 * <p>The databases' rules agree for most names: the innermost block that has the name. Where they do not (aliases by
 * case on MariaDB, names beyond ASCII, a name that a join's sides do not have), the text is refused, with what to write
 * instead.
 *
 * @param whole for the condition of a join, which sees its two sides only: the FROM that it is part of. A name that the
 *     sides do not have but another item has is refused, since not all databases look further out for it
 * @param outer the block around, or null
 * @param relations for names with a qualifier
 * @param visible for names without: in the order of {@code *}, columns merged by USING once
 */
record Scope(
        @Nullable Scope outer,
        List<Relation> relations,
        List<ScopeColumn> visible,
        @Nullable From whole) {

    /**
     * Columns that every table has without listing them. They show where rows are stored, or who wrote them.
     * PostgreSQL's xmin tells which transaction wrote the row, ctid where it lies: both change with writes that nobody
     * is shown. ROWNUM counts rows in the order in which they are found.
     */
    private static final Map<Dialect, Set<String>> SYSTEM_COLUMNS = Map.of(
            Dialect.POSTGRESQL, Set.of("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"),
            Dialect.MARIADB, Set.of("_rowid"),
            Dialect.H2, Set.of("_rowid_", "rownum"));

    Scope(@Nullable Scope outer, List<Relation> relations, List<ScopeColumn> visible) {
        this(outer, relations, visible, null);
    }

    Scope {
        relations = List.copyOf(relations);
        visible = List.copyOf(visible);
    }

    /** A column found, or with {@code row} the columns of a whole row (PostgreSQL), and how many blocks further out. */
    record Found(List<Cell> cells, boolean row, int level) {}

    /** What the name means in this scope or the ones around it. */
    Found resolve(QualifiedName name, Work work) {
        refuseSystemColumn(name, work);
        int level = 0;
        for (Scope scope = this; scope != null; scope = scope.outer) {
            List<Cell> cells = scope.local(name, work);
            if (!cells.isEmpty()) {
                List<Cell> columns = cells(scope.visible, name.last(), work);
                // A simple name that is no column is a relation's: its whole row (PostgreSQL).
                return new Found(cells, name.isSimple() && columns.isEmpty(), level);
            }
            // Before going further out: the name might be that of a column here of which the name is not known.
            scope.refuseIfOpen(name, work);
            scope.refuseIfElsewhere(name, work);
            level++;
        }
        throw work.noColumn("the column " + name + ", which no table in sight has", name.position());
    }

    /** What the name means in this block alone; empty if nothing. */
    List<Cell> local(QualifiedName name, Work work) {
        if (name.isSimple()) {
            return unqualified(name.last(), work);
        }
        Relation relation = relation(name.parts().subList(0, name.parts().size() - 1), work);
        return relation == null ? List.of() : columnsOf(relation, name.last(), work);
    }

    /**
     * Whether the name has exactly one meaning, in this block or one around it.
     *
     * <p>For clauses in which a name may also be an alias of the select list; an ambiguous one is then the alias.
     */
    boolean isClear(QualifiedName name, Work work) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            // By the innermost block that has it, as resolving does.
            long count = scope.visible.stream()
                    .filter(column ->
                            same(column.name(), name.last().text(), work.dialect.has(DialectRule.NAMES_IGNORE_CASE)))
                    .count();
            if (count > 0) {
                return count == 1;
            }
        }
        return false;
    }

    /** The relation that a qualifier names, or null. */
    @Nullable
    Relation relation(List<Name> qualifier, Work work) {
        List<Relation> found = matching(qualifier, false);
        // Whether aliases and tables are told apart by case depends on the server. If one fits exactly it is meant in
        // either case.
        if (found.isEmpty() && work.dialect.has(DialectRule.NAMES_IGNORE_CASE)) {
            found = matching(qualifier, true);
            refuseCaseConflict(qualifier, found, work);
            String name = last(qualifier).text();
            if (found.isEmpty() && relations.stream().anyMatch(other -> work.dialect.mayBeOne(other.name(), name))) {
                throw work.refuse(
                        "the name " + last(qualifier) + " beside another, of which one is not ASCII",
                        last(qualifier).position());
            }
        }
        if (found.size() > 1) {
            throw work.refuse(
                    "the ambiguous name " + last(qualifier), last(qualifier).position());
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Relation> matching(List<Name> qualifier, boolean anyCase) {
        List<Relation> found = new ArrayList<>();
        for (Relation relation : relations) {
            if (isNamed(relation, qualifier, anyCase)) {
                found.add(relation);
            }
        }
        return found;
    }

    private static boolean isNamed(Relation relation, List<Name> qualifier, boolean anyCase) {
        if (!same(relation.name(), last(qualifier).text(), anyCase)) {
            return false;
        }
        if (qualifier.size() == 1) {
            return true;
        }
        String schema = qualifier.get(qualifier.size() - 2).text();
        return relation.qualifier() != null && same(relation.qualifier(), schema, anyCase);
    }

    /** Whether aliases that differ by case are the same depends on the server; refused where it matters. */
    private void refuseCaseConflict(List<Name> qualifier, List<Relation> found, Work work) {
        // A server that tells cases apart would find the exact name further out.
        for (Scope scope = outer; scope != null && !found.isEmpty(); scope = scope.outer) {
            if (!scope.matching(qualifier, false).isEmpty()) {
                throw work.refuse(
                        "the name " + last(qualifier) + ", which differs from another by case only",
                        last(qualifier).position());
            }
        }
    }

    /** A column of that name; on PostgreSQL, if there is none, the whole row of a relation that is called so. */
    private List<Cell> unqualified(Name name, Work work) {
        List<Cell> found = cells(visible, name, work);
        if (found.size() > 1) {
            // An error to the database as well, with its own SQL state.
            throw work.noColumn("the ambiguous column " + name, name.position());
        }
        if (found.isEmpty() && work.dialect == Dialect.POSTGRESQL) {
            Relation relation = relation(List.of(name), work);
            return relation == null ? found : wholeRow(relation);
        }
        return found;
    }

    private static List<Cell> columnsOf(Relation relation, Name name, Work work) {
        List<Cell> found = cells(relation.columns(), name, work);
        if (found.size() > 1) {
            throw work.noColumn("the ambiguous column " + name, name.position());
        }
        if (found.isEmpty()) {
            // With a qualifier that fits no database looks further out.
            throw work.noColumn("the column " + name + ", which its table does not have", name.position());
        }
        return found;
    }

    static List<Cell> wholeRow(Relation relation) {
        return relation.columns().stream()
                .filter(column -> !column.hidden())
                .map(ScopeColumn::cell)
                .toList();
    }

    private static List<Cell> cells(List<ScopeColumn> columns, Name name, Work work) {
        List<Cell> found = new ArrayList<>();
        for (ScopeColumn column : columns) {
            if (same(column.name(), name.text(), work.dialect.has(DialectRule.NAMES_IGNORE_CASE))) {
                found.add(column.cell());
            }
        }
        return found;
    }

    private static void refuseSystemColumn(QualifiedName name, Work work) {
        String folded = name.last().text().toLowerCase(Locale.ROOT);
        if (Objects.requireNonNull(SYSTEM_COLUMNS.get(work.dialect)).contains(folded)) {
            throw work.refuse("the system column " + name.last(), name.position());
        }
    }

    /** A relation with a column of unknown name might have it: it cannot be told that the name lies further out. */
    private void refuseIfOpen(QualifiedName name, Work work) {
        for (ScopeColumn column : visible) {
            boolean open = column.name().equals(ScopeColumn.UNNAMED)
                    || work.dialect.mayBeOne(column.name(), name.last().text());
            if (open && name.isSimple()) {
                throw work.refuse(
                        "the column " + name + " beside a column whose name is not certain; give that one an alias",
                        name.position());
            }
        }
    }

    private void refuseIfElsewhere(QualifiedName name, Work work) {
        if (whole != null && !whole.scope(null).local(name, work).isEmpty()) {
            throw work.refuse(
                    "the column " + name + " of a table that the join's condition does not see", name.position());
        }
    }

    private static boolean same(String a, String b, boolean anyCase) {
        return anyCase ? Dialect.MARIADB.isOneName(a, b) : a.equals(b);
    }

    private static Name last(List<Name> names) {
        return names.get(names.size() - 1);
    }
}
