package io.leeway.lazybase.spi;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Other processes that do tasks for the one that leads. Thread-safe. */
public interface Helpers {

    /**
     * A process that has nothing to do; nobody else gets it before it is closed, which gives it back.
     *
     * @param wait how long to wait for one
     * @return null if there is none
     */
    @Nullable
    Helper take(Duration wait) throws InterruptedException;

    /** One task at a time. For one thread. */
    interface Helper extends Closeable {

        /**
         * Has a task done.
         *
         * @param task of half a megabyte at most
         * @throws IOException if the process ends before, or does not answer; the task may be done by another then, or by both
         */
        byte[] call(byte[] task) throws IOException, InterruptedException;
    }
}
