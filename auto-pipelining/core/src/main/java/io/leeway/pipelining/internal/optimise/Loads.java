package io.leeway.pipelining.internal.optimise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was measured: the utilisation of each thread, and of each port in it, as shares of one core (AutoPipelining §4.3.1).
 * Immutable.
 *
 * @param threads one row a thread; its place in the list is the thread's number
 */
public record Loads(List<Row> threads) {

    /**
     * One thread.
     *
     * @param total μ(t), 0 to 1
     * @param ports μ(o, t) of each operator in the thread's path: what the thread spends in it and in all that follows it
     * @param handOver what handing the tuples of that port over would cost either side, as a share of one core; 0 if it is not
     *     there
     */
    public record Row(double total, Map<Integer, Double> ports, Map<Integer, Double> handOver) {

        /** Copies both maps, sorted by operator. */
        public Row {
            ports = Map.copyOf(ports);
            handOver = Map.copyOf(handOver);
        }

        /** A row without costs of handing over, as in the paper. */
        public static Row of(double total, Map<Integer, Double> ports) {
            return new Row(total, ports, Map.of());
        }
    }

    /** Copies the list. */
    public Loads {
        threads = List.copyOf(threads);
    }

    /**
     * U of each operator: the largest share that a thread would have after one threaded port in front of it (AutoPipelining
     * §4.3.1.2), with what the queue costs on both of its sides.
     */
    Map<Integer, Double> utilities() {
        var moved = new TreeMap<Integer, Double>();
        for (Row row : threads) {
            row.ports().forEach((port, load) -> moved.merge(port, load + handOver(row, port), Double::sum));
        }
        var utilities = new TreeMap<>(moved);
        for (Row row : threads) {
            row.ports().forEach((port, load) -> {
                double left = row.total() - load + handOver(row, port);
                utilities.merge(port, left, Double::max);
            });
        }
        return utilities;
    }

    /** The rows of threads that need help: at least that busy, without the ports that are not to be used. */
    List<Candidates> needy(double leastTotal, Set<Integer> excluded) {
        var rows = new ArrayList<Candidates>();
        for (int thread = 0; thread < threads.size(); thread++) {
            Row row = threads.get(thread);
            if (row.total() >= leastTotal) {
                var ports = new java.util.TreeSet<Integer>();
                row.ports().forEach((port, load) -> {
                    if (load > 0 && !excluded.contains(port)) {
                        ports.add(port);
                    }
                });
                rows.add(new Candidates(thread, row.total(), ports));
            }
        }
        return rows;
    }

    private static double handOver(Row row, int port) {
        return row.handOver().getOrDefault(port, 0.0);
    }

    /** The ports that may be chosen for one thread. */
    record Candidates(int thread, double total, Set<Integer> ports) {}
}
