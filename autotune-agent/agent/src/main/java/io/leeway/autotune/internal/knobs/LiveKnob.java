package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;

/** A knob of the host that can be turned. Called by one thread at a time. */
public interface LiveKnob {

    /** Its name, bounds, cost. */
    KnobSpec spec();

    /**
     * The value that the host has.
     *
     * @throws ReflectiveOperationException if the host is not what it was taken for
     */
    KnobValue read() throws ReflectiveOperationException;

    /**
     * Changes it, in the order that the host needs; does not wait.
     *
     * @throws ReflectiveOperationException with the host's exception as cause, if it refuses
     */
    void write(KnobValue value) throws ReflectiveOperationException;

    /**
     * Whether the change is seen to have taken effect: not what the setter was told, but what is there.
     *
     * @throws ReflectiveOperationException if the host is not what it was taken for
     */
    default boolean isInPlace(KnobValue value) throws ReflectiveOperationException {
        return read().equals(value);
    }

    /** Whether what it belongs to is still in use; a pool that was thrown away has no knob any more. */
    default boolean isAlive() {
        return true;
    }

    /** Whether it turns the same thing as another one that was found by another way. */
    default boolean isSameAs(LiveKnob other) {
        return this == other;
    }

    /** What is looked at to decide {@link #isInPlace}, for errors. */
    default String observed() {
        try {
            return read().toString();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return "nothing";
        }
    }
}
