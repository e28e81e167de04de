package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.silence.Close;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.jspecify.annotations.Nullable;

/**
 * One sender for all regions of a region server: connected when the first of them needs it, closed when the last of them
 * is closed. Thread-safe.
 */
public final class SharedSender {

    private static final int MOST_UNSETTLED = 200_000;

    private final Opener opener;
    private final Handlers handlers;
    private final int timeoutMillis;
    private final UnsettledRemovals unsettled;
    private volatile Metrics metrics;
    private volatile long unansweredAt = Close.longAgo();
    private @Nullable IndexSender sender;
    private final Lanes lanes = new Lanes(4, "hindex entries");
    private final Lanes cleaners = new Lanes(1, "hindex cleaner");
    private final Lanes repairs = new Lanes(1, "hindex repair");
    private int users;

    private SharedSender(Limits limits, Opener opener, Handlers handlers, Metrics metrics) {
        this.opener = opener;
        this.handlers = handlers;
        this.timeoutMillis = limits.timeoutMillis();
        this.unsettled = new UnsettledRemovals(
                MOST_UNSETTLED, TimeUnit.MILLISECONDS.toNanos(limits.unsettledMillis()), System::nanoTime);
        this.metrics = metrics;
    }

    /** Opens the sender. */
    @FunctionalInterface
    private interface Opener {
        /** A new sender. */
        IndexSender open() throws IOException;
    }

    /**
     * How long calls take.
     *
     * @param timeoutMillis after which a call is given up
     * @param skewMillis by which the clocks of two servers may differ
     */
    public record Limits(int timeoutMillis, long skewMillis) {

        /** How long after it was sent a removal may be carried out, by the sender's clock. */
        long removalLifeMillis() {
            return timeoutMillis + skewMillis;
        }

        /** After that no server carries it out, whatever its clock says. */
        long unsettledMillis() {
            return removalLifeMillis() + skewMillis;
        }
    }

    /**
     * The sender of one server; to be released.
     *
     * @param sharedInJvm what HBase shares between all coprocessors of one class, also those of other servers in the JVM
     * @param regions of the server, by their encoded names
     * @param configuration of the server, not of a region: of that one, which is put together of several, a copy has nothing
     */
    public static SharedSender acquire(
            Map<String, Object> sharedInJvm,
            String server,
            Configuration configuration,
            Limits limits,
            IndexSender.Connector connector,
            Function<String, @Nullable Region> regions,
            Metrics metrics) {
        // A jar that is loaded from two paths has two classes of this name.
        String key = server + " " + limits + "@" + System.identityHashCode(SharedSender.class);
        var shared = (SharedSender) sharedInJvm.computeIfAbsent(
                key,
                none -> new SharedSender(
                        limits,
                        () -> IndexSender.open(configuration, limits, connector, regions),
                        Handlers.of(configuration),
                        metrics));
        synchronized (shared) {
            shared.users++;
            // HBase counts anew when all regions were closed in between.
            shared.metrics = metrics;
        }
        return shared;
    }

    /** Writes entries; returns when all of them are there. */
    public void put(Collection<NewEntry> entries) throws IOException {
        put(entries, IndexSender::put);
    }

    /** The same for those of a write that a handler has in hand. */
    void putOfWrite(Collection<NewEntry> entries) throws IOException {
        put(entries, IndexSender::putOfWrite);
    }

    /** How entries are written. */
    @FunctionalInterface
    private interface Way {
        void put(IndexSender sender, Collection<NewEntry> entries) throws IOException;
    }

    private void put(Collection<NewEntry> entries, Way way) throws IOException {
        unsettled.requireSettled(entries);
        counted(Metrics.Count.PUTS, entries.size(), () -> way.put(sender(), entries));
    }

    /** Removes entries; returns when all of them are gone. */
    public void delete(Collection<Entry> entries) throws IOException {
        unsettled.requireRoom(entries.size());
        boolean isGone = false;
        try {
            counted(Metrics.Count.REMOVALS, entries.size(), () -> sender().delete(entries));
            isGone = true;
        } finally {
            if (!isGone) {
                unsettled.add(entries);
            }
        }
    }

    /** What is counted. */
    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }

    private void counted(Metrics.Count count, int entries, Call call) throws IOException {
        try {
            call.run();
            metrics.add(count, entries);
        } catch (IOException e) {
            metrics.add(Metrics.Count.FAILURES, 1);
            throw e;
        }
    }

    /** The handlers that may wait for the indexes of a table. */
    public Handlers.OfTable handlers(TableName base) {
        return handlers.of(base);
    }

    /** After which a call is given up. */
    int timeoutMillis() {
        return timeoutMillis;
    }

    /** Asks an index table, within the same time limits. */
    public <T> T ask(TableName index, IndexSender.Question<T> question) throws IOException {
        return sender().ask(index, question);
    }

    /** The same with the rights of the server in whatever call this is. */
    <T> T askAsServer(TableName index, IndexSender.Question<T> question) throws IOException {
        try {
            IndexSender open = sender();
            return open.asServer(() -> open.ask(index, question));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while an index table was asked", e);
        }
    }

    /** Whether no index kept somebody waiting in vain a moment ago, see {@link #answered}. */
    boolean isAnswered() {
        return Close.mayBeAnswered(unansweredAt);
    }

    /** An index has kept somebody waiting in vain. */
    void isUnanswered() {
        unansweredAt = System.nanoTime();
    }

    /** What the indexes of a table have to answer within the time that a closing region has for it, or is given up. */
    <T> T answered(TableName base, Close close, Callable<T> call) throws IOException {
        Future<T> answer = background(base).submit(call);
        try {
            return answer.get(close.millis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            unansweredAt = System.nanoTime();
            throw new IOException("an index did not answer within " + close.millis() + " ms", e);
        } catch (ExecutionException e) {
            unansweredAt = System.nanoTime();
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while an index was asked", e);
        } finally {
            answer.cancel(true);
        }
    }

    /** Threads of the server for what follows after writes to a table: those of others never wait for its indexes. */
    synchronized ScheduledExecutorService background(TableName base) {
        requireUser();
        return lanes.of(base);
    }

    /** A thread of the server for what nobody waits for of a table, and what may itself wait long for its indexes. */
    public synchronized ScheduledExecutorService cleaner(TableName base) {
        requireUser();
        return cleaners.of(base);
    }

    /**
     * A thread of the server for repairs that compactions leave, and for looking through an index of a table. There is one for
     * each table: it waits for the table's indexes, again and again while they do not answer, and what other tables have to
     * repair must not stand behind that. Nor are there more, so that the repairs of a table never take more than that.
     */
    public synchronized ScheduledExecutorService repairs(TableName base) {
        requireUser();
        return repairs.of(base);
    }

    private void requireUser() {
        if (users == 0) {
            throw new RejectedExecutionException("the last region is closed");
        }
    }

    private synchronized IndexSender sender() throws IOException {
        if (users == 0) {
            throw new IOException("the last region with an index is closed");
        }
        if (sender == null) {
            sender = opener.open();
        }
        return sender;
    }

    /** Ends one use. */
    public synchronized void release() throws IOException {
        users--;
        if (users == 0) {
            lanes.end();
            cleaners.end();
            repairs.end();
        }
        if (users == 0 && sender != null) {
            IndexSender last = sender;
            sender = null;
            last.close();
        }
    }
}
