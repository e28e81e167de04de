package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;

/** A value in a decision problem: the same in both databases, either known or standing for any value. */
public sealed interface Arg {

    /** A concrete value. */
    record Known(Value value) implements Arg {}

    /**
     * Any value; occurrences of one symbol are one value. A proof over symbols holds for every choice of their values.
     *
     * <p>A symbol may turn out to be NULL unless it is marked. NULL is a value that equals nothing in a comparison, so
     * a proof that holds for all values must hold for it as well ({@code UnreadParametersIT} has the leak of a
     * parameter that was taken not to be NULL).
     *
     * @param notNull whether only non-null values are meant
     */
    record Symbol(int id, boolean notNull) implements Arg {}

    /** A concrete value. */
    static Arg of(Value value) {
        return new Known(value);
    }
}
