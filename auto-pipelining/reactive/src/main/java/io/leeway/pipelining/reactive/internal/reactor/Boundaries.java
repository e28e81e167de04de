package io.leeway.pipelining.reactive.internal.reactor;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.internal.profile.ExecutionStack;
import io.leeway.pipelining.internal.profile.Sampler;
import io.leeway.pipelining.internal.profile.Samples;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;

/** The boundaries of one subscription, as a host. Thread-safe. */
public final class Boundaries implements PipelineHost {

    /** Under which a context carries it. */
    public static final Object KEY = "io.leeway.pipelining.reactor";

    private static final String HOOK = "io.leeway.pipelining";
    /** Numbers of sources are beyond those of boundaries. */
    private static final int SOURCES = 1_000_000;

    private static final double SECOND = 1e9;

    private static volatile boolean installed;

    private final String name;
    private final int capacity;
    private final double handOverNanos;
    private final List<Boundary> boundaries = new CopyOnWriteArrayList<>();
    private final Map<Thread, ExecutionStack> stacks = new ConcurrentHashMap<>();
    private final Sampler sampler = new Sampler(this::watched);
    private volatile boolean profiling;
    private Map<Integer, Long> takenAtStart = Map.of();
    private long started;

    /** A host without boundaries. */
    public Boundaries(String name, PipeliningOptions options) {
        this.name = name;
        this.capacity = options.get(PipeliningOptions.QUEUE);
        this.handOverNanos = options.nanos(PipeliningOptions.HAND_OVER);
    }

    /** Sets the hook. */
    public static void install() {
        Hooks.onEachOperator(
                HOOK,
                Operators.lift(
                        scannable -> scannable instanceof Flux,
                        (Scannable scannable, CoreSubscriber<? super Object> actual) -> lifted(actual)));
        installed = true;
    }

    /** Throws if the hook is not set. */
    public static void requireInstalled(String name) {
        if (!installed) {
            throw PipeliningError.NOT_INSTALLED.with("Pipeline " + name + " was made before the hook was set.");
        }
    }

    /** Takes it away. */
    public static void uninstall() {
        Hooks.resetOnEachOperator(HOOK);
        installed = false;
    }

    private static CoreSubscriber<? super Object> lifted(CoreSubscriber<? super Object> actual) {
        Object found = actual.currentContext().getOrDefault(KEY, null);
        if (found instanceof Boundaries pipeline && !isInner(actual)) {
            return pipeline.add(actual);
        }
        return actual;
    }

    /** Inner publishers, such as flatMap's, come and go with elements: they are left alone. */
    private static boolean isInner(CoreSubscriber<?> actual) {
        Scannable at = Scannable.from(actual);
        while (at != null && at.isScanAvailable() && !(at instanceof Boundary)) {
            if (at.getClass().getSimpleName().contains("Inner")) {
                return true;
            }
            at = at.scan(Scannable.Attr.ACTUAL);
        }
        return false;
    }

    private synchronized Boundary add(CoreSubscriber<?> actual) {
        boundaries.removeIf(Boundary::isDone);
        var boundary = new Boundary(this, boundaries.size() + 1, actual, nearest(actual), capacity);
        boundaries.add(boundary);
        return boundary;
    }

    private static @Nullable Boundary nearest(CoreSubscriber<?> actual) {
        Scannable at = Scannable.from(actual);
        while (at != null && at.isScanAvailable()) {
            if (at instanceof Boundary boundary) {
                return boundary;
            }
            at = at.scan(Scannable.Attr.ACTUAL);
        }
        return null;
    }

    boolean isProfiling() {
        return profiling;
    }

    ExecutionStack stack() {
        return stacks.computeIfAbsent(Thread.currentThread(), thread -> new ExecutionStack());
    }

    void gone(Thread thread) {
        stacks.remove(thread);
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
        var fed = new TreeSet<Integer>();
        for (Boundary boundary : boundaries) {
            operators.add(Operator.of(boundary.id, boundary.operatorName(), true, Merge.PER_INPUT));
            Boundary next = boundary.next;
            if (next != null) {
                fed.add(next.id);
                streams.add(new PipelineGraph.Stream(boundary.id, next.id));
            }
        }
        for (Boundary boundary : boundaries) {
            if (!fed.contains(boundary.id)) {
                operators.add(Operator.source(SOURCES + boundary.id, "source of " + boundary.operatorName()));
                streams.add(new PipelineGraph.Stream(SOURCES + boundary.id, boundary.id));
            }
        }
        return new PipelineGraph(operators, streams);
    }

    @Override
    public Set<Integer> ports() {
        var ports = new TreeSet<Integer>();
        for (Boundary boundary : boundaries) {
            if (boundary.isThreaded() && !boundary.isDone()) {
                ports.add(boundary.id);
            }
        }
        return ports;
    }

    @Override
    public long place(Set<Integer> ports) {
        for (Boundary boundary : boundaries) {
            boundary.threaded(ports.contains(boundary.id));
        }
        return 0;
    }

    @Override
    public void startProfile(int samplesPerSecond) {
        takenAtStart = processed();
        started = System.nanoTime();
        profiling = true;
        sampler.start(samplesPerSecond);
    }

    @Override
    public PipelineProfile stopProfile() throws InterruptedException {
        Samples samples = sampler.stop();
        profiling = false;
        double seconds = (System.nanoTime() - started) / SECOND;
        var rates = new HashMap<Integer, Double>();
        processed().forEach((id, taken) -> rates.put(id, (taken - takenAtStart.getOrDefault(id, 0L)) / seconds));
        var threads = new ArrayList<ThreadLoad>();
        stacks.forEach((thread, stack) -> {
            Map<Integer, Double> shares = samples.operators(stack);
            if (!shares.isEmpty()) {
                var own = new HashMap<>(rates);
                own.keySet().retainAll(shares.keySet());
                threads.add(new ThreadLoad(thread.getName(), samples.busy(stack), shares, own));
            }
        });
        stacks.keySet().removeIf(thread -> !thread.isAlive());
        return new PipelineProfile(threads, samples.taken());
    }

    private Collection<Sampler.Watched> watched() {
        var watched = new ArrayList<Sampler.Watched>();
        stacks.forEach((thread, stack) -> watched.add(new Sampler.Watched(stack, thread, true)));
        return watched;
    }

    @Override
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        boundaries.forEach(boundary -> processed.put(boundary.id, boundary.taken()));
        return processed;
    }

    @Override
    public double handOverNanos() {
        return handOverNanos;
    }
}
