package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker did in a clock, by table and row. */
final class WorkerLog {

    final int clock;
    final List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables = new ArrayList<>();

    WorkerLog(int clock) {
        this.clock = clock;
    }

    void add(int table, RowLog log) {
        rows(tables, table).put(log.key(), log);
    }

    @Nullable
    RowLog find(int table, long key) {
        Long2ObjectOpenHashMap<RowLog> rows = table < tables.size() ? tables.get(table) : null;
        return rows == null ? null : rows.get(key);
    }

    static Long2ObjectOpenHashMap<RowLog> rows(List<@Nullable Long2ObjectOpenHashMap<RowLog>> tables, int table) {
        while (tables.size() <= table) {
            tables.add(null);
        }
        Long2ObjectOpenHashMap<RowLog> rows = tables.get(table);
        if (rows == null) {
            rows = new Long2ObjectOpenHashMap<>();
            tables.set(table, rows);
        }
        return rows;
    }
}
