package io.leeway.hindex.internal.admin;

import java.io.IOException;
import java.time.Duration;

/** Keeps work at a rate, over all of its time: after a pause it makes up for what was not done. For one thread. */
final class Throttle {

    /** Rows, also without a limit: what is done between two notes of how far it is. */
    private static final int MOST_AT_ONCE = 500;

    private final double perSecond;
    private final long start = System.nanoTime();
    private long done;

    /** At this rate; without a limit if it is 0. */
    Throttle(double perSecond) {
        this.perSecond = perSecond;
    }

    /**
     * How much to do at once, so that the rate is not exceeded by bursts.
     *
     * <p>Half a second's worth at most.
     */
    int portion() {
        return perSecond > 0 ? (int) Math.max(1, Math.min(MOST_AT_ONCE, perSecond / 2)) : MOST_AT_ONCE;
    }

    /** So much more was done; waits if that was too fast. */
    void done(long more) throws IOException {
        done += more;
        if (perSecond > 0) {
            long due = start + (long) (done / perSecond * 1e9);
            Waits.pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
        }
    }
}
