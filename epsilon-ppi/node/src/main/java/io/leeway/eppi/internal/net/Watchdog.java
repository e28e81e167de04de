package io.leeway.eppi.internal.net;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends what takes too long. A socket's own limit is one of each read: who sends a byte now and then, or takes nothing of
 * what is written, is not found by it. Thread-safe.
 */
final class Watchdog {

    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private Watchdog() {}

    private static ScheduledThreadPoolExecutor timer() {
        var timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "eppi-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Something that is done now; closed when it is done. */
    static final class Guard implements AutoCloseable {

        private final Future<?> end;

        private Guard(Future<?> end) {
            this.end = end;
        }

        @Override
        public void close() {
            end.cancel(false);
        }
    }

    /** What is to be called if the guard is not closed within the limit. */
    static Guard guard(Duration limit, Runnable end) {
        return new Guard(TIMER.schedule(end, limit.toMillis(), TimeUnit.MILLISECONDS));
    }
}
