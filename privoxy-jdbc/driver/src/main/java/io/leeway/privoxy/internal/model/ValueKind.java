package io.leeway.privoxy.internal.model;

/** The families of values that the checker tells apart. Two values of different kinds are never merged. */
public enum ValueKind {
    /** The SQL null. */
    NULL,
    /** Whole and decimal numbers with exact comparison. */
    NUMBER,
    /** TRUE or FALSE. */
    BOOLEAN,
    /** Character strings, compared by their characters. */
    TEXT,
    /** A UUID. */
    UUID,
    /** A calendar date. */
    DATE,
    /** A time of day. */
    TIME,
    /** A date with time, without zone. */
    TIMESTAMP,
    /** An instant. */
    INSTANT,
    /** Bytes, in lower-case hexadecimal. */
    BYTES,
    /** Anything else: known only to be the same as itself, never known to differ from another value. */
    OPAQUE
}
