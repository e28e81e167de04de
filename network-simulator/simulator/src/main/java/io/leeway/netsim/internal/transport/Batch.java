package io.leeway.netsim.internal.transport;

/**
 * The messages of one job, all there at its start.
 *
 * @param sizes their lengths in bytes, in the order they were made
 * @param msr the share of them that has to arrive complete
 */
public record Batch(int[] sizes, double msr) {

    /** Checks. */
    public Batch {
        if (sizes.length == 0 || !(msr > 0 && msr <= 1)) {
            throw new IllegalArgumentException("a job has messages, and an MSR above 0 up to 1, not " + msr);
        }
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

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return sizes.length + " messages, MSR " + msr;
    }
}
