package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Emits the obligations of a whole query.
 *
 * <p>LIMIT and OFFSET are dropped: all rows are revealed, with what they are sorted by, and how often each occurs,
 * since which rows a limit lets pass depends on that. Three limits are not: none of the rows reveals nothing, the first
 * of rows that are all alike ({@code SELECT 1 … LIMIT 1}) reveals whether there is one, and the first of rows of which
 * those that ORDER BY leaves together are alike ({@code SELECT a.* … ORDER BY a.id LIMIT 1}) reveals them as a set.
 *
 * <p>GROUP BY, HAVING, aggregates, windows and DISTINCT ON are functions of the rows before them; those that duplicates
 * do not change need the rows as a set only. UNION, and DISTINCT in general, make sets; EXCEPT and INTERSECT are
 * functions of both sides.
 */
final class QueryReader {

    private final Work work;
    private Recording recording = Recording.NONE;

    QueryReader(Work work) {
        this.work = work;
    }

    /** Emits the obligations of a statement's query and tells what its rows say. */
    static Recording statement(Work work, Query query, Place place) {
        var reader = new QueryReader(work);
        // So that (SELECT …) is recorded and ordered as SELECT … is.
        Query core = FromReader.core(query);
        reader.reveal(core, new Request(place, Absence.NONE, Context.ROOT, Mode.BAG, reason(core, work), true, true));
        return reader.recording;
    }

    /**
     * Emits the obligations of a query whose rows are copied one after the other.
     *
     * <p>Their order shows in what the new rows are numbered by and where they are stored. They are no result, so
     * nothing is recorded of them.
     */
    void copied(Query query, Place place) {
        reveal(query, new Request(place, Absence.NONE, Context.ROOT, Mode.BAG, "rows that are copied", false, true));
    }

    /**
     * Emits the obligations of a query whose rows are collected one after the other.
     *
     * <p>{@code ARRAY(SELECT x FROM t)} has them in an order that is seen ({@code FifthAttackIT.aListOfRowsIsInOrder}).
     */
    void collected(Query query, Place place, Absence absence, Context context, String reason) {
        reveal(query, new Request(place, absence, context, Mode.BAG, reason, false, true));
    }

    private static String reason(Query query, Work work) {
        boolean counts = query.body() instanceof QueryBody.Select select
                && Traits.of(select, query.orderBy(), work).aggregates();
        return counts ? "what is counted or summed up" : Obligation.ROWS;
    }

    void reveal(Query query, Place place, Absence absence, Context context, Mode mode, String reason) {
        reveal(query, new Request(place, absence, context, mode, reason, false, false));
    }

    private void reveal(Query query, Request request) {
        // Vetting has let only what is fixed for the statement stand in it.
        work.account.ignore(query.limit(), Account.Ignored.LIMIT);
        if (Limits.isZero(query.limit())) {
            // No row passes; but what the text means must be clear all the same.
            work.rehearse(() -> reveal(query.unlimited(), request.part()));
            return;
        }
        work.deeper(query.position(), () -> {
            Place inside = CommonTables.enter(query.with(), request.place());
            // Names of WITH first: the limit's exceptions are about the select list, which may use them.
            body(query.body(), query, request.at(inside).with(modeOf(query, inside, request)));
            return query;
        });
    }

    /**
     * Where and how a body is revealed.
     *
     * @param recorded whether its rows are those of the statement
     * @param inOrder whether the order of its rows shows
     */
    private record Request(
            Place place,
            Absence absence,
            Context context,
            Mode mode,
            String reason,
            boolean recorded,
            boolean inOrder) {

        Request with(Mode other) {
            return new Request(place, absence, context, other, reason, recorded, inOrder);
        }

        Request at(Place inside) {
            return new Request(inside, absence, context, mode, reason, recorded, inOrder);
        }

        /** As a part of something else. */
        Request part() {
            return new Request(place, absence, context, mode, reason, false, false);
        }

        /**
         * Whether the order of a query's rows shows, or which of them are cut off or are the first of their kind.
         *
         * <p>{@code DISTINCT ON} shows it wherever it stands, as it takes the first row of each kind
         * ({@code FifthAttackIT.theFirstRowsOfTheirKindAreOrderedWhereverTheyAreTaken}); existence does not.
         */
        boolean showsOrder(Query query) {
            boolean first = query.body() instanceof QueryBody.Select select
                    && !select.distinctOn().isEmpty();
            return mode != Mode.EXISTS && (inOrder || query.limit() != null || first);
        }
    }

    private Mode modeOf(Query query, Place place, Request request) {
        // With a limit all rows are asked for, as often as they occur, even where only a set is wanted: which of them
        // pass depends on how many come before.
        if (query.limit() == null) {
            return request.mode();
        }
        boolean exists = request.mode() == Mode.EXISTS
                ? Limits.keepsExistence(query.limit())
                : Limits.isFirstRow(query.limit())
                        && isUniform(query.body(), query.orderBy(), place, request.absence());
        return exists ? Mode.EXISTS : Mode.BAG;
    }

