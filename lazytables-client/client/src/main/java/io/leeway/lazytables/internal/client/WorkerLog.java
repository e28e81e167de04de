package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker did in a clock, by table and row. Made at the end of the clock, of logs that the worker has filled;
 * from then on nobody changes it. It waits in the process until all workers have completed the clock, and in strict
 * tables for as long as the worker may read a row without it.
 */
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
        // Counted when it is added, as it is asked for at each clock of a worker that waits for room.
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

    /**
     * What was done to a table in a list by table; made, with room for so many rows, if there is nothing. By table as
     * in a list, since tables are few and numbered from 0.
     */
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
