package io.leeway.benchmarks.lazytables;

import java.util.SplittableRandom;

/**
 * Other work on a machine, which takes half of it in one of each ten time slots, chosen at random.
 *
 * @param slotNanos length of a slot; 0 if there is no other work
 * @param seed of the slots
 * @param machine number; each has slots of its own
 */
record Disruption(long slotNanos, long seed, int machine) {

    private static final int GROUP = 10;
    private static final double SPEED = 0.5;
    /** By how much time grows if disruptions are spread over all: a tenth of the time at half the speed. */
    static final double IDEAL = 1 / (1 - (1 - SPEED) / GROUP);

    /** When work is done that takes so long on a machine of its own, both counted from the begin of the first slot. */
    long end(long from, long work) {
        if (slotNanos == 0) {
            return from + work;
        }
        long at = from;
        double left = work;
        while (true) {
            double speed = isActive(at / slotNanos) ? SPEED : 1;
            long slotEnd = (at / slotNanos + 1) * slotNanos;
            double possible = (slotEnd - at) * speed;
            if (left <= possible) {
                return at + Math.round(left / speed);
            }
            left -= possible;
            at = slotEnd;
        }
    }

    boolean isActive(long slot) {
        var random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * (machine + 1) + slot / GROUP);
        return random.nextInt(GROUP) == slot % GROUP;
    }
}
