package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.guard.Retries;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.silence.Close;
import io.leeway.hindex.internal.silence.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Guarantee: after a crash, entries without rows are found, however few rows the table has to tell them by.
 *
 * An entry is written before its row. A server that is killed in between leaves it, and nothing in the table says so: the index
 * itself has to be read. So that not all of it must be, the index's table keeps a timestamp for each region: the entries whose
 * rows were not certain when the server died have this one or higher ones. Who writes an entry below it lowers it first; who
 * writes others, which are nearly all, compares two numbers. It is raised now and then, and taken away when the region is at
 * rest or is closed in peace. The next life of the region reads it, and the entries from it on, and has those removed that no
 * row bears out.
 *
 * Uncertain are entries of writes that run; of writes that may be lost with the memory, until the family is flushed; of writes
 * that failed, and of loads, until nothing is left to look at; and those that an earlier life has left, until they were looked at.
 * So are entries that a write makes unfindable for others, until it has removed them.
 *
 * Order: a batch counts as running before it looks at the timestamp; the timestamp is raised, for those who look, before it is
 * asked what runs. So one of the two sees the other.
 */
/**
 * From which timestamps on a region's entries may have no rows. Thread-safe: its lock guards what it has itself, which
 * batches run, and the state of sweeps.
 */
public final class UncertainEntries {

    /** There are none. */
    private static final long NONE = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /**
     * How far the stored timestamp stays behind the present while the region is written: were it raised to now, the
     * next write, whose timestamp may come from a moment ago, would have to lower it again, with a call under its row's
     * lock.
     */
    private static final long BEHIND_MILLIS = 1_000;

    private final RegionInfo region;
    private final SharedSender sender;
    private final Duration pause;
    private final UncertainMarks marks;
    private final RunningBatches running = new RunningBatches();
    private final UnsyncedWrites unsynced = new UnsyncedWrites();
    private final Sweeps sweeps;
    private final List<Future<?>> scheduled = new ArrayList<>();
    /** Whether anything was written since the last raise; when not, the timestamp may go altogether. */
    private boolean wasWritten;
    /** Whether a raise is to come. A region at rest has none, and so no task and no call. */
    private boolean isScheduled;

    private long readRetryMillis = Retry.UNCERTAIN.firstMillis();
    /** Never taken back. Tasks that run meanwhile see it, and leave the rest to the region's next life. */
    private volatile boolean stopped;

    /**
     * For a region.
     *
     * @param pause between two raises
     * @param delay after which nothing arrives any more that a killed server has sent
     */
    public UncertainEntries(
            TablePlan plan,
            RegionInfo region,
            SharedSender sender,
            Sweeps.Others others,
            Sweeps.Sweeper sweeper,
            Duration pause,
            Duration delay) {
        this.region = region;
        this.sender = sender;
        this.pause = pause;
        this.marks = new UncertainMarks(plan, region, sender, this::askForSweep);
        this.sweeps = new Sweeps(marks.indexes(), others, sweeper, delay, this::scheduleSweep);
    }

    /**
     * A batch whose entries have no rows yet.
     *
     * @param lowest its lowest timestamp
     * @param isUnsynced whether its rows may be in memory only, at first
     */
    record Begun(RunningBatches.Generation among, long lowest, boolean isUnsynced) {}

    /**
     * Reads what an earlier life has left, and has it looked at.
     *
     * <p>Not waited for: a region is opened while its index may be on no server yet, and one that waited for the other
     * could be the very one that this thread is to open. The first write waits for the reading instead.
     */
    public void start() {
        if (!marks.indexes().isEmpty()) {
            schedule(this::threads, this::read, 0);
        }
    }

    private void read() {
        try {
            marks.read();
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it was, here and below: nobody else would try again.
            Retries.failed("to read what an earlier life left", region.getRegionNameAsString(), e);
            schedule(this::threads, this::read, readRetryMillis);
            readRetryMillis = Retry.UNCERTAIN.after(readRetryMillis);
        }
    }

    /**
     * Before entries of a batch are written.
     *
     * <p>The batch counts as running before the timestamp is compared, see the order above.
     *
     * @param unfindable entries that are there and that nobody else removes than this batch, when it is written
     * @param isUnsynced whether it may be lost though it is acknowledged
     * @throws IOException if an index does not answer; then the batch has not begun
     */
    Begun begin(Collection<NewEntry> entries, Collection<Entry> unfindable, boolean isUnsynced) throws IOException {
        long lowest = lowest(entries, unfindable);
        Begun begun = begin(lowest, isUnsynced);
        try {
            marks.require(entries, unfindable, lowest);
            return begun;
        } catch (IOException | RuntimeException | Error e) {
            // Also if a class is missing because the jar was replaced: nobody else would end it.
            end(begun, true);
            throw e;
        }
    }

