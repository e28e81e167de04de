package io.leeway.privoxy.internal.schema;

/**
 * The changes of schemas that this process has sent, as of some moment. Immutable.
 *
 * <p>A statement that waits in the server for a change's lock runs under the new schema, though it was decided on under
 * the old one. Comparing two of these tells whether that can have been.
 *
 * @param begun how many were sent so far
 * @param underWay how many of them the server has not answered, through connections that are there yet
 * @param overlaps how many were sent while another one was under way
 */
public record SchemaChanges(long begun, int underWay, long overlaps) {

    /** Before the first. */
    static final SchemaChanges NONE = new SchemaChanges(0, 0, 0);

    SchemaChanges begin() {
        // Two at a time: one can take back what another made, so that a look afterwards finds nothing changed.
        return new SchemaChanges(begun + 1, underWay + 1, underWay > 0 ? overlaps + 1 : overlaps);
    }

    SchemaChanges end() {
        return new SchemaChanges(begun, underWay - 1, overlaps);
    }

    /**
     * How many may have been made by the server since then: those that were under way, and those that were sent later.
     */
    public long possibleSince(SchemaChanges then) {
        return begun - then.begun + then.underWay;
    }

    /** Whether two of them may have been made since then of which the second was sent before the first was seen. */
    public boolean hasOverlappedSince(SchemaChanges then) {
        return then.underWay > 1 || overlaps != then.overlaps;
    }
}
