package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;

/** A knob that is no part of a JVM with an agent. Called by one thread. */
public interface OutsideKnob {

    /** Its name, bounds, cost. */
    KnobSpec spec();

    /**
     * The value that is in force, as seen from outside.
     *
     * @throws IOException if it cannot be read
     */
    KnobValue read() throws IOException;

    /**
     * Changes it; what it was is put back by writing that.
     *
     * @throws IOException if it is refused
     */
    void write(KnobValue value) throws IOException;

    /** Whether a value that was written is there. */
    default boolean isInPlace(KnobValue value) throws IOException {
        return isAlike(read(), value);
    }

    /** Whether two values are the same: numbers may be rounded by who keeps them. */
    default boolean isAlike(KnobValue present, KnobValue value) {
        if (present instanceof KnobValue.Amount now && value instanceof KnobValue.Amount wanted) {
            return Math.abs(now.value() - wanted.value()) <= 0.01 * Math.max(1, Math.abs(wanted.value()));
        }
        return present.equals(value);
    }
}
