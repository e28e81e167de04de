package io.leeway.pipelining.internal.simulate;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.spi.PipelineClock;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A chain of operators in virtual time: throughput is what the busiest thread and the cores allow. Used by one thread.
 */
public final class VirtualChain implements PipelineHost, PipelineClock {

    private final double[] costs;
    private final double handOver;
    private final double toldHandOver;
    private final int cores;
    private final boolean globalLock;
    private double offered = Double.POSITIVE_INFINITY;
    private int placements;
    private final Set<Integer> ports = new TreeSet<>();
    private final long endAt;
    private double taken;
    private long now;

    /**
     * A chain.
     *
     * @param endAt nanoseconds after which it has ended
     * @param cores processors
     * @param handOver nanoseconds that a queue costs each side a tuple
     * @param toldHandOver what a controller is told that it costs
     * @param globalLock whether all operators share one lock, so that no two of them run at once
     * @param costs nanoseconds a tuple of each operator; the first is the source
     */
    public VirtualChain(
            long endAt, int cores, double handOver, double toldHandOver, boolean globalLock, double... costs) {
        this.endAt = endAt;
        this.cores = cores;
        this.handOver = handOver;
        this.toldHandOver = toldHandOver;
        this.globalLock = globalLock;
        this.costs = costs.clone();
    }

    /** From now on the source has so many tuples a second at most. */
    public void offer(double tuplesPerSecond) {
        offered = tuplesPerSecond;
    }

    /** How often ports were changed. */
    public int placements() {
        return placements;
    }

    /** Tuples a second at present. */
    public double rate() {
        double slowest = 0;
        double all = 0;
        double inThread = costs[0];
        for (int operator = 1; operator < costs.length; operator++) {
            if (ports.contains(operator)) {
                inThread += handOver;
                slowest = Math.max(slowest, inThread);
                all += inThread;
                inThread = handOver;
            }
            inThread += costs[operator];
        }
        slowest = Math.max(slowest, inThread);
        all += inThread;
        double bottleneck = globalLock ? all : Math.max(slowest, all / cores);
        return Math.min(offered, 1e9 / bottleneck);
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public void pause(long nanos) {
        now += nanos;
        taken += rate() * nanos / 1e9;
    }

    @Override
    public String name() {
        return "virtual";
    }

    @Override
    public boolean isRunning() {
        return now < endAt;
    }

    @Override
    public PipelineGraph graph() {
        var operators = new ArrayList<Operator>();
        var streams = new ArrayList<PipelineGraph.Stream>();
        operators.add(Operator.source(0, "source"));
        for (int operator = 1; operator < costs.length; operator++) {
            operators.add(Operator.of(operator, "o" + operator, false, Merge.AS_SEQUENTIAL));
            streams.add(new PipelineGraph.Stream(operator - 1, operator));
        }
        return new PipelineGraph(operators, streams);
    }

    @Override
    public Set<Integer> ports() {
        return Set.copyOf(ports);
    }

    @Override
    public long place(Set<Integer> wanted) {
        placements++;
        ports.clear();
        ports.addAll(wanted);
        return 1_000;
    }

    @Override
    public void startProfile(int samplesPerSecond) {
        // Exact: nothing to sample.
    }

    @Override
    public PipelineProfile stopProfile() {
        double rate = rate();
        var threads = new ArrayList<ThreadLoad>();
        int begin = 0;
        for (int end = 1; end <= costs.length; end++) {
            if (end == costs.length || ports.contains(end)) {
                threads.add(load(begin, end, rate));
                begin = end;
            }
        }
        return new PipelineProfile(threads, 100);
    }

    private ThreadLoad load(int begin, int end, double rate) {
        var shares = new HashMap<Integer, Double>();
        var rates = new HashMap<Integer, Double>();
        double after = end < costs.length ? handOver : 0;
        double waits = globalLock ? ports.size() + 1 : 1;
        for (int operator = end - 1; operator >= begin; operator--) {
            after += costs[operator] * waits;
            if (operator > 0) {
                shares.put(operator, Math.min(1, after * rate / 1e9));
                rates.put(operator, rate);
            }
        }
        double total = after + (begin > 0 ? handOver : 0);
        return new ThreadLoad("t" + begin, Math.min(1, total * rate / 1e9), shares, rates);
    }

    @Override
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        for (int operator :
                List.copyOf(graph().operators().stream().map(Operator::id).toList())) {
            processed.put(operator, (long) taken);
        }
        return processed;
    }

    @Override
    public double handOverNanos() {
        return toldHandOver;
    }
}
