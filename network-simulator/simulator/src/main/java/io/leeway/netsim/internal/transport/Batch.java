package io.leeway.netsim.internal.transport;

/** The messages of one job, and when each is there. Immutable; its arrays are not to be changed. */
public final class Batch {

    private static final long[] TOGETHER = {};

    private final int[] sizes;
    private final long[] at;
    private final double msr;

    /**
     * A job whose messages are all there at its start.
     *
     * @param sizes lengths of its messages in bytes, in the order they were made; not to be changed after this
     * @param msr the share of them that has to arrive complete
     */
    public Batch(int[] sizes, double msr) {
        this(sizes, TOGETHER, msr);
    }

    /**
     * A job whose messages come one after another.
     *
     * @param sizes lengths of its messages in bytes; not to be changed after this
     * @param at when each is there, in picoseconds after the job's start, not falling; empty if all are at once
     * @param msr the share of them that has to arrive complete
     */
    public Batch(int[] sizes, long[] at, double msr) {
        if (sizes.length == 0 || !(msr > 0 && msr <= 1)) {
            throw new IllegalArgumentException("a job has messages, and an MSR above 0 up to 1, not " + msr);
        }
        if (at.length > 0 && at.length != sizes.length) {
            throw new IllegalArgumentException(at.length + " times of " + sizes.length + " messages");
        }
        this.sizes = sizes;
        this.at = at;
        this.msr = msr;
    }

    /** Lengths of the messages in bytes. */
    public int[] sizes() {
        return sizes;
    }

    /** How many messages there are. */
    public int count() {
        return sizes.length;
    }

    /** When a message is there, in picoseconds after the job's start. */
    public long at(int message) {
        return at.length == 0 ? 0 : at[message];
    }

    /** Whether messages come one after another. */
    public boolean isSpread() {
        return at.length > 0;
    }

    /** The share that has to arrive. */
    public double msr() {
        return msr;
    }

    /** How many are enough. */
    public int need() {
        return (int) Math.ceil(msr * sizes.length - 1e-9 * sizes.length);
    }

    /** Bytes of all. */
    public long bytes() {
        return bytes(sizes.length);
    }

    /** Bytes of the first so many. */
    long bytes(int first) {
        long sum = 0;
        for (int i = 0; i < first; i++) {
            sum += sizes[i];
        }
        return sum;
    }

    double meanSize() {
        return (double) bytes() / sizes.length;
    }
}
