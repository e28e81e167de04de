package io.leeway.autotune.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every instance gets and which server it is on: the D of AutoTune. Immutable.
 *
 * @param allocations by instance
 * @param placement the server's number by instance
 * @since 0.1
 */
public record Deployment(Map<String, Allocation> allocations, Map<String, Integer> placement) {

    /** Copies, and refuses an instance without a server. */
    public Deployment {
        allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
        placement = Collections.unmodifiableMap(new TreeMap<>(placement));
        if (!allocations.keySet().equals(placement.keySet())) {
            throw new IllegalArgumentException(
                    "allocations of " + allocations.keySet() + ", places of " + placement.keySet());
        }
    }

    /** How many servers are in use. */
    public int servers() {
        return (int) placement.values().stream().distinct().count();
    }

    /** What an instance gets of a resource. */
    public double get(String instance, Resource resource) {
        Allocation allocation = allocations.get(instance);
        return allocation == null ? 0 : allocation.get(resource);
    }

    /** This with another amount. */
    public Deployment with(String instance, Resource resource, double amount) {
        var changed = new TreeMap<>(allocations);
        changed.computeIfPresent(instance, (name, allocation) -> allocation.with(resource, amount));
        return new Deployment(changed, placement);
    }

    /** This with other places. */
    public Deployment at(Map<String, Integer> places) {
        return new Deployment(allocations, places);
    }

    /** The instances on a server, by name. */
    public List<String> on(int server) {
        return placement.entrySet().stream()
                .filter(entry -> entry.getValue() == server)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How much of a resource is given away on a server. */
    public double used(int server, Resource resource) {
        return on(server).stream().mapToDouble(name -> get(name, resource)).sum();
    }
}
