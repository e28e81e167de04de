package io.leeway.hindex.internal.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Files that are to be loaded may lie on servers of somebody else's, and HBase's clients of file systems try for minutes, or
 * quarters of an hour, before they give up. Writes and compactions that want to know what the files say do not wait for that:
 * they read in threads of the region's loads. After a read that took too long others fail at once for a while, or until one
 * that waits is answered: each of a compaction's questions would wait as long.
 *
 * A read is never interrupted: that closes the channel of a local file, for all that read it later.
 */
/** Reads of the files of one region's loads, which are waited for with a limit. Thread-safe. */
final class FileReads {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 30;

    private final long patienceNanos;
    private final ThreadPoolExecutor threads;
    private volatile boolean isSilent;
    private volatile long silentSince;

    /** Reads that are waited for so long. */
    FileReads(Duration patience) {
        this.patienceNanos = patience.toNanos();
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    var thread = new Thread(task, "hindex bulk load");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Reads.
     *
     * @throws IOException if it fails, or takes too long, or one that took too long has not been answered yet
     */
    <T> T read(Callable<T> reading) throws IOException {
        if (isSilent && System.nanoTime() - silentSince < patienceNanos) {
            throw silence();
        }
        Future<T> read = threads.submit(() -> {
            try {
                return reading.call();
            } finally {
                isSilent = false;
            }
        });
        try {
            return read.get(patienceNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            read.cancel(false);
            // Those that have not begun are not to wait for a thread.
            threads.purge();
            silentSince = System.nanoTime();
            isSilent = true;
            throw silence();
        } catch (InterruptedException e) {
            read.cancel(false);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a file of a bulk load was read");
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Closes what was read, when it comes to that: nobody waits for it. */
    void closeLater(Closeable read) {
        threads.execute(() -> {
            try {
                read.close();
            } catch (IOException | RuntimeException e) {
                LOG.debug("a file of a bulk load could not be closed", e);
            }
        });
    }

    private IOException silence() {
        return new IOException("a file that is being loaded could not be read within "
                + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms (hindex.write.timeout); try again, and look"
                + " whether the file system it is on answers");
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof IOException io) {
            return io;
        }
        return new IOException("a file that is being loaded could not be read", cause);
    }
}
