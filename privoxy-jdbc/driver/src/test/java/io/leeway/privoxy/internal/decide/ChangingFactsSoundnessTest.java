package io.leeway.privoxy.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Facts of a request that somebody has written beside: each result is of another small database. Where one database could
 * have given them all, what the chase proves holds over all such databases, and it does not call them contradictory.
 * Where none could have, it says so, or proves nothing that one of the results alone does not prove.
 */
class ChangingFactsSoundnessTest {

    private static final int GOALS = 20;

    private int cases;
    private int contradictory;
    private int noticed;
    private int proved;

    @Test
    void factsOfDifferentMomentsProveNothingFalse() {
        long seed = Seeds.seed("changing facts");
        int all = Depth.of(6_000, 1_000_000);
        for (int i = 0; cases < all; i++) {
            tryPolicy(seed + i);
        }
        assertThat(contradictory).as("contradictory facts, seed %d", seed).isGreaterThan(all / 50);
        assertThat(noticed * 10)
                .as("most contradictions are noticed: %d of %d, seed %d", noticed, contradictory, seed)
                .isGreaterThan(contradictory * 8);
        assertThat(proved).as("proofs, seed %d", seed).isGreaterThan(all / 20);
        print(cases + " cases, " + contradictory + " with contradictory facts, " + noticed + " noticed, " + proved
                + " proved");
    }

    private void tryPolicy(long seed) {
        Random random = new Random(seed);
        RandomProblems problems = new RandomProblems(random);
        Schema schema = problems.schema();
        Policy policy = problems.policy(schema);
        CompiledPolicy compiled = CompiledPolicy.of(policy);
        Map<String, Value> context = Map.of("Me", Value.of(random.nextInt(2)));
        List<TinyDatabase> databases = TinyDatabases.of(policy);
        if (databases.isEmpty()) {
            return;
        }
        for (int g = 0; g < GOALS; g++) {
            cases++;
            UnionQuery goal = problems.union(schema, 1, false);
            List<Value> arguments = List.of(argument(random));
            List<Result> results = results(random, problems, compiled, databases);
            List<Fact> facts =
                    results.stream().flatMap(result -> result.facts.stream()).toList();
            Problem problem = new Problem(
                    compiled.goal(goal), args(arguments), Map.of("Me", Arg.of(context.get("Me"))), facts, List.of());
            List<TinyDatabase> fitting = fitting(databases, results);
            ChaseEngine engine = new ChaseEngine(compiled, new Budget(12, 200, 4, 40));
            boolean holds = engine.canHold(problem);
            if (!fitting.isEmpty()) {
                assertThat(holds)
                        .as("facts of one database hold together, seed %d goal %d: %s facts %s", seed, g, policy, facts)
                        .isTrue();
            } else {
                contradictory++;
                noticed += holds ? 0 : 1;
            }
            if (!holds) {
                continue;
            }
            boolean claimed = engine.decide(problem).isCompliant();
            proved += claimed ? 1 : 0;
            boolean isSmall = !fitting.isEmpty() || (isSmall(facts) && hasKeysOnly(policy));
            if (claimed && isSmall) {
                assertThat(isCompliant(databases, fitting, results, policy, context, goal, arguments))
                        .as("seed %d goal %d: %s under %s facts %s", seed, g, goal, policy, facts)
                        .isTrue();
            }
        }
    }

    private static boolean isCompliant(
            List<TinyDatabase> databases,
            List<TinyDatabase> fitting,
            List<Result> results,
            Policy policy,
            Map<String, Value> context,
            UnionQuery goal,
            List<Value> arguments) {
        if (!fitting.isEmpty()) {
            return TinyDatabases.agree(fitting, policy, context, goal, arguments);
        }
        boolean compliant = TinyDatabases.agree(databases, policy, context, goal, arguments);
        for (Result result : results) {
            compliant |= TinyDatabases.agree(fitting(databases, List.of(result)), policy, context, goal, arguments);
        }
        return compliant;
    }

    /** Whether a database with two rows a table could have them, if they do not contradict each other. */
    private static boolean isSmall(List<Fact> facts) {
        Map<Integer, Integer> rows = new HashMap<>();
        for (Fact fact : facts) {
            for (int table : fact.query().tables) {
                rows.merge(table, 1, Integer::sum);
            }
        }
        return rows.values().stream().allMatch(count -> count <= 2);
    }

    private static boolean hasKeysOnly(Policy policy) {
        return policy.inclusions().isEmpty()
                && policy.schema().tables().values().stream()
                        .allMatch(table -> table.foreignKeys().isEmpty());
    }

    private static List<TinyDatabase> fitting(List<TinyDatabase> databases, List<Result> results) {
        List<TinyDatabase> fitting = new ArrayList<>(databases);
        for (Result result : results) {
            fitting.removeIf(database ->
                    !database.answer(result.query, result.arguments, Map.of()).containsAll(result.rows));
        }
        return fitting;
    }

    /** One to three results, each of its own database: somebody writes between them. */
    private static List<Result> results(
            Random random, RandomProblems problems, CompiledPolicy compiled, List<TinyDatabase> databases) {
        List<Result> results = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            TinyDatabase now = databases.get(random.nextInt(databases.size()));
            ConjunctiveQuery query = problems.query(compiled.policy().schema(), 1, -1, false);
            List<Value> arguments = List.of(argument(random));
            UnionQuery asked = UnionQuery.of(query);
            Set<List<Value>> rows = now.answer(asked, arguments, Map.of());
            List<Fact> facts = new ArrayList<>();
            for (List<Value> row : rows) {
                facts.add(new Fact(compiled.shape(query), args(arguments), args(row)));
            }
            results.add(new Result(asked, arguments, rows, facts));
        }
        return results;
    }

    private record Result(UnionQuery query, List<Value> arguments, Set<List<Value>> rows, List<Fact> facts) {}

    private static Value argument(Random random) {
        return random.nextInt(8) == 0 ? Value.NULL : Value.of(random.nextInt(2));
    }

    private static List<Arg> args(List<Value> values) {
        return values.stream().map(Arg::of).toList();
    }

    @SuppressWarnings("SystemOut") // How many were tried is what one wants to know.
    private static void print(String text) {
        System.out.println(text);
    }
}
