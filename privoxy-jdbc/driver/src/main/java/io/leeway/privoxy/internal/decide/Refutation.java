package io.leeway.privoxy.internal.decide;

/**
 * What a search for a pair of databases came to.
 *
 * @param <T> what the caller makes of a pair
 */
public sealed interface Refutation<T> {

    /** The pair passed the caller's check. */
    record Found<T>(T pair) implements Refutation<T> {}

    /**
     * There is no such pair: every case is closed, so the problem is compliant in the basic form.
     *
     * <p>This is not used to allow anything but what the basic form allows; see {@code Decider}.
     */
    record Impossible<T>() implements Refutation<T> {}

    /** None was found within the bounds. */
    record NotFound<T>() implements Refutation<T> {}
}
