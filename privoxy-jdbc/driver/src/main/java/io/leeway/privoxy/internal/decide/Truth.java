package io.leeway.privoxy.internal.decide;

/**
 * What is known of a condition.
 *
 * <p>FALSE and UNKNOWN are one, as a WHERE clause treats them alike. Where SQL tells them apart (NOT, CASE, IS UNKNOWN)
 * the normaliser has already made two conditions of them.
 */
enum Truth {
    /** It is TRUE in every pair of databases that fits. */
    HOLDS,
    /** It is FALSE or UNKNOWN (SQL's null) in every pair of databases that fits. */
    FAILS,
    /** Neither is known. */
    OPEN
}
