package io.leeway.privoxy.internal.decide;

/** What is known of a condition. */
enum Truth {
    /** It is TRUE in every pair of databases that fits. */
    HOLDS,
    /** It is FALSE or UNKNOWN (SQL's null) in every pair of databases that fits. */
    FAILS,
    /** Neither is known. */
    OPEN
}
