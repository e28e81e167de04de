package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A FROM clause, taken apart: the rows that it combines, the conditions on them, the optional parts. Queries in FROM
 * that only join and filter are part of it; others stand for themselves and are {@code opaque} to the block.
 *
 * <p>Mutable while it is read, as the sides of joins are put together from the leaves; after that nobody changes it.
 */
final class From {

    /** For names with a qualifier, in the order of the text. */
    final List<Relation> relations = new ArrayList<>();
    /** For names without, and for {@code *}. */
    final List<ScopeColumn> visible = new ArrayList<>();

    /** Rows of which every combination is a row of the block. */
    final List<Use> rows = new ArrayList<>();
    /**
     * Conditions on these rows: inner joins, and what inlined queries ask. Of an inner join a condition is one more of
     * WHERE. Of an outer join it belongs to the part: where it fails the row stays, with NULLs.
     */
    final List<Filter> filters = new ArrayList<>();
    /** Nullable sides of outer joins, in such an order that conditions refer to earlier ones. */
    final List<OptionalPart> optional = new ArrayList<>();
    /**
     * Parts that have no row in this alternative: the left side of a FULL JOIN, for rows of the right without match.
     */
    final List<OptionalPart> absent = new ArrayList<>();

    /**
     * Rows from which an opaque query's rows are made: there is one behind each row of it. They are not counted. They
     * make conditions on the query's columns mean something to the chase, but two of them may be behind one row, so
     * bags must not be counted by them.
     */
    final List<Use> behind = new ArrayList<>();
    /** Columns of opaque queries that are columns of the rows behind. */
    final List<Cell> shown = new ArrayList<>();
    /** What tells the rows of opaque queries apart. */
    final List<Unique> uniques = new ArrayList<>();
    /** Opaque queries, which are revealed as a whole. */
    final List<Pending> pendings = new ArrayList<>();
    /**
     * Whether an opaque query takes part, so that not every combination of rows need be a row of the block. Then every
     * row of the block is a candidate only, and keys do not tell how often it occurs.
     */
    boolean opaque;

    /**
     * That an opaque query has one row for each value of some columns of the rows behind it, or that it has nothing to
     * tell by which of its rows is taken.
     *
     * @param key these columns
     * @param columns its other columns, which follow from them
     */
    record Unique(List<Term> key, Set<Cell.Revealed> columns) {}

    /** Adds a further item, each row of which is combined with each row of this. */
    void cross(From other) {
        relations.addAll(other.relations);
        visible.addAll(other.visible);
        addContent(other);
    }

    /** Adds all of another but its names. */
    void addContent(From other) {
        rows.addAll(other.rows);
        filters.addAll(other.filters);
        optional.addAll(other.optional);
        absent.addAll(other.absent);
        behind.addAll(other.behind);
        shown.addAll(other.shown);
        uniques.addAll(other.uniques);
        pendings.addAll(other.pendings);
        opaque |= other.opaque;
    }

    /** Whether it is rows and conditions only. */
    boolean isSimple() {
        return optional.isEmpty() && absent.isEmpty() && !opaque && pendings.isEmpty();
    }

    Scope scope(@org.jspecify.annotations.Nullable Scope outer) {
        return new Scope(outer, relations, visible);
    }
}
