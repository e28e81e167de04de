package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.silence.Retry;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs of one region's families after their compactions, in threads of the server's own: at most one for each
 * family, tried again until it succeeds or the next takes its place. Thread-safe.
 */
final class LaterRepairs {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final Supplier<ScheduledExecutorService> threads;
    private final Metrics metrics;
    /** By family, the one that is wanted; another that still runs for it finds that it is not. */
    private final Map<String, Repair> unfinished = new HashMap<>();

    private boolean stopped;

    LaterRepairs(Supplier<ScheduledExecutorService> threads, Metrics metrics) {
        this.threads = threads;
        this.metrics = metrics;
    }

    /** What is to be done. */
    @FunctionalInterface
    interface Work {
        /** Does it, until somebody says that it is not wanted any more. */
        void run(BooleanSupplier isCancelled) throws IOException;
    }

    /** Known by its identity: two of one family are the same work, at different times. */
    private static final class Repair {
        private final String family;
        private final Work work;
        private final Runnable finished;
        private long pauseMillis = Retry.REPAIR.firstMillis();

        Repair(String family, Work work, Runnable finished) {
            this.family = family;
            this.work = work;
            this.finished = finished;
        }
    }

    /** Begins a repair; the one before ends. */
    synchronized void start(String family, Work work, Runnable finished) {
        if (!stopped) {
            var repair = new Repair(family, work, finished);
            // The one before sees that it is not wanted any more, and ends: what it would find, this one finds as well.
            unfinished.put(family, repair);
            schedule(repair, 0);
        }
    }

    /** Whether none is to be finished. */
    synchronized boolean isIdle() {
        return unfinished.isEmpty();
    }

    /**
     * Ends the repair of a family; it will not be finished after this.
     *
     * <p>Not waited for: it may be in a call. What it does meanwhile is right, only not to be counted.
     */
    synchronized void cancel(String family) {
        unfinished.remove(family);
        notifyAll();
    }

    /** Ends all. */
    synchronized void stop() {
        stopped = true;
        unfinished.clear();
        notifyAll();
    }

    /** Whether none may begin any more. */
    synchronized boolean isStopped() {
        return stopped;
    }

    /**
     * Waits until all are done.
     *
     * @return whether they are
     */
    synchronized boolean await(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!unfinished.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private void schedule(Repair repair, long delayMillis) {
        try {
            var unused = threads.get().schedule(() -> run(repair), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The server goes down; compactions find the same again elsewhere.
            unfinished.remove(repair.family, repair);
        }
    }

    private void run(Repair repair) {
        if (!isWanted(repair)) {
            return;
        }
        try {
            // Asked again and again while it reads, which may take hours: it ends soon when the region closes.
            repair.work.run(() -> !isWanted(repair));
            finish(repair);
        } catch (IOException | RuntimeException | Error e) {
            tryAgain(repair, e);
        }
    }

    private synchronized boolean isWanted(Repair repair) {
        return unfinished.get(repair.family) == repair;
    }

    private synchronized void finish(Repair repair) {
        if (isWanted(repair)) {
            // Under the lock: a compaction that cancels this repair says afterwards what is repaired, and must have the
            // last word.
            repair.finished.run();
            unfinished.remove(repair.family);
            notifyAll();
        }
    }

    private synchronized void tryAgain(Repair repair, Throwable e) {
        if (isWanted(repair)) {
            LOG.warn(
                    "obsolete entries could not be removed after a compaction; next try in {} ms",
                    repair.pauseMillis,
                    e);
            metrics.add(Metrics.Count.REPAIR_RETRIES, 1);
            schedule(repair, repair.pauseMillis);
            repair.pauseMillis = Retry.REPAIR.after(repair.pauseMillis);
        }
    }
}
