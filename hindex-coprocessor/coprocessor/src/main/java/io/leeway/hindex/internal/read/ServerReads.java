package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.silence.CallLimits;
import io.leeway.hindex.internal.silence.Read;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.jspecify.annotations.Nullable;

/*
 * A handler that answers a read asks other servers: an index region asks the base, a base region asks the index. Both ask
 * with high priority, so that handlers who themselves wait for nobody serve them; two servers cannot wait for each other.
 *
 * The asking is done by threads of its own. When HBase reads for a connection of the same server, in the thread of a call, it
 * leaves scanners to be closed at the end of that call, but remembers one only. And waiting for a thread can be limited.
 */
/**
 * What the regions of one server need to read elsewhere: opened when first needed, closed with the last. Thread-safe.
 */
public final class ServerReads {

    /** Reads that may wait for a thread; further ones fail at once, and their clients do the work. */
    private static final int QUEUE = 100;
    /** For names of threads only. */
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final RegionCoprocessorEnvironment environment;
    private final Duration timeout;
    private @Nullable Connection connection;
    private @Nullable ThreadPoolExecutor threads;
    private int users;
    /** Until when who can do without others does. Not behind the present at first, so that nothing rests. */
    private volatile long restUntil = System.nanoTime();

    private ServerReads(RegionCoprocessorEnvironment environment, Duration timeout) {
        this.environment = environment;
        this.timeout = timeout;
    }

    /** Reads with a connection. */
    @FunctionalInterface
    public interface Reader<T> {
        /** Reads. */
        T read(Connection connection) throws IOException;
    }

    /**
     * Those of the server that a region is on; to be released.
     *
     * <p>In HBase's map of what regions of one coprocessor class share; by server, since several may run in one
     * process, as in tests, and by time limit.
     */
    public static ServerReads acquire(RegionCoprocessorEnvironment environment, Duration timeout) {
        Map<String, Object> shared = environment.getSharedData();
        // A jar that is loaded from two paths has two classes of this name.
        String key = "reads " + environment.getServerName() + " " + timeout.toMillis() + "@"
                + System.identityHashCode(ServerReads.class);
        var reads = (ServerReads) shared.computeIfAbsent(key, none -> new ServerReads(environment, timeout));
        synchronized (reads) {
            reads.users++;
        }
        return reads;
    }

    /** Whether others did not answer just now: who can do without them should not wait for them. */
    public boolean isAtRest() {
        return System.nanoTime() - restUntil < 0;
    }

    /**
     * Reads, in another thread; waits for the time limit and no longer.
     *
     * <p>A read that is given up is interrupted; what it has found by then is thrown away.
     */
    public <T> T read(Reader<T> reader) throws IOException {
        try {
            Connection open = connection();
            Callable<T> work = () -> reader.read(open);
            return ReadThreads.get(threads().submit(work), timeout);
        } catch (RejectedExecutionException e) {
            throw new IOException("too many reads by indexes on this server at once", e);
        } catch (IOException e) {
            rest();
            throw e;
        }
    }

    /**
     * Unless the read failed because nobody uses this any more, which says nothing about others.
     *
     * <p>The time to rest is one for all: which of the others it was that failed, the exception does not say.
     */
    private synchronized void rest() {
        if (users == 0) {
            return;
        }
        restUntil = Read.restUntil();
        if (connection != null) {
            // HBase's client may be looking for a region that is no more, as IndexSender says.
            connection.clearRegionLocationCache();
        }
    }

    /** As many as handlers, since each handler waits for one at a time. */
    private synchronized ThreadPoolExecutor threads() throws IOException {
        requireUser();
        if (threads == null) {
            int handlers = environment
                    .getConfiguration()
                    .getInt(HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
            int most = Math.max(2, handlers);
            threads =
                    new ThreadPoolExecutor(most, most, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), work -> {
                        var thread = new Thread(work, "hindex-server-read-" + COUNT.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });
            threads.allowCoreThreadTimeOut(true);
        }
        return threads;
    }

    /** One of its own: the server's shared connection has the time limits of ordinary clients, which are minutes. */
    private synchronized Connection connection() throws IOException {
        requireUser();
        if (connection == null) {
            int millis = Math.toIntExact(timeout.toMillis());
            connection = environment.createConnection(
                    CallLimits.of(environment.getConnection().getConfiguration(), millis));
        }
        return connection;
    }

    /** What is opened now would be closed by nobody. */
    private void requireUser() throws IOException {
        if (users == 0) {
            throw new IOException("the region that asks is closed");
        }
    }

    /** Ends one use. */
    public synchronized void release() throws IOException {
        users--;
        if (users == 0) {
            if (threads != null) {
                for (Runnable waiting : threads.shutdownNow()) {
                    if (waiting instanceof Future<?> read) {
                        // Else who waits for it would wait until the limit for what nobody will do.
                        read.cancel(false);
                    }
                }
                threads = null;
            }
            if (connection != null) {
                Connection last = connection;
                connection = null;
                last.close();
            }
        }
    }
}
