package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sub-queries in expressions: as values, which are hidden, and as conditions, which join where they can.
 *
 * <p>Joining matters because it asks only for what fulfils the whole condition; a hidden sub-query is asked for all
 * candidates of the block, and its rows must be shown for each.
 *
 * <p>Whether a sub-query gives a value, a truth or a list decides how it is asked: for its rows as a bag, for whether
 * it has one, for its rows in an order.
 */
final class Subqueries {

    private static final Set<String> WHOLE = Set.of("integer", "int", "bigint", "smallint", "tinyint");

    private final Work work;

    Subqueries(Work work) {
        this.work = work;
    }

    /** A list of all rows of a sub-query, one after the other. */
    Operand collected(Query query, ValueReader at, String reason) {
        refuseInPolicy(query, "this use of a sub-query");
        // Pending: for which outer rows it is asked is known only when their block is revealed.
        return Hidden.of(work.pending(
                context -> new QueryReader(work).collected(query, at.place(), at.absence(), context, reason)));
    }

    /** A value that depends on all rows of a sub-query, and on these operands. */
    Operand value(Query query, List<Operand> with, ValueReader at, String reason) {
        refuseInPolicy(query, "this use of a sub-query");
        Pending pending = work.pending(
                context -> new QueryReader(work).reveal(query, at.place(), at.absence(), context, Mode.BAG, reason));
        List<Operand> operands = new ArrayList<>(with);
        operands.add(Hidden.of(pending));
        return Hidden.over(operands);
    }

    /** Whether there is a row, as a value. */
    Operand existence(Query query, ValueReader at) {
        refuseInPolicy(query, "EXISTS as a value");
        return Hidden.of(existencePending(query, at, null));
    }

    /**
     * That the sub-query has a row that passes the test (any row if there is none).
     *
     * <p>It may be TRUE by several blocks (sides of a UNION), each a way to have a row.
     */
    Dnf some(Query query, ValueReader at, @Nullable RowCondition test) {
        return work.inSubquery(() -> work.deeper(query.position(), () -> {
            // For the rest that a join does not say (Block.some): then the sub-query is asked as a whole, for the rows
            // that the join leaves.
            Pending whole = lazy(() -> existencePending(query, at, test));
            Dnf any = Dnf.FALSE;
            for (Block block : blocks(query, at.place(), at.absence(), test)) {
                any = any.or(block.some(whole), work, query.position());
            }
            return any;
        }));
    }

    /**
     * That the sub-query has no row that passes the test.
     *
     * <p>Absence is not a conjunctive query. The question is who has such a row, for all candidates; who is not among
     * the answers has none.
     */
    Dnf none(Query query, ValueReader at, @Nullable RowCondition test) {
        refuseInPolicy(query, "the absence of rows (NOT EXISTS, NOT IN, ALL)");
        Dnf some = some(query, at, test);
        // WHERE 1 = 0 in it: known without asking.
        if (some.isFalse() || some.isTrue()) {
            return Dnf.of(some.isFalse());
        }
        return Dnf.of(Hidden.of(existencePending(query, at, test)));
    }

    /**
     * Whether the sub-query has at most one row for each row outside of it.
     *
     * <p>By keys that its condition pins with columns of the row around: {@code (SELECT u.name FROM users u WHERE u.id
     * = p.author_id)}.
     */
    boolean isUnique(Query query, ValueReader at) {
        Query core = FromReader.core(query);
        if (InlineReader.plain(core, work) == null) {
            return false;
        }
        return work.inSubquery(() -> work.deeper(query.position(), () -> {
            List<Block> blocks = blocks(core, at.place(), at.absence(), null);
            return blocks.size() == 1 && blocks.get(0).isUnique();
        }));
    }

    private void refuseInPolicy(Query query, String construct) {
        if (work.exact) {
            throw work.refuse(construct + " in a policy", query.position());
        }
    }

    private Pending existencePending(Query query, ValueReader at, @Nullable RowCondition test) {
        return work.pending(context -> work.deeper(query.position(), () -> {
            for (Block block : blocks(query, at.place(), at.absence(), test)) {
                block.reveal(context, Mode.EXISTS, Outputs.NONE, "whether a sub-query has a row");
            }
            return context;
        }));
    }

