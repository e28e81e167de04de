package io.leeway.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Time that moves only when the test says so: wall time and, as {@link #nanos()}, elapsed time. Thread-safe. */
public final class FakeClock implements InstantSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    /** Starts at the beginning of the year 2026, UTC. */
    public FakeClock() {}

    @Override
    public Instant instant() {
        return now;
    }

    /** What {@link System#nanoTime()} would be; starts at nought and moves together with the wall time. */
    public LongSupplier nanos() {
        return () -> Duration.between(START, now).toNanos();
    }

    /** Lets time pass; it cannot go back. */
    public synchronized void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + step);
        }
        now = now.plus(step);
    }
}
