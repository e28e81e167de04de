package io.leeway.netsim.internal.sim;

/**
 * How lengths are distributed, in eight classes an octave, so that two distributions can be compared. Not thread-safe.
 */
public final class Spread {

    private static final int STEPS = 8;

    private final long[] counts = new long[32 * STEPS];
    private long all;

    /** Adds a length of at least 1. */
    public void add(int length) {
        int octave = 31 - Integer.numberOfLeadingZeros(length);
        int step = octave < 3 ? length - (1 << octave) : (length >>> (octave - 3)) - STEPS;
        counts[octave * STEPS + step]++;
        all++;
    }

    /** Adds all of another. */
    public void addAll(Spread other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        all += other.all;
    }

    /**
     * The greatest difference of the two distributions (Kolmogorov and Smirnov), by class: 0 if they are alike, 1 if nothing
     * of one is as small as anything of the other; not a number if one is empty.
     */
    public double distance(Spread other) {
        if (all == 0 || other.all == 0) {
            return Double.NaN;
        }
        double most = 0;
        long mine = 0;
        long its = 0;
        for (int i = 0; i < counts.length; i++) {
            mine += counts[i];
            its += other.counts[i];
            most = Math.max(most, Math.abs((double) mine / all - (double) its / other.all));
        }
        return most;
    }
}
