package io.leeway.netsim.internal.transport;

/** The messages of one job, all there at its start. Immutable; its array is not to be changed. */
public final class Batch {

    private final int[] sizes;
    private final double msr;

    /**
     * A job.
     *
     * @param sizes lengths of its messages in bytes, in the order they were made; not to be changed after this
     * @param msr the share of them that has to arrive complete
     */
    public Batch(int[] sizes, double msr) {
        if (sizes.length == 0 || !(msr > 0 && msr <= 1)) {
            throw new IllegalArgumentException("a job has messages, and an MSR above 0 up to 1, not " + msr);
        }
        this.sizes = sizes;
        this.msr = msr;
    }

    /** Lengths of the messages in bytes. */
    public int[] sizes() {
        return sizes;
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
        long sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        return sum;
    }

    double meanSize() {
        return (double) bytes() / sizes.length;
    }
}
