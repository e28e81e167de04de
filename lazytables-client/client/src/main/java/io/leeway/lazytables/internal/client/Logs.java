package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A worker's logs of rows in a clock; each row knows the place of its own. Rows stay, and logs come and go with each
 * clock: a reference to one in each row would be one more that the garbage collector looks at, row by row, where here a
 * hundred are looked at together. Emptied at each clock, and as large as the largest so far.
 */
final class Logs {

    /** The place of a row that has none. */
    static final int NONE = -1;

    private static final int FIRST_ROOM = 16;

    private @Nullable RowLog[] logs = new RowLog[FIRST_ROOM];
    private int size;

    /** What is at a place; null at none. */
    @Nullable
    RowLog get(int place) {
        return place < 0 ? null : logs[place];
    }

    /** The place of this log, behind all others. */
    int add(RowLog log) {
        if (size == logs.length) {
            logs = Arrays.copyOf(logs, 2 * size);
        }
        logs[size] = log;
        return size++;
    }

    void clear() {
        // Or what is done with would be kept alive by an array.
        Arrays.fill(logs, 0, size, null);
        size = 0;
    }
}
