package io.leeway.privoxy.internal.normalize;

/** What a function may do. Functions that have no kind are refused. */
enum FunctionKind {
    /** The result depends on the arguments only. */
    PURE,
    /** As {@link #PURE}, and NULL as soon as an argument is NULL. */
    STRICT,
    /** The result depends on the arguments and settings of the session, as the time zone. */
    SESSION,
    /** The time of the statement: the same wherever it occurs in a statement. */
    NOW,
    /** Tells about the session, nothing about data: the user, the version. */
    IDENTITY,
    /** An aggregate that duplicates of rows do not change. */
    SET_AGGREGATE,
    /** Another aggregate. */
    AGGREGATE,
    /** Only with OVER. */
    WINDOW,
    /** Gives a row for each element of its argument. */
    ROWS,
    /** Gives a new value at each call that tells nothing: sequences, UUIDs. */
    FRESH,
    /** Takes or releases a lock that has no connection with data; only in a statement without tables. */
    LOCK,
    /** Reads the catalogue; only in a statement that reads no other tables. */
    CATALOGUE,
    /** Allowed by configuration: whatever it does, it may; its arguments are revealed to it. */
    ALLOWED;

    boolean isAggregate() {
        return this == SET_AGGREGATE || this == AGGREGATE;
    }

    /** Whether a call is a deterministic function of its arguments within a statement. */
    boolean isValue() {
        return this == PURE || this == STRICT || this == SESSION || this == NOW || this == IDENTITY;
    }
}
