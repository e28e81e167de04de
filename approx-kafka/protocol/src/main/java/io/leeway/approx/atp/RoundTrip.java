package io.leeway.approx.atp;

/** The smoothed round trip and its variation, as TCP keeps them (RFC 6298). */
final class RoundTrip {

    private double smoothed;
    private double variation;
    private boolean measured;

    RoundTrip(long initial) {
        smoothed = initial;
        variation = initial / 2.0;
    }

    void sample(long nanos) {
        if (nanos <= 0) {
            return;
        }
        if (measured) {
            variation = 0.75 * variation + 0.25 * Math.abs(smoothed - nanos);
            smoothed = 0.875 * smoothed + 0.125 * nanos;
        } else {
            smoothed = nanos;
            variation = nanos / 2.0;
            measured = true;
        }
    }

    double smoothed() {
        return smoothed;
    }

    /** After how long a packet without acknowledgement is presumed lost. */
    long lossDelay(long least) {
        return (long) Math.max((double) least, 1.5 * smoothed + 4 * variation);
    }
}
