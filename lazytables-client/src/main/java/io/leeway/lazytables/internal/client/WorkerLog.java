package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker did in a clock, by table and row. */
final class WorkerLog {

    final int clock;
    final List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables = new ArrayList<>();
    private long wireBytes;

    WorkerLog(int clock) {
        this.clock = clock;
    }

    /** Adds one of so many rows of a table. */
    void add(int table, RowLog log, int ofTable) {
        rows(tables, table, ofTable).put(log.key(), log);
        wireBytes += log.wireBytes();
    }

    /** About how much it takes in messages. */
    long wireBytes() {
        return wireBytes;
    }

    /** What was done to a table. */
    Collection<RowLog> logs(int table) {
        Long2ObjectOpenHashMap<RowLog> rows = rows(table);
        return rows == null ? List.of() : rows.values();
    }

    @Nullable
    RowLog find(int table, long key) {
        Long2ObjectOpenHashMap<RowLog> rows = rows(table);
        return rows == null ? null : rows.get(key);
    }

    /** What was done to a table, or null. */
    @Nullable
    Long2ObjectOpenHashMap<RowLog> rows(int table) {
        return table < tables.size() ? tables.get(table) : null;
    }

    /** The rows of a table in a list by table; made, with room for so many, if there are none. */
    static Long2ObjectOpenHashMap<RowLog> rows(
            List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables, int table, int expected) {
        while (tables.size() <= table) {
            tables.add(null);
        }
        Long2ObjectOpenHashMap<RowLog> rows = tables.get(table);
        if (rows == null) {
            rows = new Long2ObjectOpenHashMap<>(expected);
            tables.set(table, rows);
        }
        return rows;
    }
}
