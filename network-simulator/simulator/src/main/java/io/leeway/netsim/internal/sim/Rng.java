package io.leeway.netsim.internal.sim;

/**
 * Random numbers that follow from a seed, on every machine and JDK: SplitMix64. Each user of randomness gets a stream of
 * its own, so that a change of one does not shift the others. Not thread-safe.
 */
public final class Rng {

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    /** A stream. */
    public Rng(long seed) {
        state = seed;
    }

    /** The stream of this seed for one of several users. */
    public static Rng of(long seed, long user) {
        return new Rng(mix(seed * GOLDEN + mix(user + 1)));
    }

    /** A well-spread hash. */
    public static long mix(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    /** Any number. */
    public long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 to below 1. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1p-53;
    }

    /** From 0 to below {@code bound}. */
    public int nextInt(int bound) {
        return (int) ((nextLong() >>> 32) * bound >>> 32);
    }

    /** With mean 1. */
    public double nextExponential() {
        return -Math.log(1 - nextDouble());
    }

    /** With mean 0 and deviation 1. */
    public double nextGaussian() {
        return Math.sqrt(2 * nextExponential()) * Math.cos(2 * Math.PI * nextDouble());
    }
}
