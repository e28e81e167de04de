package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.RandomProblems;
import io.leeway.privoxy.internal.decide.TinyDatabase;
import io.leeway.privoxy.internal.decide.TinyDatabases;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.request.Imprint;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.request.TraceResult;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A request beside which somebody writes: each of its results is of another small database, and all goes the way of the
 * product, through the trace, templates and the chase. What is allowed follows, over all small databases, from facts that
 * one of them could have given, and facts that one could have given are never taken for contradictory.
 */
class ChangingFactsTest {

    private static final int CASES = Integer.getInteger("privoxy.changing.cases", Depth.of(2_000, 200_000));
    /** Where this ends nothing is allowed, so nothing is tried: four fifths of the time went into such ends. */
    private static final Budget BUDGET = new Budget(12, 80, 2, 8);
    /** For one policy in so many: proofs by many cases. */
    private static final Budget WIDE = new Budget(12, 200, 4, 40);

    private static final int WIDE_ONES = 10;
    private static final Trace.Bounds BOUNDS = new Trace.Bounds(100, 100, 10_000);
    private static final SchemaSnapshot NO_TABLES =
            new SchemaSnapshot(Dialect.POSTGRESQL, List.of(), false, false, List.of());
    private static final int QUERIES = 4;
    /** Of each policy; more of them make more cases of less variety. */
    private static final int REQUESTS = Integer.getInteger("privoxy.changing.requests", 10);

    private static final int RESULTS = 4;
    private static final int MAX_FACTS = 400;
    /** One result in so many is of a database in which a row that was read has changed, if there is one. */
    private static final int CLASHES = 2;
    /** Of so many facts each selection is tried. */
    private static final int MAX_SELECTED = 8;

    private int cases;
    private int allowed;
    private int byTemplate;
    private int beside;
    private int contradictory;
    private int noticed;

    @Test
    void factsOfDifferentMomentsProveNothingFalse() throws SQLException {
        long seed = Seeds.seed("changing facts");
        var draws = new Random(seed);
        while (cases < CASES) {
            tryPolicy(draws.nextLong());
        }

        print(cases + " cases, " + allowed + " allowed, of these " + byTemplate + " by a template and " + beside
                + " where what was read contradicts itself; " + contradictory + " results contradicted earlier ones, "
                + noticed + " times that was noticed");
        assertThat(allowed).as("allowed, seed %d", seed).isGreaterThan(CASES / 20);
        assertThat(byTemplate).as("allowed by a template, seed %d", seed).isGreaterThan(CASES / 100);
        assertThat(beside).as("allowed beside contradictions, seed %d", seed).isGreaterThan(CASES / 500);
        assertThat(contradictory).as("contradictory facts, seed %d", seed).isGreaterThan(CASES / 200);
        assertThat(noticed).as("each contradiction is noticed, seed %d", seed).isEqualTo(contradictory);
    }

