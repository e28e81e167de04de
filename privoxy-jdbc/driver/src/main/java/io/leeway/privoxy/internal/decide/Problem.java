package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The question: is {@code goal} compliant, given these facts?
 *
 * <p>Strong compliance of one obligation (Chang, UCB/EECS-2021-244, Definition 3.4.4), with containment in place of the
 * trace's equality. It has no JDBC in it and no clock, so that the same problem has the same answer wherever it is
 * asked: in the driver, on the command line, in a test.
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

    /**
     * The same with less knowledge, which can be easier to prove from: with no facts, with those of one result, with
     * one fact, of the first {@code most} results and facts; with two facts, up to {@code mostPairs} times, of two
     * queries first; and knowing nothing at all but the goal.
     *
     * <p>All of them are sound: a proof from some facts is one from all, as facts only exclude databases.
     */
    List<Problem> withLess(int most, int mostPairs) {
        Map<List<Object>, List<Fact>> results = new LinkedHashMap<>();
        for (Fact fact : facts) {
            results.computeIfAbsent(List.of(fact.query(), fact.arguments()), absent -> new ArrayList<>())
                    .add(fact);
        }
        Set<List<Fact>> fewer = new LinkedHashSet<>();
        fewer.add(List.of());
        results.values().stream().limit(most).forEach(fewer::add);
        facts.stream().limit(most).map(List::of).forEach(fewer::add);
        Stream.concat(pairs(false), pairs(true)).limit(mostPairs).forEach(fewer::add);
        fewer.remove(facts);
        List<Problem> less = new ArrayList<>(fewer.stream().map(this::with).toList());
        // Last, as the least likely: a goal that is compliant for anybody, whatever was read.
        less.add(bare());
        return less;
    }

    private Stream<List<Fact>> pairs(boolean ofOneQuery) {
        return IntStream.range(1, facts.size())
                .boxed()
                .flatMap(second -> IntStream.range(0, second)
                        .filter(first -> facts.get(first)
                                        .query()
                                        .equals(facts.get(second).query())
                                == ofOneQuery)
                        .mapToObj(first -> List.of(facts.get(first), facts.get(second))));
    }

    /**
     * The goal for any arguments, without context.
     *
     * <p>Known arguments are replaced, too: a constant can set off rules that a symbol leaves alone.
     */
    private Problem bare() {
        List<Arg> symbols = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            symbols.add(new Arg.Symbol(i, false));
        }
        return new Problem(goal, symbols, Map.of(), List.of(), List.of());
    }

    /**
     * The same for a prover that takes what was read and what is asked for one moment, and would conclude from a row of
     * before what another one is now.
     */
    public Problem withoutFacts() {
        return with(List.of());
    }

    Problem with(List<Fact> fewer) {
        return new Problem(goal, arguments, context, fewer, assumptions);
    }
}
