package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What workers did in clocks that their process has not completed, and the updates that become of it when it has. */
final class ProcessLog {

    /*
     * James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.4.2 "Process Log", has
     * one message for each server at the end of a clock, and joins increments of a cell also from different threads. So
     * it is here, with two differences. What faster workers did in later clocks stays apart by clock, since servers
     * apply clocks whole. And a message is divided when it becomes long: a server handles one message at a time, and a
     * very long one would hold up all its other clients, and fit into no frame. A row is never divided, so that a read
     * finds all of a clock in it or nothing (I6 of docs/lazytables/design.md).
     *
     * Logs of workers are joined in the order of their numbers, not of their coming: in strict tables sums are the same
     * in every run.
     */

    /** About how long a message with updates becomes, but for one with a single row. */
    static final int PART_BYTES = 1 << 20;

    private static final int CLOCK_BYTES = 24;
    private static final int REFERENCE_BYTES = 4;

    private final int workers;
    private final int servers;
    private final int partBytes;
    /** For each clock, from the process's next one, a log or null for each worker. */
    private final List<@Nullable WorkerLog[]> unsent = new ArrayList<>();

    private long bytes;

    ProcessLog(int workers, int servers, int partBytes) {
        this.workers = workers;
        this.servers = servers;
        this.partBytes = partBytes;
    }

    /** Logs by clock, from the process's next one, and worker. */
    List<@Nullable WorkerLog[]> unsent() {
        return unsent;
    }

    /** Keeps what a worker did in a clock, which is so many behind the process's. */
    void add(int worker, WorkerLog log, int behind) {
        // A worker that is ahead opens the clocks in between; the slower ones fill them later, or leave them empty if
        // they end.
        while (unsent.size() < behind) {
            unsent.add(new WorkerLog[workers]);
            bytes += clockBytes();
        }
        unsent.get(behind - 1)[worker] = log;
        bytes += log.bytes();
    }

    /** What a clock takes besides its logs. */
    private long clockBytes() {
        return CLOCK_BYTES + (long) REFERENCE_BYTES * workers;
    }

    /** About how much all that takes in memory. */
    long bytes() {
        return bytes;
    }

    /** What the workers did in the process's next clock, which it completes. */
    @Nullable
    WorkerLog[] next() {
        @Nullable WorkerLog[] logs = unsent.remove(0);
        bytes -= clockBytes();
        for (WorkerLog log : logs) {
            bytes -= log == null ? 0 : log.bytes();
        }
        return logs;
    }

    /**
     * Makes of what the workers did in a clock one log for each row, in the order of workers, in parts of limited size.
     */
    void makeUpdates(ServerLink link, List<ClientTable> tables, int clock, @Nullable WorkerLog[] logs) {
        // Nothing is to be joined.
        WorkerLog only = logs.length == 1 && servers == 1 ? logs[0] : null;
        if (only != null && only.wireBytes() <= partBytes) {
            // Nothing is to be divided, either.
            applyToBalls(only, tables);
            link.keep(new UpdatePart(++link.made, clock, true, only.wireBytes(), only.tables));
            return;
        }
        List<@Nullable RowLogs> part = new ArrayList<>();
        long bytes = 0;
        for (ClientTable table : tables) {
            RowLogs joined = only == null ? joined(table, link.server, logs) : only.of(table.id);
            if (joined == null) {
                continue;
            }
            for (RowLog log : joined) {
                if (bytes > 0 && bytes + log.wireBytes() > partBytes) {
                    link.keep(new UpdatePart(++link.made, clock, false, bytes, part));
                    // UpdatePart has copied the list: this one is filled anew.
                    part.clear();
                    bytes = 0;
                }
                bytes += log.wireBytes();
                // At the moment in which it becomes part of the process's clock, as kept answers are to hold it from
                // then on.
                table.balls.apply(log);
                WorkerLog.of(part, table.id, Math.min(joined.size(), partBytes / log.wireBytes() + 1))
                        .add(log);
            }
        }
        // Also where nothing was done for this server: it says that the clock is complete.
        link.keep(new UpdatePart(++link.made, clock, true, bytes, part));
    }

    private static void applyToBalls(WorkerLog done, List<ClientTable> tables) {
        for (ClientTable table : tables) {
            RowLogs logs = table.spec.maxStep() > 0 ? done.of(table.id) : null;
            if (logs != null) {
                logs.forEach(table.balls::apply);
            }
        }
    }

    private RowLogs joined(ClientTable table, int server, @Nullable WorkerLog[] logs) {
        var joined = new RowLogs(0);
        for (WorkerLog log : logs) {
            RowLogs ofTable = log == null ? null : log.of(table.id);
            if (ofTable == null) {
                continue;
            }
            for (RowLog row : ofTable) {
                if (table.server(row.key(), servers) == server) {
                    // A worker has a row once in a clock.
                    RowLog before = logs.length == 1 ? null : joined.find(row.key());
                    if (before == null) {
                        // A strict read does the workers' own logs again, so they stay as they are.
                        joined.add(table.strict ? row.copy() : row);
                    } else {
                        before.append(row);
                    }
                }
            }
        }
        return joined;
    }

    /**
     * Passes what workers did to the row in clocks that the process has not completed, in the order of clocks and
     * workers, as they will be joined.
     */
    void forEachUnsent(ProcessRow row, Consumer<RowLog> action) {
        for (WorkerLog[] ofClock : unsent) {
            for (WorkerLog log : ofClock) {
                RowLog done = log == null ? null : log.find(row.table.id, row.key);
                if (done != null) {
                    action.accept(done);
                }
            }
        }
    }
}
