package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Logs that nobody changes any more, to be done to their rows when these are looked at: most rows are replaced by an
 * answer that holds the logs before anybody does. A row owes a few at most. Each row knows its place here; as in
 * {@link Logs}, rows have no references to what comes and goes.
 */
final class OwedLogs {

    /** The place of a row that never owed anything. */
    static final int NONE = -1;

    /** So many a row may owe; a process is rarely more clocks ahead of the others. */
    static final int MOST = 4;

    private static final int FIRST_ROOM = 16;

    private @Nullable RowLog[] logs = new RowLog[FIRST_ROOM * MOST];
    /** How many there are at each place. */
    private byte[] counts = new byte[FIRST_ROOM];

    private int places;
    private int[] free = {};
    private int freed;

    /** A place for a row. */
    int take() {
        if (freed > 0) {
            // Given back before: places are dense, so that both arrays stay as short as there are rows that owe.
            return free[--freed];
        }
        if (places == counts.length) {
            counts = Arrays.copyOf(counts, 2 * places);
            logs = Arrays.copyOf(logs, 2 * places * MOST);
        }
        return places++;
    }

    /** Gives a row's place back, with what it owes. */
    void giveBack(int place) {
        forget(place);
        if (freed == free.length) {
            free = Arrays.copyOf(free, Math.max(FIRST_ROOM, 2 * freed));
        }
        free[freed++] = place;
    }

    /** Whether the row must pay before it owes more. */
    boolean isFull(int place) {
        return counts[place] == MOST;
    }

    /** The row owes this log, too. */
    void owe(int place, RowLog log) {
        logs[place * MOST + counts[place]++] = log;
    }

    /** Does to the row what it owes. */
    void pay(int place, Row row) {
        // In the order in which they came, as they would have been done at once.
        applyTo(place, row);
        forget(place);
    }

    /** Does to a copy of the row what the row owes, and goes on to owe, in the order in which it came. */
    void applyTo(int place, Row copy) {
        int first = place * MOST;
        int count = counts[place];
        for (int i = 0; i < count; i++) {
            logs[first + i].applyTo(copy);
        }
    }

    /** The row owes nothing more. */
    void forget(int place) {
        int first = place * MOST;
        Arrays.fill(logs, first, first + counts[place], null);
        counts[place] = 0;
    }
}
