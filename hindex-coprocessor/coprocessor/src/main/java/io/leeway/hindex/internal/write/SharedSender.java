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
 * One sender for all regions of a region server: connected when the first of them needs it, closed when the last of
 * them is closed. A connection for each region would be hundreds of them, each with threads and a view of where regions
 * are.
 *
 * <p>What a server knows as a whole is kept here too: which removals may still be carried out, which index kept
 * somebody waiting in vain, and how many handlers wait for which table. Thread-safe.
 */
public final class SharedSender {

    /**
     * Entries of removals that failed; some dozens of megabytes with keys of usual length. What is above is not sent.
     */
    private static final int MOST_UNSETTLED = 200_000;

    private final Opener opener;
    private final Handlers handlers;
    private final int timeoutMillis;
    private final UnsettledRemovals unsettled;
    private volatile Metrics metrics;
    /**
     * By {@link System#nanoTime}. One for all indexes: what it saves is time of a server that stops, with all of them.
     */
    private volatile long unansweredAt = Close.longAgo();

    private @Nullable IndexSender sender;
    /** What follows after writes. Four for each table, so that entries of several regions are on their way at once. */
    private final Lanes lanes = new Lanes(4, "hindex entries");
    /** Looking at what failed writes left. */
    private final Lanes cleaners = new Lanes(1, "hindex cleaner");
    /** What compactions leave, and what an index has to be read for. */
    private final Lanes repairs = new Lanes(1, "hindex repair");
    /** Regions that are open. Guarded by this, as is the sender. */
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
     * <p>The skew counts twice. Once in what a removal says: a server whose clock is ahead must not refuse one that is
     * in time. And once more for the sender, who waits until a server whose clock is behind refuses it too.
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
     * @param sharedInJvm what HBase shares between all coprocessors of one class, also those of other servers in the
     *     JVM
     * @param regions of the server, by their encoded names
     * @param configuration of the server, not of a region: of that one, which is put together of several, a copy has
     *     nothing
     */
    public static SharedSender acquire(
            Map<String, Object> sharedInJvm,
            String server,
            Configuration configuration,
            Limits limits,
            IndexSender.Connector connector,
            Function<String, @Nullable Region> regions,
            Metrics metrics) {
        // Also the limits: tables may have settings of their own.
        // A jar that is loaded from two paths has two classes of this name.
        String key = server + " " + limits + "@" + System.identityHashCode(SharedSender.class);
        var shared = (SharedSender) sharedInJvm.computeIfAbsent(
                key,
                none -> new SharedSender(
                        limits,
                        () -> IndexSender.open(configuration, limits, connector, regions),
                        Handlers.of(configuration),
                        metrics));
        // Not within computeIfAbsent: it may be there already. Whoever finds one that was released by its last user
        // wakes it up, as the connection is opened when it is needed.
        synchronized (shared) {
            shared.users++;
            // HBase counts anew when all regions were closed in between.
            shared.metrics = metrics;
        }
        return shared;
    }

    /**
     * Writes entries; returns when all of them are there.
     *
     * <p>Not those of which a removal may still come, see {@link UnsettledRemovals}: that is asked here, on the only
     * way that all entries go.
     */
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

    /**
     * Removes entries; returns when all of them are gone.
     *
     * <p>Whatever comes of the call but success counts as unknown, also an error of the machine: the request may be in
     * the index's hands. The room is asked for first, since what could not be remembered must not be sent.
     */
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

    /**
     * The same with the rights of the server in whatever call this is.
     *
     * <p>Writes ask marks in the thread of a client's call; the client has no rights to those.
     */
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

    /**
     * An index has kept somebody waiting in vain.
     *
     * <p>The next regions that close within {@link Close} do not ask any index.
     */
    void isUnanswered() {
        unansweredAt = System.nanoTime();
    }

    /**
     * What the indexes of a table have to answer within the time that a closing region has for it, or is given up.
     *
     * <p>In a thread of the table, since the call itself has a longer limit than a region that closes may wait. What is
     * given up is interrupted, and harmless if it is carried out: each life of a region writes columns of its own.
     */
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
     * A thread of the server for repairs that compactions leave, and for looking through an index of a table. There is
     * one for each table: it waits for the table's indexes, again and again while they do not answer, and what other
     * tables have to repair must not stand behind that. Nor are there more, so that the repairs of a table never take
     * more than that.
     */
    public synchronized ScheduledExecutorService repairs(TableName base) {
        requireUser();
        return repairs.of(base);
    }

    /** As a pool that has been shut down would say it, which is what callers are prepared for. */
    private void requireUser() {
        if (users == 0) {
            throw new RejectedExecutionException("the last region is closed");
        }
    }

    /**
     * Opened late, for two reasons: a region must not fail to open because the index is not to be reached, and most
     * servers open regions long before they are written. If it fails the next caller tries again.
     */
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
            // Before the connection: what they have in hand would fail and be scheduled again.
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
