package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr.ComparisonOperator;
import io.leeway.privoxy.internal.sql.ast.Expr.Truth;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.FromItem.JoinKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the two sides of a join together. An inner join adds rows and a condition; of an outer join the nullable side
 * becomes an {@link OptionalPart}. RIGHT JOIN is LEFT JOIN with the sides exchanged, but for the order of columns. A
 * FULL JOIN is the LEFT JOIN and, in another reading, the right rows that have no match.
 *
 * <p>The order of columns is more than looks: {@code *}, {@code INSERT … SELECT *} and a sub-query's first column go by
 * position, and databases differ in it ({@code ThirdAttackIT.columnsStandWhereTheDatabasePutsThem}). What is not known
 * to be in the place where the database puts it is refused.
 */
final class JoinReader {

    private final Work work;
    private final FromItem.Join join;
    private final Place place;
    private final From whole;
    private final boolean rightOnly;
    private final List<Filter> conditions = new ArrayList<>();

    JoinReader(Work work, FromItem.Join join, Place place, From whole, boolean rightOnly) {
        this.work = work;
        this.join = join;
        this.place = place;
        this.whole = whole;
        this.rightOnly = rightOnly;
    }

    /**
     * The two sides as one FROM. Inner: rows and conditions of both. LEFT: the right side is a part of its own, which
     * joins by ON. RIGHT: the left one is. FULL: as LEFT in one reading; in the other the right side's rows, with the
     * left one absent and ON deciding which have a match.
     */
    From join(From left, From right) {
        var result = new From();
        List<ScopeColumn> leftColumns = left.visible;
        List<ScopeColumn> rightColumns = right.visible;
        List<Relation> leftRelations = left.relations;
        List<Relation> rightRelations = right.relations;
        // The condition sees the two sides and what is around this FROM, nothing else.
        Place inside = place.within(sides(left, right));
        List<String> common = commonNames(left, right);
        addConditions(common, left, right, inside);
        if (join.kind() == JoinKind.LEFT || (join.kind() == JoinKind.FULL && !rightOnly)) {
            OptionalPart part = part(right);
            rightColumns = Relation.optional(rightColumns, part);
            rightRelations = rightRelations.stream()
                    .map(relation -> relation.optional(part))
                    .toList();
            result.addContent(left);
            addOptional(result, right, part);
        } else if (join.kind() == JoinKind.RIGHT || join.kind() == JoinKind.FULL) {
            OptionalPart part = part(left);
            leftColumns = Relation.optional(leftColumns, part);
            leftRelations = leftRelations.stream()
                    .map(relation -> relation.optional(part))
                    .toList();
            result.addContent(right);
            if (rightOnly) {
                addAbsent(result, left, part);
            } else {
                addOptional(result, left, part);
            }
        } else {
            result.addContent(left);
            result.addContent(right);
            // ON of an inner join is as good as WHERE.
            result.filters.addAll(conditions);
        }
        result.relations.addAll(leftRelations);
        result.relations.addAll(rightRelations);
        result.visible.addAll(merged(common, leftColumns, rightColumns));
        return result;
    }

    private Scope sides(From left, From right) {
        List<Relation> relations = new ArrayList<>(left.relations);
        relations.addAll(right.relations);
        List<ScopeColumn> visible = new ArrayList<>(left.visible);
        visible.addAll(right.visible);
        return new Scope(place.scope(), relations, visible, whole);
    }

    /**
     * The nullable side. What it joins by is ON and whatever the queries in it ask, since a row that fails either is no
     * match.
     */
    private OptionalPart part(From side) {
        List<Filter> filters = new ArrayList<>(side.filters);
        filters.addAll(conditions);
        var part = new OptionalPart(side.rows, filters, join.position(), side.opaque);
        // Outer joins inside the nullable side are there only where the side is.
        side.optional.forEach(part::adopt);
        return part;
    }

    private static void addOptional(From result, From side, OptionalPart part) {
        result.optional.add(part);
        result.optional.addAll(side.optional);
        // An opaque query is asked for as a whole, wherever it stands: its rows do not depend on the join.
        result.pendings.addAll(side.pendings);
    }

    private void addAbsent(From result, From side, OptionalPart part) {
        // That the right row has no match on the left is asked with the left side's rows; with outer joins or opaque
        // queries among them it would have cases of its own.
        if (!side.isSimple()) {
            throw work.refuse("FULL JOIN of anything but tables on its left", join.position());
        }
        result.absent.add(part);
    }

    // --- conditions --------------------------------------------------------------------------------------------------

