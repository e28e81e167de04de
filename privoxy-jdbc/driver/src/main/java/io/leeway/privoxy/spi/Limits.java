package io.leeway.privoxy.spi;

import java.time.Duration;

/**
 * When a solver gives up.
 *
 * @param effort deterministic limit; one unit is about what a solver does in a millisecond of an unloaded core, so
 *     that the same script gets the same answer on a busy machine
 * @param wall last resort, generous: an answer that depends on it depends on the machine's load
 * @since 0.1
 */
public record Limits(long effort, Duration wall) {
    public Limits {
        if (effort <= 0 || wall.isNegative() || wall.isZero()) {
            throw new IllegalArgumentException("limits are positive");
        }
    }

    /** Effort in units, with a wall limit that only a stuck solver reaches. */
    public static Limits ofEffort(long effort) {
        return new Limits(effort, Duration.ofMillis(effort).multipliedBy(20).plusSeconds(10));
    }
}
