package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Placements of tight allocations on a number of servers (AutoTune §2.3.2): as long as it goes, instances that need the same
 * resource most are kept apart; then round-robin. What the operator had together stays together where there is a choice.
 *
 * <p>Invariants: no server gives away more than it has of anything, and every constraint holds; the number of servers is
 * never below the largest sum of a resource divided by a server's capacity.
 */
final class Packing {

    private static final double ROUNDING = 1e-9;

    private final Allocation capacity;
    private final List<Constraint> constraints;
    private final Map<String, Resource> most;
    private final Map<String, Integer> before;

    /** {@code most} is each instance's most impacted resource, {@code before} where it was at first. */
    Packing(
            Allocation capacity,
            List<Constraint> constraints,
            Map<String, Resource> most,
            Map<String, Integer> before) {
        this.capacity = capacity;
        this.constraints = constraints;
        this.most = most;
        this.before = before;
    }

    /** No fewer servers can do. */
    int lowerBound(Map<String, Allocation> allocations) {
        double bound = 1;
        for (Resource resource : Resource.values()) {
            double sum = allocations.values().stream()
                    .mapToDouble(allocation -> allocation.get(resource))
                    .sum();
            if (capacity.get(resource) > 0) {
                bound = Math.max(bound, sum / capacity.get(resource));
            }
        }
        return (int) Math.ceil(bound - ROUNDING);
    }

    /** A placement on so many servers, in the order with this number; nothing if this order does not fit. */
    Optional<Map<String, Integer>> place(Map<String, Allocation> allocations, int servers, int order, long seed) {
        List<String> names = order(allocations, order, seed);
        var placement = new TreeMap<String, Integer>();
        int next = 0;
        for (String name : names) {
            Optional<Integer> place = choose(name, allocations, placement, servers, next);
            if (place.isEmpty()) {
                return Optional.empty();
            }
            placement.put(name, place.get());
            next = (place.get() + 1) % servers;
        }
        return Optional.of(placement);
    }

    /** The first by decreasing dominant share, the others at random. */
    private List<String> order(Map<String, Allocation> allocations, int order, long seed) {
        var names = new ArrayList<>(allocations.keySet());
        if (order == 0) {
            names.sort(Comparator.comparingDouble((String name) -> -dominantShare(allocations, name)));
        } else {
            Collections.shuffle(names, new Random(seed * 97 + order));
        }
        return names;
    }

    private double dominantShare(Map<String, Allocation> allocations, String name) {
        double share = 0;
        Allocation allocation = allocations.getOrDefault(name, capacity);
        for (Resource resource : Resource.values()) {
            if (capacity.get(resource) > 0) {
                share = Math.max(share, allocation.get(resource) / capacity.get(resource));
            }
        }
        return share;
    }

    private Optional<Integer> choose(
            String name, Map<String, Allocation> allocations, Map<String, Integer> placement, int servers, int next) {
        var fitting = new ArrayList<Integer>();
        for (int i = 0; i < servers; i++) {
            int server = (next + i) % servers;
            if (fits(name, server, allocations, placement)) {
                fitting.add(server);
            }
        }
        // The sort is stable, so that among equals it goes round.
        fitting.sort(Comparator.comparingInt(server -> penalty(name, server, placement)));
        return fitting.stream().findFirst();
    }

    /** 2 for a server where the same resource matters most, less 1 for one with a companion from before. */
    private int penalty(String name, int server, Map<String, Integer> placement) {
        int penalty = 0;
        boolean companion = false;
        for (Map.Entry<String, Integer> other : placement.entrySet()) {
            if (other.getValue() == server) {
                Resource same = most.get(other.getKey());
                penalty = same != null && same == most.get(name) ? 2 : penalty;
                Integer was = before.get(other.getKey());
                companion |= was != null && was.equals(before.get(name));
            }
        }
        return penalty - (companion ? 1 : 0);
    }

    private boolean fits(String name, int server, Map<String, Allocation> allocations, Map<String, Integer> placement) {
        var tried = new TreeMap<>(placement);
        tried.put(name, server);
        if (constraints.stream().anyMatch(constraint -> !constraint.allows(tried))) {
            return false;
        }
        var placed = new TreeMap<>(allocations);
        placed.keySet().retainAll(tried.keySet());
        return isWithin(new Deployment(placed, tried), server);
    }

    /** Whether a server gives away no more than it has. */
    boolean isWithin(Deployment deployment, int server) {
        for (Resource resource : Resource.values()) {
            if (deployment.used(server, resource) > capacity.get(resource) * (1 + ROUNDING)) {
                return false;
            }
        }
        return true;
    }
}
