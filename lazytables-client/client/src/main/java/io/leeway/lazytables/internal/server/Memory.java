package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.wire.WireException;

/**
 * What clients may have a server keep: its tables' cells, updates that wait, questions and rows that are to be sent.
 * Counted before it is taken, about, so that who asks for more is told instead of the server running out of memory.
 */
final class Memory {

    /** About what a question that waits, or a row that is to be sent when it changes, takes. */
    static final int OF_QUESTION = 150;
    /** About what a row takes beside its cells, and a cell of a sparse row or of an update with its column. */
    static final int OF_ROW = 150;

    static final int OF_CELL = 24;

    private long limit = Long.MAX_VALUE;
    private long used;

    /** Sets how much there is; any amount if not said. */
    void limit(long bytes) {
        limit = bytes;
    }

    /**
     * Refuses to take so much more.
     *
     * @param what for people, what it is for
     * @throws WireException if it is not there
     */
    void require(long bytes, String what) {
        if (bytes > limit - used) {
            throw new WireException(
                    Code.MEMORY,
                    what + " takes about " + bytes + " bytes, and of the " + limit
                            + " that this server has for tables and what waits (" + LazyTablesOptions.SERVER_MEMORY
                            + ") " + Math.max(0, limit - used)
                            + " are left: spread the tables over more servers, give each more memory, or use sparse tables"
                            + " where most cells are empty");
        }
    }

    void take(long bytes) {
        used += bytes;
    }

    void give(long bytes) {
        used -= bytes;
    }
}
