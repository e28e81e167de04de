package io.leeway.pipelining.internal.propagate;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which threads reach which operators under a placement of ports, and what follows from that. Immutable.
 */
public final class ThreadPropagation {

    /*
     * AutoPipelining §4.7.1. A thread is named by the operator where it begins: a source, or an operator with a port. From there
     * it reaches what its operator feeds, up to the next ports. An operator reached by more than one thread may be entered by
     * two at once, so that its lock is needed if it has state.
     *
     * Ports in cycles are refused: the port's thread could wait for room in its own queue. Operators of one cycle share one
     * lock: two locks could be taken in either order.
     *
     * Not in the paper: results. Where tuples of one source come to an operator on several ways (a fork and a join), one thread
     * brings them in an order that follows from the graph; two threads bring them in any order. An operator that has not said
     * that it takes that (Merge.PER_INPUT) must get all tuples of one source from one thread. To find that, the walk carries
     * pairs of source and thread.
     *
     * Cost: sources x threads x streams in the worst case.
     */

    /** What came from a source, and the thread that brings it. */
    private record Carrier(int source, int thread) {}

    private final Map<Integer, Set<Carrier>> arriving = new HashMap<>();
    private final Map<Integer, Set<Integer>> reachedBy = new TreeMap<>();
    private final Map<Integer, List<Integer>> after = new HashMap<>();
    private final Map<Integer, Integer> cycles;
    private final PipelineGraph graph;
    private final Set<Integer> ports;

    private ThreadPropagation(PipelineGraph graph, Set<Integer> ports) {
        this.graph = graph;
        this.ports = Set.copyOf(ports);
        graph.streams()
                .forEach(stream -> after.computeIfAbsent(stream.from(), id -> new ArrayList<>())
                        .add(stream.to()));
        this.cycles = Cycles.of(graph, after);
        propagate();
    }

    /** Propagates threads through a graph with these ports. */
    public static ThreadPropagation of(PipelineGraph graph, Set<Integer> ports) {
        return new ThreadPropagation(graph, ports);
    }

    private void propagate() {
        var changed = new ArrayDeque<Integer>();
        for (Operator operator : graph.operators()) {
            if (operator.source()) {
                arriving.computeIfAbsent(operator.id(), id -> new HashSet<>())
                        .add(new Carrier(operator.id(), operator.id()));
                changed.add(operator.id());
            }
        }
        while (!changed.isEmpty()) {
            int from = changed.poll();
            Set<Carrier> leaving = leaving(from);
            for (int to : after.getOrDefault(from, List.of())) {
                if (arriving.computeIfAbsent(to, id -> new HashSet<>()).addAll(leaving)) {
                    changed.add(to);
                }
            }
        }
        for (Operator operator : graph.operators()) {
            var threads = new TreeSet<Integer>();
            leaving(operator.id()).forEach(carrier -> threads.add(carrier.thread()));
            reachedBy.put(operator.id(), threads);
        }
    }

    private Set<Carrier> leaving(int operator) {
        Set<Carrier> here = arriving.getOrDefault(operator, Set.of());
        if (!ports.contains(operator)) {
            return here;
        }
        var leaving = new HashSet<Carrier>();
        here.forEach(carrier -> leaving.add(new Carrier(carrier.source(), operator)));
        return leaving;
    }

    /** The threads that run an operator, by the operators where they begin. */
    public Set<Integer> threadsIn(int operator) {
        return reachedBy.getOrDefault(operator, Set.of());
    }

    /** The threads that bring tuples to an operator: they fill the queue if there is a port. */
    public Set<Integer> threadsBefore(int operator) {
        var threads = new TreeSet<Integer>();
        arriving.getOrDefault(operator, Set.of()).forEach(carrier -> threads.add(carrier.thread()));
        return threads;
    }

    /** All threads, by the operators where they begin, each after those that feed it. */
    public List<Integer> threads() {
        var left = new TreeSet<Integer>();
        graph.operators().stream().filter(Operator::source).forEach(source -> left.add(source.id()));
        left.addAll(ports);
        var ordered = new ArrayList<Integer>();
        while (!left.isEmpty()) {
            int next = left.stream()
                    .filter(thread -> feeders(thread).stream().noneMatch(left::contains))
                    .findFirst()
                    .orElse(left.first());
            left.remove(next);
            ordered.add(next);
        }
        return ordered;
    }

    private Set<Integer> feeders(int thread) {
        Set<Integer> feeders = ports.contains(thread) ? threadsBefore(thread) : Set.of();
        return feeders.contains(thread) ? Set.of() : feeders;
    }

    /** The operators whose lock must be on: with state, and reached by more than one thread. */
    public Set<Integer> locked() {
        var locked = new TreeSet<Integer>();
        for (Operator operator : graph.operators()) {
            if (operator.stateful() && threadsIn(operator.id()).size() > 1) {
                locked.add(operator.id());
            }
        }
        return locked;
    }

    /** Which lock an operator uses: those of one cycle have the same. */
    public int lockOf(int operator) {
        return cycles.getOrDefault(operator, operator);
    }

    /** Why this placement must not be, by the operator that spoils it; empty if it may be. */
    public Map<Integer, String> refusals() {
        var refusals = new TreeMap<Integer, String>();
        for (int port : ports) {
            Operator operator = graph.operator(port).orElse(null);
            if (operator == null) {
                refusals.put(port, "there is no such operator");
            } else if (!operator.mayBeThreaded()) {
                refusals.put(port, operator.refusal());
            } else if (cycles.containsKey(port)) {
                refusals.put(port, "it is in a cycle, where its thread could wait for room in its own queue");
            }
        }
        for (Operator operator : graph.operators()) {
            if (operator.merge() == Merge.AS_SEQUENTIAL && meetsItself(operator.id())) {
                refusals.putIfAbsent(
                        operator.id(),
                        operator.name() + " would get tuples of one source from several threads, in any order");
            }
        }
        return refusals;
    }

    private boolean meetsItself(int operator) {
        var threadOf = new HashMap<Integer, Integer>();
        for (Carrier carrier : arriving.getOrDefault(operator, Set.of())) {
            Integer other = threadOf.putIfAbsent(carrier.source(), carrier.thread());
            if (other != null && other != carrier.thread()) {
                return true;
            }
        }
        return false;
    }
}
