package io.leeway.lazytables.internal.local;

import io.leeway.lazytables.internal.net.NetworkThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread that runs tasks in their order; tasks that come after it was closed are dropped.
 *
 * <p>What stands for a network thread where there is no network.
 */
public final class TaskThread implements NetworkThread, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(TaskThread.class.getName());
    /** For the task that runs; a daemon, so that one that hangs does not keep the process. */
    private static final long CLOSE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor executor;

    public TaskThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            // Closed: nobody waits for the task.
        }
    }

    @Override
    public void executeAfter(Runnable task, long delayNanos) {
        try {
            var unused = executor.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed: nobody waits for the task.
        }
    }

    /** What a task throws would end in a future that nobody looks at. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "A task failed", e);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdown();
        try {
            executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
