package io.leeway.pipelining.graph.internal.run;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.internal.profile.Sampler;
import io.leeway.pipelining.internal.profile.Samples;
import io.leeway.pipelining.internal.propagate.ThreadPropagation;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A running graph: its workers, and how ports come and go. Thread-safe. */
public final class GraphRun implements PipelineHost {

    /*
     * A change stops all workers between two tuples, those upstream first, so that nobody waits for room in the queue of one
     * that rests. A port that goes ends its thread after the last tuple in its queue, before anything downstream is stopped; so
     * the direct way opens when the queue is empty. Then locks are switched and ways are swapped while nobody is in any
     * operator, and all go on. Sources that do not come to rest in time make the change fail, without effect.
     *
     * The end is a change too: when all sources have ended, all ports go, upstream first; then operators are finished one after
     * the other.
     */

    private static final double SECOND = 1e9;
    private static final long CLOSE_PATIENCE = TimeUnit.SECONDS.toNanos(10);
    /** How long a queue that goes may take to empty while the flow goes on; then it empties while the flow stands. */
    private static final long THROTTLE_PATIENCE = TimeUnit.MILLISECONDS.toNanos(500);

    private final PipelineGraph graph;
    private final Node[] nodes;
    private final boolean[] severalInputs;
    private final int capacity;
    private final long patience;
    private final Map<Integer, ReentrantLock> locks = new HashMap<>();
    private final CountDownLatch sourcesLeft;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Object changing = new Object();

    private volatile List<Worker> workers = List.of();
    private final long[] enteredByGone;
    private volatile Set<Integer> ports = Set.of();
    private volatile boolean profiling;
    private volatile boolean stopping;
    private volatile boolean cancelled;
    private volatile @Nullable Throwable failure;

    private final Sampler sampler = new Sampler(this::watched);
    private Map<Worker, long[]> enteredAtStart = Map.of();
    private long profileStarted;

    private GraphRun(PipelineGraph graph, List<NodeSpec> specs, PipeliningOptions options) {
        this.graph = graph;
        this.capacity = options.get(PipeliningOptions.QUEUE);
        this.patience = options.nanos(PipeliningOptions.PAUSE_LIMIT);
        this.nodes = new Node[specs.size()];
        this.severalInputs = new boolean[specs.size()];
        this.enteredByGone = new long[specs.size()];
        for (int id = 0; id < nodes.length; id++) {
            nodes[id] = new Node(
                    this,
                    id,
                    specs.get(id).work() instanceof NodeSpec.Operating operating ? operating.operator() : null);
        }
        var sources = new ArrayList<Worker>();
        for (int id = 0; id < nodes.length; id++) {
            NodeSpec spec = specs.get(id);
            nodes[id].connect(spec, nodes);
            spec.targets().forEach(target -> severalInputs[target.node()] |= target.input() > 0);
            if (spec.work() instanceof NodeSpec.Sourcing sourcing) {
                sources.add(new SourceWorker(this, nodes[id], sourcing.source(), nodes.length));
            }
        }
        this.sourcesLeft = new CountDownLatch(sources.size());
        this.workers = List.copyOf(sources);
        switchLocks(ThreadPropagation.of(graph, Set.of()));
    }

    /** Starts all sources. */
    public static GraphRun start(PipelineGraph graph, List<NodeSpec> specs, PipeliningOptions options) {
        var run = new GraphRun(graph, specs, options);
        var end = new Thread(run::awaitEnd, "pipelining-end");
        end.setDaemon(true);
        run.workers.forEach(Worker::start);
        end.start();
        return run;
    }

    // Asked by workers.

    boolean isProfiling() {
        return profiling;
    }

    boolean isStopping() {
        return stopping;
    }

    void throwIfCancelled() {
        if (cancelled) {
            throw new Worker.CancelledException();
        }
    }