    /**
     * After a batch has failed whose entries follow all the same: they are not sent before the index's table says so.
     *
     * @return what is to be ended when it was told to those who look at its entries
     */
    Begun begin(Collection<NewEntry> entries) {
        return begin(lowest(entries, List.of()), false);
    }

    /**
     * Before entries are sent that follow after their writes, perhaps after failed ones.
     *
     * <p>Most entries in mode async are of writes that stand, whose rows tell them: those need nothing. Only from the
     * lowest uncertain timestamp on one may be of a write that failed, and is covered before it goes.
     */
    public void send(Collection<NewEntry> entries) throws IOException {
        long from = lowestUncertain();
        List<NewEntry> uncertain = entries.stream()
                .filter(each -> each.entry().timestamp() >= from)
                .toList();
        if (!uncertain.isEmpty()) {
            marks.require(uncertain, List.of(), lowest(uncertain, List.of()));
        }
    }

    /** Makes no call and waits for nobody, so that nothing can fail between it and the end that its caller owes. */
    private synchronized Begun begin(long lowest, boolean isUnsynced) {
        var begun = new Begun(running.begin(lowest), lowest, isUnsynced);
        if (isUnsynced) {
            unsynced.begin();
        }
        written();
        return begun;
    }

    /** There is at most one raise to come, however much is written: so an index gets one small write in each pause. */
    private void written() {
        wasWritten = true;
        if (!isScheduled) {
            isScheduled = true;
            schedule(this::threads, this::raise, pause.toMillis());
        }
    }

    private static long lowest(Collection<NewEntry> entries, Collection<Entry> unfindable) {
        long lowest = NONE;
        for (NewEntry each : entries) {
            lowest = Math.min(lowest, each.entry().timestamp());
        }
        for (Entry each : unfindable) {
            lowest = Math.min(lowest, each.timestamp());
        }
        return lowest;
    }

    /**
     * After a batch; if it is uncertain what became of it, after it was told to those who look at its entries.
     *
     * <p>What is not certain is kept, before the batch stops counting, so that no raise in between passes it.
     */
    synchronized void end(Begun batch, boolean isCertain) {
        if (!isCertain) {
            sweeps.keep(batch.lowest);
        }
        if (batch.isUnsynced) {
            // Only now do its cells stand before the next flush for sure.
            unsynced.end(batch.lowest);
        }
        batch.among.end();
    }

    /** Whether the region has in memory what may be lost though it was acknowledged. */
    public boolean hasUnsynced() {
        return !unsynced.isEmpty();
    }

    /**
     * Before entries of a load are written, which are uncertain until it has ended.
     *
     * <p>A load takes minutes and may end in another call than it began in, so it is not counted as running but kept,
     * until nothing is left of loads, see {@link Sweeps.Others#areSettled}.
     *
     * @param unfindable entries that are there and that nobody finds any more when the load has ended, unless he is
     *     told
     */
    public void load(Collection<NewEntry> entries, Collection<Entry> unfindable) throws IOException {
        long lowest = lowest(entries, unfindable);
        synchronized (this) {
            sweeps.keep(lowest);
            written();
        }
        marks.require(entries, unfindable, lowest);
    }

    /**
     * A load has ended, and its entries may be in vain.
     *
     * <p>What it wrote is known by its timestamps only: there may be millions of entries, more than anybody remembers.
     */
    public synchronized void loadFailed() {
        sweeps.ask(sweeps.kept());
    }

    /**
     * Entries from a timestamp on may be left without rows, and nobody remembers which; none, if it is the highest
     * number.
     */
    public void lookFrom(long timestamp) {
        if (timestamp != NONE) {
            askForSweep(timestamp);
            schedule(this::threads, this::note, 0);
        }
    }

    /** The index's table says so, should the server be killed before the sweep has been through. */
    private void note() {
        try {
            marks.require(this::lowestUncertain);
        } catch (IOException | RuntimeException | Error e) {
            // The sweep begins with it once more.
            Retries.failed("to store what is not certain", region.getRegionNameAsString(), e);
        }
    }

    /**
     * Before a flush takes what is in memory.
     *
     * <p>Flushes are numbered, since a write that ends while one is at work may have come too late for it.
     *
     * @return its number
     */
    public long flushing() {
        return unsynced.flushing();
    }

    /** After it, if nothing was left in memory of what was there before. */
    public void flushed(long number) {
        unsynced.flushed(number);
    }

