package io.leeway.autotune;

/**
 * What a service did in a stretch of time, at its entry points. Latencies are of all requests, failed ones too: a
 * service that fails fast must not look fast.
 *
 * @param seconds how long it was looked at
 * @param requests finished
 * @param errors of these, how many failed
 * @param p50 median, in milliseconds
 * @param p95 in milliseconds
 * @param p99 in milliseconds
 * @param mean in milliseconds
 * @param cpuMillis CPU time of the process
 * @param heapShare of the maximum heap in use after the last collection, 0 to 1; 0 if there was none
 * @param gcMillis spent in collections
 * @since 0.1
 */
public record Window(
        double seconds,
        long requests,
        long errors,
        double p50,
        double p95,
        double p99,
        double mean,
        double cpuMillis,
        double heapShare,
        double gcMillis) {

    /** A window in which nothing happened. */
    public static Window empty(double seconds) {
        return new Window(seconds, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Requests a second. */
    public double throughput() {
        return seconds <= 0 ? 0 : requests / seconds;
    }

    /** The share of failed requests. */
    public double errorRate() {
        return requests == 0 ? 0 : (double) errors / requests;
    }

    /** CPU time a request, in milliseconds. */
    public double cpuPerRequest() {
        return requests == 0 ? 0 : cpuMillis / requests;
    }
}