    void failed(Throwable cause) {
        synchronized (done) {
            if (failure == null && !cancelled) {
                failure = cause instanceof Node.OperatorException wrapped && wrapped.getCause() != null
                        ? wrapped.getCause()
                        : cause;
            }
        }
        cancelAll();
    }

    void ended(Worker worker) {
        if (worker instanceof SourceWorker) {
            sourcesLeft.countDown();
        } else if (worker instanceof PortWorker && worker.order() != Worker.Order.ENDING && !cancelled) {
            failed(PipeliningError.THREAD_DIED.with("It was " + worker.getName() + "."));
        }
    }

    // Changes.

    @Override
    public long place(Set<Integer> wanted) throws InterruptedException {
        synchronized (changing) {
            if (!isRunning()) {
                return 0;
            }
            ThreadPropagation after = ThreadPropagation.of(graph, wanted);
            Map<Integer, String> refusals = after.refusals();
            if (!refusals.isEmpty()) {
                throw PipeliningError.PORT_REFUSED.with(String.join("; ", refusals.values()) + ".");
            }
            if (wanted.equals(ports)) {
                return 0;
            }
            var going = new TreeSet<>(ports);
            going.removeAll(wanted);
            throttle(going);
            long begin = System.nanoTime();
            try {
                bringToRest(going);
                swap(after, wanted, going);
            } catch (InterruptedException | PipeliningException e) {
                restore(going);
                throw e;
            } finally {
                // Also after a change that failed: whoever was stopped goes on, ports included that were only
                // throttled.
                ports.forEach(port -> setThrottle(port, false));
                release();
            }
            return System.nanoTime() - begin;
        }
    }

    private void setThrottle(int port, boolean now) {
        PortWorker worker = nodes[port].port();
        if (worker != null) {
            worker.throttle(now);
        }
    }

