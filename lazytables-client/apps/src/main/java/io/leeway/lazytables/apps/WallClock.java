package io.leeway.lazytables.apps;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The machine's clock as it was at one moment, from which on the process counts itself: so its workers' times are as exact to each other as it counts, also when the machine's clock is set.
 *
 * @param micros since 1970 at that moment
 * @param nanos what {@link System#nanoTime()} said then
 */
record WallClock(long micros, long nanos) {

    private static final long NANOS_IN_MICRO = 1_000;

    static WallClock now() {
        return new WallClock(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()), System.nanoTime());
    }

    /** The time in microseconds since 1970 at which {@link System#nanoTime()} says this. */
    long micros(long at) {
        return micros + (at - nanos) / NANOS_IN_MICRO;
    }
}
