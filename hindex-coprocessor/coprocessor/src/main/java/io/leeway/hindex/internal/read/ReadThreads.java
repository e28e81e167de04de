package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.silence.Read;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that fetch pages while applications work on others; they end when there is nothing to do. */
final class ReadThreads {

    /** Of a client's JVM, for all of its queries. They wait for servers, and so cost little. */
    private static final int MOST = 64;

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** When all are busy, who wants a page fetches it: pages wait for nothing but HBase. */
    private static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            0,
            MOST,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            ReadThreads::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());

    private ReadThreads() {}

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "hindex-read-" + COUNT.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    static <T> Future<T> submit(Callable<T> work) {
        return POOL.submit(work);
    }

    /**
     * Waits for what a thread does; throws what it threw. A failure is wrapped, so that the stack trace shows who
     * waited as well; its message stays the same, which callers and users read.
     */
    static <T> T get(Future<T> future, Duration timeout) throws IOException {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw Read.failure(timeout);
        } catch (ExecutionException e) {
            // What an iterator over rows throws when a server does not answer.
            Throwable cause =
                    e.getCause() instanceof UncheckedIOException unchecked ? unchecked.getCause() : e.getCause();
            if (cause instanceof IOException failure) {
                throw new IOException(failure.getMessage(), failure);
            }
            throw new IllegalStateException(cause);
        } catch (CancellationException e) {
            throw new IOException("given up, since the region that asked is closed", e);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while an index was read").initCause(e);
        }
    }
}
