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
 * they read in threads of the region's loads. Nor does a load, which has more time: it is tried again. After a read that took too long others fail at once for a while, or until one
 * that waits is answered: each of a compaction's questions would wait as long.
 *
 * A read is never interrupted: that closes the channel of a local file, for all that read it later.
 */
/** Reads of the files of one region's loads, which are waited for with a limit. Thread-safe. */
final class FileReads {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Of a region. What a silent file system keeps are these, and no handler. */
    private static final int THREADS = 4;

    private static final long IDLE_SECONDS = 30;

    private final long patienceNanos;
    private final long loadNanos;
    private final ThreadPoolExecutor threads;
    /** Whether a read took too long and none has been answered since. */
    private volatile boolean isSilent;
    /** Written before the flag, so that who sees the flag sees the time. */
    private volatile long silentSince;

    /**
     * Reads that are waited for so long.
     *
     * @param patience by writes, reads and compactions
     * @param time by the loads themselves
     */
    FileReads(Duration patience, Duration time) {
        this.patienceNanos = patience.toNanos();
        this.loadNanos = time.toNanos();
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
            throw silence(patienceNanos, "hindex.write.timeout");
        }
        try {
            return await(reading, patienceNanos);
        } catch (TimeoutException e) {
            silentSince = System.nanoTime();
            isSilent = true;
            throw silence(patienceNanos, "hindex.write.timeout");
        }
    }

    /**
     * Reads for the load itself.
     *
     * @throws IOException if it fails, or takes too long
     * @throws IllegalArgumentException if the files cannot be indexed
     */
    <T> T readForLoad(Callable<T> reading) throws IOException {
        try {
            return await(reading, loadNanos);
        } catch (TimeoutException e) {
            throw silence(loadNanos, "hindex.load.time");
        } catch (IOException e) {
            if (e.getCause() instanceof IllegalArgumentException bad) {
                throw bad;
            }
            throw e;
        }
    }

    /**
     * The same; what comes of it when nobody waits any more is closed.
     *
     * <p>It may be opened when the load has given up: nobody else would close it.
     */
    <T extends Closeable> T openForLoad(Callable<T> opening) throws IOException {
        var handover = new Handover<T>();
        try {
            return readForLoad(() -> handover.offer(opening.call()));
        } catch (IOException e) {
            handover.giveUp();
            throw e;
        }
    }

    /**
     * From the thread that opens something to the one that waits for it, for a while.
     *
     * <p>Whichever of the two comes last closes what was opened.
     */
    private final class Handover<T extends Closeable> {

        private @Nullable T opened;
        private boolean isGivenUp;

        synchronized T offer(T now) {
            opened = now;
            if (isGivenUp) {
                closeLater(now);
            }
            return now;
        }

        synchronized void giveUp() {
            isGivenUp = true;
            if (opened != null) {
                closeLater(opened);
            }
        }
    }

    /**
     * What was read in vain goes on until the file system's client gives up: its thread is not to be had for so long.
     */
    private <T> T await(Callable<T> reading, long nanos) throws IOException, TimeoutException {
        Future<T> read = threads.submit(() -> {
            try {
                return reading.call();
            } finally {
                isSilent = false;
            }
        });
        try {
            return read.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            read.cancel(false);
            // Those that have not begun are not to wait for a thread.
            threads.purge();
            throw e;
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

    private static IOException silence(long nanos, String option) {
        return new IOException("a file that is being loaded could not be read within "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms (" + option + "); try again, and look"
                + " whether the file system it is on answers");
    }

    /**
     * Others too become one that HBase's callers expect; the load's own are taken out again by {@link #readForLoad}.
     */
    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof IOException io) {
            return io;
        }
        return new IOException("a file that is being loaded could not be read", cause);
    }
}
