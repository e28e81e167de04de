package io.leeway.privoxy.internal.normalize;

/**
 * How much of a query's rows is to be revealed.
 *
 * <p>The three differ in what a head must tell: a bag needs keys, so that rows that look alike are counted; a set only
 * what is shown; existence nothing but what it is asked for. Each asks for less than the one before, so a clause that
 * makes less of the rows matter (DISTINCT, EXISTS) turns one into the other ({@link QueryReader}).
 */
enum Mode {
    /** Each row as often as it occurs. */
    BAG,
    /** Which rows occur. */
    SET,
    /** Whether there is a row. */
    EXISTS
}
