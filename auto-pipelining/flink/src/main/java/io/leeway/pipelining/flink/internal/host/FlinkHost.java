package io.leeway.pipelining.flink.internal.host;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.chain.TaskChain;
import io.leeway.pipelining.internal.profile.Sampler;
import io.leeway.pipelining.internal.profile.Samples;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** All running chains of a task manager as one graph. Used by one thread. */
public final class FlinkHost implements PipelineHost {

    private static final double SECOND = 1e9;

    private final int capacity;
    private final long patience;
    private final double handOverNanos;
    private final Sampler sampler = new Sampler(FlinkHost::watched);
    private Map<Integer, Long> processedAtStart = Map.of();
    private long started;

    /** A host of all chains. */
    public FlinkHost(PipeliningOptions options) {
        this.capacity = options.get(PipeliningOptions.QUEUE);
        this.patience = options.nanos(PipeliningOptions.PAUSE_LIMIT);
        this.handOverNanos = options.nanos(PipeliningOptions.HAND_OVER);
    }

    @Override
    public String name() {
        return "Flink task manager";
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public PipelineGraph graph() {
        var operators = new ArrayList<Operator>();
        var streams = new ArrayList<PipelineGraph.Stream>();
        for (TaskChain chain : Chains.all()) {
            operators.add(Operator.source(chain.head(), chain.headName()));
            for (TaskChain.Link link : chain.links()) {
                Operator operator = Operator.of(link.operator(), link.name(), true, Merge.AS_SEQUENTIAL);
                operators.add(link.refusal().isEmpty() ? operator : operator.refused(link.refusal()));
                streams.add(new PipelineGraph.Stream(link.from(), link.operator()));
            }
        }
        return new PipelineGraph(operators, streams);
    }

    @Override
    public Set<Integer> ports() {
        var ports = new TreeSet<Integer>();
        for (TaskChain chain : Chains.all()) {
            ports.addAll(portsOf(chain));
        }
        return ports;
    }

    @Override
    public long place(Set<Integer> ports) throws InterruptedException {
        long longest = 0;
        for (TaskChain chain : Chains.all()) {
            var wanted = new HashSet<Integer>();
            for (TaskChain.Link link : chain.links()) {
                if (ports.contains(link.operator())) {
                    if (!link.refusal().isEmpty()) {
                        throw PipeliningError.PORT_REFUSED.with(link.name() + ": " + link.refusal() + ".");
                    }
                    wanted.add(link.operator());
                }
            }
            if (!wanted.equals(portsOf(chain))) {
                longest = Math.max(longest, change(chain, wanted));
            }
        }
        return longest;
    }

    /** Changes one chain between two of its records; nanoseconds that took. */
    private long change(TaskChain chain, Set<Integer> wanted) throws InterruptedException {
        var nanos = new CompletableFuture<Long>();
        mail(chain, "threaded ports", patience, inside -> {
            long begin = System.nanoTime();
            inside.placeNow(wanted, capacity);
            nanos.complete(System.nanoTime() - begin);
        });
        return nanos.getNow(0L);
    }

    @Override
    public void startProfile(int samplesPerSecond) {
        processedAtStart = processed();
        started = System.nanoTime();
        profile(true);
        sampler.start(samplesPerSecond);
    }

    @Override
    public PipelineProfile stopProfile() throws InterruptedException {
        Samples samples = sampler.stop();
        double seconds = (System.nanoTime() - started) / SECOND;
        profile(false);
        Map<Integer, Long> now = processed();
        var threads = new ArrayList<ThreadLoad>();
        for (TaskChain chain : Chains.all()) {
            for (Sampler.Watched watched : chain.watched()) {
                var rates = new HashMap<Integer, Double>();
                for (int operator : chain.runBy(watched.thread())) {
                    long records = now.getOrDefault(operator, 0L) - processedAtStart.getOrDefault(operator, 0L);
                    rates.put(operator, records / seconds);
                }
                Map<Integer, Double> ports = new LinkedHashMap<>(samples.operators(watched.stack()));
                threads.add(new ThreadLoad(watched.thread().getName(), samples.busy(watched.stack()), ports, rates));
            }
        }
        return new PipelineProfile(threads, samples.taken());
    }

    private void profile(boolean on) {
        for (TaskChain chain : Chains.all()) {
            try {
                chain.mail("profile", inside -> inside.profileNow(on));
            } catch (RejectedExecutionException e) {
                // It ends just now.
            }
        }
    }

    @Override
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        for (TaskChain chain : Chains.all()) {
            processed.putAll(chain.processed());
        }
        return processed;
    }

    @Override
    public double handOverNanos() {
        return handOverNanos;
    }

    private static Set<Integer> portsOf(TaskChain chain) {
        var ports = new HashSet<Integer>();
        for (TaskChain.Link link : chain.links()) {
            if (link.threaded()) {
                ports.add(link.operator());
            }
        }
        return ports;
    }

    private static List<Sampler.Watched> watched() {
        var watched = new ArrayList<Sampler.Watched>();
        for (TaskChain chain : Chains.all()) {
            watched.addAll(chain.watched());
        }
        return watched;
    }

    /** Does something between two records and waits for it; a task that ends first is left alone. */
    private static void mail(TaskChain chain, String what, long patience, TaskChain.ChainWork work)
            throws InterruptedException {
        var done = new CompletableFuture<Boolean>();
        var claimed = new AtomicBoolean();
        try {
            chain.mail(what, inside -> {
                // Whoever comes first decides: a change that was given up is not made later.
                if (claimed.compareAndSet(false, true)) {
                    try {
                        work.on(inside);
                    } finally {
                        done.complete(true);
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            return;
        }
        long limit = System.nanoTime() + patience;
        while (!done.isDone() && !chain.isEnded()) {
            try {
                done.get(TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (System.nanoTime() > limit && claimed.compareAndSet(false, true)) {
                    throw PipeliningError.PAUSE_TIMED_OUT.with(chain.name() + " did not come to its mail.");
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