    /**
     * Whether all rows are alike: the select list has no columns, and there is one row for each of FROM and WHERE.
     *
     * <p>{@code SELECT 1 FROM t WHERE … LIMIT 1} is how existence was asked before EXISTS. An ORDER BY is not looked
     * at: what it sorts by may group.
     */
    private boolean isUniform(QueryBody body, List<OrderItem> orderBy, Place place, Absence absence) {
        if (!(body instanceof QueryBody.Select select)
                || !orderBy.isEmpty()
                || !Traits.of(select, List.of(), work).isPlain()) {
            return false;
        }
        for (SelectItem item : select.items()) {
            if (!(item instanceof SelectItem.Value value) || !isConstant(value.expr(), place, absence)) {
                return false;
            }
        }
        return true;
    }

    private boolean isConstant(Expr expression, Place place, Absence absence) {
        // CAST(1 AS BIGINT) is what some object mappers make of it.
        Expr core = expression instanceof Expr.Cast cast ? cast.operand() : expression;
        if (!(core instanceof Expr.Literal) && !(core instanceof Expr.Parameter)) {
            return false;
        }
        return new ValueReader(work, place, absence).read(expression) instanceof Operand.Plain plain
                && Terms.isRigid(plain.term());
    }

    private void body(QueryBody body, Query query, Request request) {
        work.account.read(body);
        QueryBody.Select select = InlineReader.select(body);
        if (select != null) {
            select(select, query, request);
        } else if (body instanceof QueryBody.SetOperation operation) {
            checkOrder(query);
            order(query, request);
            setOperation(operation, request);
        } else if (body instanceof QueryBody.Nested nested) {
            checkOrder(query);
            order(query, request);
            // In parentheses its own order does not show: what is behind sorts, or nothing does and this query's order
            // is looked at for the whole.
            reveal(nested.query(), request.part());
        } else {
            checkOrder(query);
            shows(((QueryBody.Values) body).rows().get(0).size(), request);
            values((QueryBody.Values) body, request);
        }
    }

    private void order(Query query, Request request) {
        if (request.showsOrder(query)) {
            List<String> columns = columns(query.body(), request.place(), request.absence());
            shows(columns.size(), request);
            work.order.other(
                    query, columns, Representations.of(query.body(), request.place(), request.absence(), work));
        }
    }

    private void shows(int columns, Request request) {
        if (request.recorded()) {
            work.columns = columns;
        }
    }

    /**
     * The columns of a query, by the names that ORDER BY knows them by.
     *
     * <p>Of a union those of its first side, by the standard.
     */
    private List<String> columns(QueryBody body, Place place, Absence absence) {
        if (body instanceof QueryBody.SetOperation operation) {
            return columns(operation.left(), place, absence);
        }
        if (body instanceof QueryBody.Nested nested) {
            Query query = nested.query();
            return columns(query.body(), CommonTables.enter(query.with(), place), absence);
        }
        QueryBody.Select select = InlineReader.select(body);
        if (select == null) {
            int size = ((QueryBody.Values) body).rows().get(0).size();
            return Collections.nCopies(size, ScopeColumn.UNNAMED);
        }
        From from = new FromReader(work, absence).readAll(select.from(), place).get(0);
        Place inside = place.within(from.scope(place.scope()));
        return names(new SelectColumns(work, inside).of(select.items()));
    }

    private static List<String> names(List<ScopeColumn> columns) {
        return columns.stream().map(ScopeColumn::name).toList();
    }

    /** What is not a SELECT is sorted by its columns. */
    private void checkOrder(Query query) {
        if (work.dialect == Dialect.H2 && !query.orderBy().isEmpty() && isCutInside(query.body())) {
            // H2 forgets the order inside, and cuts by the one behind.
            throw work.refuse(
                    "ORDER BY behind parentheses with a LIMIT inside",
                    query.orderBy().get(0).position());
        }
        for (OrderItem item : query.orderBy()) {
            Expr key = asWritten(item.key());
            boolean isPlain = key instanceof Expr.Column column && column.name().isSimple()
                    || key instanceof Expr.Literal
                    || key instanceof Expr.Parameter;
            if (!isPlain) {
                // PostgreSQL refuses expressions there; the others resolve their names in one side or the other.
                throw work.refuse(
                        "an expression in the ORDER BY of a UNION, of VALUES or of parentheses", item.position());
            }
            work.account.read(item.key());
            work.account.read(key);
            if (key instanceof Expr.Column column && query.body() instanceof QueryBody.Nested nested) {
                checkShown(column.name().last(), nested.query().body());
            }
        }
    }

