package io.leeway.testkit;

import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Randomness that can be repeated: every seed is printed when it is drawn.
 *
 * <p>All seeds follow from one number, {@code -Dleeway.seed}, that the build sets; without it from the clock.
 */
public final class Seeds {

    /** The system property that repeats a run. */
    public static final String PROPERTY = "leeway.seed";

    private static final long BASE = Long.getLong(PROPERTY, System.nanoTime());

    private Seeds() {}

    /** The seed for one purpose: the same label has the same seed within a run. Prints it. */
    public static long seed(String label) {
        // The multiplier spreads labels that differ in one letter over the whole range.
        long seed = BASE ^ (label.hashCode() * 0x9E3779B97F4A7C15L);
        System.out.println("seed of " + label + ": " + seed + " (repeat with -D" + PROPERTY + "=" + BASE + ")");
        return seed;
    }

    /** The number that all seeds of this run follow from. */
    static long base() {
        return BASE;
    }

    /** A generator for one purpose, see {@link #seed(String)}. */
    public static RandomGenerator random(String label) {
        return new Random(seed(label));
    }
}
