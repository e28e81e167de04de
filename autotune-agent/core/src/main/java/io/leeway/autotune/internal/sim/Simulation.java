package io.leeway.autotune.internal.sim;

import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Orchestrator;
import io.leeway.autotune.spi.Resource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A queueing simulator of an application on servers, for runs by the thousand.
 *
 * <p>Model: Poisson arrivals pass the stages of a {@link Topology} in order; the instances of one stage are asked at the
 * same time and all are waited for. At an instance a request uses CPU, disk and network one after the other, each a
 * first-come-first-served queue behind a token bucket: it runs at the speed of the device as long as the instance has
 * tokens, which come in at the rate of its allocation. So a quota does not slow a request down before it is used up,
 * as with CFS periods. Memory below what an instance needs makes it read from disk more; below half of that its
 * requests fail at once. Instances on one server that keep the same device busy slow each other down a little.
 *
 * <p>The network is feed-forward, so that stage after stage is computed without an event queue, some ten million visits a
 * second. What it says of a real system is the order of bottlenecks and the behaviour of the search, not percentages.
 */
public final class Simulation implements Orchestrator {

    private static final double BUCKET_SECONDS = 0.1;
    private static final double INTERFERENCE = 0.01;
    private static final Resource[] DEVICES = {Resource.CPU, Resource.DISK, Resource.NETWORK};

    private final Topology topology;
    private final double noise;
    private final int requests;
    private final long seed;
    private final SplittableRandom random;
    private Deployment deployed;
    private long trials;

    /**
     * A simulation.
     *
     * @param noise standard deviation of what is added to the logarithm of a measured latency, such as 0.15
     * @param requests of a trial
     */
    public Simulation(Topology topology, double noise, int requests, long seed) {
        this.topology = topology;
        this.noise = noise;
        this.requests = requests;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.deployed = topology.first();
    }

    /** How many trials were run. */
    public long trials() {
        return trials;
    }

    @Override
    public Map<String, Allocation> floors() {
        var floors = new TreeMap<String, Allocation>();
        topology.parts()
                .forEach(part -> floors.put(part.name(), topology.capacity().times(Topology.FLOOR)));
        return floors;
    }

    @Override
    public Allocation capacity() {
        return topology.capacity();
    }

    @Override
    public List<Constraint> constraints() {
        return topology.constraints();
    }

    @Override
    public Set<Resource> tunable() {
        return Set.of(Resource.values());
    }

    @Override
    public void deploy(Deployment deployment) {
        deployed = deployment;
    }

    @Override
    public Trial measure() {
        // Two trials in a row see the same arrivals and demands, as two runs of one recorded load do.
        Trial exact = run(deployed, new SplittableRandom(seed + 0x9E3779B97F4A7C15L * (trials++ / 2)));
        double factor = noise == 0 ? 1 : Math.exp(noise * random.nextGaussian());
        return new Trial(exact.latency() * factor, exact.throughput(), exact.errorRate());
    }

    /** Without noise of measuring, and with so many requests that chance hardly matters. */
    public Trial truth(Deployment deployment, int manyRequests, long seed) {
        return new Simulation(topology, 0, manyRequests, seed).run(deployment, new SplittableRandom(seed));
    }

    private Trial run(Deployment deployment, SplittableRandom chance) {
        double[] start = new double[requests];
        double now = 0;
        for (int i = 0; i < requests; i++) {
            now += exponential(chance, 1 / topology.rate());
            start[i] = now;
        }
        double[] at = start.clone();
        boolean[] failed = new boolean[requests];
        for (List<Topology.Part> stage : topology.stages()) {
            double[] joined = at.clone();
            for (Topology.Part part : stage) {
                double[] done = visit(part, deployment, at, failed, chance.split());
                for (int i = 0; i < requests; i++) {
                    joined[i] = Math.max(joined[i], done[i]);
                }
            }
            at = joined;
        }
        return summary(start, at, failed);
    }

