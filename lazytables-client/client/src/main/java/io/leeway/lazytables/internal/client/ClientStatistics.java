package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Statistics;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up what the parts of a client process have counted; nothing of it is done before somebody asks. */
final class ClientStatistics {

    /*
     * Whoever counts does so in plain fields of one owner (WorkerCounters, the links under the lock), and nobody adds
     * up before somebody asks: a shared sum would be a line of memory that all workers write to. Called under the
     * process's lock.
     *
     * Reads that the workers' own caches answered are what is left of all that were served: to count them apart would
     * be one more number for the path that is to be the shortest.
     */

    private ClientStatistics() {}

    static Statistics of(
            List<WorkerCore> workers,
            int processClock,
            List<@Nullable WorkerLog[]> unsent,
            List<ServerLink> links,
            Statistics.Prefetched prefetched,
            Statistics.Traffic traffic) {
        long[] staleness = new long[WorkerCounters.FURTHEST + 1];
        long all = 0;
        long byProcess = 0;
        long byServer = 0;
        var times = new ArrayList<Statistics.WorkerTimes>();
        for (WorkerCore worker : workers) {
            WorkerCounters counters = worker.counters();
            counters.addStaleness(staleness);
            byProcess += counters.byProcess();
            byServer += counters.byServer();
            times.add(new Statistics.WorkerTimes(
                    worker.clock, counters.computeNanos(), counters.byServer(), counters.waitNanos()));
        }
        for (long reads : staleness) {
            all += reads;
        }
        return new Statistics(
                WorkerCounters.listed(staleness),
                new Statistics.Reads(all - byProcess - byServer, byProcess, byServer),
                prefetched,
                times,
                new Statistics.Clocks(processClock, globalClock(links)),
                new Statistics.Waiting(unsentRows(unsent), keptRows(links), askedRows(links)),
                traffic);
    }

    private static int globalClock(List<ServerLink> links) {
        // Each server tells its own view; the least is what holds for all rows.
        return links.stream().mapToInt(link -> link.globalClock).min().orElse(0);
    }

    private static long unsentRows(List<@Nullable WorkerLog[]> unsent) {
        long rows = 0;
        for (WorkerLog[] ofClock : unsent) {
            for (WorkerLog log : ofClock) {
                rows += log == null ? 0 : rows(log.tables);
            }
        }
        return rows;
    }

    private static long keptRows(List<ServerLink> links) {
        long rows = 0;
        for (ServerLink link : links) {
            for (UpdatePart part : link.kept) {
                rows += rows(part.tables);
            }
        }
        return rows;
    }

    private static long rows(List<@Nullable RowLogs> tables) {
        long rows = 0;
        for (RowLogs table : tables) {
            rows += table == null ? 0 : table.size();
        }
        return rows;
    }

    private static long askedRows(List<ServerLink> links) {
        long rows = 0;
        for (ServerLink link : links) {
            rows += link.askedRows();
        }
        return rows;
    }
}
