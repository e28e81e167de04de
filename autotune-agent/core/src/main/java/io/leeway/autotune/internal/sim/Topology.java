package io.leeway.autotune.internal.sim;

import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * An application and its load.
 *
 * @param name for people
 * @param capacity of each server
 * @param stages instances that are asked one after the other; those of one stage at the same time
 * @param rate requests a second
 * @param percentile that counts, such as 0.99
 * @param perServer instances on a server at first, each with an equal part of it
 * @param missMegabytes read from disk for what memory does not hold
 * @param constraints of the operator
 */
public record Topology(
        String name,
        Allocation capacity,
        List<List<Part>> stages,
        double rate,
        double percentile,
        int perServer,
        double missMegabytes,
        List<Constraint> constraints) {

    /** What an instance is left with at least, as a share of a server. */
    public static final double FLOOR = 0.02;

    /**
     * An instance, with what a request needs of it in the mean.
     *
     * @param name its name
     * @param cpuSeconds of one core
     * @param diskMegabytes read and written
     * @param networkMegabits sent and received
     * @param memory megabytes that it needs
     */
    public record Part(String name, double cpuSeconds, double diskMegabytes, double networkMegabits, double memory) {

        /** The device that a request keeps busy longest. */
        Resource busiest(Allocation capacity) {
            return List.of(Resource.CPU, Resource.DISK, Resource.NETWORK).stream()
                    .max(Comparator.comparingDouble(resource -> busy(resource, capacity)))
                    .orElse(Resource.CPU);
        }

        private double busy(Resource resource, Allocation capacity) {
            return switch (resource) {
                case CPU -> cpuSeconds;
                case DISK -> diskMegabytes / capacity.get(Resource.DISK);
                case NETWORK -> networkMegabits / capacity.get(Resource.NETWORK);
                case MEMORY -> 0;
            };
        }
    }

    /** Copies. */
    public Topology {
        stages = stages.stream().map(List::copyOf).toList();
        constraints = List.copyOf(constraints);
    }

    /** All instances. */
    public List<Part> parts() {
        return stages.stream().flatMap(List::stream).toList();
    }

    /** The deployment that it begins with: so many on a server, with equal parts of it. */
    public Deployment first() {
        var allocations = new TreeMap<String, Allocation>();
        var placement = new TreeMap<String, Integer>();
        List<Part> parts = parts();
        for (int i = 0; i < parts.size(); i++) {
            allocations.put(parts.get(i).name(), capacity.times(1.0 / perServer));
            placement.put(parts.get(i).name(), i / perServer);
        }
        return new Deployment(allocations, placement);
    }

    /** A server like the m4.xlarge of the evaluation: 4 cores, 16 GB, 90 MB/s, 750 Mbit/s. */
    public static Allocation server() {
        return Allocation.of(4, 16_384, 90, 750);
    }

    private static Part cpu(String name, double millis) {
        return new Part(name, millis / 1e3, 0.002, 0.05, 600);
    }

    private static Topology of(String name, List<List<Part>> stages, double rate) {
        return new Topology(name, server(), stages, rate, 0.99, 3, 0.2, List.of());
    }

    /** MongoDB, two of Node.js, HAProxy: the MEAN application. */
    public static Topology mean() {
        return of(
                "MEAN",
                List.of(
                        List.of(new Part("haproxy", 0.0003, 0, 0.4, 200)),
                        List.of(cpu("node", 2.5)),
                        List.of(cpu("node-api", 1.5)),
                        List.of(new Part("mongo", 0.001, 0.02, 0.2, 3_000))),
                100);
    }

    /** Uber's HotROD with its frontend split: three services that need CPU at the same time. */
    public static Topology hotRod() {
        return of(
                "HotROD",
                List.of(
                        List.of(new Part("ingress", 0.0003, 0, 0.3, 150)),
                        List.of(new Part("nginx", 0.0004, 0.01, 0.6, 150)),
                        List.of(cpu("api-proxy", 0.3)),
                        List.of(cpu("api", 2.5)),
                        List.of(cpu("customer", 1), cpu("driver", 2), cpu("route", 2)),
                        List.of(new Part("redis", 0.0005, 0.005, 0.2, 1_000)),
                        List.of(cpu("map-proxy", 0.3)),
                        List.of(new Part("mapping", 0.002, 0.03, 0.5, 1_500))),
                100);
    }

    /** Apartment rental: members that need CPU, disk and network, so that there is something to trade. */
    public static Topology apartment() {
        return of(
                "Apartment",
                List.of(
                        List.of(new Part("proxy", 0.0003, 0, 0.6, 200)),
                        List.of(cpu("web-1", 2), cpu("web-2", 2)),
                        List.of(cpu("search", 1.5), new Part("static", 0.0004, 0.05, 1.5, 300)),
                        List.of(new Part("elastic", 0.0015, 0.06, 0.3, 4_000)),
                        List.of(new Part("logstash", 0.001, 0.03, 0.3, 1_000)),
                        List.of(cpu("kibana", 0.8)),
                        List.of(new Part("postgres", 0.001, 0.05, 0.2, 3_000)),
                        List.of(new Part("cache", 0.0003, 0, 0.3, 1_500)),
                        List.of(new Part("queue", 0.0004, 0.02, 0.2, 500)),
                        List.of(cpu("mailer", 0.5))),
                100);
    }

    /** A front end whose CPU looks busy while it waits for a storage service with a slow disk (AutoTune §2.1). */
    public static Topology blockedCaller() {
        return of(
                "blocked caller",
                List.of(
                        List.of(cpu("frontend", 3)),
                        List.of(new Part("storage", 0.0005, 0.2, 0.3, 1_000)),
                        List.of(cpu("audit", 0.5))),
                100);
    }

    /** The same under another load. */
    public Topology withRate(double newRate) {
        return new Topology(name, capacity, stages, newRate, percentile, perServer, missMegabytes, constraints);
    }
}
