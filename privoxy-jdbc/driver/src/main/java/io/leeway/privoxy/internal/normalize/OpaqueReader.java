package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queries and functions in FROM that cannot be put in their place: with aggregates, DISTINCT, LIMIT, UNION ….
 *
 * <p>Such a query is revealed as a whole, as a bag, by obligations of its own. The block around it then needs only what
 * the <em>other</em> tables contribute, for all rows that the query may have; that is an over-approximation, so every
 * row of the block is marked as hidden. To keep it small, the rows from which the query's rows are made stand in the
 * block as {@link From#behind}: behind each row of the query there is a combination of its tables' rows that satisfies
 * its WHERE and has the same values in the grouping columns (in all plain columns if it does not group). Conditions on
 * these columns therefore hold for the rows behind as well. They are in the head, so that the block's answers can be
 * matched with the query's rows. Its other columns are revealed already; conditions on them are dropped.
 *
 * <p>Example: {@code SELECT q.n FROM (SELECT team, COUNT(*) AS n FROM t WHERE org = ? GROUP BY team) q JOIN teams ON
 * teams.id = q.team WHERE q.team = 7}. The groups are asked for as a whole. Behind each stands a row of t of that team
 * and org, so the question about teams is about those that such a row refers to, which a view of "teams of my org" may
 * show.
 */
final class OpaqueReader {

    private final Work work;
    private final Absence absence;
    private final CommonTables.@Nullable Entry owner;

    OpaqueReader(Work work, Absence absence, CommonTables.@Nullable Entry owner) {
        this.work = work;
        this.absence = absence;
        this.owner = owner;
    }

    /** A query, which is the body of {@code owner} if that is not null. */
    From query(Query query, Place place, List<Name> names, @Nullable Alias alias, boolean nullable, boolean lateral) {
        // A view has to say exactly what it shows; an over-approximation would show more.
        refuseInPolicy("this query in FROM", query.position());
        Place inside = CommonTables.enter(query.with(), place);
        var from = new From();
        // On the nullable side there may be no row at all, so none behind it; a LATERAL query has other rows for each
        // row around.
        boolean model = !nullable && !lateral && !groupsBySorting(query);
        List<ScopeColumn> columns = columns(query.body(), inside, from, model);
        if (!readsTables(query.body())) {
            // Of rows that are made of nothing but values it does not matter which is taken.
            from.uniques.add(new From.Unique(List.of(), revealed(columns)));
        }
        columns = SelectColumns.renamed(columns, names, work, query.position());
        addPending(query, place, from, lateral);
        return named(from, columns, alias, query.position());
    }

    /**
     * Whether an aggregate in ORDER BY makes one row of all, even of none: then there may be no row behind it.
     *
     * <p>{@code SELECT x FROM t ORDER BY COUNT(*)} in a sub-query has a row on MariaDB when t is empty. Taken for a row
     * of t it became a fact that was not true ({@code FifthAttackIT.anAggregateThatSortsMakesOneRowOfNone}).
     */
    private boolean groupsBySorting(Query query) {
        QueryBody.Select select = InlineReader.select(query.body());
        return select != null
                && Traits.of(select, query.orderBy(), work).grouped()
                && !Traits.of(select, List.of(), work).grouped();
    }

    /** A function; its rows are known from its arguments. */
    From function(FromItem.Function function, Place place) {
        refuseInPolicy("a function in FROM", function.position());
        if (!(function.call() instanceof Expr.Call call) || work.kind(call.name()) != FunctionKind.ROWS) {
            throw work.refuse("this function in FROM", function.position());
        }
        if (call.aggregation() == null && call.over() == null) {
            work.account.read(call);
        }
        var from = new From();
        from.opaque = true;
        // How many rows it makes of a row of the block is a function of its arguments, so these are read; that there is
        // one is no condition that could be asked.
        from.filters.add(now -> Dnf.of(Hidden.over(new ValueReader(work, place, now).readAll(call.arguments()))));
        Alias alias = function.alias();
        List<ScopeColumn> columns = new ArrayList<>();
        columns.add(new ScopeColumn(
                functionColumn(call, alias), new Cell.Revealed(() -> new Representations(work, place).of(call))));
        for (int i = 1; i < call.arguments().size() && isUnnest(call); i++) {
            columns.add(new ScopeColumn(ScopeColumn.UNNAMED, new Cell.Revealed()));
        }
        if (function.withOrdinality()) {
            columns.add(new ScopeColumn("ordinality", new Cell.Revealed(() -> Representation.WHOLE)));
        }
        // generate_series(1, 10): its rows are the same in every database, so which of equal ones is taken tells
        // nothing.
        if (!readsTables(call)) {
            from.uniques.add(new From.Unique(List.of(), revealed(columns)));
        }
        Alias named = alias != null ? alias : new Alias(call.name().last(), List.of());
        return named(from, columns, named, function.position());
    }

    private static Set<Cell.Revealed> revealed(List<ScopeColumn> columns) {
        Set<Cell.Revealed> revealed = new LinkedHashSet<>();
        for (ScopeColumn column : columns) {
            if (column.cell() instanceof Cell.Revealed one) {
                revealed.add(one);
            }
        }
        return revealed;
    }

    private static boolean readsTables(Node node) {
        return node instanceof FromItem.Table
                || node instanceof QueryBody.Table
                || node instanceof Expr.Column
                || node instanceof Expr.WholeRow
                || Tree.children(node).stream().anyMatch(OpaqueReader::readsTables);
    }

    private static boolean isUnnest(Expr.Call call) {
        return call.name().last().text().equalsIgnoreCase("unnest");
    }

    // As the databases name it: H2 by number, PostgreSQL by the alias or the function.
    private String functionColumn(Expr.Call call, @Nullable Alias alias) {
        if (work.dialect == Dialect.H2) {
            return isUnnest(call) ? "C1" : "X";
        }
        return alias != null ? alias.name().text() : call.name().last().text();
    }

    /** A recursive reference to a common table expression: its rows follow from what the expression reads. */
    From recursive(CommonTables.Entry entry, Alias alias, int position) {
        refuseInPolicy("WITH RECURSIVE", position);
        var from = new From();
        from.opaque = true;
        // Every row is a candidate: which ones there are is told by the tables, not here.
        from.filters.add(now -> Dnf.of(Hidden.NOTHING));
        List<ScopeColumn> columns = new ArrayList<>();
        if (!(entry.table.statement() instanceof Statement.Select select)) {
            throw work.refuse("a recursive reference here", position);
        }
        if (!entry.table.columns().isEmpty()) {
            for (Name name : entry.table.columns()) {
                columns.add(new ScopeColumn(name.text(), recursiveColumn(entry, select.query(), columns.size())));
            }
        } else {
            if (entry.naming) {
                throw work.refuse("a name of WITH RECURSIVE in the first query of its own", position);
            }
            // Without a list of names the columns are called as those of the first side, which must not need the name
            // itself.
            entry.naming = true;
            Query query = FromReader.core(select.query());
            for (ScopeColumn column : columns(query.body(), entry.place, new From(), false)) {
                columns.add(new ScopeColumn(column.name(), recursiveColumn(entry, select.query(), columns.size())));
            }
            entry.naming = false;
        }
        return named(from, columns, alias, position);
    }

    /**
     * Of the type of the first side, which does not refer to itself.
     *
     * <p>Its values are converted to that type, so a representation that only depends on the type holds for all rounds.
     */
    private Cell recursiveColumn(CommonTables.Entry entry, Query query, int column) {
        if (!(FromReader.core(query).body() instanceof QueryBody.SetOperation operation)) {
            return new Cell.Revealed();
        }
        return new Cell.Revealed(() -> {
            List<Representation> first = Representations.of(operation.left(), entry.place, absence, work);
            boolean isOfType = column < first.size()
                    && (first.get(column).equals(Representation.WHOLE)
                            || first.get(column).equals(Representation.SINGLE));
            return isOfType ? first.get(column) : Representation.VARIOUS;
        });
    }

    /** The rows that a data-modifying common table expression returns: that statement is checked by itself. */
    From returning(CommonTables.Entry entry, Alias alias, int position) {
        refuseInPolicy("a data-modifying WITH", position);
        var from = new From();
        from.opaque = true;
        from.filters.add(now -> Dnf.of(Hidden.NOTHING));
        List<ScopeColumn> columns = new ArrayList<>();
        for (String name : new ReturningNames(work).of(entry)) {
            columns.add(new ScopeColumn(name, new Cell.Revealed()));
        }
        columns = SelectColumns.renamed(columns, entry.table.columns(), work, position);
        return named(from, columns, alias, position);
    }

    private void refuseInPolicy(String construct, int position) {
        if (work.exact) {
            throw work.refuse(construct + " in a policy", position);
        }
    }

    private From named(From from, List<ScopeColumn> columns, @Nullable Alias alias, int position) {
        new FromReader(work, absence).name(from, null, null, columns, alias, position);
        return from;
    }

    private void addPending(Query query, Place place, From from, boolean lateral) {
        from.opaque = true;
        // Asked for each row around, with its own choice of absent parts: as a hidden literal of the row. Otherwise
        // once, for the block.
        if (lateral) {
            from.filters.add(now -> Dnf.of(Hidden.of(work.pending(context -> reveal(query, place, now, context)))));
        } else {
            from.pendings.add(work.pending(context -> reveal(query, place, absence, context)));
            from.filters.add(now -> Dnf.of(Hidden.NOTHING));
        }
    }

    private void reveal(Query query, Place place, Absence now, Context context) {
        // It is revealed later than it was read, when its name is no longer open; a reference to itself must be found
        // as one again.
        boolean wasOpen = owner != null && owner.open;
        if (owner != null) {
            owner.open = true;
        }
        try {
            new QueryReader(work).reveal(query, place, now, context, Mode.BAG, "rows of a query in FROM");
        } finally {
            if (owner != null) {
                owner.open = wasOpen;
            }
        }
    }

    // --- columns -----------------------------------------------------------------------------------------------------

    /** The columns of a body; with {@code model} the rows behind go into {@code from}. */
    private List<ScopeColumn> columns(QueryBody body, Place place, From from, boolean model) {
        work.account.read(body);
        QueryBody.Select select = InlineReader.select(body);
        if (select != null) {
            return columns(select, place, from, model);
        }
        if (body instanceof QueryBody.SetOperation operation) {
            // Of a set operation there is a row behind each row of the result, but on one of the sides; that is not
            // modelled.
            List<ScopeColumn> left = columns(operation.left(), place, new From(), false);
            if (owner != null && owner.naming) {
                // The other side may be the one that refers to itself.
                return left;
            }
            return both(left, columns(operation.right(), place, new From(), false));
        }
        if (body instanceof QueryBody.Nested nested) {
            Place inside = CommonTables.enter(nested.query().with(), place);
            return columns(nested.query().body(), inside, from, false);
        }
        var values = (QueryBody.Values) body;
        List<ScopeColumn> columns = new ArrayList<>();
        for (int i = 1; i <= values.rows().get(0).size(); i++) {
            int column = i - 1;
            columns.add(new ScopeColumn(
                    valuesColumn(i),
                    new Cell.Revealed(
                            () -> ExactNumber.common(values.rows().stream()
                                    .map(row -> row.size() > column
                                            ? ExactNumbers.of(new Cell.OfExpression(row.get(column), place), work)
                                            : ExactNumber.OTHER)
                                    .toList()),
                            () -> Representations.of(values, place, absence, work)
                                    .get(column))));
        }
        return columns;
    }

    /** The columns of two bodies of which all rows are taken. */
    private List<ScopeColumn> both(List<ScopeColumn> left, List<ScopeColumn> right) {
        List<ScopeColumn> columns = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            Cell first = left.get(i).cell();
            Cell second = i < right.size() ? right.get(i).cell() : new Cell.Revealed();
            columns.add(left.get(i)
                    .with(new Cell.Revealed(
                            () -> ExactNumber.common(
                                    List.of(ExactNumbers.of(first, work), ExactNumbers.of(second, work))),
                            () -> Representations.of(first, work)
                                    .below(Representations.of(second, work), work.dialect))));
        }
        return columns;
    }

    private String valuesColumn(int number) {
        return switch (work.dialect) {
            case POSTGRESQL -> "column" + number;
            case H2 -> "C" + number;
            case MARIADB -> ScopeColumn.UNNAMED;
        };
    }

    private List<ScopeColumn> columns(QueryBody.Select select, Place place, From from, boolean model) {
        List<From> readings = new FromReader(work, absence).readAll(select.from(), place);
        From inner = readings.get(0);
        Place inside = place.within(inner.scope(place.scope()));
        List<ScopeColumn> columns = new SelectColumns(work, inside).of(select.items());
        boolean simple = readings.size() == 1 && inner.isSimple() && !inner.rows.isEmpty();
        List<ScopeColumn> shown = new ArrayList<>();
        var showing = new Showing(work, select, inside);
        boolean any = false;
        for (ScopeColumn column : columns) {
            // A column that is a plain column of the row behind links the two; anything else is known from the query
            // itself, which is revealed.
            boolean shows = model && simple && showing.shows(column.cell());
            any |= shows;
            Cell revealed = new Cell.Revealed(
                    () -> ExactNumbers.of(column.cell(), work), () -> Representations.of(column.cell(), work));
            shown.add(new ScopeColumn(column.name(), shows ? column.cell() : revealed));
            if (shows) {
                from.shown.add(column.cell());
            }
        }
        if (any) {
            addBehind(select, inner, inside, from);
        }
        if (readings.size() == 1) {
            addUnique(select, inside, from, shown);
        }
        return shown;
    }

    /** Which columns tell the rows apart, if they are shown. */
    private void addUnique(QueryBody.Select select, Place inside, From from, List<ScopeColumn> columns) {
        Traits traits = Traits.of(select, List.of(), work);
        // One row, so nothing is to be known to tell which.
        if (Traits.isOneRow(select, traits)) {
            from.uniques.add(new From.Unique(List.of(), revealed(columns)));
        } else if (traits.grouped() && Traits.hasPlainGroups(select) && !traits.multiplies()) {
            var reader = new ValueReader(work, inside, absence);
            List<Operand> shown = from.shown.stream().map(reader::read).toList();
            List<Operand> groups = new OutputReader(work, inside, select.items()).groups(select, absence);
            List<Term> key = groups.stream()
                    .filter(Operand.Plain.class::isInstance)
                    .map(group -> ((Operand.Plain) group).term())
                    .toList();
            // Groups differ in what they are grouped by; only if all of that is shown can the rows be told apart by it.
            if (key.size() == groups.size() && shown.containsAll(groups)) {
                from.uniques.add(new From.Unique(key, revealed(columns)));
            }
        }
    }

    // Relaxed: a hidden literal of the inner WHERE is revealed with the query. The row behind fulfils the rest all the
    // same.
    private void addBehind(QueryBody.Select select, From inner, Place inside, From from) {
        from.behind.addAll(inner.rows);
        for (Filter filter : inner.filters) {
            from.filters.add(now -> filter.holds(now).relaxed());
        }
        for (Filter filter : Filter.of(select.where(), work, inside)) {
            from.filters.add(now -> filter.holds(now).relaxed());
        }
    }
}
