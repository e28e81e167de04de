package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process updated in a clock, for one server, or its end: a message, which is kept until the server has it for
 * good.
 */
final class UpdatePart {

    /*
     * Kept in order of numbers, by which a server says what it has (applied, received, durable). It serves three ends
     * until the last of them is reached: to be sent, and sent again over another connection; to be done again on
     * answers that do not hold it; to be sent once more to a server that was lost. Nobody changes its logs any more, so
     * none of these copies them.
     *
     * What it takes in memory is an estimate, and only compared with the limit of what may be kept: logs share their
     * arrays' spare room, and objects have headers.
     */

    /** About what a part takes in memory beside its cells, and each row: many small clocks are objects above all. */
    private static final int OF_PART = 200;

    private static final int OF_ROW = 200;

    final long sequence;
    final int clock;
    final boolean last;
    /** Whether the process ends, instead of updates; and if so, whether it is done. */
    final boolean end;

    final boolean done;
    /** About how much it takes in memory. */
    final long bytes;
    /** By table; null where nothing was updated. */
    final List<@Nullable RowLogs> tables;

    UpdatePart(long sequence, int clock, boolean last, long bytes, List<@Nullable RowLogs> tables) {
        this(sequence, clock, last, false, false, bytes, tables);
    }

    private UpdatePart(
            long sequence,
            int clock,
            boolean last,
            boolean end,
            boolean done,
            long bytes,
            List<@Nullable RowLogs> tables) {
        this.sequence = sequence;
        this.clock = clock;
        this.last = last;
        this.end = end;
        this.done = done;
        // Its own: the caller goes on to fill the list with the next part.
        this.tables = new ArrayList<>(tables);
        this.bytes = memory(bytes, rowCount(this.tables));
    }

    /** About how much of messages, in so many rows of a clock, takes in memory. */
    static long memory(long messageBytes, int rows) {
        return OF_PART + (long) OF_ROW * rows + messageBytes;
    }

    private static int rowCount(List<@Nullable RowLogs> tables) {
        int count = 0;
        for (RowLogs logs : tables) {
            count += logs == null ? 0 : logs.size();
        }
        return count;
    }

    static UpdatePart end(long sequence, int clock, boolean done) {
        return new UpdatePart(sequence, clock, true, true, done, 0, List.of());
    }

    /** How many tables were updated. */
    int tableCount() {
        int count = 0;
        for (RowLogs logs : tables) {
            count += logs == null ? 0 : 1;
        }
        return count;
    }

    @Nullable
    RowLog find(int table, long key) {
        RowLogs logs = table < tables.size() ? tables.get(table) : null;
        return logs == null ? null : logs.find(key);
    }
}
