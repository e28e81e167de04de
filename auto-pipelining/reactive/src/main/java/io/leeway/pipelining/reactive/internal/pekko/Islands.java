package io.leeway.pipelining.reactive.internal.pekko;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;

/** A row of flows, and which of them begin an island. Thread-safe. */
public final class Islands implements PipelineHost {

    /*
     * Within an island Pekko's interpreter hands elements from flow to flow without calling through them: there is no stack to
     * sample. Instead the time between two probes is counted for the flow that the element is in: the probe before it starts a
     * clock when an element goes by, and the probe behind it stops it (when an element comes out, or when the flow asks for
     * another one). What a flow takes with all that follows it is the sum of those up to the island's end.
     */

    private static final int SOURCE = 0;
    private static final double SECOND = 1e9;

    /** Where a thread was last, and since when. */
    private static final class Clock {
        private int flow;
        private long since;
    }

    private final String name;
    private final PipeliningOptions options;
    private final List<String> names;
    private final List<Flow<Object, Object, NotUsed>> flows;
    private final AtomicLongArray elements;
    private final AtomicLongArray nanos;
    private final ThreadLocal<Clock> clocks = ThreadLocal.withInitial(Clock::new);
    private volatile Set<Integer> ports = Set.of();
    private volatile boolean profiling;
    private long started;
    private Map<Integer, Long> elementsAtStart = Map.of();

    /** A row of none. */
    public Islands(String name, PipeliningOptions options) {
        this(name, options, List.of(), List.of());
    }

    private Islands(
            String name, PipeliningOptions options, List<String> names, List<Flow<Object, Object, NotUsed>> flows) {
        this.name = name;
        this.options = options;
        this.names = List.copyOf(names);
        this.flows = List.copyOf(flows);
        this.elements = new AtomicLongArray(flows.size() + 2);
        this.nanos = new AtomicLongArray(flows.size() + 2);
    }

    /** The same with one more. */
    @SuppressWarnings("unchecked") // the pipeline around it knows the types
    public Islands with(String flowName, Flow<?, ?, NotUsed> flow) {
        var moreNames = new ArrayList<>(names);
        moreNames.add(flowName);
        var moreFlows = new ArrayList<>(flows);
        moreFlows.add((Flow<Object, Object, NotUsed>) flow);
        return new Islands(name, options, moreNames, moreFlows);
    }

    /** All in a row, with the boundaries of this moment. */
    @SuppressWarnings("unchecked") // the pipeline around it knows the types
    public <I, O> Flow<I, O, NotUsed> flow() {
        Set<Integer> now = ports;
        Flow<Object, Object, NotUsed> row = Flow.create();
        for (int flow = 1; flow <= flows.size(); flow++) {
            if (now.contains(flow)) {
                row = row.async();
            }
            row = row.via(new Probe(this, flow)).via(flows.get(flow - 1));
        }
        return (Flow<I, O, NotUsed>) (Flow<?, ?, NotUsed>) row.via(new Probe(this, flows.size() + 1));
    }

    /** An element goes into a flow: the one before it has made it. */
    void passed(int flow) {
        elements.incrementAndGet(flow);
        if (profiling) {
            Clock clock = clocks.get();
            long now = System.nanoTime();
            stop(clock, flow - 1, now);
            clock.flow = flow;
            clock.since = now;
        }
    }

    /** A flow asks for an element: it is done with the last one. */
    void asked(int flow) {
        if (profiling) {
            stop(clocks.get(), flow, System.nanoTime());
        }
    }

    private void stop(Clock clock, int flow, long now) {
        if (clock.flow == flow && clock.since >= started && clock.flow > 0) {
            nanos.addAndGet(flow, now - clock.since);
        }
        clock.flow = 0;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public PipelineGraph graph() {
        var operators = new ArrayList<Operator>();
        var streams = new ArrayList<PipelineGraph.Stream>();
        operators.add(Operator.source(SOURCE, "source"));
        for (int flow = 1; flow <= flows.size(); flow++) {
            operators.add(Operator.of(flow, names.get(flow - 1), true, Merge.AS_SEQUENTIAL));
            streams.add(new PipelineGraph.Stream(flow - 1, flow));
        }
        return new PipelineGraph(operators, streams);
    }

    @Override
    public Set<Integer> ports() {
        return ports;
    }

    @Override
    public long place(Set<Integer> wanted) {
        ports = Set.copyOf(wanted);
        return 0;
    }

    @Override
    public void startProfile(int samplesPerSecond) {
        elementsAtStart = processed();
        for (int flow = 0; flow < nanos.length(); flow++) {
            nanos.set(flow, 0);
        }
        started = System.nanoTime();
        profiling = true;
    }

    @Override
    public PipelineProfile stopProfile() {
        profiling = false;
        double period = System.nanoTime() - started;
        Map<Integer, Long> now = processed();
        var threads = new ArrayList<ThreadLoad>();
        int begin = 1;
        for (int end = 2; end <= flows.size() + 1; end++) {
            if (end == flows.size() + 1 || ports.contains(end)) {
                threads.add(island(begin, end, period, now));
                begin = end;
            }
        }
        return new PipelineProfile(threads, 1);
    }

    private ThreadLoad island(int begin, int end, double period, Map<Integer, Long> now) {
        var shares = new HashMap<Integer, Double>();
        var rates = new HashMap<Integer, Double>();
        double after = 0;
        for (int flow = end - 1; flow >= begin; flow--) {
            after += nanos.get(flow) / period;
            shares.put(flow, Math.min(1, after));
            long taken = now.getOrDefault(flow, 0L) - elementsAtStart.getOrDefault(flow, 0L);
            rates.put(flow, taken * SECOND / period);
        }
        return new ThreadLoad("island " + begin, Math.min(1, after), shares, rates);
    }

    @Override
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        for (int flow :
                new TreeSet<>(graph().operators().stream().map(Operator::id).toList())) {
            processed.put(flow, elements.get(flow));
        }
        return processed;
    }

    @Override
    public double handOverNanos() {
        return options.nanos(PipeliningOptions.HAND_OVER);
    }
}
