package io.leeway.autotune.spi;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How much of each resource: of a server, or what an instance gets. Immutable.
 *
 * @param amounts not negative; a resource that is missing counts as nought
 * @since 0.1
 */
public record Allocation(Map<Resource, Double> amounts) {

    /** Copies. */
    public Allocation {
        var copy = new EnumMap<Resource, Double>(Resource.class);
        copy.putAll(amounts);
        amounts = Collections.unmodifiableMap(copy);
    }

    /** Of all four. */
    public static Allocation of(double cpu, double memory, double disk, double network) {
        return new Allocation(
                Map.of(Resource.CPU, cpu, Resource.MEMORY, memory, Resource.DISK, disk, Resource.NETWORK, network));
    }

    /** How much of one. */
    public double get(Resource resource) {
        return amounts.getOrDefault(resource, 0.0);
    }

    /** This with another amount of one. */
    public Allocation with(Resource resource, double amount) {
        var copy = new EnumMap<Resource, Double>(Resource.class);
        copy.putAll(amounts);
        copy.put(resource, amount);
        return new Allocation(copy);
    }

    /** This times a factor. */
    public Allocation times(double factor) {
        var copy = new EnumMap<Resource, Double>(Resource.class);
        amounts.forEach((resource, amount) -> copy.put(resource, amount * factor));
        return new Allocation(copy);
    }
}