    /**
     * Made when first needed: most sub-queries join exactly and need none.
     *
     * <p>Making one rehearses the sub-query while somebody watches, which would read each nesting twice at every level.
     */
    private static Pending lazy(java.util.function.Supplier<Pending> supplier) {
        return new Pending() {
            private @Nullable Pending made;

            @Override
            public void reveal(Context context) {
                Pending pending = made;
                if (pending == null) {
                    pending = supplier.get();
                    made = pending;
                }
                pending.reveal(context);
            }
        };
    }

    // --- the sub-query as blocks -------------------------------------------------------------------------------------

    /**
     * Blocks whose rows together are the rows of the query that pass the test. Each time with rows of their own.
     *
     * <p>A FULL JOIN has several, and so has a UNION. Whatever cannot be taken apart without changing which rows there
     * are becomes one block over an opaque query.
     */
    private List<Block> blocks(Query query, Place place, Absence absence, @Nullable RowCondition test) {
        Query core = FromReader.core(query);
        work.account.ignore(core.limit(), Account.Ignored.LIMIT);
        if (Limits.isZero(core.limit())) {
            work.account.ignore(core, Account.Ignored.NO_ROW);
            return List.of();
        }
        // x IN (SELECT … LIMIT 3) looks at the three that pass; which these are depends on all rows.
        boolean cut = test == null ? !Limits.keepsExistence(core.limit()) : core.limit() != null;
        // What it sorts by may group its rows, or make more of them; a column does not.
        cut |= core.orderBy().stream()
                .map(OrderItem::key)
                .anyMatch(key -> !(key instanceof Expr.Column) && !(key instanceof Expr.Literal));
        Place inside = CommonTables.enter(core.with(), place);
        List<Block> blocks = cut ? null : blocks(core.body(), inside, absence, test);
        if (blocks != null) {
            core.orderBy().forEach(item -> work.account.ignore(item, Account.Ignored.NOT_ASKED_FOR));
        }
        return blocks != null ? blocks : List.of(opaque(core, place, absence, test));
    }

    private @Nullable List<Block> blocks(QueryBody body, Place place, Absence absence, @Nullable RowCondition test) {
        work.account.read(body);
        if (body instanceof QueryBody.SetOperation operation && operation.kind() == QueryBody.SetKind.UNION) {
            if (test != null && decideTypes(operation, place, absence)) {
                return null;
            }
            List<Block> blocks = new ArrayList<>(blocks(Query.of(operation.left()), place, absence, test));
            blocks.addAll(blocks(Query.of(operation.right()), place, absence, test));
            return blocks;
        }
        if (body instanceof QueryBody.Values values) {
            var reader = new ValueReader(work, place, absence);
            if (test != null
                    && values.rows().stream()
                                    .map(row -> tags(reader.readAll(row)))
                                    .distinct()
                                    .count()
                            > 1) {
                return null;
            }
            return values(values, place, absence, test);
        }
        if (body instanceof QueryBody.Nested nested) {
            return blocks(nested.query(), place, absence, test);
        }
        QueryBody.Select select = InlineReader.select(body);
        return select == null ? null : blocks(select, place, absence, test);
    }

    /**
     * Whether the sides of a union decide in which type is compared what is looked for in it: that of all sides
     * together. To H2 also what is looked for is of that type then, which changes nothing where it is a whole number.
     *
     * <p>{@code x IN (SELECT 1 UNION SELECT 1.5e0)} compares in floating point, also with the 1
     * ({@code FourthAttackIT.whatIsLookedForInAUnionIsOfItsType}).
     */
    private boolean decideTypes(QueryBody.SetOperation operation, Place place, Absence absence) {
        List<String> left = tags(operation.left(), place, absence);
        return !left.equals(tags(operation.right(), place, absence))
                || work.dialect == Dialect.H2
                        && !left.stream().allMatch(tag -> WHOLE.contains(tag.toLowerCase(Locale.ROOT)));
    }

    /** What tells the types of a body's columns. */
    private List<String> tags(QueryBody body, Place place, Absence absence) {
        if (body instanceof QueryBody.SetOperation operation) {
            return tags(operation.left(), place, absence);
        }
        if (body instanceof QueryBody.Nested nested) {
            return tags(nested.query().body(), CommonTables.enter(nested.query().with(), place), absence);
        }
        QueryBody.Select select = InlineReader.select(body);
        if (select == null) {
            return tags(new ValueReader(work, place, absence)
                    .readAll(((QueryBody.Values) body).rows().get(0)));
        }
        From from = new FromReader(work, absence).readAll(select.from(), place).get(0);
        Place inside = place.within(from.scope(place.scope()));
        return tags(read(new SelectColumns(work, inside).of(select.items()), inside, absence));
    }

