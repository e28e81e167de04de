package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Value;

/**
 * What a template says of one place: an argument, a context parameter or a cell of a returned row.
 *
 * <p>Of an unknown value only ANY can be said, so a template that needs a cell never matches a row in which that cell
 * was not read.
 */
public sealed interface Pattern {

    /** Nothing: any value, also an unknown one. */
    Pattern ANY = new Any();

    /** Anything fits. */
    record Any() implements Pattern {}

    /**
     * One value wherever the same variable stands. Numbered from 0 in the order of first occurrence.
     *
     * <p>Also NULL, unless the template demands otherwise: two NULLs are the same value here, as rows have them, and
     * the proof was made for that.
     */
    record Variable(int index) implements Pattern {}

    /** Exactly this value, which may be SQL's null. */
    record Constant(Value value) implements Pattern {}
}
