package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.guard.Retries;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.silence.Close;
import io.leeway.hindex.internal.silence.Retry;
import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Guarantee: an entry follows its acknowledged write, also after a crash, a move, a split or a change of the mode.
 *
 * Only entries whose timestamp the server has just given may follow later; all others are written before, as in mode deferred.
 * Timestamps of one region never go back below a time that its clock was told of. So one number says which entries are
 * written: all below the watermark, which is stored in the index table now and then, after the clock was told of it. The next
 * life of the region reads the rows that got cells since, and writes what they must have, each under its row's lock.
 *
 * Until that is done, and as long as the index table cannot be read, nothing is put off: writes wait as in mode deferred. The
 * same holds for a write that finds no place: that is the back-pressure.
 *
 * Compactions wait for what has a place when they begin: an entry that came after its removal would stay for ever.
 */
/** The entries of a region's indexes in mode async, and what an earlier life of the region left to do. Thread-safe. */
public final class FollowingEntries {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /**
     * Between two writes of the watermark. A longer pause costs a region that is opened after a kill more rows to read.
     */
    private static final long ADVANCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final TablePlan plan;
    /** Indexes that are async now. All indexes are caught up with, since an earlier life may have had another mode. */
    private final List<IndexPlan> following;

    private final RegionInfo region;
    private final RowClock clock;
    private final SharedSender sender;
    private final Watermarks watermarks;
    private final Rows rows;
    private final PendingEntries pending;
    /**
     * Shared from before a batch gets timestamps until its entries have a place; exclusive to read both, see untilWhen.
     */
    private final ReentrantReadWriteLock stamping = new ReentrantReadWriteLock();
    /** Opened once what earlier lives owed is written, and never closed again. */
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    /** Whether this life's watermark is stored. Before that nobody would know where the next life has to begin. */
    private volatile boolean ready;
    /** Whether rows are known to lack entries. It begins as false: until the index table was read nobody knows. */
    private volatile boolean behind;

    private volatile boolean stopped;
    private volatile long retryMillis = Retry.CATCHING_UP.firstMillis();
    private long advancedAt = System.nanoTime() - ADVANCE_NANOS;

    /** For the kept indexes of a region, so many entries of which may wait; each change of their number is told. */
    public FollowingEntries(
            TablePlan plan,
            RegionInfo region,
            RowClock clock,
            SharedSender sender,
            Way way,
            Rows rows,
            int capacity,
            IntConsumer change) {
        this.plan = plan;
        this.following = plan.indexes().stream().filter(IndexPlan::isAsync).toList();
        this.region = region;
        this.clock = clock;
        this.sender = sender;
        this.watermarks = new Watermarks(region, Watermarks.Kind.WRITTEN);
        this.rows = rows;
        this.pending = new PendingEntries(
                capacity, way::send, () -> sender.background(region.getTable()), this::advance, change);
    }

    /** Writes entries. */
    @FunctionalInterface
    public interface Way {
        /** Returns when all of them are there. */
        void send(Collection<NewEntry> entries) throws IOException;
    }

    /** Reads the region's rows again. */
    @FunctionalInterface
    public interface Rows {
        /** Writes the entries of all rows with cells since a time, until it is stopped. */
        void writeSince(IndexPlan index, long time, BooleanSupplier isStopped) throws IOException;
    }

    /** Begins to catch up, in the background: the region serves meanwhile, and its writes wait for their entries. */
    public void start() {
        if (plan.isEmpty()) {
            caughtUp.countDown();
        } else {
            schedule(0);
        }
    }

