package io.leeway.approx.atp;

import java.util.Arrays;

/** Uniform ranks of messages by hash: the same message has the same rank wherever and whenever it is asked for. */
public final class Ranks {

    private static final int SORTED = 1 << 22;

    private Ranks() {}

    /** A number from 0 (included) to 1 (excluded) that only depends on the arguments. */
    public static double rank(long seed, int job, int group, long key) {
        long x = mix(seed ^ mix(((long) job << 32 | group) ^ mix(key)));
        return (x >>> 11) * 0x1.0p-53;
    }

    /** The rank below which exactly {@code need} of the messages 0 to {@code messages - 1} are. */
    static double threshold(long seed, int job, int group, long messages, long need) {
        if (need >= messages) {
            return 1;
        }
        if (messages > SORTED) {
            // Sorting so many would hold up the sender; the top-up at the end corrects what this is off by.
            return (double) need / messages;
        }
        double[] ranks = new double[(int) messages];
        Arrays.setAll(ranks, i -> rank(seed, job, group, i));
        Arrays.sort(ranks);
        return ranks[(int) need];
    }

    /** A bijection of 64 bits in which every bit of the result depends on every bit of the argument. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
