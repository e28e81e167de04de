package io.leeway.privoxy.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Holds the chase against the definition: over all small databases, those that agree on the facts and on every view must
 * agree on each goal that the chase calls compliant.
 */
class ChaseSoundnessTest {

    private static final int POLICIES = Integer.getInteger("privoxy.soundness.policies", 250);
    private static final int GOALS = 12;
    private static final long SEED = Long.getLong("privoxy.seed", 20261120L);

    private int compliantByDefinition;
    private int proved;

    @Test
    void nothingThatTheChaseProvesIsContradictedByASmallPairOfDatabases() {
        System.setProperty("privoxy.seed.used", Long.toString(SEED));
        for (int i = 0; i < POLICIES; i++) {
            tryPolicy(SEED + i);
        }

        assertThat(proved).as("proofs found, seed %d", SEED).isGreaterThan(POLICIES);
        assertThat(proved * 10)
                .as("most compliant goals are proved: %d of %d, seed %d", proved, compliantByDefinition, SEED)
                .isGreaterThan(compliantByDefinition * 7);
    }

    private void tryPolicy(long seed) {
        Random random = new Random(seed);
        RandomProblems problems = new RandomProblems(random);
        Schema schema = problems.schema();
        Policy policy = problems.policy(schema);
        CompiledPolicy compiled = CompiledPolicy.of(policy);
        Map<String, Value> context = Map.of("Me", Value.of(random.nextInt(2)));
        List<TinyDatabase> databases = TinyDatabases.of(policy);
        for (int g = 0; g < GOALS; g++) {
            UnionQuery goal = problems.union(schema, 1, false);
            List<Value> arguments = List.of(argument(random));
            List<TinyDatabase> fitting = new ArrayList<>(databases);
            List<Fact> facts = facts(random, problems, compiled, fitting);
            Problem problem = new Problem(
                    compiled.goal(goal), args(arguments), Map.of("Me", Arg.of(context.get("Me"))), facts, List.of());
            boolean compliant = TinyDatabases.agree(fitting, policy, context, goal, arguments);
            ChaseEngine engine = new ChaseEngine(compiled, new Budget(12, 200, 4, 40));
            boolean strong = engine.decide(problem).isCompliant();
            boolean claimed =
                    strong || engine.refute(problem, witness -> null) instanceof Refutation.Impossible<Object>;
            // What no database answers is compliant by definition; a proof is to rest on more than that.
            boolean isAnswered = fitting.stream()
                    .anyMatch(database ->
                            !database.answer(goal, arguments, context).isEmpty());
            compliantByDefinition += compliant && isAnswered ? 1 : 0;
            proved += strong ? 1 : 0;
            assertThat(!claimed || compliant)
                    .as("seed %d goal %d: %s under %s facts %s", seed, g, goal, policy, facts)
                    .isTrue();
            assertThat(!compiled.goal(goal).isCoveredByColumns() || compliant)
                    .as("column rule, seed %d goal %d: %s under %s", seed, g, goal, policy)
                    .isTrue();
        }
    }

    /** Asks up to two queries of a random database, and keeps the databases that could have answered so. */
    private static List<Fact> facts(
            Random random, RandomProblems problems, CompiledPolicy compiled, List<TinyDatabase> fitting) {
        List<Fact> facts = new ArrayList<>();
        int queries = random.nextInt(3);
        TinyDatabase actual = fitting.get(random.nextInt(fitting.size()));
        for (int i = 0; i < queries; i++) {
            ConjunctiveQuery query = problems.query(compiled.policy().schema(), 1, -1, false);
            List<Value> arguments = List.of(argument(random));
            UnionQuery asked = UnionQuery.of(query);
            Set<List<Value>> rows = actual.answer(asked, arguments, Map.of());
            for (List<Value> row : rows) {
                fitting.removeIf(
                        database -> !database.answer(asked, arguments, Map.of()).contains(row));
                facts.add(new Fact(compiled.shape(query), args(arguments), args(row)));
            }
        }
        return facts;
    }

    private static Value argument(Random random) {
        return random.nextInt(8) == 0 ? Value.NULL : Value.of(random.nextInt(2));
    }

    private static List<Arg> args(List<Value> values) {
        return values.stream().map(Arg::of).toList();
    }
}
