package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The question: is {@code goal} compliant, given these facts?
 *
 * @param goal the query
 * @param arguments of the goal
 * @param context the request's parameters; a view that names a missing one reveals nothing
 * @param facts what the request has seen
 * @param assumptions comparisons between arguments
 */
public record Problem(
        Goal goal, List<Arg> arguments, Map<String, Arg> context, List<Fact> facts, List<Assumption> assumptions) {
    public Problem {
        arguments = List.copyOf(arguments);
        context = Map.copyOf(context);
        facts = List.copyOf(facts);
        assumptions = List.copyOf(assumptions);
    }

    /** The same with no fact at all, then with one of the first {@code most} facts each; nothing that has as many facts. */
    List<Problem> withFewerFacts(int most) {
        List<Problem> smaller = new ArrayList<>();
        if (!facts.isEmpty()) {
            smaller.add(with(List.of()));
        }
        if (facts.size() > 1) {
            facts.stream().limit(most).forEach(fact -> smaller.add(with(List.of(fact))));
        }
        return smaller;
    }

    private Problem with(List<Fact> fewer) {
        return new Problem(goal, arguments, context, fewer, assumptions);
    }
}
