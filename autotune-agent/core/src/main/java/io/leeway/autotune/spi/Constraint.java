package io.leeway.autotune.spi;

import java.util.Map;
import java.util.Objects;

/**
 * What the operator asks of every placement.
 *
 * @since 0.1
 */
public sealed interface Constraint {

    /**
     * On the same server.
     *
     * @param one an instance
     * @param other another
     */
    record Together(String one, String other) implements Constraint {}

    /**
     * On different servers.
     *
     * @param one an instance
     * @param other another
     */
    record Apart(String one, String other) implements Constraint {}

    /** Whether a placement, of some instances so far, does not break it. */
    default boolean allows(Map<String, Integer> placement) {
        if (this instanceof Together together) {
            return !has(placement, together.one(), together.other())
                    || Objects.equals(placement.get(together.one()), placement.get(together.other()));
        }
        Apart apart = (Apart) this;
        return !has(placement, apart.one(), apart.other())
                || !Objects.equals(placement.get(apart.one()), placement.get(apart.other()));
    }

    private static boolean has(Map<String, Integer> placement, String one, String other) {
        return placement.containsKey(one) && placement.containsKey(other);
    }
}
