package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.normalize.RowKeys.Known;
import io.leeway.privoxy.internal.sql.Addition;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a statement shows rows in an order that it does not ask for: the one place for that.
 *
 * <p>A database gives rows as it finds them, in the order of an index, of a join that sorts, or of their last changes,
 * and so tells what they are sorted by. An order is of no interest if it is total: if what is asked for determines each
 * row, by the {@link Closure} of keys. To any other one the keys are added that it lacks, which an obligation for a bag
 * shows anyway; where rows are put together (DISTINCT, GROUP BY, UNION) or have no key, the columns of the result.
 *
 * <p>The leak: an index on a hidden column is a list of rows in its order. A query that the database answers by it,
 * without ORDER BY, shows who earns more without showing what anybody earns; {@code LIMIT 1}, {@code row_number()},
 * {@code array_agg}, a sum that is rounded, an {@code UPDATE … LIMIT} or a sequence's next number read the same list in
 * other ways ({@code RowOrderIT}, {@code FifthAttackIT}).
 *
 * <p>Two answers are possible. Where the statement's own text can be extended so that the order is one of keys, or of
 * what is shown anyway, an addition is noted ({@link #add}); where nothing can be added it is loose, and refused with
 * the remedy. Whether either is needed is decided with the policy ({@code OrderTells}): rows of which a view shows all
 * columns may come in any order.
 */
final class RowOrder {

    /**
     * Aggregates whose result depends on the order of what they are given. COUNT, SUM of exact numbers, MIN and MAX
     * give the same in whatever order they are given rows.
     */
    private static final Set<String> ORDERED = Set.of(
            "group_concat",
            "listagg",
            "array_agg",
            "string_agg",
            "json_agg",
            "jsonb_agg",
            "json_object_agg",
            "jsonb_object_agg",
            "json_arrayagg",
            "json_objectagg",
            "xmlagg",
            "any_value");

    /**
     * Window functions of which the same holds even where rows are equal in the window's order. RANK and DENSE_RANK
     * give equal rows the same number, so ties do not show in them.
     */
    private static final Set<String> POSITIONAL =
            Set.of("row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value");

    private static final String ROUNDED = " of what may be floating point, whose result depends on the order of rows;"
            + " cast it to an exact type, or give it an ORDER BY with a key,";

    private static final String LOOKS = "rows in no order, which cannot be sorted by how they look";
    private static final String FORM =
            "; cast what is made of several forms to one, as numeric(12, 2), text or (MariaDB) BINARY,";
    private static final String ANY_OF_EQUAL =
            " of values of which equal ones may look different, so that any of them is shown" + FORM;
    /** Aggregates of which the result is one of the values, or has bounds that are. */
    private static final Set<String> ONE_OF =
            Set.of("min", "max", "mode", "percentile_disc", "any_value", "range_agg", "range_intersect_agg");

    private static final String UNSORTABLE =
            "rows in no order, which cannot be sorted by all that they show; add ORDER BY";

    private final Work work;
    private final Map<Integer, Added> additions = new TreeMap<>();
    // By position, so that a place that is read several times (FULL JOIN, branches) is refused once.
    private final Map<Integer, String> loose = new TreeMap<>();
    // Views of the database and the like: their positions are of another text.
    private int elsewhere;

    RowOrder(Work work) {
        this.work = work;
    }

    /** All that was found. */
    Unordered found() {
        return new Unordered(
                additions.entrySet().stream()
                        .map(one -> new Addition(one.getKey(), one.getValue().text()))
                        .toList(),
                loose.entrySet().stream()
                        .map(one -> new Unordered.Loose(one.getValue(), one.getKey()))
                        .toList());
    }

    /** What is read from here on is no part of the text, to which nothing can be added. */
    void beginElsewhere() {
        elsewhere++;
    }

    void endElsewhere() {
        elsewhere--;
    }

    // --- queries -----------------------------------------------------------------------------------------------------

    /** A SELECT's calls, which may depend on the order of its rows. */
    void calls(Query query, QueryBody.Select select, Traits traits, SelectRows rows, Absence absence) {
        // A view of the policy is a set and gives no rows, so nothing in it is in an order.
        boolean isSimple = !traits.aggregates() && !traits.windows() && !traits.grouped();
        if (work.exact || isSimple) {
            return;
        }
        var keys = new RowKeys(work, rows.block(), absence);
        OutputReader reader = rows.reader(select.items());
        // What all rows of a group have in common needs no order within it.
        Set<Known> groups = keys.known(groups(select, reader));
        var equal = new EqualValues(work, reader, keys);
        // With ROLLUP and the like there are groups, too, whose rows do not have it in common.
        List<EqualValues.Formed> grouped =
                Traits.hasPlainGroups(select) ? equal.keys(OutputReader.groups(select)) : List.of();
        var calls = new ArrayList<Expr.Call>();
        // What stands in FROM and WHERE is computed for rows before they are put together.
        for (Node part : Tree.children(select)) {
            if (!(part instanceof FromItem) && part != select.where()) {
                collect(part, calls);
            }
        }
        query.orderBy().forEach(item -> collect(item, calls));
        for (Expr.Call call : calls) {
            oneOf(call, equal, grouped);
            if (call.over() != null) {
                window(call, select, traits, reader, keys, groups);
            } else if (dependsOnOrder(call, reader)) {
                aggregate(call, reader, keys, grouped);
            }
        }
        if (traits.grouped() && work.dialect.has(DialectRule.FIRST_ROW_SPEAKS_FOR_ITS_GROUP)) {
            new FirstRows(work, reader, keys, groups).check(query, select, this::loose);
        }
    }

    private static List<Outputs.Reader> groups(QueryBody.Select select, OutputReader reader) {
        return OutputReader.groups(select).stream().map(reader::key).toList();
    }

    private boolean dependsOnOrder(Expr.Call call, OutputReader reader) {
        return ORDERED.contains(name(call)) || ExactNumbers.addsRounded(call, work, reader.place());
    }

    /** The rows of a SELECT, which are shown in their order or cut. */
    void select(Query query, QueryBody.Select select, Traits traits, SelectRows rows, Absence absence) {
        // MariaDB sorts by what it rolls up, and takes no ORDER BY beside it.
        boolean isSorted = work.dialect == Dialect.MARIADB
                && select.groupBy().stream().anyMatch(GroupItem.Rollup.class::isInstance);
        if (work.exact || Traits.isOneRow(select, traits) || isSorted) {
            return;
        }
        OutputReader reader = rows.reader(select.items());
        var keys = new RowKeys(work, rows.block(), absence);
        Set<Known> shown = keys.known(reader.items());
        Set<Known> asked = keys.known(
                query.orderBy().stream().map(item -> reader.key(item.key())).toList());
        if (!select.distinctOn().isEmpty()) {
            // With one, keys are added to it further down: the first of each kind is then the first by these.
            if (query.orderBy().isEmpty()) {
                loose("DISTINCT ON without ORDER BY, of which any row may be the first; add one,", select);
                return;
            }
        } else if (traits.grouped() || select.distinct()) {
            if (select.distinct() && work.dialect.has(DialectRule.FIRST_ROW_SPEAKS_FOR_ITS_GROUP)) {
                new FirstRows(work, reader, keys, shown).checkOrder(query, this::loose);
            }
            if (traits.grouped() && traits.windows() && work.dialect == Dialect.MARIADB) {
                // The server drops an ORDER BY of what is grouped by, and then sorts for the window, which leaves ties.
                add(query, ordinals(select, reader));
                return;
            }
            List<Outputs.Reader> together = traits.grouped() ? groups(select, reader) : reader.items();
            together(query, select, together, asked, reader, keys);
            return;
        }
        var equal = new EqualValues(work, reader, keys);
        List<String> missing = keys.missing(
                equal.same(
                        equal.keys(query.orderBy().stream().map(OrderItem::key).toList())),
                shown);
        // Keys if they can be named; otherwise by everything that is shown: rows that are equal in all of that look
        // alike, so their order does not show.
        add(query, missing == null ? all(select, reader, keys) : missing);
    }

    /** All that a query shows, and of what may look different where it is equal, how it looks. */
    private List<String> all(QueryBody.Select select, OutputReader reader, RowKeys keys) {
        var equal = new EqualValues(work, reader, keys);
        List<EqualValues.Formed> shown = equal.items();
        List<Integer> different = equal.storedDifferent(shown, shown);
        List<String> all = new ArrayList<>();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            Cell cell = reader.columns().get(i).cell();
            boolean isSortable = !shown.get(i).form().is(Representation.Kind.UNORDERED);
            if (isSortable) {
                all.add(String.valueOf(i + 1));
            }
            if (different.contains(i)) {
                String name = keys.nameOf(cell);
                if (name != null) {
                    written.add(EqualValues.written(name, work.dialect));
                } else if (!shown.get(i).form().isOne()) {
                    loose(isSortable ? LOOKS + FORM : UNSORTABLE, select);
                }
            }
        }
        all.addAll(written);
        return all;
    }

    /**
     * Of rows that are put together one is shown, which must look like the others.
     *
     * <p>Not asked of DISTINCT ON, which shows a whole row, the first of its kind by an order.
     */
    void merged(QueryBody.Select select, Traits traits, SelectRows rows, Absence absence) {
        if (work.exact || Traits.isOneRow(select, traits) || !traits.grouped() && !select.distinct()) {
            return;
        }
        OutputReader reader = rows.reader(select.items());
        var equal = new EqualValues(work, reader, new RowKeys(work, rows.block(), absence));
        List<EqualValues.Formed> groups = equal.keys(OutputReader.groups(select));
        if (traits.grouped() && !equal.different(groups, groups).isEmpty()) {
            loose("GROUP BY" + ANY_OF_EQUAL, select);
        }
        if (select.distinct() && select.distinctOn().isEmpty()) {
            List<EqualValues.Formed> shown = equal.items();
            List<EqualValues.Formed> together = new ArrayList<>(shown);
            together.addAll(groups);
            if (!equal.different(shown, traits.grouped() ? together : shown).isEmpty()) {
                loose("DISTINCT" + ANY_OF_EQUAL, select);
            }
        }
    }

    /** The same of rows of two queries. */
    void merged(QueryBody.SetOperation operation, List<Representation> columns) {
        if (!work.exact && !columns.stream().allMatch(Representation::isOne)) {
            loose(operation.kind() + ANY_OF_EQUAL, operation);
        }
    }

    /**
     * Whether rows that ORDER BY leaves together look alike. Two that it takes for equal may be different where a
     * collation does, so what is known of them is their class only; of a long text MariaDB sorts by the beginning.
     *
     * <p>Then {@code LIMIT 1} shows one of rows that look alike, and how often these occur is not seen, so the rows are
     * asked for as a set ({@link QueryReader}).
     */
    boolean isSettled(List<OrderItem> orderBy, OutputReader reader, Block block, Absence absence) {
        var keys = new RowKeys(work, block, absence);
        Set<Known> tied = new LinkedHashSet<>();
        for (OrderItem item : orderBy) {
            RowKeys.Read read = keys.read(reader.key(item.key()));
            if (read.operand() instanceof Operand.Plain plain
                    && plain.term() instanceof Term.Variable column
                    && plain.sort().type() != null
                    && read.mentions().all().isEmpty()) {
                ColumnType type = plain.sort().type();
                boolean isCut = work.dialect == Dialect.MARIADB
                        && (type.kind() == ValueKind.TEXT || type.kind() == ValueKind.BYTES);
                Term same = type.hasExactEquality() ? column : new Term.Function(type.keyFunction(), List.of(column));
                if (!isCut) {
                    tied.add(new Known(same, Set.of()));
                }
            }
        }
        return reader.items().stream()
                .map(keys::read)
                .allMatch(item -> item.operand() instanceof Operand.Plain && keys.determine(tied, Set.of(), item));
    }

    /** Rows of which equal ones are one. */
    private void together(
            Query query,
            QueryBody.Select select,
            List<Outputs.Reader> together,
            Set<Known> asked,
            OutputReader reader,
            RowKeys keys) {
        Set<Known> needed = keys.known(together);
        boolean isPlain = together.stream().allMatch(one -> keys.read(one).operand() instanceof Operand.Plain);
        needed.removeIf(one -> Terms.isRigid(one.term()) && one.parts().isEmpty());
        if (isPlain && asked.containsAll(needed)) {
            return;
        }
        List<Integer> found = new ArrayList<>();
        Set<Known> shown = new HashSet<>();
        for (int i = 0; i < reader.items().size(); i++) {
            Set<Known> item = keys.known(List.of(reader.items().get(i)));
            if (needed.containsAll(item) && !item.isEmpty()) {
                found.add(i);
                shown.addAll(item);
            }
        }
        boolean isShown = isPlain && shown.containsAll(needed);
        add(query, isShown ? found.stream().map(i -> String.valueOf(i + 1)).toList() : ordinals(select, reader));
    }

    /**
     * The rows of something else than a SELECT. They are sorted by its columns only, so all of these are needed; a
     * constant is none, and one twice is one.
     *
     * @param columns their names
     * @param forms how their values are written
     */
    void other(Query query, List<String> columns, List<Representation> forms) {
        if (work.exact) {
            return;
        }
        if (!forms.stream().allMatch(Representation::isSortable)) {
            loose(LOOKS + FORM, query);
        }
        Set<Integer> asked = new HashSet<>();
        for (OrderItem item : query.orderBy()) {
            int ordinal = OutputReader.ordinal(item.key());
            if (ordinal > 0 && ordinal <= columns.size()) {
                asked.add(ordinal - 1);
            } else if (item.key() instanceof Expr.Column column && column.name().isSimple()) {
                String name = column.name().last().text();
                List<Integer> named = IntStream.range(0, columns.size())
                        .filter(i -> SelectColumns.sameName(columns.get(i), name, work.dialect))
                        .boxed()
                        .toList();
                if (named.size() == 1) {
                    asked.addAll(named);
                }
            }
        }
        List<String> keys = new ArrayList<>(asked.size() < columns.size() ? ordinals(columns.size()) : List.of());
        if (work.dialect == Dialect.MARIADB) {
            // The others sort such rows by their columns only.
            keys.addAll(written(columns, forms));
        }
        add(query, keys);
    }

    /** How those look that look alike only as far as nobody stored different ones, and can be named. */
    private List<String> written(List<String> columns, List<Representation> forms) {
        List<String> written = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i);
            long namesakes = columns.stream()
                    .filter(other -> other.equalsIgnoreCase(name) || work.dialect.mayBeOne(other, name))
                    .count();
            if (!forms.get(i).isExact() && namesakes == 1 && !name.equals(ScopeColumn.UNNAMED)) {
                written.add(EqualValues.written(work.dialect.quoted(name), work.dialect));
            }
        }
        return written;
    }

    /**
     * Some of the rows found are written, or all are returned.
     *
     * @param isFirst whether these are rows of the first table, each of them once
     */
    void write(Block block, OutputReader reader, List<OrderItem> orderBy, boolean isFirst, String what) {
        var keys = new RowKeys(work, block, Absence.NONE);
        Set<Known> asked = keys.known(
                orderBy.stream().map(item -> reader.reader(item.key())).toList());
        if (!(isFirst ? keys.determineFirst(asked) : keys.determineAll(asked))) {
            loose.put(Math.max(block.position, 0), what);
        }
    }

    /**
     * A row that is written once gets what it gets from one of the rows that it is joined with: from any, if there are
     * several.
     *
     * @param written a column of the row, or null for that of the first table
     * @param read what it gets
     */
    void joined(Block block, Outputs.@Nullable Reader written, List<Outputs.Reader> read, String what) {
        var keys = new RowKeys(work, block, Absence.NONE);
        Set<Known> row = new LinkedHashSet<>();
        if (written == null) {
            row.addAll(keys.firstRow());
        } else {
            keys.read(written).mentions().columns().forEach(column -> row.addAll(keys.rowOf(column)));
        }
        if (!read.stream().allMatch(one -> keys.determine(row, Set.of(), keys.read(one)))) {
            loose.put(Math.max(block.position, 0), what);
        }
    }

    /** New rows are written one after the other, with the source's rows before the part that is looked for. */
    void inserted(Block block, String what) {
        if (!new RowKeys(work, block, Absence.NONE).isFirstUnique()) {
            loose.put(Math.max(block.position, 0), what);
        }
    }

    private List<String> ordinals(QueryBody.Select select, OutputReader reader) {
        boolean isSortable = reader.columns().stream()
                .noneMatch(column -> Representations.of(column.cell(), work).is(Representation.Kind.UNORDERED));
        if (!isSortable) {
            loose(UNSORTABLE, select);
            return List.of();
        }
        return ordinals(reader.columns().size());
    }

    private static List<String> ordinals(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(String::valueOf).toList();
    }

    private void add(Query query, List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        if (query.limit() != null && query.limit().withTies()) {
            loose("WITH TIES, of which each comes in no order; add a key to ORDER BY", query);
            return;
        }
        if (query.end() == 0 || elsewhere > 0) {
            loose("rows in no order, of which some are taken; add ORDER BY with a key", query);
            return;
        }
        List<OrderItem> before = query.orderBy();
        // In the direction of the last one, as an index may have both.
        boolean descending = !before.isEmpty() && before.get(before.size() - 1).descending();
        Added added = additions.computeIfAbsent(
                query.end(), end -> new Added(before.isEmpty() ? " ORDER BY " : ", ", new LinkedHashSet<>()));
        // A query that is read several times, with other parts absent, may lack other keys.
        keys.forEach(key -> added.keys.add(descending ? key + " DESC" : key));
    }

    /** What is added at one place. */
    private record Added(String before, Set<String> keys) {

        String text() {
            return before + String.join(", ", keys) + " ";
        }
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    /** A call that gives one of the values that it takes for equal, or each once, which must look alike. */
    private void oneOf(Expr.Call call, EqualValues equal, List<EqualValues.Formed> groups) {
        boolean distinct = call.aggregation() != null
                && call.aggregation().distinct()
                && !name(call).equals("count");
        List<Expr> values = new ArrayList<>();
        if (distinct || ONE_OF.contains(name(call))) {
            values.addAll(call.arguments());
        }
        if (call.aggregation() != null && ONE_OF.contains(name(call))) {
            call.aggregation().withinGroup().forEach(item -> values.add(item.key()));
        }
        if (!equal.different(equal.values(values), groups).isEmpty()) {
            loose(call.name() + ANY_OF_EQUAL, call);
        }
    }

    /**
     * Equal values in a row are one as good as the other, if they look alike, so an order by what is collected will do.
     */
    private void aggregate(Expr.Call call, OutputReader reader, RowKeys keys, List<EqualValues.Formed> groups) {
        var equal = new EqualValues(work, reader, keys);
        List<EqualValues.Formed> order = new ArrayList<>(groups);
        boolean distinct = false;
        if (call.aggregation() != null) {
            List<OrderItem> keysInside = new ArrayList<>(call.aggregation().orderBy());
            keysInside.addAll(call.aggregation().withinGroup());
            order.addAll(equal.values(keysInside.stream().map(OrderItem::key).toList()));
            // PostgreSQL finds equal ones by sorting.
            distinct = call.aggregation().distinct() && work.dialect == Dialect.POSTGRESQL;
        }
        List<Outputs.Reader> arguments =
                call.arguments().stream().map(reader::reader).toList();
        boolean isPlain = arguments.stream().allMatch(one -> keys.read(one).operand() instanceof Operand.Plain);
        Set<Known> collected = keys.known(arguments);
        collected.removeIf(one -> Terms.isRigid(one.term()) && one.parts().isEmpty());
        boolean isSorted = isPlain && equal.alike(order).containsAll(collected);
        if (isSorted || distinct || keys.determineAll(equal.same(order))) {
            return;
        }
        loose(
                ORDERED.contains(name(call))
                        ? call.name() + " without an ORDER BY in it that has a key or what is collected; add one,"
                        : call.name() + ROUNDED,
                call);
    }

    private void window(
            Expr.Call call,
            QueryBody.Select select,
            Traits traits,
            OutputReader reader,
            RowKeys keys,
            Set<Known> groups) {
        Window window = call.over();
        boolean byRows = false;
        var equal = new EqualValues(work, reader, keys);
        List<EqualValues.Formed> order = new ArrayList<>();
        while (window != null) {
            order.addAll(equal.values(CallReader.windowKeys(window)));
            byRows |= window.frame() != null && window.frame().unit().equalsIgnoreCase("ROWS");
            window = named(window.base(), select);
        }
        boolean rounded = ExactNumbers.addsRounded(call, work, reader.place());
        if (!byRows && !POSITIONAL.contains(name(call)) && !ORDERED.contains(name(call)) && !rounded) {
            return;
        }
        boolean isTotal =
                traits.grouped() ? equal.alike(order).containsAll(groups) : keys.determineAll(equal.same(order));
        if (!isTotal) {
            loose(
                    rounded
                            ? call.name() + ROUNDED
                            : call.name() + " without an ORDER BY in its window that has a key; add one,",
                    call);
        }
    }

    private @Nullable Window named(@Nullable Name name, QueryBody.Select select) {
        for (Window.Named one : select.windows()) {
            if (name != null && SelectColumns.sameName(one.name().text(), name.text(), work.dialect)) {
                return one.window();
            }
        }
        return null;
    }

    private static String name(Expr.Call call) {
        return call.name().last().text().toLowerCase(Locale.ROOT);
    }

    /** The calls that take all rows. */
    private void collect(Node node, List<Expr.Call> calls) {
        if (node instanceof Query) {
            return;
        }
        if (node instanceof Expr.Call call && takesAll(call, work)) {
            calls.add(call);
        }
        Tree.children(node).forEach(child -> collect(child, calls));
    }

    /** Whether a call is an aggregate or one over a window. */
    static boolean takesAll(Expr.Call call, Work work) {
        FunctionKind kind = work.kind(call.name());
        return call.over() != null || kind != null && kind.isAggregate();
    }

    private void loose(String construct, Node node) {
        loose.put(Math.max(node.position(), 0), construct);
    }
}
