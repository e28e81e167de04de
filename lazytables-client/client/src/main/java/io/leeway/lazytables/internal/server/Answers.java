package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.WireBuffer;

/**
 * Answers of a table that were written lately: several clients mostly lack the same of a row, and what one was sent is
 * copied for the others. Each row remembers where its last one is; when there is no room for more, all are forgotten at
 * once. Long ones are not kept: to write them costs little more than to copy them.
 */
final class Answers {

    private static final int LONGEST = 1 << 10;
    private static final int MOST = 1 << 20;

    private final WireBuffer bytes = new WireBuffer(0);
    /** How often all were forgotten. */
    private int forgotten;

    /** Where the last answer with a row is. */
    static final class Place {

        private int forgotten = -1;
        private long version;
        private long has;
        private int from;
        private int length;
    }

    /**
     * Writes the answer for a reader who has a version of the row, whose version is now another; returns false if it is
     * not there.
     */
    boolean copy(Place place, long version, long has, WireBuffer out) {
        if (place.forgotten != forgotten || place.version != version || place.has != has) {
            return false;
        }
        out.putBytes(bytes.array(), place.from, place.length);
        return true;
    }

    /** Keeps what was written last, from a place on. */
    void keep(Place place, long version, long has, WireBuffer written, int from) {
        int length = written.size() - from;
        if (length > LONGEST) {
            return;
        }
        if (bytes.size() + length > MOST) {
            bytes.clear();
            forgotten++;
        }
        place.forgotten = forgotten;
        place.version = version;
        place.has = has;
        place.from = bytes.size();
        place.length = length;
        bytes.putBytes(written.array(), from, length);
    }
}
