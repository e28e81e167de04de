package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.Addition;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a statement shows rows in an order that it does not ask for: the one place for that.
 *
 * <p>A database gives rows as it finds them, in the order of an index, of a join that sorts, or of their last changes, and
 * so tells what they are sorted by. An order is of no interest if it is total: if what is asked for determines each row, by
 * the {@link Closure} of keys. To any other one the keys are added that it lacks, which an obligation for a bag shows
 * anyway; where rows are put together (DISTINCT, GROUP BY, UNION) or have no key, the columns of the result.
 */
final class RowOrder {

    /** Aggregates whose result depends on the order of what they are given. */
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

    /** Window functions of which the same holds even where rows are equal in the window's order. */
    private static final Set<String> POSITIONAL =
            Set.of("row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value");

    /** PostgreSQL's types without an order. */
    private static final Set<String> UNSORTABLE =
            Set.of("json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle", "xid", "cid");

    private final Work work;
    private final Map<Integer, String> additions = new TreeMap<>();
    private final Map<Integer, String> loose = new TreeMap<>();
    private int elsewhere;

    RowOrder(Work work) {
        this.work = work;
    }

    /** All that was found. */
    Unordered found() {
        return new Unordered(
                additions.entrySet().stream()
                        .map(one -> new Addition(one.getKey(), one.getValue()))
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
        boolean isSimple = !traits.aggregates() && !traits.windows() && !traits.grouped();
        if (work.exact || isSimple) {
            return;
        }
        var keys = new RowKeys(work, rows.block(), absence);
        List<Term> groups = terms(rows.reader(select.items()).groups(select, absence));
        var calls = new ArrayList<Expr.Call>();
        var columns = new ArrayList<Expr.Column>();
        select.items().forEach(item -> collect(item, calls, columns));
        query.orderBy().forEach(item -> collect(item, calls, columns));
        collect(select.having(), calls, columns);
        collect(select.qualify(), calls, columns);
        for (Expr.Call call : calls) {
            if (call.over() != null) {
                window(call, select, traits, rows, keys, groups, absence);
            } else if (ORDERED.contains(name(call))) {
                aggregate(call, rows.reader(select.items()), keys, groups, absence);
            }
        }
        if (traits.grouped() && work.dialect == Dialect.MARIADB) {
            // A column that is neither grouped nor counted is that of any row.
            for (Expr.Column column : columns) {
                List<Term> read = terms(rows.reader(select.items()).readAll(List.of(column), absence));
                if (!keys.determine(groups, read)) {
                    loose(
                            "the column " + column.name() + " of a group's first row; group by it or use an aggregate,"
                                    + " here",
                            column);
                }
            }
        }
    }

    /** The rows of a SELECT, which are shown in their order or cut. */
    void select(Query query, QueryBody.Select select, Traits traits, SelectRows rows, Absence absence) {
        boolean isSorted = work.dialect == Dialect.MARIADB
                && select.groupBy().stream().anyMatch(GroupItem.Rollup.class::isInstance);
        if (work.exact || Traits.isOneRow(select, traits) || isSorted) {
            return;
        }
        OutputReader reader = rows.reader(select.items());
        List<Operand> items = reader.of(List.of()).readItems(absence);
        Set<Term> asked = asked(query.orderBy(), reader, items, absence);
        if (!select.distinctOn().isEmpty()) {
            if (query.orderBy().isEmpty()) {
                loose("DISTINCT ON without ORDER BY, of which any row may be the first; add one,", select);
                return;
            }
        } else if (traits.grouped() || select.distinct()) {
            List<Operand> together = traits.grouped() ? reader.groups(select, absence) : items;
            together(query, select, together, items, asked);
            return;
        }
        List<String> missing = new RowKeys(work, rows.block(), absence).missing(asked, terms(items));
        if (missing == null) {
            missing = ordinals(select, items);
        }
        add(query, missing);
    }

    /** Rows of which equal ones are one. */
    private void together(
            Query query, QueryBody.Select select, List<Operand> together, List<Operand> items, Set<Term> asked) {
        boolean isPlain = together.stream().allMatch(Operand.Plain.class::isInstance);
        Set<Term> needed = new LinkedHashSet<>(Terms.informative(terms(together)));
        if (isPlain && asked.containsAll(needed)) {
            return;
        }
        List<Integer> found = IntStream.range(0, items.size())
                .filter(i -> items.get(i) instanceof Operand.Plain plain && needed.contains(plain.term()))
                .boxed()
                .toList();
        Set<Term> shown =
                found.stream().map(i -> ((Operand.Plain) items.get(i)).term()).collect(Collectors.toSet());
        boolean isShown = isPlain && shown.containsAll(needed);
        add(query, isShown ? found.stream().map(i -> String.valueOf(i + 1)).toList() : ordinals(select, items));
    }

    /** The rows of something else than a SELECT, of which only the number of columns is known. */
    void other(Query query, int columns) {
        if (!work.exact) {
            long asked = query.orderBy().stream()
                    .map(OrderItem::key)
                    .filter(key -> key instanceof Expr.Literal || key instanceof Expr.Column)
                    .count();
            if (asked < columns) {
                add(query, ordinals(columns));
            }
        }
    }

    /** Some of the rows found are written. */
    void write(Block block, OutputReader reader, List<OrderItem> orderBy, String what) {
        List<Expr> keys = orderBy.stream().map(OrderItem::key).toList();
        Set<Term> asked = new HashSet<>(terms(reader.readAll(keys, Absence.NONE)));
        if (!new RowKeys(work, block, Absence.NONE).determineAll(asked)) {
            loose.put(Math.max(block.position, 0), what);
        }
    }

    private Set<Term> asked(List<OrderItem> orderBy, OutputReader reader, List<Operand> items, Absence absence) {
        Set<Term> asked = new LinkedHashSet<>();
        for (OrderItem item : orderBy) {
            int ordinal = OutputReader.ordinal(item.key());
            if (ordinal > 0 && ordinal <= items.size()) {
                asked.addAll(terms(List.of(items.get(ordinal - 1))));
            } else {
                asked.addAll(terms(reader.readAll(List.of(item.key()), absence)));
            }
        }
        return asked;
    }

    private List<String> ordinals(QueryBody.Select select, List<Operand> items) {
        for (Operand item : items) {
            boolean isTyped =
                    item instanceof Operand.Plain plain && plain.sort().type() != null;
            String type = isTyped ? String.valueOf(((Operand.Plain) item).sort().type()) : "";
            if (work.dialect == Dialect.POSTGRESQL && UNSORTABLE.stream().anyMatch(type::contains)) {
                loose("rows in no order, which cannot be sorted by all that they show; add ORDER BY", select);
                return List.of();
            }
        }
        return ordinals(items.size());
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
        String text = keys.stream().map(key -> descending ? key + " DESC" : key).collect(Collectors.joining(", "));
        additions.putIfAbsent(query.end(), (before.isEmpty() ? " ORDER BY " : ", ") + text + " ");
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    /** Equal values in a row are one as good as the other, so an order by what is collected will do. */
    private void aggregate(Expr.Call call, OutputReader reader, RowKeys keys, List<Term> groups, Absence absence) {
        var asked = new HashSet<>(groups);
        boolean distinct = false;
        if (call.aggregation() != null) {
            List<OrderItem> order = new ArrayList<>(call.aggregation().orderBy());
            order.addAll(call.aggregation().withinGroup());
            order.forEach(item -> asked.addAll(terms(reader.readAll(List.of(item.key()), absence))));
            // PostgreSQL finds equal ones by sorting.
            distinct = call.aggregation().distinct() && work.dialect == Dialect.POSTGRESQL;
        }
        List<Operand> arguments = reader.readAll(call.arguments(), absence);
        boolean isPlain = arguments.stream().allMatch(Operand.Plain.class::isInstance);
        boolean isSorted = isPlain && asked.containsAll(Terms.informative(terms(arguments)));
        if (!isSorted && !distinct && !keys.determineAll(asked)) {
            loose(call.name() + " without an ORDER BY in it that has a key or what is collected; add one,", call);
        }
    }

    private void window(
            Expr.Call call,
            QueryBody.Select select,
            Traits traits,
            SelectRows rows,
            RowKeys keys,
            List<Term> groups,
            Absence absence) {
        Window window = call.over();
        boolean byRows = false;
        var asked = new HashSet<Term>();
        while (window != null) {
            asked.addAll(terms(rows.reader(select.items()).readAll(CallReader.windowKeys(window), absence)));
            byRows |= window.frame() != null && window.frame().unit().equalsIgnoreCase("ROWS");
            window = named(window.base(), select);
        }
        if (!byRows && !POSITIONAL.contains(name(call)) && !ORDERED.contains(name(call))) {
            return;
        }
        boolean isTotal = traits.grouped() ? asked.containsAll(groups) : keys.determineAll(asked);
        if (!isTotal) {
            loose(call.name() + " without an ORDER BY in its window that has a key; add one,", call);
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

    /** The calls that take all rows, and the columns outside of these. */
    private void collect(@Nullable Node node, List<Expr.Call> calls, List<Expr.Column> columns) {
        if (node == null || node instanceof Query) {
            return;
        }
        if (node instanceof Expr.Column column) {
            columns.add(column);
        }
        boolean takesAll = false;
        if (node instanceof Expr.Call call) {
            FunctionKind kind = work.kind(call.name());
            takesAll = call.over() != null || kind != null && kind.isAggregate();
            if (takesAll) {
                calls.add(call);
            }
        }
        for (Node child : Tree.children(node)) {
            collect(child, calls, takesAll ? new ArrayList<>() : columns);
        }
    }

    private static List<Term> terms(List<Operand> operands) {
        List<Term> terms = new ArrayList<>();
        for (Operand operand : operands) {
            if (operand instanceof Operand.Plain plain) {
                terms.add(plain.term());
            }
        }
        return terms;
    }

    private void loose(String construct, Node node) {
        loose.put(Math.max(node.position(), 0), construct);
    }

    /** What determines the rows of a SELECT before they are put together. */
    private static final class RowKeys {

        private final Work work;
        private final From from;
        private final List<Use> uses;
        private final List<Condition> conditions;

        RowKeys(Work work, Block block, Absence absence) {
            this.work = work;
            this.from = block.from;
            this.uses = new ArrayList<>(from.rows);
            Dnf all = block.where(absence);
            for (OptionalPart part : from.optional) {
                all = with(part, block, all, absence);
            }
            this.conditions = Conditions.common(all.conjuncts());
        }

        /** An optional part: what it joins by holds where it is there, and where it is not it is NULL. */
        private Dnf with(OptionalPart part, Block block, Dnf all, Absence absence) {
            if (uses.containsAll(part.uses)) {
                return all;
            }
            uses.addAll(part.uses);
            Dnf more = all.and(block.all(part.filters, absence), work, part.position);
            for (OptionalPart child : part.children) {
                more = with(child, block, more, absence);
            }
            return more;
        }

        private boolean isWhole() {
            return !from.opaque && from.pendings.isEmpty() && from.absent.isEmpty();
        }

        boolean determineAll(Set<Term> known) {
            return isWhole() && new Closure(uses, conditions).add(known).coversAll(uses);
        }

        boolean determine(List<Term> known, List<Term> terms) {
            var closure = new Closure(uses, conditions).add(known);
            return terms.stream().allMatch(closure::determines);
        }

        /**
         * The columns of keys, as they are named here, that determine the rows together with what is known; null if they
         * cannot be named.
         */
        @Nullable
        List<String> missing(Set<Term> known, List<Term> preferred) {
            if (!isWhole()) {
                return null;
            }
            List<String> names = new ArrayList<>();
            for (Term term : Keys.missing(uses, uses, conditions, known, preferred)) {
                String name = term instanceof Term.Variable variable ? name(variable) : null;
                if (name == null) {
                    return null;
                }
                names.add(name);
            }
            return names;
        }

        private @Nullable String name(Term.Variable variable) {
            for (Use use : uses) {
                if (use.owns(variable.index())) {
                    int column = variable.index() - use.first();
                    return isOfKey(use, column) ? name(use, column) : null;
                }
            }
            return null;
        }

        private static boolean isOfKey(Use use, int column) {
            for (Key key : use.table().keys()) {
                if (key.columns().contains(column)) {
                    return true;
                }
            }
            return false;
        }

        private @Nullable String name(Use use, int column) {
            for (Relation relation : from.relations) {
                for (ScopeColumn one : relation.columns()) {
                    if (isCell(one.cell(), use, column)
                            && isOne(relation)
                            && !one.name().equals(ScopeColumn.UNNAMED)) {
                        return quoted(relation.name()) + '.' + quoted(one.name());
                    }
                }
            }
            return null;
        }

        private boolean isOne(Relation relation) {
            return !relation.name().isEmpty()
                    && from.relations.stream()
                                    .filter(other -> work.dialect.mayBeOne(other.name(), relation.name())
                                            || other.name().equalsIgnoreCase(relation.name()))
                                    .count()
                            == 1;
        }

        private static boolean isCell(Cell cell, Use use, int column) {
            if (cell instanceof Cell.Optional optional) {
                return isCell(optional.cell(), use, column);
            }
            return cell instanceof Cell.OfRow row && row.use().equals(use) && row.column() == column;
        }

        private String quoted(String name) {
            String quote = work.dialect == Dialect.MARIADB ? "`" : "\"";
            return quote + name.replace(quote, quote + quote) + quote;
        }
    }
}
