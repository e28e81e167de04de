package io.leeway.privoxy.internal.normalize;

/**
 * What a function may do. Functions that have no kind are refused.
 *
 * <p>The kind is what the checker needs to know, nothing more: whether a call can be a term, how long that term keeps
 * its meaning, whether how often a row occurs shows in it, and where it may stand.
 */
enum FunctionKind {
    /**
     * The result depends on the arguments only.
     *
     * <p>Kept for ever: what was learnt with such a term is a fact for the whole request, and a template may hold it.
     */
    PURE,
    /**
     * As {@link #PURE}, and NULL as soon as an argument is NULL.
     *
     * <p>Only of these a NULL argument decides the result without asking.
     */
    STRICT,
    /**
     * The result depends on the arguments and settings of the session, as the time zone.
     *
     * <p>Facts about such terms hold only under the settings under which they were read ({@link Symbols}).
     */
    SESSION,
    /**
     * The time of the statement: the same wherever it occurs in a statement.
     *
     * <p>A condition with it holds in one statement and not in the next, so it is never remembered.
     */
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
    /**
     * Gives a new value at each call that tells nothing: sequences, UUIDs.
     *
     * <p>The number of calls does tell, so beside tables it stands only where it is called once for each row that is
     * written ({@link Vetting}).
     */
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