    private void schedule(long delayMillis) {
        try {
            var unused =
                    sender.background(region.getTable()).schedule(this::catchUp, delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the server stops; the next one catches up");
        }
    }

    /**
     * One attempt, for one index after the other. A mark is written for each when its rows are done, so a later attempt
     * does not read these again. Everything may be done twice: entries have the timestamps of their cells, and writing
     * one again changes nothing.
     */
    private void catchUp() {
        if (stopped) {
            return;
        }
        try {
            for (IndexPlan index : plan.indexes()) {
                long watermark = sender.ask(index.table(), connection -> watermarks.read(connection, index));
                if (watermark != Watermarks.SETTLED) {
                    // Scans that an index answers are promised what HBase shows: none is answered while entries are
                    // missing.
                    behind = true;
                    // Each under its row's lock, so that no write of now comes in between.
                    rows.writeSince(index, watermark, () -> stopped);
                    if (stopped) {
                        return;
                    }
                }
                // From now on this life answers for what it puts off. An index that is not async any more needs no
                // mark.
                if (index.isAsync()) {
                    store(index, untilWhen());
                } else if (watermark != Watermarks.SETTLED) {
                    store(index, Watermarks.SETTLED);
                }
            }
            behind = false;
            ready = !following.isEmpty();
            caughtUp.countDown();
            // Last: regions that this one came from keep their marks until all that they say is done.
            removeGone();
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it was: nobody else would try again.
            Retries.failed("to catch up with the indexes", region.getRegionNameAsString(), e);
            schedule(retryMillis);
            retryMillis = Retry.CATCHING_UP.after(retryMillis);
        }
    }

    /**
     * What split or merged regions left. If it fails, catching up is tried again as a whole, which then finds nothing
     * owed.
     */
    private void removeGone() throws IOException {
        for (IndexPlan index : plan.indexes()) {
            sender.ask(index.table(), connection -> {
                watermarks.removeGone(connection, index);
                return index;
            });
        }
    }

    /**
     * Whether rows of an earlier life are known to lack entries.
     *
     * <p>Ordinary scans ask this before an index answers them.
     */
    public boolean isBehind() {
        return behind;
    }

    /** Waits until what an earlier life of the region left is done. */
    public boolean awaitCaughtUp(long millis) throws InterruptedException {
        return caughtUp.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Waits for all that is owed now, also by an earlier life of the region.
     *
     * <p>A verification would otherwise report what is only late. The earlier life comes first: what it left has no
     * place in this queue.
     *
     * @param timeoutMillis that a call to the index may take
     */
    public void awaitOwed(long timeoutMillis) throws IOException {
        Wait.EARLIER_LIFE.await(timeoutMillis, this::awaitCaughtUp);
        Wait.VERIFICATION.await(timeoutMillis, pending::await);
    }

    /**
     * Whether entries of this index may follow later now.
     *
     * <p>Not before this life's watermark is stored: should the server be killed, nothing would tell the next life to
     * look at the row.
     */
    boolean mayFollow(IndexPlan index) {
        return ready && index.isAsync();
    }

    /** From before a batch has its timestamps until its entries have a place. */
    void beginStamping() {
        stamping.readLock().lock();
    }

    /** By the thread that began: the lock is that thread's. */
    void endStamping() {
        stamping.readLock().unlock();
    }

    /**
     * A place for entries, or null if they must be written now.
     *
     * <p>Called between {@link #beginStamping} and {@link #endStamping}, so that a watermark sees either no timestamp
     * of the batch or its place.
     */
    PendingEntries.@Nullable Ticket reserve(List<NewEntry> entries) {
        return pending.reserve(entries);
    }

    /**
     * After their write: with success they follow.
     *
     * <p>Without it nothing was written, so that the place is free and nothing is owed.
     */
    void end(PendingEntries.Ticket ticket, boolean success) {
        if (success) {
            pending.give(ticket);
        } else {
            pending.giveBack(ticket);
        }
    }

    /**
     * Whether the entry of a write that has ended may be on its way.
     *
     * <p>Those who look at entries without rows, or rows without entries, ask this first: what is on its way is no
     * fault.
     */
    public boolean isOwed(Entry entry) {
        // By the oldest, not by looking for it: now and then one is looked at later than it could be.
        return entry.index().isAsync() && entry.timestamp() >= pending.oldest();
    }

    /**
     * Waits for all that has a place now.
     *
     * @param wait of whom
     * @param timeoutMillis that a call to the index may take
     */
    public void await(Wait wait, long timeoutMillis) throws IOException {
        wait.await(timeoutMillis, pending::await);
    }

    /** How many entries wait. */
    public int size() {
        return pending.size();
    }

    /**
     * What is waiting is written if it can be within this time; else it is for the next life of the region. The index
     * may be on this very server, which may be about to end with all of its regions: so there is one attempt under a
     * limit, and none where an index kept another region waiting in vain a moment ago.
     */
    public void stop(long millis) {
        stopped = true;
        // A region without such indexes has nothing to wait for, and so cannot be kept waiting by any.
        boolean isAnswered = following.isEmpty() || sender.isAnswered();
        boolean settled = false;
        try {
            settled = pending.await(Close.FOLLOWING.millis(millis, isAnswered));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pending.close();
        if (!settled) {
            // For the other regions of a server that stops: a second each would be minutes together.
            sender.isUnanswered();
        } else if (ready && isAnswered) {
            // Settled means for the next life that no row has to be read. Not before this life was ready: the mark of
            // an earlier one may still say that rows have to be.
            settle();
        }
    }

    /** An own step with its own limit: the entries are there, and only the note of it may be missing. */
    private void settle() {
        try {
            sender.answered(region.getTable(), Close.MARK, () -> {
                for (IndexPlan index : following) {
                    store(index, Watermarks.SETTLED);
                }
                return region;
            });
        } catch (IOException | RuntimeException e) {
            LOG.debug("the next life of {} looks at the rows since the last mark", region.getRegionNameAsString(), e);
        }
    }

    /**
     * Stores the watermark, if it was not just done.
     *
     * <p>Called by the threads that send, so it needs no timer, and a region at rest makes no calls.
     */
    private void advance() {
        synchronized (this) {
            // Each costs a write to the index; that it lags makes the next life read a little more.
            if (stopped || System.nanoTime() - advancedAt < ADVANCE_NANOS) {
                return;
            }
            advancedAt = System.nanoTime();
        }
        try {
            long until = untilWhen();
            for (IndexPlan index : following) {
                store(index, until);
            }
        } catch (IOException e) {
            LOG.debug("a watermark could not be stored; the one before holds", e);
        }
    }

    /** Always as the server, in a thread of our own: no caller's rights count here. */
    private void store(IndexPlan index, long watermark) throws IOException {
        sender.ask(index.table(), connection -> {
            watermarks.write(connection, index, watermark);
            return index;
        });
    }

    /**
     * All later timestamps of the region are at least this, and all earlier ones are written.
     *
     * <p>Both are read while no batch is between its timestamps and its place. A batch before has its place, and the
     * oldest of these limits the mark. A batch after gets a timestamp above {@code now}, so not below the mark, which
     * is {@code now + 1} at most.
     */
    private long untilWhen() {
        stamping.writeLock().lock();
        try {
            // The clock first: whoever gets a timestamp after this gets a higher one, and cannot be below the mark.
            long now = System.currentTimeMillis();
            clock.floor(now);
            return Math.min(now + 1, pending.oldest());
        } finally {
            stamping.writeLock().unlock();
        }
    }
}
