package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.ArrayList;
import java.util.List;

/**
 * Emits the obligations of a whole query.
 *
 * <p>LIMIT and OFFSET are dropped: all rows are revealed, with what they are sorted by, and how often each occurs, since
 * which rows a limit lets pass depends on that. Two limits are exact: none of the rows reveals nothing, and the first of
 * rows that are all alike ({@code SELECT 1 … LIMIT 1}) reveals whether there is one.
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
        Query core = FromReader.core(query);
        reader.reveal(core, new Request(place, Absence.NONE, Context.ROOT, Mode.BAG, reason(core, work), true));
        return reader.recording;
    }

    private static String reason(Query query, Work work) {
        boolean counts = query.body() instanceof QueryBody.Select select
                && Traits.of(select, query.orderBy(), work).aggregates();
        return counts ? "what is counted or summed up" : "rows of the result";
    }

    void reveal(Query query, Place place, Absence absence, Context context, Mode mode, String reason) {
        reveal(query, new Request(place, absence, context, mode, reason, false));
    }

    private void reveal(Query query, Request request) {
        if (Limits.isZero(query.limit())) {
            // No row passes; but what the text means must be clear all the same.
            Query all = new Query(query.with(), query.body(), query.orderBy(), null, List.of(), query.position());
            work.rehearse(() -> reveal(all, request.part()));
            return;
        }
        work.deeper(query.position(), () -> {
            Place inside = CommonTables.enter(query.with(), request.place());
            body(query.body(), query, request.at(inside).with(modeOf(query, inside, request)));
            return query;
        });
    }

    /**
     * Where and how a body is revealed.
     *
     * @param recorded whether its rows are those of the statement
     */
    private record Request(Place place, Absence absence, Context context, Mode mode, String reason, boolean recorded) {

        Request with(Mode other) {
            return new Request(place, absence, context, other, reason, recorded);
        }

        Request at(Place inside) {
            return new Request(inside, absence, context, mode, reason, recorded);
        }

        /** As a part of something else. */
        Request part() {
            return new Request(place, absence, context, mode, reason, false);
        }
    }

    private Mode modeOf(Query query, Place place, Request request) {
        if (query.limit() == null) {
            return request.mode();
        }
        boolean exists = request.mode() == Mode.EXISTS
                ? Limits.keepsExistence(query.limit())
                : Limits.isFirstRow(query.limit()) && isUniform(query.body(), place, request.absence());
        return exists ? Mode.EXISTS : Mode.BAG;
    }

    /** Whether all rows are alike: the select list has no columns, and there is one row for each of FROM and WHERE. */
    private boolean isUniform(QueryBody body, Place place, Absence absence) {
        if (!(body instanceof QueryBody.Select select)
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
        Expr core = expression instanceof Expr.Cast cast ? cast.operand() : expression;
        if (!(core instanceof Expr.Literal) && !(core instanceof Expr.Parameter)) {
            return false;
        }
        return new ValueReader(work, place, absence).read(expression) instanceof Operand.Plain plain
                && Terms.isRigid(plain.term());
    }

    private void body(QueryBody body, Query query, Request request) {
        QueryBody.Select select = InlineReader.select(body);
        if (select != null) {
            select(select, query, request);
        } else if (body instanceof QueryBody.SetOperation operation) {
            checkOrder(query.orderBy());
            setOperation(operation, request);
        } else if (body instanceof QueryBody.Nested nested) {
            checkOrder(query.orderBy());
            reveal(nested.query(), request.part());
        } else {
            values((QueryBody.Values) body, request);
        }
    }

    /** What is not a SELECT is sorted by its columns. */
    private void checkOrder(List<OrderItem> orderBy) {
        for (OrderItem item : orderBy) {
            if (!(item.key() instanceof Expr.Column)
                    && !(item.key() instanceof Expr.Literal)
                    && !(item.key() instanceof Expr.Parameter)) {
                throw work.refuse("an expression in the ORDER BY of a UNION or of parentheses", item.position());
            }
        }
    }

    // --- SELECT ------------------------------------------------------------------------------------------------------

    private void select(QueryBody.Select select, Query query, Request request) {
        Traits traits = Traits.of(select, query.orderBy(), work);
        if (request.mode() == Mode.EXISTS && Traits.isOneRow(select, traits) && !isFiltered(select)) {
            return;
        }
        Mode mode = modeOf(select, traits, request.mode());
        List<From> readings = new FromReader(work, request.absence()).readAll(select.from(), request.place());
        for (From from : readings) {
            var rows = new SelectRows(work, select, from, request.place(), request.absence());
            Outputs outputs = mode == Mode.EXISTS ? Outputs.NONE : rows.outputs(query.orderBy());
            from.pendings.forEach(pending -> pending.reveal(request.context()));
            List<Branch> branches = rows.block().branches(mode, outputs);
            new Revealer(work, rows.block(), request.context(), mode, outputs, request.reason()).reveal(branches);
            if (request.recorded() && readings.size() == 1 && branches.size() == 1) {
                recording = new Recorder(work, select, query, rows, mode).of(branches.get(0), outputs);
            }
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
        if (traits.grouped()) {
            return traits.duplicatesMatter() ? Mode.BAG : Mode.SET;
        }
        if (traits.windows()) {
            return Mode.BAG;
        }
        if (select.distinct() || !select.distinctOn().isEmpty()) {
            return Mode.SET;
        }
        return mode == Mode.EXISTS ? Mode.SET : mode;
    }

    private static boolean keepsRows(QueryBody.Select select, Traits traits) {
        boolean groups = !traits.grouped() || Traits.hasPlainGroups(select);
        return groups && !isFiltered(select) && !traits.multiplies();
    }

    // --- set operations and VALUES -----------------------------------------------------------------------------------

    private void setOperation(QueryBody.SetOperation operation, Request request) {
        Mode mode = request.mode();
        if (operation.kind() != QueryBody.SetKind.UNION) {
            mode = operation.all() ? Mode.BAG : Mode.SET;
        } else if (!operation.all() && mode == Mode.BAG) {
            mode = Mode.SET;
        }
        if (operation.kind() == QueryBody.SetKind.UNION && mode == Mode.SET && together(operation, request)) {
            return;
        }
        side(operation.left(), request.with(mode).part());
        side(operation.right(), request.with(mode).part());
    }

    private void side(QueryBody body, Request request) {
        body(body, new Query(null, body, List.of(), null, List.of(), body.position()), request);
    }

    /** A union of simple queries as one question: which side a row comes from need not be known. */
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
        if (body instanceof QueryBody.SetOperation operation && operation.kind() == QueryBody.SetKind.UNION) {
            return collect(operation.left(), sides) && collect(operation.right(), sides);
        }
        if (body instanceof QueryBody.Nested nested) {
            Query query = nested.query();
            return query.with() == null && query.limit() == null && collect(query.body(), sides);
        }
        QueryBody.Select select = InlineReader.select(body);
        return select != null && Traits.of(select, List.of(), work).isPlain() && sides.add(select);
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
