package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.PlainProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A random problem together with what the definition says about it on tiny databases.
 *
 * @param problem for the solvers
 * @param policy its policy
 * @param isRefuted whether two tiny databases contradict compliance
 */
record RandomProblem(PlainProblem problem, Policy policy, boolean isRefuted) {

    /** A problem whose trace was recorded on one of the tiny databases. */
    static RandomProblem draw(RandomGenerator random) {
        RandomCases cases = new RandomCases(random);
        Policy policy = cases.policy();
        List<TinyWorld> worlds = new ArrayList<>(new Worlds(policy).all());
        TinyWorld actual = worlds.get(random.nextInt(worlds.size()));
        Value me = Value.of(random.nextInt(2));
        Map<String, Value> context = Map.of("Me", me);
        List<PlainProblem.Fact> facts = new ArrayList<>();
        List<PlainProblem.Answer> answers = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            ConjunctiveQuery query = cases.query(policy.schema(), 1, false, -1);
            List<Value> arguments = List.of(Value.of(random.nextInt(2)));
            Set<List<Value>> rows = actual.ask(UnionQuery.of(query), arguments, context);
            rows.forEach(row -> facts.add(new PlainProblem.Fact(query, args(arguments), args(row))));
            boolean isComplete = cases.oneIn(2);
            if (isComplete) {
                answers.add(new PlainProblem.Answer(
                        UnionQuery.of(query),
                        args(arguments),
                        List.copyOf(rows.stream().map(RandomProblem::args).toList())));
            }
            worlds.removeIf(world -> {
                Set<List<Value>> others = world.ask(UnionQuery.of(query), arguments, context);
                return isComplete ? !others.equals(rows) : !others.containsAll(rows);
            });
        }
        UnionQuery goal = cases.union(policy.schema(), 1, true);
        List<Value> arguments = List.of(Value.of(random.nextInt(2)));
        PlainProblem problem =
                new PlainProblem(goal, args(arguments), Map.of("Me", Arg.of(me)), facts, answers, List.of());
        return new RandomProblem(problem, policy, !Worlds.isCompliant(worlds, policy, context, goal, arguments));
    }

    private static List<Arg> args(List<Value> values) {
        return values.stream().map(Arg::of).toList();
    }
}
