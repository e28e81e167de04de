package io.leeway.lazytables.internal.metrics;

import static io.leeway.lazytables.LazyTablesMetrics.TAG_CLOCKS;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_DIRECTION;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_KIND;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_OF;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_OUTCOME;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_STATE;
import static io.leeway.lazytables.LazyTablesMetrics.TAG_WORKER;

import io.leeway.lazytables.LazyTablesMetrics;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.Statistics.Traffic;
import io.leeway.lazytables.Statistics.WorkerTimes;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Meters that look at sums when they are read; nothing is done for them while workers read and write. All instances of
 * the Java machine are one set of meters, and all servers another. Loaded only where Micrometer is on the class path.
 */
final class MicrometerMetering implements Metering {

    /**
     * Workers with a meter of their own; further ones share one.
     *
     * <p>Each value of a tag is a series of its own in what collects them, so there must not be any number of them.
     */
    private static final int WORKERS = 64;
    /**
     * Groups of staleness, by their first number of clocks.
     *
     * <p>Single clocks where slacks usually are, then wider ones.
     */
    private static final int[] GROUPS = {0, 1, 2, 3, 4, 5, 9, 17, 33};

    private static final String[] GROUP_NAMES = {"0", "1", "2", "3", "4", "5-8", "9-16", "17-32", "more"};

    private final MeterRegistry registry;
    private final Sums<Statistics> instances = new Sums<>();
    private final Sums<ServerStatus> servers = new Sums<>();
    /** Meters are never taken away again: their counters go on with the sums of those that were closed. */
    private boolean instancesShown;

    private boolean serversShown;
    private int workersShown;

