package io.leeway.pipelining.internal.optimise;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the optimiser chose. Immutable.
 *
 * @param choices the port in front of which a thread is to be put, by the number of the thread that is helped
 * @param utilities U of each chosen port
 * @param nodes nodes of the tree that were looked at
 * @param leaves leaves of the tree that were reached
 * @param complete whether the whole tree was searched; false when the limit of nodes ended it
 */
public record Solution(
        SortedMap<Integer, Integer> choices,
        SortedMap<Integer, Double> utilities,
        long nodes,
        long leaves,
        boolean complete) {

    /** Copies both maps. */
    public Solution {
        choices = new TreeMap<>(choices);
        utilities = new TreeMap<>(utilities);
    }

    /** The ports to be threaded; empty if nothing is expected to help. */
    public Set<Integer> ports() {
        return new TreeSet<>(choices.values());
    }

    /** The aggregate utility U(C), the largest of the ports'; 0 without ports. */
    public double utility() {
        return utilities.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    /** The utility of one chosen port. */
    public double utility(int port) {
        return Map.copyOf(utilities).getOrDefault(port, 0.0);
    }
}
