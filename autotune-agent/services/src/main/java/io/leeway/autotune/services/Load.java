package io.leeway.autotune.services;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * An open-loop load: requests begin when the schedule says, whether or not earlier ones are answered, and latency counts
 * from then. A closed loop would ask less of a slow service and call it fast. Arrivals are Poisson.
 */
public final class Load implements AutoCloseable {

    /**
     * What was seen since the last time it was asked for.
     *
     * @param requests answered
     * @param errors of these, not with 200
     * @param p50 in milliseconds
     * @param p95 in milliseconds
     * @param p99 in milliseconds
     */
    public record Seen(long requests, long errors, double p50, double p95, double p99) {}

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final double perSecond;
    private final SplittableRandom random;
    private final Thread thread = new Thread(this::run, "load");
    private Histogram latencies = new Histogram(3);
    private Histogram all = new Histogram(3);
    private long errors;
    private volatile boolean ended;

    /** Begins at once. */
    public Load(URI target, double perSecond, long seed) {
        this.request = HttpRequest.newBuilder(target).timeout(PATIENCE).build();
        this.perSecond = perSecond;
        this.random = new SplittableRandom(seed);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long due = System.nanoTime();
        while (!ended) {
            due += (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9);
            for (long left = due - System.nanoTime(); left > 0 && !ended; left = due - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
            }
            long begun = due;
            var unused = client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                    .whenComplete((response, failure) ->
                            record(System.nanoTime() - begun, failure != null || response.statusCode() != 200));
        }
    }

    private synchronized void record(long nanos, boolean failed) {
        latencies.recordValue(Math.max(1, nanos / 1_000));
        all.recordValue(Math.max(1, nanos / 1_000));
        errors += failed ? 1 : 0;
    }

    /** What was seen since the last call. */
    public synchronized Seen take() {
        var seen = new Seen(
                latencies.getTotalCount(),
                errors,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(95) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3);
        latencies = new Histogram(3);
        errors = 0;
        return seen;
    }

    /** The p95 in milliseconds of all requests since this was asked for before. */
    public synchronized double p95OfAll() {
        double p95 = all.getValueAtPercentile(95) / 1e3;
        all = new Histogram(3);
        return p95;
    }

    @Override
    public void close() {
        ended = true;
    }

    /** {@code url per-second seconds}: prints what was seen every five seconds. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var load = new Load(URI.create(arguments[0]), Double.parseDouble(arguments[1]), 1)) {
            for (int i = 0; i < Integer.parseInt(arguments[2]) / 5; i++) {
                TimeUnit.SECONDS.sleep(5);
                System.out.println(load.take());
            }
        }
    }
}