    private double[] visit(
            Topology.Part part, Deployment deployment, double[] arrivals, boolean[] failed, SplittableRandom chance) {
        double memory = deployment.get(part.name(), Resource.MEMORY) / Math.max(1e-9, part.memory());
        double[] at = arrivals.clone();
        if (memory < 0.5) {
            // Starved: it fails, and does so quickly.
            Arrays.fill(failed, true);
            return at;
        }
        double misses = memory >= 1 ? 0 : 4 * (1 - memory);
        Map<Resource, Double> demands = new EnumMap<>(Resource.class);
        demands.put(Resource.CPU, part.cpuSeconds());
        demands.put(Resource.DISK, part.diskMegabytes() + misses * topology.missMegabytes());
        demands.put(Resource.NETWORK, part.networkMegabits());
        for (Resource device : DEVICES) {
            double demand = demands.getOrDefault(device, 0.0);
            if (demand > 0) {
                double peak = device == Resource.CPU ? 1 : topology.capacity().get(device);
                double slower = 1 + INTERFERENCE * rivals(part, deployment, device);
                pass(at, demand, peak / slower, deployment.get(part.name(), device), chance);
            }
        }
        return at;
    }

    /** How many others on the server use the same device most. */
    private long rivals(Topology.Part part, Deployment deployment, Resource device) {
        int server = deployment.placement().getOrDefault(part.name(), -1);
        return topology.parts().stream()
                .filter(other -> !other.name().equals(part.name()) && other.busiest(topology.capacity()) == device)
                .filter(other -> deployment.placement().getOrDefault(other.name(), -2) == server)
                .count();
    }

    /**
     * All requests through one queue behind a token bucket, in the order of their arrival. CPU has as many servers as
     * whole cores were given, at least one; devices have one.
     */
    private static void pass(double[] at, double demand, double peak, double rate, SplittableRandom chance) {
        int servers = peak <= 1 ? Math.max(1, (int) Math.ceil(rate)) : 1;
        double[] free = new double[servers];
        Integer[] order = null;
        for (int i = 1; i < at.length; i++) {
            if (at[i] < at[i - 1]) {
                order = sorted(at);
                break;
            }
        }
        double bucket = rate * BUCKET_SECONDS;
        double tokens = bucket;
        double then = 0;
        for (int k = 0; k < at.length; k++) {
            int i = order == null ? k : order[k];
            int server = earliest(free);
            double begin = Math.max(at[i], free[server]);
            double need = exponential(chance, demand);
            double elapsed = Math.max(0, begin - then);
            tokens = Math.min(bucket, tokens + elapsed * rate);
            then = Math.max(then, begin);
            double wait = tokens >= need ? 0 : (need - tokens) / Math.max(1e-9, rate);
            double end = begin + Math.max(need / peak, wait);
            tokens -= need;
            free[server] = end;
            at[i] = end;
        }
    }

    private static int earliest(double[] free) {
        int best = 0;
        for (int i = 1; i < free.length; i++) {
            if (free[i] < free[best]) {
                best = i;
            }
        }
        return best;
    }

    private static Integer[] sorted(double[] at) {
        Integer[] order = new Integer[at.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Double.compare(at[a], at[b]));
        return order;
    }

    private Trial summary(double[] start, double[] end, boolean[] failed) {
        // The first requests find everything empty.
        int skipped = requests / 10;
        int counted = requests - skipped;
        double[] latencies = new double[counted];
        int errors = 0;
        double last = 0;
        for (int i = 0; i < counted; i++) {
            latencies[i] = (end[i + skipped] - start[i + skipped]) * 1e3;
            errors += failed[i + skipped] ? 1 : 0;
            last = Math.max(last, end[i + skipped]);
        }
        Arrays.sort(latencies);
        double p = latencies[(int) Math.min(counted - 1.0, Math.ceil(topology.percentile() * counted) - 1)];
        double offered = counted / (start[requests - 1] - start[skipped]);
        // A queue that grows without end is seen as requests that are not answered in time.
        double inTime = Math.min(1, (start[requests - 1] - start[skipped]) / Math.max(1e-9, last - start[skipped] - 2));
        return new Trial(p, offered * Math.min(1, inTime), (double) errors / counted);
    }

    private static double exponential(SplittableRandom random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }
}