    private static List<String> tags(List<Operand> operands) {
        return operands.stream()
                .map(operand ->
                        operand instanceof Operand.Plain plain ? plain.sort().tag() : "hidden")
                .toList();
    }

    private List<Block> values(QueryBody.Values values, Place place, Absence absence, @Nullable RowCondition test) {
        List<Block> blocks = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            // Out of VALUES a constant is of a type of its own, as out of a select list.
            Filter filter = now -> {
                var reader = new ValueReader(work, place, now);
                List<Operand> operands =
                        reader.readAll(row).stream().map(reader::selected).toList();
                return test == null ? Dnf.TRUE : test.holds(operands);
            };
            blocks.add(new Block(work, new From(), List.of(filter), absence, values.position()));
        }
        return blocks;
    }

    private @Nullable List<Block> blocks(
            QueryBody.Select select, Place place, Absence absence, @Nullable RowCondition test) {
        Traits traits = Traits.of(select, List.of(), work);
        boolean filtered = select.having() != null || select.qualify() != null;
        // EXISTS (SELECT COUNT(*) FROM …): the row is there whatever FROM and WHERE give. They are read for what they
        // refuse.
        if (Traits.isOneRow(select, traits) && test == null && !filtered) {
            readings(select, place, absence);
            work.account.ignore(select.where(), Account.Ignored.ALWAYS_ONE_ROW);
            select.from().forEach(item -> work.account.ignore(item, Account.Ignored.ALWAYS_ONE_ROW));
            return List.of(new Block(work, new From(), List.of(), absence, select.position()));
        }
        if (!keepsRows(select, traits, filtered, test)) {
            return null;
        }
        List<Block> blocks = new ArrayList<>();
        for (From from : readings(select, place, absence)) {
            blocks.add(block(select, from, place, absence, test));
        }
        return blocks;
    }

    /** The FROM clause, and a look at the clauses that nobody asks for. */
    private List<From> readings(QueryBody.Select select, Place place, Absence absence) {
        List<From> readings = new FromReader(work, absence).readAll(select.from(), place);
        From first = readings.get(0);
        UnusedItems.check(work, select, place.within(first.scope(place.scope())), absence);
        return readings;
    }

    /**
     * Whether there is a row of the result with some values iff there is one of FROM and WHERE.
     *
     * <p>What groups, counts or is distinct has a row iff there is one to take; but which values that row has is
     * another matter, so with a test only plain rows will do, and DISTINCT ON leaves out some.
     */
    private static boolean keepsRows(
            QueryBody.Select select, Traits traits, boolean filtered, @Nullable RowCondition test) {
        if (traits.isPlain()) {
            return test == null || select.distinctOn().isEmpty();
        }
        boolean groups = !traits.grouped() || Traits.hasPlainGroups(select);
        return test == null && !filtered && !traits.multiplies() && groups;
    }

    private Block block(QueryBody.Select select, From from, Place place, Absence absence, @Nullable RowCondition test) {
        Place inside = place.within(from.scope(place.scope()));
        List<Filter> filters = new ArrayList<>(from.filters);
        filters.addAll(Filter.of(select.where(), work, inside));
        if (test != null) {
            List<ScopeColumn> columns = new SelectColumns(work, inside).of(select.items());
            filters.add(now -> test.holds(read(columns, inside, now)));
        }
        return new Block(work, from, filters, absence, select.position());
    }

    private Block opaque(Query query, Place place, Absence absence, @Nullable RowCondition test) {
        From from = new OpaqueReader(work, absence, null).query(query, place, List.of(), null, false, false);
        List<Filter> filters = new ArrayList<>(from.filters);
        if (test != null) {
            filters.add(now -> test.holds(read(from.visible, place, now)));
        }
        return new Block(work, from, filters, absence, query.position());
    }

    private List<Operand> read(List<ScopeColumn> columns, Place place, Absence now) {
        var values = new ValueReader(work, place, now);
        List<Operand> operands = new ArrayList<>(columns.size());
        for (ScopeColumn column : columns) {
            operands.add(values.read(column.cell()));
        }
        return operands;
    }
}
