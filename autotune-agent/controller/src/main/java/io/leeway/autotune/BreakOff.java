package io.leeway.autotune;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A run that puts things back when the command is broken off: it is interrupted, and the process waits until it is over. */
final class BreakOff implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;

    private BreakOff(Thread running) {
        this.hook = new Thread(() -> {
            running.interrupt();
            try {
                boolean unused = over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** For what this thread does until it is closed. */
    static BreakOff ofThisThread() {
        var breakOff = new BreakOff(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(breakOff.hook);
        return breakOff;
    }

    /** The run is over, and everything is where it should be. */
    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends already.
        }
    }
}