    private void throttle(Set<Integer> going) {
        long limit = System.nanoTime() + THROTTLE_PATIENCE;
        for (int port : going) {
            setThrottle(port, true);
        }
        for (int port : going) {
            PortWorker worker = nodes[port].port();
            while (worker != null && worker.waiting() > 2 && System.nanoTime() < limit && !cancelled) {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    /** Stops the flow: sources first, then ports from upstream to downstream; ports that go empty their queues and end. */
    private void bringToRest(Set<Integer> going) throws InterruptedException {
        long limit = System.nanoTime() + patience;
        List<Worker> present = workers;
        for (Worker worker : present) {
            if (worker instanceof SourceWorker) {
                worker.ask(Worker.Order.REST, Thread.currentThread());
            }
        }
        for (Worker worker : present) {
            if (worker instanceof SourceWorker) {
                await(worker, limit);
            }
        }
        for (int head : ThreadPropagation.of(graph, ports).threads()) {
            PortWorker worker = nodes[head].port();
            if (worker != null) {
                worker.ask(going.contains(head) ? Worker.Order.END : Worker.Order.REST, Thread.currentThread());
                await(worker, limit);
            }
        }
    }

    private void await(Worker worker, long limit) throws InterruptedException {
        while (!worker.hasObeyed()) {
            LockSupport.parkNanos(100_000);
            if (cancelled) {
                throw PipeliningError.PAUSE_TIMED_OUT.with("The graph was ended meanwhile.");
            }
            boolean interrupted = Thread.interrupted();
            if (interrupted || System.nanoTime() > limit) {
                if (worker.order() == Worker.Order.ENDING
                        || worker.order() == Worker.Order.END && !worker.askToStay()) {
                    // It ends at this moment.
                    continue;
                }
                if (interrupted) {
                    throw new InterruptedException();
                }
                throw PipeliningError.PAUSE_TIMED_OUT.with(worker.getName() + " did not come to rest.");
            }
        }
    }

    /** Puts back the threads of a change that failed half-way: all that is downstream of them may still run. */
    private void restore(Set<Integer> going) {
        ThreadPropagation present = ThreadPropagation.of(graph, ports);
        for (int port : going) {
            PortWorker worker = nodes[port].port();
            if (worker != null && worker.order() == Worker.Order.ENDING && !cancelled) {
                addEntered(worker);
                startPort(port, present);
            }
        }
    }

    private void startPort(int port, ThreadPropagation propagation) {
        int producers = propagation.threadsBefore(port).size();
        var fresh = new PortWorker(this, nodes[port], severalInputs[port], producers, capacity, nodes.length);
        nodes[port].port(fresh);
        synchronized (enteredByGone) {
            var more = new ArrayList<>(workers);
            more.add(fresh);
            workers = List.copyOf(more);
        }
        fresh.start();
    }

    private void swap(ThreadPropagation after, Set<Integer> wanted, Set<Integer> going) {
        for (int port : going) {
            PortWorker gone = nodes[port].port();
            nodes[port].port(null);
            if (gone != null) {
                addEntered(gone);
            }
        }
        switchLocks(after);
        for (int port : wanted) {
            PortWorker present = nodes[port].port();
            if (present == null) {
                startPort(port, after);
            } else {
                present.producers(after.threadsBefore(port).size());
            }
        }
        ports = Set.copyOf(wanted);
    }

    private void addEntered(Worker worker) {
        synchronized (enteredByGone) {
            for (int node = 0; node < nodes.length; node++) {
                enteredByGone[node] += worker.entered(node);
            }
            var left = new ArrayList<>(workers);
            left.remove(worker);
            workers = List.copyOf(left);
        }
    }

    private void switchLocks(ThreadPropagation propagation) {
        Set<Integer> locked = propagation.locked();
        for (Node node : nodes) {
            node.lock(
                    locked.contains(node.id)
                            ? locks.computeIfAbsent(propagation.lockOf(node.id), id -> new ReentrantLock())
                            : null);
        }
    }

    private void release() {
        for (Worker worker : workers) {
            if (worker.order() == Worker.Order.REST) {
                worker.ask(Worker.Order.RUN, Thread.currentThread());
            }
        }
    }

    // The end.

    private void awaitEnd() {
        try {
            sourcesLeft.await();
            do {
                emptyQueues();
            } while (!finishIfEmpty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failed(e);
        } finally {
            done.countDown();
        }
    }

    /** Sources have ended, and nobody waits for the flow: what is in the queues may take as long as it takes. */
    private void emptyQueues() throws InterruptedException {
        while (isRunning() && !ports.isEmpty()) {
            try {
                place(Set.of());
            } catch (PipeliningException e) {
                if (e.error() != PipeliningError.PAUSE_TIMED_OUT) {
                    throw e;
                }
            }
        }
    }

    /** False if a thread was put in again meanwhile. From the end on, none is. */
    private boolean finishIfEmpty() throws InterruptedException {
        synchronized (changing) {
            if (isRunning() && !ports.isEmpty()) {
                return false;
            }
            if (!cancelled) {
                finishAll();
            }
            done.countDown();
            return true;
        }
    }

    /** Finishes the operators, each after those that feed it; what they submit goes straight on. */
    private void finishAll() throws InterruptedException {
        var finisher = new Worker(this, -1, "pipelining-finish", nodes.length) {
            @Override
            void work() throws Exception {
                for (int id : upstreamFirst()) {
                    nodes[id].finish();
                }
            }
        };
        finisher.ask(Worker.Order.END, Thread.currentThread());
        finisher.start();
        finisher.join();
    }

    /** Cycles are entered at their operator with the smallest number. */
    private List<Integer> upstreamFirst() {
        var feeders = new int[nodes.length];
        var after = new HashMap<Integer, List<Integer>>();
        for (PipelineGraph.Stream stream : graph.streams()) {
            if (stream.from() != stream.to()) {
                feeders[stream.to()]++;
                after.computeIfAbsent(stream.from(), id -> new ArrayList<>()).add(stream.to());
            }
        }
        var ordered = new ArrayList<Integer>();
        var left = new TreeSet<Integer>();
        var ready = new TreeSet<Integer>();
        for (int id = 0; id < nodes.length; id++) {
            left.add(id);
            if (feeders[id] == 0) {
                ready.add(id);
            }
        }
        while (!left.isEmpty()) {
            int next = ready.isEmpty() ? left.first() : ready.first();
            ready.remove(next);
            left.remove(next);
            ordered.add(next);
            for (int fed : after.getOrDefault(next, List.of())) {
                if (--feeders[fed] == 0 && left.contains(fed)) {
                    ready.add(fed);
                }
            }
        }
        return ordered;
    }

    /** Waits for the end, and throws what it failed of. */
    public void join() throws InterruptedException {
        done.await();
        Throwable cause = failure;
        if (cause instanceof PipeliningException own) {
            throw own;
        }
        if (cause != null) {
            throw PipeliningError.OPERATOR_FAILED.with(String.valueOf(cause) + ".", cause);
        }
    }

    /** Asks the sources to end. */
    public void stop() {
        stopping = true;
    }

    /** Ends at once. */
    public void cancel() {
        cancelAll();
        long limit = System.nanoTime() + CLOSE_PATIENCE;
        for (Worker worker : workers) {
            if (worker == Thread.currentThread()) {
                // Closed by an operator: it ends when the operator returns.
                continue;
            }
            try {
                worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(limit - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void cancelAll() {
        cancelled = true;
        for (Worker worker : workers) {
            if (worker != Thread.currentThread()) {
                worker.interrupt();
            }
            LockSupport.unpark(worker);
        }
    }

    // What a controller asks.

    @Override
    public String name() {
        return "operator graph";
    }

    @Override
    public boolean isRunning() {
        return !cancelled && done.getCount() > 0;
    }

    @Override
    public PipelineGraph graph() {
        return graph;
    }

    @Override
    public Set<Integer> ports() {
        return ports;
    }

    @Override
    public void startProfile(int samplesPerSecond) {
        enteredAtStart = new HashMap<>();
        for (Worker worker : workers) {
            enteredAtStart.put(worker, counts(worker));
        }
        profileStarted = System.nanoTime();
        profiling = true;
        sampler.start(samplesPerSecond);
    }

    @Override
    public PipelineProfile stopProfile() throws InterruptedException {
        Samples samples = sampler.stop();
        profiling = false;
        double seconds = (System.nanoTime() - profileStarted) / SECOND;
        var threads = new ArrayList<ThreadLoad>();
        for (Worker worker : workers) {
            long[] before = enteredAtStart.getOrDefault(worker, new long[nodes.length]);
            long[] now = counts(worker);
            var rates = new HashMap<Integer, Double>();
            for (int node = 0; node < nodes.length; node++) {
                if (now[node] > before[node]) {
                    rates.put(node, (now[node] - before[node]) / seconds);
                }
            }
            threads.add(new ThreadLoad(
                    worker.getName(), samples.busy(worker.stack), samples.operators(worker.stack), rates));
        }
        return new PipelineProfile(threads, samples.taken());
    }

    @Override
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        synchronized (enteredByGone) {
            for (Operator operator : graph.operators()) {
                long sum = enteredByGone[operator.id()];
                for (Worker worker : workers) {
                    sum += worker.entered(operator.id());
                }
                processed.put(operator.id(), sum);
            }
        }
        return processed;
    }

    @Override
    public double handOverNanos() {
        return HandOver.nanos();
    }

    /** Whether an operator's lock is on. */
    boolean isLocked(int node) {
        return nodes[node].isLocked();
    }

    private long[] counts(Worker worker) {
        long[] counts = new long[nodes.length];
        for (int node = 0; node < counts.length; node++) {
            counts[node] = worker.entered(node);
        }
        return counts;
    }

    private Collection<Sampler.Watched> watched() {
        var watched = new ArrayList<Sampler.Watched>();
        for (Worker worker : workers) {
            if (!worker.hasEnded()) {
                watched.add(new Sampler.Watched(worker.stack, worker, true));
            }
        }
        return watched;
    }
}
