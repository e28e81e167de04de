package io.leeway.autotune.lab.internal.run;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * An open loop: requests begin when a Poisson schedule of a fixed seed says, whether or not earlier ones are answered,
 * and latency counts from then, so that a slow configuration is not asked less (Gagan Somashekhar, "Performance
 * Management of Large-Scale Microservices Applications", 2023, section 3.4.2). Failed requests count with the time
 * until they failed, and in {@code error-share}.
 */
final class OpenLoad {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Beyond so many at once more waiting requests tell nothing new and cost the machine that is measured. */
    private static final int MOST_OPEN = 4_096;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final App.Load.Open load;
    private final long seed;
    private final List<Histogram> latencies = new ArrayList<>();
    private final List<HttpRequest> requests = new ArrayList<>();
    private final Semaphore open = new Semaphore(MOST_OPEN);
    private long errors;
    private long dropped;

    OpenLoad(App.Load.Open load, long seed) {
        this.load = load;
        this.seed = seed;
        for (App.Request request : load.requests()) {
            requests.add(HttpRequest.newBuilder(request.uri()).timeout(PATIENCE).build());
            latencies.add(new Histogram(TimeUnit.HOURS.toMicros(1), 3));
        }
    }

    /** Warms up, measures, and waits for the last answers: metrics in milliseconds, and shares. */
    Map<String, Double> run(Runnable begins) throws InterruptedException {
        send(load.warmUp(), seed, false);
        begins.run();
        long begun = System.nanoTime();
        send(load.measure(), seed + 1, true);
        double seconds = (System.nanoTime() - begun) / 1e9;
        // Requests have time limits of their own, so that this is soon true.
        boolean isAnswered = open.tryAcquire(MOST_OPEN, PATIENCE.toMillis() + 5_000, TimeUnit.MILLISECONDS);
        Map<String, Double> metrics = metrics(seconds);
        metrics.put("unanswered", isAnswered ? 0.0 : MOST_OPEN - open.availablePermits());
        return metrics;
    }

    private void send(Duration duration, long streamSeed, boolean counts) {
        var random = new SplittableRandom(streamSeed);
        long due = System.nanoTime();
        long end = due + duration.toNanos();
        while (true) {
            due += (long) (-Math.log(1 - random.nextDouble()) / load.rate() * 1e9);
            int kind = kind(random);
            if (due - end > 0 || Thread.currentThread().isInterrupted()) {
                return;
            }
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
            one(kind, due, counts);
        }
    }

    private void one(int kind, long begun, boolean counts) {
        if (!open.tryAcquire()) {
            record(kind, PATIENCE.toNanos(), true, counts);
            dropped++;
            return;
        }
        var unused = client.sendAsync(requests.get(kind), HttpResponse.BodyHandlers.discarding())
                .whenComplete((response, failure) -> {
                    boolean failed = failure != null || response.statusCode() >= 400;
                    record(kind, System.nanoTime() - begun, failed, counts);
                    open.release();
                });
    }

    private int kind(SplittableRandom random) {
        double total = load.requests().stream().mapToDouble(App.Request::weight).sum();
        double drawn = random.nextDouble() * total;
        int kind = 0;
        for (; kind + 1 < requests.size(); kind++) {
            drawn -= load.requests().get(kind).weight();
            if (drawn < 0) {
                break;
            }
        }
        return kind;
    }

    private synchronized void record(int kind, long nanos, boolean failed, boolean counts) {
        if (counts) {
            latencies.get(kind).recordValue(Math.min(TimeUnit.HOURS.toMicros(1), Math.max(1, nanos / 1_000)));
            errors += failed ? 1 : 0;
        }
    }

    private synchronized Map<String, Double> metrics(double seconds) {
        var metrics = new TreeMap<String, Double>();
        var all = new Histogram(TimeUnit.HOURS.toMicros(1), 3);
        for (int kind = 0; kind < latencies.size(); kind++) {
            all.add(latencies.get(kind));
            if (latencies.size() > 1 && latencies.get(kind).getTotalCount() > 0) {
                percentiles("." + load.requests().get(kind).name(), latencies.get(kind), metrics);
            }
        }
        if (all.getTotalCount() > 0) {
            percentiles("", all, metrics);
            metrics.put("error-share", (double) errors / all.getTotalCount());
            metrics.put("dropped", (double) dropped);
        }
        metrics.put("requests", (double) all.getTotalCount());
        metrics.put("throughput", (all.getTotalCount() - errors) / Math.max(1e-9, seconds));
        return metrics;
    }

    /** The names of all that is measured under a load. */
    static Set<String> metrics(App.Load.Open load) {
        var names = new TreeSet<>(Set.of("error-share", "dropped", "requests", "throughput", "unanswered", "cpu-ms"));
        var kinds = new TreeSet<>(Set.of(""));
        if (load.requests().size() > 1) {
            load.requests().forEach(request -> kinds.add("." + request.name()));
        }
        for (String kind : kinds) {
            List.of("mean", "p50", "p95", "p99").forEach(name -> names.add(name + kind));
        }
        return names;
    }

    private static void percentiles(String suffix, Histogram histogram, Map<String, Double> into) {
        into.put("mean" + suffix, histogram.getMean() / 1e3);
        into.put("p50" + suffix, histogram.getValueAtPercentile(50) / 1e3);
        into.put("p95" + suffix, histogram.getValueAtPercentile(95) / 1e3);
        into.put("p99" + suffix, histogram.getValueAtPercentile(99) / 1e3);
    }
}
