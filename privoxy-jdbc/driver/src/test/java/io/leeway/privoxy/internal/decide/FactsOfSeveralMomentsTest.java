package io.leeway.privoxy.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What facts of several moments may open, by its definition and over all small databases.
 *
 * <p>Each result is of a database of its own, and the statement is asked of yet another one. Two databases of now that
 * agree in all that a request is shown must give one answer. It is shown what the views show of now; what they show of now
 * beside one or two rows that were read before, or that were there then where keys or assertions may say so, as if these
 * were still there; and of each row that a view showed at one moment the columns that it showed then, as they are now; of
 * a row without a primary key, whether there is one now that looks like it. Nothing else.
 */
class FactsOfSeveralMomentsTest {

    private static final int CASES = Depth.of(1_500, 60_000);
    private static final Budget BUDGET = new Budget(12, 200, 3, 24);
    private static final int REQUESTS = 12;
    private static final int QUERIES = 4;
    private static final int MOMENTS = 3;

    /** Of a view of two rows of one table, of which a right gives one, and the other is there now and looks like it. */
    private static final long[] FOUND = {-4_449_665_515_200_685_343L};

    private int cases;
    private int byFacts;

    @Test
    void openNoMoreThanWhatWasShown() {
        for (long found : FOUND) {
            tryPolicy(found);
        }
        long seed = Seeds.seed("facts of several moments");
        var draws = new Random(seed);
        while (cases < CASES) {
            tryPolicy(draws.nextLong());
        }
        System.out.println(cases + " cases, " + byFacts + " allowed by facts");
        assertThat(byFacts).as("allowed by facts, seed %d", seed).isGreaterThan(CASES / 100);
    }