    MicrometerMetering(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Meters of instances appear with the first one, those of a worker with the first instance that has it. */
    @Override
    public synchronized Watch instance(Supplier<Statistics> statistics, int workers) {
        if (!instancesShown) {
            instancesShown = true;
            showInstances();
        }
        for (; workersShown < Math.min(workers, WORKERS + 1); workersShown++) {
            showWorker(workersShown);
        }
        return instances.add(statistics);
    }

    @Override
    public synchronized Watch server(Supplier<ServerStatus> status) {
        if (!serversShown) {
            serversShown = true;
            showServers();
        }
        return servers.add(status);
    }

    /** All at once, so that a board that is made for them finds each of them from the first scrape on. */
    private void showInstances() {
        count(LazyTablesMetrics.READ, TAG_OUTCOME, "worker", s -> s.reads().byWorker());
        count(LazyTablesMetrics.READ, TAG_OUTCOME, "process", s -> s.reads().byProcess());
        count(LazyTablesMetrics.READ, TAG_OUTCOME, "server", s -> s.reads().byServer());
        for (int i = 0; i < GROUPS.length; i++) {
            int from = GROUPS[i];
            int to = i + 1 < GROUPS.length ? GROUPS[i + 1] : Integer.MAX_VALUE;
            count(LazyTablesMetrics.STALENESS, TAG_CLOCKS, GROUP_NAMES[i], s -> between(s.staleness(), from, to));
        }
        count(
                LazyTablesMetrics.PREFETCH,
                TAG_OUTCOME,
                "useful",
                s -> s.prefetched().useful());
        count(
                LazyTablesMetrics.PREFETCH,
                TAG_OUTCOME,
                "useless",
                s -> s.prefetched().useless());
        traffic(LazyTablesMetrics.BYTES, LazyTablesMetrics.MESSAGES, instances, Statistics::traffic);
        gauge(LazyTablesMetrics.CLOCK, TAG_OF, "worker", () -> instances.greatest(MicrometerMetering::fastest));
        gauge(
                LazyTablesMetrics.CLOCK,
                TAG_OF,
                "process",
                () -> instances.least(s -> s.clocks().process()));
        gauge(
                LazyTablesMetrics.CLOCK,
                TAG_OF,
                "global",
                () -> instances.least(s -> s.clocks().global()));
        gauge(
                LazyTablesMetrics.LOG,
                TAG_STATE,
                "unsent",
                () -> instances.sum(s -> s.waiting().unsentRows()));
        gauge(
                LazyTablesMetrics.LOG,
                TAG_STATE,
                "kept",
                () -> instances.sum(s -> s.waiting().keptRows()));
        gauge(LazyTablesMetrics.PENDING, () -> instances.sum(s -> s.waiting().askedRows()));
    }

    private void showServers() {
        gauge(LazyTablesMetrics.SERVER_TABLES, () -> servers.sum(s -> s.tables().size()));
        gauge(LazyTablesMetrics.SERVER_ROWS, () -> servers.sum(ServerStatus::rows));
        gauge(LazyTablesMetrics.SERVER_SESSIONS, () -> servers.sum(ServerStatus::connected));
        gauge(LazyTablesMetrics.SERVER_CLOCK, () -> servers.least(ServerStatus::globalClock));
        gauge(LazyTablesMetrics.SERVER_PENDING, TAG_KIND, "reads", () -> servers.sum(ServerStatus::pendingReads));
        gauge(LazyTablesMetrics.SERVER_PENDING, TAG_KIND, "writes", () -> servers.sum(ServerStatus::waitingWrites));
        traffic(LazyTablesMetrics.SERVER_BYTES, LazyTablesMetrics.SERVER_MESSAGES, servers, ServerStatus::traffic);
    }

    private void showWorker(int worker) {
        String tag = worker < WORKERS ? Integer.toString(worker) : "more";
        timer(LazyTablesMetrics.COMPUTE, tag, of(worker, WorkerTimes::clocks), of(worker, WorkerTimes::computeNanos));
        timer(LazyTablesMetrics.WAIT, tag, of(worker, WorkerTimes::waits), of(worker, WorkerTimes::waitNanos));
    }

    /**
     * Of a worker, or of all that share the last meter.
     *
     * <p>An instance with fewer workers adds nothing.
     */
    private static ToLongFunction<Statistics> of(int worker, ToLongFunction<WorkerTimes> time) {
        return statistics -> {
            List<WorkerTimes> all = statistics.workers();
            int to = worker < WORKERS ? Math.min(worker + 1, all.size()) : all.size();
            return all.subList(Math.min(worker, to), to).stream()
                    .mapToLong(time)
                    .sum();
        };
    }

    private <T> void traffic(String bytes, String messages, Sums<T> sums, Function<T, Traffic> of) {
        count(sums, bytes, TAG_DIRECTION, "in", s -> of.apply(s).bytesIn());
        count(sums, bytes, TAG_DIRECTION, "out", s -> of.apply(s).bytesOut());
        count(sums, messages, TAG_DIRECTION, "in", s -> of.apply(s).messagesIn());
        count(sums, messages, TAG_DIRECTION, "out", s -> of.apply(s).messagesOut());
    }

    private void count(String name, String tag, String value, ToLongFunction<Statistics> count) {
        count(instances, name, tag, value, count);
    }

    /** Micrometer holds objects weakly and functions strongly: the object is this, which is there for ever. */
    private <T> void count(Sums<T> sums, String name, String tag, String value, ToLongFunction<T> count) {
        Sums<T>.Counter counter = sums.counter(count);
        FunctionCounter.builder(name, this, all -> counter.sum())
                .description(description(name))
                .tag(tag, value)
                .register(registry);
    }

    private void timer(String name, String worker, ToLongFunction<Statistics> count, ToLongFunction<Statistics> nanos) {
        Sums<Statistics>.Counter counts = instances.counter(count);
        Sums<Statistics>.Counter times = instances.counter(nanos);
        FunctionTimer.builder(name, this, all -> (long) counts.sum(), all -> times.sum(), TimeUnit.NANOSECONDS)
                .description(description(name))
                .tag(TAG_WORKER, worker)
                .register(registry);
    }

    private void gauge(String name, Supplier<Number> value) {
        Gauge.builder(name, value).description(description(name)).register(registry);
    }

    private void gauge(String name, String tag, String tagged, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description(name))
                .tag(tag, tagged)
                .register(registry);
    }

    /** The clock of the worker that is ahead; the slowest is told as the process's own. */
    private static double fastest(Statistics statistics) {
        return statistics.workers().stream().mapToInt(WorkerTimes::clocks).max().orElse(0);
    }

    /** The list ends with the highest that was met. */
    private static long between(List<Long> staleness, int from, int to) {
        int end = Math.min(to, staleness.size());
        return staleness.subList(Math.min(from, end), end).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static String description(String name) {
        return LazyTablesMetrics.all().stream()
                .filter(metric -> metric.name().equals(name))
                .map(LazyTablesMetrics.Metric::description)
                .findFirst()
                .orElse("");
    }
}
