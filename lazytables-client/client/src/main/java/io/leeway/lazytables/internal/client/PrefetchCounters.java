package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Statistics;

/**
 * Counts which of the rows that were asked for ahead were used. A row belongs to one process, whose lock guards this.
 * Useful is what a read used before other values took its place; what was dropped or replaced unread was asked for in
 * vain. A row that a read waits for counts as neither: nothing was ahead of it.
 */
final class PrefetchCounters {

    private long useful;
    private long useless;

    /** A row was asked for ahead of a read that requires a clock. */
    static void asked(ProcessRow row, int required) {
        row.askedAhead = Math.max(row.askedAhead, required);
    }

    /** An answer came for the row. */
    void arrived(ProcessRow row) {
        // The values that it had go now, whatever they were asked for.
        dropped(row);
        if (row.askedAhead > ProcessRow.NOTHING && row.dataClock >= row.askedAhead) {
            row.askedAhead = ProcessRow.NOTHING;
            row.unusedAhead = true;
        }
    }

    /** A read used the row. */
    void used(ProcessRow row) {
        if (row.unusedAhead) {
            row.unusedAhead = false;
            useful++;
        }
    }

    /** What the row held is not there any more. */
    void dropped(ProcessRow row) {
        if (row.unusedAhead) {
            row.unusedAhead = false;
            useless++;
        }
    }

    Statistics.Prefetched sums() {
        return new Statistics.Prefetched(useful, useless);
    }
}
