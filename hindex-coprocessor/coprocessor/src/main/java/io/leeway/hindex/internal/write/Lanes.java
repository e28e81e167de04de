package io.leeway.hindex.internal.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/*
 * What is done for a table waits for its indexes, seconds for each call if they do not answer. So it has threads of its own:
 * an index that hangs keeps busy only those of its table. They end when there is nothing to do. Their number is bounded: a
 * server with more tables than lanes has some share one.
 */
/** Threads of a server for its tables: what tells one table's work from another's. Not thread-safe. */
final class Lanes {

    /** Of each kind. With four threads each that is 256 at most, however many tables there are. */
    private static final int MOST = 64;

    private static final long IDLE_SECONDS = 30;

    private final int threads;
    private final String name;
    private final Map<TableName, ScheduledExecutorService> byTable = new HashMap<>();
    private final List<ScheduledExecutorService> all = new ArrayList<>();

    /** So many threads of this name for each table. */
    Lanes(int threads, String name) {
        this.threads = threads;
        this.name = name;
    }

    /**
     * The threads of a table.
     *
     * <p>A table keeps its lane for as long as the server has indexed regions, though it may have none of it any more:
     * there are few tables.
     */
    ScheduledExecutorService of(TableName base) {
        return byTable.computeIfAbsent(base, none -> next());
    }

    private ScheduledExecutorService next() {
        if (all.size() == MOST) {
            // In turn, by the number of tables so far, so that they are shared evenly.
            return all.get(byTable.size() % MOST);
        }
        ScheduledThreadPoolExecutor lane = threads(threads, name);
        lane.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        lane.allowCoreThreadTimeOut(true);
        all.add(lane);
        return lane;
    }

    /** Ends all threads; there are new ones afterwards for who asks. */
    void end() {
        all.forEach(ScheduledExecutorService::shutdownNow);
        all.clear();
        byTable.clear();
    }

    /** So many threads. */
    static ScheduledThreadPoolExecutor threads(int number, String name) {
        var threads = new ScheduledThreadPoolExecutor(number, task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        // What is to be tried again in a minute must not keep a server from stopping.
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // What waits for minutes would keep its region in memory.
        threads.setRemoveOnCancelPolicy(true);
        return threads;
    }
}
