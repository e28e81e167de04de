package io.leeway.pipelining.internal.propagate;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Operator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which operators of a graph are in cycles: its strongly connected components by Tarjan's algorithm, with a stack of its own
 * instead of recursion. Cost: operators and streams.
 */
final class Cycles {

    /** An operator on the way, and those after it that were not looked at yet. */
    private record Visit(int operator, Iterator<Integer> after) {}

    private final Map<Integer, List<Integer>> after;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> lowest = new HashMap<>();
    private final Deque<Integer> open = new ArrayDeque<>();
    private final Set<Integer> isOpen = new HashSet<>();
    private final Map<Integer, Integer> found = new HashMap<>();

    private Cycles(Map<Integer, List<Integer>> after) {
        this.after = after;
    }

    /** The operators that are in cycles, each with the smallest number of its cycle. */
    static Map<Integer, Integer> of(PipelineGraph graph, Map<Integer, List<Integer>> after) {
        var cycles = new Cycles(after);
        for (Operator operator : graph.operators()) {
            if (!cycles.numbers.containsKey(operator.id())) {
                cycles.walk(operator.id());
            }
        }
        return cycles.found;
    }

    private void walk(int from) {
        Deque<Visit> way = new ArrayDeque<>();
        way.push(visit(from));
        while (!way.isEmpty()) {
            Visit here = way.element();
            if (here.after().hasNext()) {
                int next = here.after().next();
                if (!numbers.containsKey(next)) {
                    way.push(visit(next));
                } else if (isOpen.contains(next)) {
                    lowest.merge(here.operator(), number(next), Math::min);
                }
            } else {
                way.pop();
                if (!way.isEmpty()) {
                    lowest.merge(way.element().operator(), low(here.operator()), Math::min);
                }
                if (low(here.operator()) == number(here.operator())) {
                    close(here.operator());
                }
            }
        }
    }

    private Visit visit(int operator) {
        int number = numbers.size();
        numbers.put(operator, number);
        lowest.put(operator, number);
        open.push(operator);
        isOpen.add(operator);
        return new Visit(operator, following(operator).iterator());
    }

    /** All that is open from an operator on is one component. */
    private void close(int first) {
        Set<Integer> component = new HashSet<>();
        int last;
        do {
            last = open.pop();
            isOpen.remove(last);
            component.add(last);
        } while (last != first);
        if (component.size() > 1 || following(first).contains(first)) {
            int least = component.stream().mapToInt(Integer::intValue).min().orElse(first);
            component.forEach(operator -> found.put(operator, least));
        }
    }

    private List<Integer> following(int operator) {
        return after.getOrDefault(operator, List.of());
    }

    private int number(int operator) {
        return numbers.getOrDefault(operator, 0);
    }

    private int low(int operator) {
        return lowest.getOrDefault(operator, 0);
    }
}
