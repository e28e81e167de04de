package io.leeway.pipelining.internal.control;

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

/** A chain of operators in virtual time: throughput is what the busiest thread and the cores allow. */
final class VirtualHost implements PipelineHost, PipelineClock {

    /** Nanoseconds a tuple of each operator; 0 is the source. */
    double[] costs;

    /** What a queue costs each side, nanoseconds a tuple. */
    double handOver;

    /** What the controller is told that it costs. */
    double toldHandOver;

    int cores = 64;
    /** Tuples a second that the source has at most. */
    double offered = Double.POSITIVE_INFINITY;
    /** Time of all operators in one lock: no two of them run at once. */
    boolean globalLock;

    int placements;
    private final Set<Integer> ports = new TreeSet<>();
    private final long endAt;
    private double taken;
    private long now;

    VirtualHost(long endAt, double... costs) {
        this.endAt = endAt;
        this.costs = costs;
    }

    /** Tuples a second at present. */
    double rate() {
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
        for (int operator : List.copyOf(graph().operators().stream().map(Operator::id).toList())) {
            processed.put(operator, (long) taken);
        }
        return processed;
    }

    @Override
    public double handOverNanos() {
        return toldHandOver;
    }
}