    private void tryPolicy(long seed) throws SQLException {
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
            ConjunctiveQuery query = problems.query(schema, 1, -1, false);
            queries.add(random.nextBoolean() ? withWholeRows(query) : query);
            goals.add(problems.union(schema, 1, false));
        }
        Budget budget = random.nextInt(WIDE_ONES) == 0 ? WIDE : BUDGET;
        var world = new World(policy, compiled, databases, budget);
        for (int r = 0; r < REQUESTS; r++) {
            request(world, queries, goals, random, "seed " + seed + " request " + r);
        }
    }

    /** As applications ask: for all columns of the last table. */
    private static ConjunctiveQuery withWholeRows(ConjunctiveQuery query) {
        Atom last = query.atoms().get(query.atoms().size() - 1);
        List<Term> head = IntStream.range(0, last.arity())
                .<Term>mapToObj(column -> new Term.Variable(last.firstVariable() + column))
                .toList();
        return new ConjunctiveQuery(query.atoms(), query.conditions(), head);
    }

    private void request(
            World world, List<ConjunctiveQuery> queries, List<UnionQuery> goals, Random random, String where) {
        Value me = Value.of(random.nextInt(2));
        Trace trace = new Trace(BOUNDS);
        List<Known> everything = new ArrayList<>();
        int now = random.nextInt(world.databases.size());
        for (int i = 0; i < RESULTS; i++) {
            if (random.nextBoolean()) {
                now = random.nextInt(world.databases.size());
            }
            Clash clash = random.nextInt(CLASHES) == 0 ? clash(world, Known.of(trace.entries()), me) : null;
            now = clash == null ? now : clash.database;
            ConjunctiveQuery query = clash == null ? queries.get(random.nextInt(QUERIES)) : clash.like.query;
            List<Value> arguments = clash == null ? List.of(argument(random)) : clash.like.arguments;
            List<List<Value>> rows = new ArrayList<>(world.answers(UnionQuery.of(query), arguments, me)[now]);
            rows.sort(Comparator.comparing(List::toString));
            List<Known> all = Known.of(trace.entries());
            rows.forEach(row -> all.add(new Known(query, arguments, row)));
            rows.forEach(row -> everything.add(new Known(query, arguments, row)));
            read(world, trace, query, arguments, rows);

            boolean noticedNow = Known.of(trace.entries()).size() < all.size()
                    || !world.chase.canHold(world.facts(all), world.facts.arguments(Map.of("Me", me)));
            if (!world.fitting(all).isEmpty()) {
                assertThat(noticedNow)
                        .as("facts of one database hold together, %s: %s facts %s", where, world.policy, all)
                        .isFalse();
            } else if (world.isSurelyContradictory(all)) {
                contradictory++;
                noticed += noticedNow ? 1 : 0;
            }
            UnionQuery goal = goals.get(random.nextInt(QUERIES));
            if (decide(world, trace, goal, List.of(argument(random)), me, where)
                    && world.isSurelyContradictory(everything)) {
                beside++;
            }
        }
    }

    /** A database in which the row of a fact has changed, but for its key. */
    private record Clash(Known like, int database) {}

    private static @Nullable Clash clash(World world, List<Known> known, Value me) {
        for (Known one : known) {
            Set<List<Value>>[] answers = world.answers(UnionQuery.of(one.query), one.arguments, me);
            for (int i = 0; i < answers.length; i++) {
                for (List<Value> row : answers[i]) {
                    if (world.isOtherRowOfAKey(one, new Known(one.query, one.arguments, row))) {
                        return new Clash(one, i);
                    }
                }
            }
        }
        return null;
    }

    /** Whether it is allowed. */
    private boolean decide(World world, Trace trace, UnionQuery goal, List<Value> arguments, Value me, String where) {
        cases++;
        Decision decision = world.decider.decide(
                new Obligation(goal, List.of(new Slot.One(0)), ""),
                world.compiled.goal(goal),
                arguments,
                Map.of("Me", me),
                Standpoint.ANYWHERE.of(trace));
        if (!(decision instanceof Decision.Allowed)) {
            return false;
        }
        allowed++;
        byTemplate += decision == Decision.Allowed.BY_TEMPLATE ? 1 : 0;
        List<Known> known = Known.of(trace.entries());
        BitSet fitting = world.fitting(known);
        if (!fitting.isEmpty()) {
            assertThat(world.agree(fitting, goal, arguments, me))
                    .as("%s: %s %s under %s facts %s", where, goal, arguments, world.policy, known)
                    .isTrue();
        } else if (world.isSurelyContradictory(known) && known.size() <= MAX_SELECTED) {
            assertThat(followsFromSome(world, known, goal, arguments, me))
                    .as("%s: %s %s under %s facts %s", where, goal, arguments, world.policy, known)
                    .isTrue();
        }
        return true;
    }

    /** Whether it follows from a selection of the facts that one database could have given. */
    private static boolean followsFromSome(
            World world, List<Known> known, UnionQuery goal, List<Value> arguments, Value me) {
        for (int selection = 0; selection < 1 << known.size(); selection++) {
            List<Known> some = new ArrayList<>();
            for (int i = 0; i < known.size(); i++) {
                if ((selection >> i & 1) == 1) {
                    some.add(known.get(i));
                }
            }
            BitSet fitting = world.fitting(some);
            if (!fitting.isEmpty() && world.agree(fitting, goal, arguments, me)) {
                return true;
            }
        }
        return false;
    }

    private static void read(
            World world, Trace trace, ConjunctiveQuery query, List<Value> arguments, List<List<Value>> rows) {
        ConjunctiveQuery interned = world.compiled.shape(query).query();
        TraceResult result = trace.open(
                new Recording.Part(interned, List.of(), List.of(), -1),
                arguments,
                Imprint.of(interned, world.compiled::table),
                Standpoint.ANYWHERE);
        for (List<Value> row : rows) {
            result.add(row.toArray(Value[]::new));
        }
        result.complete();
    }

    private static Value argument(Random random) {
        return random.nextInt(8) == 0 ? Value.NULL : Value.of(random.nextInt(2));
    }

    /** A row that the request has read. */
    private record Known(ConjunctiveQuery query, List<Value> arguments, List<Value> row) {

        static List<Known> of(List<TraceEntry> entries) {
            List<Known> all = new ArrayList<>();
            for (TraceEntry entry : entries) {
                for (int row = 0; row < entry.rows(); row++) {
                    List<Value> cells = new ArrayList<>();
                    for (int column = 0; column < entry.width(); column++) {
                        cells.add(entry.cell(row, column));
                    }
                    all.add(new Known(entry.query(), entry.arguments(), cells));
                }
            }
            return all;
        }
    }

    /** What is asked of every small database. */
    private record Asked(UnionQuery query, List<Value> arguments) {}

    /** One policy with the product's stages, and all small databases. */
    private static final class World {
        final Policy policy;
        final CompiledPolicy compiled;
        final List<TinyDatabase> databases;
        final ChaseEngine chase;
        final Facts facts;
        final Decider decider;

        private final Map<Asked, Set<List<Value>>[]> answers = new HashMap<>();
        private final Map<Known, BitSet> givers = new HashMap<>();
        /** For each user and database the number of what the views show. */
        private final Map<Value, int[]> shown = new HashMap<>();

        World(Policy policy, CompiledPolicy compiled, List<TinyDatabase> databases, Budget budget) throws SQLException {
            this.policy = policy;
            this.compiled = compiled;
            this.databases = databases;
            this.chase = new ChaseEngine(compiled, budget);
            this.facts = new Facts(compiled, chase, MAX_FACTS);
            PrivoxyConfig config = PrivoxyConfig.of(Map.of("privoxyPolicy", "policy.sql"));
            TemplateStage templates = StoredTemplates.open(
                    config, compiled, chase, facts, SolverStage.NONE, NO_TABLES, MetricsTrackers.NONE);
            this.decider = new Decider(chase, templates, problem -> null, SolverStage.NONE, facts);
        }

        /** Of each database. */
        Set<List<Value>>[] answers(UnionQuery query, List<Value> arguments, Value me) {
            return answers.computeIfAbsent(new Asked(query, arguments), asked -> {
                @SuppressWarnings({"unchecked", "rawtypes"})
                Set<List<Value>>[] all = new Set[databases.size()];
                for (int i = 0; i < all.length; i++) {
                    all[i] = databases.get(i).answer(query, arguments, Map.of("Me", me));
                }
                return all;
            });
        }

        /** The databases that could have given all of these. */
        BitSet fitting(List<Known> known) {
            BitSet fitting = new BitSet();
            fitting.set(0, databases.size());
            for (Known one : known) {
                BitSet those = givers.get(one);
                if (those == null) {
                    those = new BitSet();
                    Set<List<Value>>[] all = answers(UnionQuery.of(one.query), one.arguments, Value.NULL);
                    for (int i = 0; i < all.length; i++) {
                        those.set(i, all[i].contains(one.row));
                    }
                    givers.put(one, those);
                }
                fitting.and(those);
            }
            return fitting;
        }

        /** The definition: those of the databases with the same views have the same answer. */
        boolean agree(BitSet fitting, UnionQuery goal, List<Value> arguments, Value me) {
            int[] views = shown.computeIfAbsent(me, this::show);
            Set<List<Value>>[] all = answers(goal, arguments, Value.NULL);
            Map<Integer, Set<List<Value>>> known = new HashMap<>();
            for (int i = fitting.nextSetBit(0); i >= 0; i = fitting.nextSetBit(i + 1)) {
                Set<List<Value>> other = known.putIfAbsent(views[i], all[i]);
                if (other != null && !other.equals(all[i])) {
                    return false;
                }
            }
            return true;
        }

        private int[] show(Value me) {
            Map<List<Set<List<Value>>>, Integer> numbers = new HashMap<>();
            int[] all = new int[databases.size()];
            for (int i = 0; i < all.length; i++) {
                List<Set<List<Value>>> views = new ArrayList<>();
                for (View view : policy.views()) {
                    views.add(databases.get(i).answer(view.query(), List.of(), Map.of("Me", me)));
                }
                Integer known = numbers.putIfAbsent(views, numbers.size());
                all[i] = known == null ? numbers.size() - 1 : known;
            }
            return all;
        }

        List<Fact> facts(List<Known> known) {
            return known.stream()
                    .map(one -> new Fact(compiled.shape(one.query), args(one.arguments), args(one.row)))
                    .toList();
        }

        private static List<Arg> args(List<Value> values) {
            return values.stream().map(Arg::of).toList();
        }

        /** Whether two of the facts fit no database at all, whatever its size: two rows with one key. */
        boolean isSurelyContradictory(List<Known> known) {
            for (int i = 0; i < known.size(); i++) {
                for (int j = 0; j < i; j++) {
                    if (isOtherRowOfAKey(known.get(i), known.get(j))) {
                        assertThat(fitting(List.of(known.get(i), known.get(j))).isEmpty())
                                .as("%s and %s", known.get(i), known.get(j))
                                .isTrue();
                        return true;
                    }
                }
            }
            return false;
        }

        /** Whether both are whole rows of a table, with one key and something else that differs. */
        boolean isOtherRowOfAKey(Known one, Known other) {
            Atom atom = one.query.atoms().get(0);
            Table table = policy.schema().table(atom.table());
            if (!isWholeRow(one, table) || !isWholeRow(other, table)) {
                return false;
            }
            List<Value> left = row(one, table.arity());
            List<Value> right = row(other, table.arity());
            return !left.equals(right)
                    && table.keys().stream()
                            .anyMatch(key -> key.columns().stream()
                                    .allMatch(column -> !left.get(column).equals(Value.NULL)
                                            && left.get(column).equals(right.get(column))));
        }

        private static boolean isWholeRow(Known known, Table table) {
            return known.query.atoms().size() == 1
                    && known.query.atoms().get(0).table().equals(table.name())
                    && table.columns().stream().allMatch(column -> column.type().hasExactEquality())
                    && known.query.head().stream().distinct().count() == table.arity()
                    && known.query.head().stream().allMatch(Term.Variable.class::isInstance);
        }

        /** The cells in the table's order. */
        private static List<Value> row(Known known, int arity) {
            int first = known.query.atoms().get(0).firstVariable();
            return IntStream.range(0, arity)
                    .mapToObj(column -> known.row.get(known.query.head().indexOf(new Term.Variable(first + column))))
                    .toList();
        }
    }

    @SuppressWarnings("SystemOut") // How many were tried is what one wants to know.
    private static void print(String text) {
        System.out.println(text);
    }
}
