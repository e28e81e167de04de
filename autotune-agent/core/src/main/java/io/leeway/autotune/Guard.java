package io.leeway.autotune;

import java.util.Locale;
import java.util.Optional;

/**
 * When a change is taken back. All four are looked at, since each alone can be fooled: a service that fails fast is
 * fast, one that answers nobody has no errors.
 *
 * @param latencyFactor how many times the baseline's p95 a window may have
 * @param throughputShare of the baseline's throughput that has to be there still
 * @param errorPoints how far the share of failed requests may rise, 0.001 is a tenth of a point
 * @param heapShare of the maximum heap that may be in use after a collection
 * @param minRequests below so many requests latency and errors are not judged
 * @since 0.1
 */
public record Guard(
        double latencyFactor, double throughputShare, double errorPoints, double heapShare, int minRequests) {

    /** The defaults: 1.5 times the p95, 80 % of the throughput, 1 point of errors, 95 % of the heap, 30 requests. */
    public static Guard defaults() {
        return new Guard(1.5, 0.8, 0.01, 0.95, 30);
    }

    /** For the beginning of a window, of which less is known: what is twice as bad ends it at once. */
    public Guard early() {
        return new Guard(2 * latencyFactor, throughputShare / 2, 2 * errorPoints, heapShare, minRequests);
    }

    /** Why a window is bad compared with the baseline, or nothing. */
    public Optional<String> objection(Window baseline, Window now) {
        if (now.heapShare() > heapShare && now.heapShare() > baseline.heapShare()) {
            return Optional.of(text("heap %.0f %% full after a collection", now.heapShare() * 100));
        }
        if (now.throughput() < baseline.throughput() * throughputShare) {
            return Optional.of(text("throughput %.0f → %.0f/s", baseline.throughput(), now.throughput()));
        }
        if (now.requests() < minRequests) {
            return Optional.empty();
        }
        if (now.errorRate() > baseline.errorRate() + errorPoints) {
            return Optional.of(text("errors %.1f → %.1f %%", baseline.errorRate() * 100, now.errorRate() * 100));
        }
        if (baseline.requests() >= minRequests && now.p95() > baseline.p95() * latencyFactor) {
            return Optional.of(text("p95 %.1f → %.1f ms", baseline.p95(), now.p95()));
        }
        return Optional.empty();
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