    /** The column that is sorted by how it looks, as MariaDB can do with that of a UNION. */
    private Expr asWritten(Expr key) {
        boolean isWritten = work.dialect == Dialect.MARIADB
                && key instanceof Expr.Cast cast
                && cast.operand() instanceof Expr.Column
                && cast.type().name().equalsIgnoreCase("binary")
                && cast.type().modifiers().isEmpty();
        return isWritten ? ((Expr.Cast) key).operand() : key;
    }

    /** Behind parentheses a name may be that of a column inside which they do not show. */
    private void checkShown(Name name, QueryBody body) {
        if (body instanceof QueryBody.Nested nested) {
            checkShown(name, nested.query().body());
            return;
        }
        boolean isShown = body instanceof QueryBody.SetOperation
                || body instanceof QueryBody.Select select
                        && select.items().stream()
                                .anyMatch(item -> item instanceof SelectItem.Value value
                                        && value.expr() instanceof Expr.Column column
                                        && isName(column.name().last(), name)
                                        && (value.alias() == null || isName(value.alias(), name)));
        if (!isShown) {
            throw work.refuse("ORDER BY " + name + " behind parentheses (use the number of a column)", name.position());
        }
    }

    private static boolean isCutInside(QueryBody body) {
        return body instanceof QueryBody.Nested nested
                && (nested.query().limit() != null || isCutInside(nested.query().body()));
    }

    private boolean isName(Name a, Name b) {
        return SelectColumns.sameName(a.text(), b.text(), work.dialect);
    }

    // --- SELECT ------------------------------------------------------------------------------------------------------

    private void select(QueryBody.Select select, Query query, Request request) {
        Traits traits = Traits.of(select, query.orderBy(), work);
        // EXISTS (SELECT COUNT(*) …) is always TRUE: one row, of however many.
        if (request.mode() == Mode.EXISTS && Traits.isOneRow(select, traits) && !isFiltered(select)) {
            work.account.ignore(select, Account.Ignored.ALWAYS_ONE_ROW);
            return;
        }
        Mode mode = modeOf(select, traits, request.mode());
        List<From> readings = new FromReader(work, request.absence()).readAll(select.from(), request.place());
        // More than one only with a FULL JOIN; each reading has rows of its own, and the result has all of them.
        for (From from : readings) {
            var rows = new SelectRows(work, select, from, request.place(), request.absence());
            shows(rows.reader(select.items()).columns().size(), request);
            Outputs outputs = mode == Mode.EXISTS ? Outputs.NONE : rows.outputs(query.orderBy());
            if (mode == Mode.EXISTS) {
                UnusedItems.check(work, select, rows.place(), request.absence());
                query.orderBy().forEach(item -> work.account.ignore(item, Account.Ignored.NOT_ASKED_FOR));
            }
            // Asked before the order is: if it holds no key has to be added, though rows tie.
            boolean isOneOfEqual =
                    mode == Mode.BAG && readings.size() == 1 && showsOneOfEqual(query, select, traits, rows, request);
            Mode needed = isOneOfEqual ? Mode.SET : mode;
            if (mode != Mode.EXISTS && !isOneOfEqual) {
                order(query, select, traits, rows, readings.size() == 1, request);
            }
            // Queries in FROM that are opaque: once for each row of the context, whatever the branches are.
            from.pendings.forEach(pending -> pending.reveal(request.context()));
            List<Branch> branches = rows.block().branches(needed, outputs);
            if (branches.isEmpty()) {
                // No row passes; what would be shown of one must be clear all the same.
                work.watch(() -> outputs.readAll(request.absence()));
            }
            rows.block().readOptional();
            new Revealer(work, rows.block(), request.context(), needed, outputs, request.reason()).reveal(branches);
            // Of several branches a row does not say which it is from, so it says nothing for certain.
            if (request.recorded() && readings.size() == 1 && branches.size() == 1) {
                recording = new Recorder(work, select, query, rows, needed).of(branches.get(0), outputs);
            }
        }
    }

    /**
     * Whether one row is left, the first, and all that its ORDER BY leaves beside it look like it: then neither how
     * many these are shows, nor which of them came. One that is locked may be passed over for the next, which counts
     * them.
     */
    private boolean showsOneOfEqual(
            Query query, QueryBody.Select select, Traits traits, SelectRows rows, Request request) {
        return !work.exact
                && Limits.isFirstRow(query.limit())
                && query.locking().isEmpty()
                && traits.isPlain()
                && work.order.isSettled(query.orderBy(), rows.reader(select.items()), rows.block(), request.absence());
    }