    private void addConditions(List<String> common, From left, From right, Place inside) {
        conditions.addAll(Filter.of(join.on(), work, inside));
        // The column of each side that has the name, by the equality of a plain = on them: NULLs do not match.
        for (String name : common) {
            Cell first = only(left.visible, name);
            Cell second = only(right.visible, name);
            conditions.add(absence -> equal(first, second, inside, absence));
        }
    }

    private Dnf equal(Cell left, Cell right, Place inside, Absence absence) {
        var values = new ValueReader(work, inside, absence);
        return new Comparer(work)
                .when(Truth.TRUE, ComparisonOperator.EQ, values.read(left), values.read(right), join.position());
    }

    // --- USING and NATURAL -------------------------------------------------------------------------------------------

    /** The names of the columns that are put together, in the order in which {@code *} has them. */
    private List<String> commonNames(From left, From right) {
        boolean byName = !join.using().isEmpty() || join.natural();
        // MariaDB exchanges the sides of a RIGHT JOIN, and with them the columns of *.
        if (byName && join.kind() == JoinKind.RIGHT && work.dialect != Dialect.POSTGRESQL) {
            // Which columns come first in a row then is not what the standard says.
            throw work.refuse("RIGHT JOIN by names of columns (write the condition with ON)", join.position());
        }
        if (!join.using().isEmpty()) {
            // The standard puts the common columns first, in the order of the list.
            return inOrder(join.using().stream().map(Name::text).toList(), left);
        }
        if (!join.natural()) {
            return List.of();
        }
        // A column of which the name is not known could be common to both sides.
        refuseUnnamed(left.visible);
        refuseUnnamed(right.visible);
        List<String> names = new ArrayList<>();
        for (ScopeColumn column : left.visible) {
            if (!column.hidden()
                    && right.visible.stream().anyMatch(other -> !other.hidden() && same(other.name(), column.name()))) {
                names.add(column.name());
            }
        }
        return names;
    }

    /** In a row MariaDB has them in the order of the first table, not of the list. */
    private List<String> inOrder(List<String> names, From left) {
        if (work.dialect != Dialect.MARIADB) {
            return names;
        }
        List<String> ordered = new ArrayList<>();
        for (ScopeColumn column : left.visible) {
            names.stream()
                    .filter(name -> same(name, column.name()) && !ordered.contains(name))
                    .forEach(ordered::add);
        }
        if (ordered.size() != names.size()) {
            throw work.refuse("USING with a column that the first table does not have", join.position());
        }
        return ordered;
    }

    /** By it a hidden column could be compared that the text does not name. */
    private void refuseUnnamed(List<ScopeColumn> columns) {
        if (columns.stream().anyMatch(column -> column.name().equals(ScopeColumn.UNNAMED))) {
            throw work.refuse("NATURAL JOIN with a column without a name", join.position());
        }
        // MariaDB compares names by a collation: what it takes for one beyond ASCII is not known here, so a hidden
        // column could be compared by a name that looks different
        // (ThirdAttackIT.whatIsJoinedByNameIsWhatTheServerJoins).
        if (columns.stream().anyMatch(column -> work.dialect.mayBeOne(column.name(), ""))) {
            throw work.refuse("NATURAL JOIN with a column whose name is not ASCII", join.position());
        }
    }

    private Cell only(List<ScopeColumn> columns, String name) {
        List<ScopeColumn> found =
                columns.stream().filter(column -> same(column.name(), name)).toList();
        // None: an error of the database's. Two: which of them is compared would be a guess.
        if (found.size() != 1) {
            throw work.refuse(
                    "the column " + name + ", which one side of the join does not have once", join.position());
        }
        return found.get(0).cell();
    }

    private List<ScopeColumn> merged(List<String> common, List<ScopeColumn> left, List<ScopeColumn> right) {
        List<ScopeColumn> columns = new ArrayList<>();
        for (String name : common) {
            columns.add(new ScopeColumn(name, merged(only(left, name), only(right, name))));
        }
        addOthers(left, common, columns);
        addOthers(right, common, columns);
        return columns;
    }

    /** Which side's value the common column shows. */
    private Cell merged(Cell left, Cell right) {
        return switch (join.kind()) {
            // The side that is always there: of a row without match the other's is NULL.
            case RIGHT -> right;
            case FULL -> new Cell.FirstNonNull(left, right);
            default -> left;
        };
    }

    private void addOthers(List<ScopeColumn> side, List<String> common, List<ScopeColumn> columns) {
        for (ScopeColumn column : side) {
            if (common.stream().noneMatch(name -> same(name, column.name()))) {
                columns.add(column);
            }
        }
    }

    private boolean same(String a, String b) {
        return work.dialect.isOneName(a, b);
    }
}