    /**
     * What the table may say now. Without a rest it never says "nothing", even where nothing is uncertain: the next
     * write would have to lower it at once, and so each after a pause.
     */
    private long limit(boolean mayEnd) {
        long lowest = lowestUncertain();
        return lowest == NONE && mayEnd ? NONE : Math.min(lowest, System.currentTimeMillis() - BEHIND_MILLIS);
    }

    /** The lowest of the three kinds: kept, running, in memory only. */
    private synchronized long lowestUncertain() {
        return Math.min(Math.min(sweeps.kept(), running.lowest()), unsynced.lowest());
    }

    /**
     * Now and then, in a thread of the table's. It ends by itself when the region is at rest and the table says nothing
     * of it.
     */
    private void raise() {
        if (stopped) {
            return;
        }
        // Before the marks: a batch that begins from here on belongs to the next generation, and prevents the end then.
        boolean mayEnd = nextTurn();
        try {
            marks.raise(() -> limit(mayEnd));
        } catch (IOException | RuntimeException | Error e) {
            // What is stored holds.
            Retries.failed("to store what is certain", region.getRegionNameAsString(), e);
        }
        synchronized (this) {
            isScheduled = wasWritten || !marks.sayNothing();
            if (isScheduled) {
                schedule(this::threads, this::raise, pause.toMillis());
            }
        }
    }

    /**
     * Ends a generation of batches.
     *
     * @return whether nothing was written since the last one
     */
    private synchronized boolean nextTurn() {
        boolean isAtRest = !wasWritten;
        wasWritten = false;
        running.endGeneration();
        sweeps.settle();
        return isAtRest;
    }

    private synchronized void askForSweep(long from) {
        sweeps.ask(from);
    }

    private void scheduleSweep(long millis) {
        schedule(() -> sender.repairs(region.getTable()), this::sweep, millis);
    }

    /**
     * One attempt, in the table's one thread for repairs: it waits for the index, which other tables' repairs must not
     * do.
     */
    private void sweep() {
        synchronized (this) {
            sweeps.begin();
        }
        // First: a kill during the sweep must leave what the sweep was to look at.
        note();
        boolean isDone = sweeps.look(region.getRegionNameAsString(), () -> stopped);
        synchronized (this) {
            if (sweeps.end(isDone)) {
                // What was kept may go at the next raise, so there has to be one.
                written();
            }
        }
    }

    /** Whether nothing of an earlier life is left to look at, and all is certain that was written; for tests. */
    public synchronized boolean isSettled() {
        return hasSwept() && marks.sayNothing();
    }

    /** Whether nothing is left to look for, of an earlier life or of what nobody remembers; for tests. */
    public synchronized boolean hasSwept() {
        return sweeps.areOver() && marks.areKnown();
    }

    private ScheduledExecutorService threads() {
        return sender.background(region.getTable());
    }

    /** Keeps what it schedules, so that {@link #stop} can take it back; what is done already is forgotten. */
    private synchronized void schedule(Supplier<ScheduledExecutorService> threads, Runnable task, long millis) {
        try {
            if (!stopped) {
                scheduled.removeIf(Future::isDone);
                scheduled.add(threads.get().schedule(task, millis, TimeUnit.MILLISECONDS));
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("the server stops; the next one goes on");
        }
    }

    /**
     * Ends the work. Where the index does not answer at once, what its table says stays, and the next life of the
     * region looks at more than it has to: a server that stops, with its indexes, must not wait for them.
     *
     * @param inPeace whether all that was in memory is in files now
     */
    public void stop(boolean inPeace) {
        stopped = true;
        synchronized (this) {
            // A sweep that waits would keep the region in memory. One that is at work ends by itself.
            scheduled.forEach(each -> each.cancel(false));
        }
        boolean isNoted = !marks.sayNothing();
        boolean isCertain = lowestUncertain() == NONE;
        // In peace means that all is in files: only then can nothing be lost, and the mark go. The second case is the
        // region that was read only. The third is a server that stops together with its indexes: each region would wait
        // a second.
        if (!inPeace || !isNoted && isCertain || !sender.isAnswered()) {
            return;
        }
        // Ends the last generation, whose batches are over as HBase lets none in any more.
        nextTurn();
        try {
            sender.answered(region.getTable(), Close.UNCERTAIN, () -> {
                // Down first where something is left to look at, then up: the next life begins where it must and
                // nowhere else.
                marks.require(this::lowestUncertain);
                marks.raise(() -> limit(true));
                return region;
            });
        } catch (IOException | RuntimeException e) {
            LOG.debug("what is certain of {} could not be stored", region.getRegionNameAsString(), e);
        }
    }
}
