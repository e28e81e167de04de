package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker did in a clock, by table and row. */
final class WorkerLog {

    final int clock;
    final List<@Nullable RowLogs> tables = new ArrayList<>(2);
    private long wireBytes;
    private int rows;

    WorkerLog(int clock) {
        this.clock = clock;
    }

    /** Adds one of so many rows of a table. */
    void add(int table, RowLog log, int ofTable) {
        of(tables, table, ofTable).add(log);
        wireBytes += log.wireBytes();
        rows++;
    }

    /** About how much it takes in messages. */
    long wireBytes() {
        return wireBytes;
    }

    /** About how much it takes in memory. */
    long bytes() {
        return UpdatePart.memory(wireBytes, rows);
    }

    @Nullable
    RowLog find(int table, long key) {
        RowLogs logs = of(table);
        return logs == null ? null : logs.find(key);
    }

    /** What was done to a table, or null. */
    @Nullable
    RowLogs of(int table) {
        return table < tables.size() ? tables.get(table) : null;
    }

    /** What was done to a table in a list by table; made, with room for so many rows, if there is nothing. */
    static RowLogs of(List<@Nullable RowLogs> tables, int table, int expected) {
        while (tables.size() <= table) {
            tables.add(null);
        }
        RowLogs logs = tables.get(table);
        if (logs == null) {
            logs = new RowLogs(expected);
            tables.set(table, logs);
        }
        return logs;
    }
}