    private void order(
            Query query, QueryBody.Select select, Traits traits, SelectRows rows, boolean isOne, Request request) {
        work.order.calls(query, select, traits, rows, request.absence());
        work.order.merged(select, traits, rows, request.absence());
        if (request.showsOrder(query) && isOne) {
            work.order.select(query, select, traits, rows, request.absence());
        } else if (request.showsOrder(query)) {
            List<ScopeColumn> columns = new SelectColumns(work, rows.place()).of(select.items());
            List<Representation> forms = columns.stream()
                    .map(column -> Representations.of(column.cell(), work))
                    .toList();
            work.order.other(query, names(columns), forms);
        }
    }

    private static boolean isFiltered(QueryBody.Select select) {
        return select.having() != null || select.qualify() != null;
    }

    /** What is needed of the rows of FROM and WHERE. */
    private static Mode modeOf(QueryBody.Select select, Traits traits, Mode mode) {
        if (mode == Mode.EXISTS && keepsRows(select, traits)) {
            return Mode.EXISTS;
        }
        // How often a row occurs shows in COUNT and SUM, not in MIN and MAX or which groups there are.
        if (traits.grouped()) {
            return traits.duplicatesMatter() ? Mode.BAG : Mode.SET;
        }
        // ROW_NUMBER and the like count rows.
        if (traits.windows()) {
            return Mode.BAG;
        }
        if (select.distinct() || !select.distinctOn().isEmpty()) {
            return Mode.SET;
        }
        return mode == Mode.EXISTS ? Mode.SET : mode;
    }

    /** Groups have rows iff there are rows to group, unless there are none to group by: then there is always one. */
    private static boolean keepsRows(QueryBody.Select select, Traits traits) {
        boolean groups = !traits.grouped() || Traits.hasPlainGroups(select);
        return groups && !isFiltered(select) && !traits.multiplies();
    }

    // --- set operations and VALUES -----------------------------------------------------------------------------------

    private void setOperation(QueryBody.SetOperation operation, Request request) {
        Mode mode = request.mode();
        if (mode != Mode.EXISTS && !operation.all()) {
            work.order.merged(operation, Representations.of(operation, request.place(), request.absence(), work));
        }
        if (operation.kind() != QueryBody.SetKind.UNION) {
            // x EXCEPT ALL y takes away as many as there are in y, so it counts both sides; without ALL it is a matter
            // of which rows there are. That both sides are read in full is more than needed, but what is absent cannot
            // be asked for in another way.
            mode = operation.all() ? Mode.BAG : Mode.SET;
        } else if (!operation.all() && mode == Mode.BAG) {
            mode = Mode.SET;
        }
        if (operation.kind() == QueryBody.SetKind.UNION && mode == Mode.SET && together(operation, request)) {
            return;
        }
        // Each for itself: for UNION ALL, or where the sides are no plain joins.
        side(operation.left(), request.with(mode).part());
        side(operation.right(), request.with(mode).part());
    }

    private void side(QueryBody body, Request request) {
        body(body, Query.of(body), request);
    }

    /**
     * A union of simple queries as one question: which side a row comes from need not be known. A value of the left
     * side and an equal one of the right are one row of the union, if both columns have one type ({@link UnionReader}).
     */
    private boolean together(QueryBody.SetOperation operation, Request request) {
        List<QueryBody.Select> sides = new ArrayList<>();
        if (!collect(operation, sides)) {
            return false;
        }
        var union = new UnionReader(work, request.place(), request.absence(), request.context());
        List<Draft> drafts = union.drafts(sides);
        if (drafts == null) {
            return false;
        }
        work.emit(drafts, request.reason(), operation.position());
        return true;
    }

    /** The SELECTs of a tree of unions; false if there is anything else. */
    private boolean collect(QueryBody body, List<QueryBody.Select> sides) {
        work.account.read(body);
        if (body instanceof QueryBody.SetOperation operation && operation.kind() == QueryBody.SetKind.UNION) {
            return collect(operation.left(), sides) && collect(operation.right(), sides);
        }
        if (body instanceof QueryBody.Nested nested) {
            Query query = nested.query();
            return query.with() == null
                    && query.limit() == null
                    && query.orderBy().isEmpty()
                    && collect(query.body(), sides);
        }
        QueryBody.Select select = InlineReader.select(body);
        return select != null
                && InlineReader.showsAllRows(select)
                && Traits.of(select, List.of(), work).isPlain()
                && sides.add(select);
    }

    private void values(QueryBody.Values values, Request request) {
        Outputs outputs = new Outputs(
                values.rows().stream()
                        .flatMap(List::stream)
                        .<Outputs.Reader>map(value -> now -> new ValueReader(work, request.place(), now).read(value))
                        .toList(),
                List.of());
        new Block(work, new From(), List.of(), request.absence(), values.position())
                .reveal(request.context(), request.mode(), outputs, request.reason());
    }
}