    private void tryPolicy(long seed) {
        Random random = new Random(seed);
        RandomProblems problems = new RandomProblems(random);
        Schema schema = problems.schema();
        Policy policy = problems.policy(schema);
        CompiledPolicy compiled = CompiledPolicy.of(policy);
        List<TinyDatabase> databases = new ArrayList<>(TinyDatabases.of(policy));
        databases.sort(Comparator.comparing(database -> new TreeMap<>(database.tables()).toString()));
        if (databases.isEmpty() || !compiled.voidAssertions().isEmpty()) {
            return;
        }
        List<ConjunctiveQuery> queries = new ArrayList<>();
        List<UnionQuery> goals = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            queries.add(problems.query(schema, 1, -1, false));
            goals.add(problems.union(schema, 1, false));
        }
        var world = new World(policy, compiled, databases);
        for (int r = 0; r < REQUESTS; r++) {
            request(world, queries, goals, random, "seed " + seed + " request " + r);
        }
    }

    private void request(
            World world, List<ConjunctiveQuery> queries, List<UnionQuery> goals, Random random, String where) {
        Value me = Value.of(random.nextInt(2));
        List<Read> read = new ArrayList<>();
        for (int i = random.nextInt(MOMENTS) + 1; i > 0; i--) {
            read.add(new Read(
                    world.databases.get(random.nextInt(world.databases.size())),
                    queries.get(random.nextInt(QUERIES)),
                    List.of(argument(random))));
        }
        List<Fact> facts = new ArrayList<>();
        for (Read one : read) {
            one.rows()
                    .forEach(row ->
                            facts.add(new Fact(world.compiled.shape(one.query), args(one.arguments), args(row))));
        }
        for (UnionQuery goal : goals) {
            List<Value> arguments = List.of(argument(random));
            cases++;
            var problem =
                    new Problem(world.compiled.goal(goal), args(arguments), Map.of("Me", Arg.of(me)), facts, List.of());
            if (world.chase.canHold(problem)
                    && world.chase.decide(problem).isCompliant()
                    && world.differing(goal, arguments, me, List.of()) != null) {
                byFacts++;
                assertThat(world.differing(goal, arguments, me, read))
                        .as("%s: %s %s as %s under %s, read %s", where, goal, arguments, me, world.policy, read)
                        .isNull();
            }
        }
    }

    private static Value argument(Random random) {
        return random.nextInt(8) == 0 ? Value.NULL : Value.of(random.nextInt(2));
    }

    private static List<Arg> args(List<Value> values) {
        return values.stream().map(Arg::of).toList();
    }

    /** What was asked at a moment. */
    private record Read(TinyDatabase database, ConjunctiveQuery query, List<Value> arguments) {

        Set<List<Value>> rows() {
            return database.answer(UnionQuery.of(query), arguments, Map.of());
        }

        /** The rows behind what was read. */
        TinyDatabase behind() {
            Map<String, List<List<Value>>> tables = new HashMap<>();
            for (Atom atom : query.atoms()) {
                List<Term> whole = IntStream.range(0, atom.arity())
                        .<Term>mapToObj(column -> new Term.Variable(atom.firstVariable() + column))
                        .toList();
                var all = new ConjunctiveQuery(query.atoms(), query.conditions(), whole);
                tables.computeIfAbsent(atom.table(), name -> new ArrayList<>())
                        .addAll(database.answer(UnionQuery.of(all), arguments, Map.of()));
            }
            return new TinyDatabase(tables);
        }
    }

    /**
     * Columns of a row that were shown.
     *
     * @param values of the columns, where the table has no primary key
     */
    private record Shown(Table table, List<Value> key, List<Integer> columns, List<Value> values) {

        Shown within(List<Integer> others) {
            return new Shown(
                    table, key, columns.stream().filter(others::contains).toList(), values);
        }
    }

    private record World(Policy policy, CompiledPolicy compiled, List<TinyDatabase> databases, ChaseEngine chase) {

        World(Policy policy, CompiledPolicy compiled, List<TinyDatabase> databases) {
            this(policy, compiled, databases, new ChaseEngine(compiled, BUDGET));
        }

        /** Two databases of which the same is shown and that answer otherwise, or null. */
        @Nullable
        List<TinyDatabase> differing(UnionQuery goal, List<Value> arguments, Value me, List<Read> read) {
            List<Set<Shown>> shown =
                    read.stream().map(one -> shown(one, read, me)).toList();
            Map<List<Object>, TinyDatabase> known = new HashMap<>();
            for (TinyDatabase database : databases) {
                TinyDatabase other = known.putIfAbsent(all(database, read, shown, me), database);
                if (other != null
                        && !other.answer(goal, arguments, Map.of())
                                .equals(database.answer(goal, arguments, Map.of()))) {
                    return List.of(other, database);
                }
            }
            return null;
        }

        /** All that is shown of a database of now. */
        private List<Object> all(TinyDatabase now, List<Read> read, List<Set<Shown>> shown, Value me) {
            List<Object> all = new ArrayList<>();
            all.add(views(now, me));
            for (TinyDatabase beside : rights(read)) {
                all.add(views(together(now, beside), me));
            }
            shown.forEach(moment -> moment.forEach(one -> all.add(cells(now, one))));
            return all;
        }

        /** Each row of before, and each two. */
        private Set<TinyDatabase> rights(List<Read> read) {
            Set<TinyDatabase> single = new LinkedHashSet<>();
            for (Read one : read) {
                TinyDatabase rows = speaksOfOthers() ? one.database : one.behind();
                rows.tables()
                        .forEach((table, all) ->
                                all.forEach(row -> single.add(new TinyDatabase(Map.of(table, List.of(row))))));
            }
            Set<TinyDatabase> rights = new LinkedHashSet<>(single);
            single.forEach(one -> single.forEach(other -> rights.add(together(one, other))));
            return rights;
        }

        /** Whether rows that were not read may follow from those that were. */
        private boolean speaksOfOthers() {
            return !policy.inclusions().isEmpty()
                    || policy.schema().tables().values().stream()
                            .anyMatch(table -> !table.foreignKeys().isEmpty());
        }

        private List<Set<List<Value>>> views(TinyDatabase database, Value me) {
            return policy.views().stream()
                    .map(view -> database.answer(view.query(), List.of(), Map.of("Me", me)))
                    .toList();
        }

        private static TinyDatabase together(TinyDatabase one, TinyDatabase other) {
            Map<String, List<List<Value>>> tables = new HashMap<>(one.tables());
            other.tables()
                    .forEach((name, rows) -> tables.merge(name, rows, (some, more) -> {
                        Set<List<Value>> both = new LinkedHashSet<>(some);
                        both.addAll(more);
                        return List.copyOf(both);
                    }));
            return new TinyDatabase(tables);
        }

        private static Set<List<Value>> cells(TinyDatabase now, Shown shown) {
            Set<List<Value>> cells = new HashSet<>();
            for (List<Value> row : now.tables().get(shown.table.name())) {
                List<Value> values = shown.columns.stream().map(row::get).toList();
                if (key(shown.table, row).equals(shown.key)
                        && (identity(shown.table) != null || values.equals(shown.values))) {
                    cells.add(values);
                }
            }
            return cells;
        }

        /**
         * What a moment shows of single rows that were read, or may have been: what the views showed then; and beside rows of
         * other moments what they showed of columns that were read.
         */
        private Set<Shown> shown(Read read, List<Read> all, Value me) {
            Set<Shown> shown = shown(read.database, me);
            Set<Shown> asked = new HashSet<>();
            add(asked, read.query, read.arguments, read.database, me);
            for (TinyDatabase beside : rights(all)) {
                for (Shown more : shown(together(read.database, beside), me)) {
                    asked.stream()
                            .filter(one -> identity(one.table) != null
                                    && one.table.equals(more.table)
                                    && one.key.equals(more.key))
                            .map(one -> one.within(more.columns))
                            .forEach(shown::add);
                }
            }
            return shown;
        }

        private Set<Shown> shown(TinyDatabase database, Value me) {
            Set<Shown> shown = new HashSet<>();
            for (View view : policy.views()) {
                for (ConjunctiveQuery disjunct : view.query().disjuncts()) {
                    add(shown, disjunct, List.of(), database, me);
                }
            }
            return shown;
        }

        private void add(
                Set<Shown> shown, ConjunctiveQuery query, List<Value> arguments, TinyDatabase database, Value me) {
            for (Atom atom : query.atoms()) {
                Table table = policy.schema().table(atom.table());
                List<Integer> columns = shownColumns(query, atom);
                if (!columns.isEmpty()) {
                    List<Term> whole = IntStream.range(0, table.arity())
                            .<Term>mapToObj(column -> new Term.Variable(atom.firstVariable() + column))
                            .toList();
                    var rows = new ConjunctiveQuery(query.atoms(), query.conditions(), whole);
                    for (List<Value> row : database.answer(UnionQuery.of(rows), arguments, Map.of("Me", me))) {
                        List<Value> values = identity(table) != null
                                ? List.of()
                                : columns.stream().map(row::get).toList();
                        shown.add(new Shown(table, key(table, row), columns, values));
                    }
                }
            }
        }

        /** Those that a query gives: what was only compared with one of these need not be equal to it any more. */
        private static List<Integer> shownColumns(ConjunctiveQuery query, Atom atom) {
            return IntStream.range(0, atom.arity())
                    .filter(column -> query.head().contains(new Term.Variable(atom.firstVariable() + column)))
                    .boxed()
                    .toList();
        }

        private static @Nullable List<Integer> identity(Table table) {
            if (table.keys().isEmpty()) {
                return null;
            }
            Key first = table.keys().get(0);
            boolean isPrimary = !first.nullsDistinct()
                    && first.columns().stream()
                            .noneMatch(column -> table.columns().get(column).nullable());
            return isPrimary ? first.columns() : null;
        }

        private static List<Value> key(Table table, List<Value> row) {
            List<Integer> identity = identity(table);
            return identity == null
                    ? List.of()
                    : identity.stream()
                            .map(column -> comparable(table.columns().get(column), row.get(column)))
                            .toList();
        }

        private static Value comparable(Column column, Value value) {
            return column.type().hasExactEquality()
                    ? value
                    : TinyDatabase.apply(column.type().keyFunction(), value);
        }
    }
}
