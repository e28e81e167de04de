package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process updated in a clock, for one server, or its end: a message, which is kept until the server has it for good. */
final class UpdatePart {

    final long sequence;
    final int clock;
    final boolean last;
    /** Whether the process ends, instead of updates. */
    final boolean end;
    /** About how much it takes. */
    final long bytes;
    /** By table; null where nothing was updated. */
    final List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables;

    UpdatePart(
            long sequence, int clock, boolean last, long bytes, List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables) {
        this(sequence, clock, last, false, bytes, tables);
    }

    private UpdatePart(
            long sequence,
            int clock,
            boolean last,
            boolean end,
            long bytes,
            List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables) {
        this.sequence = sequence;
        this.clock = clock;
        this.last = last;
        this.end = end;
        this.bytes = bytes;
        this.tables = new ArrayList<>(tables);
    }

    static UpdatePart end(long sequence, int clock) {
        return new UpdatePart(sequence, clock, true, true, 0, List.of());
    }

    /** How many tables were updated. */
    int tableCount() {
        int count = 0;
        for (Long2ObjectOpenHashMap<RowLog> rows : tables) {
            count += rows == null ? 0 : 1;
        }
        return count;
    }

    @Nullable
    RowLog find(int table, long key) {
        Long2ObjectOpenHashMap<RowLog> rows = table < tables.size() ? tables.get(table) : null;
        return rows == null ? null : rows.get(key);
    }
}
