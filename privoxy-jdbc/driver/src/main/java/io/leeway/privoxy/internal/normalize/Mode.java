package io.leeway.privoxy.internal.normalize;

/** How much of a query's rows is to be revealed. */
enum Mode {
    /** Each row as often as it occurs. */
    BAG,
    /** Which rows occur. */
    SET,
    /** Whether there is a row. */
    EXISTS
}
