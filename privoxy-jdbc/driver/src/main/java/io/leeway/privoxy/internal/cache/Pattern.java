package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Value;

/** What a template says of one place: an argument, a context parameter or a cell of a returned row. */
public sealed interface Pattern {

    /** Nothing: any value, also an unknown one. */
    Pattern ANY = new Any();

    /** Anything fits. */
    record Any() implements Pattern {}

    /** One value wherever the same variable stands. Numbered from 0 in the order of first occurrence. */
    record Variable(int index) implements Pattern {}

    /** Exactly this value, which may be SQL's null. */
    record Constant(Value value) implements Pattern {}
}
