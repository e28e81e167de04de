package io.leeway.privoxy;

/**
 * What happens to a query that is not proved compliant.
 *
 * @since 0.1
 */
public enum PrivoxyMode {
    /** It is refused. */
    ENFORCE,
    /** It is logged and counted, and passes. */
    AUDIT,
    /** Nothing is decided. */
    OFF
}
