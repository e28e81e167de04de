package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.guard.Retries;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.silence.Close;
import io.leeway.hindex.internal.silence.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;
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
 * What an index's table says of a region is asked and changed in turns, which writes wait for with a limit: see Turns.
 *
 * Order: a batch counts as running before it looks at the timestamp; the timestamp is raised, for those who look, before it is
 * asked what runs. So one of the two sees the other.
 */
/** From which timestamps on a region's entries may have no rows. Thread-safe. */
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
    private final Watermarks watermarks;
    private final Others others;
    private final Sweeper sweeper;
    private final Duration pause;
    private final Duration delay;
    private final Map<IndexPlan, Mark> marks = new HashMap<>();

    /**
     * Batches that began since the last raise. They are counted by generation, so that a batch costs two additions and
     * no map.
     */
    private Running current = new Running();
    /**
     * Generations before that still have batches: one that waits long keeps its own lowest timestamp, not that of all
     * after it.
     */
    private final List<Running> earlier = new ArrayList<>();

    private final UnsyncedWrites unsynced = new UnsyncedWrites();
    private final List<Future<?>> scheduled = new ArrayList<>();
    /**
     * The lowest timestamp of what ended without being certain. It has no end of its own: it goes when nothing is left
     * to look at.
     */
    private long kept = NONE;
    /** A number, so that a sweep at its end sees whether it was asked for again since it began. */
    private long sweepsAsked;
    /** The indexes that the sweep at work has not been through; kept over its attempts. */
    private final Set<IndexPlan> unswept = ConcurrentHashMap.newKeySet();
    /**
     * Where the sweep at work began; the same for all its attempts, as the sweeper goes on where it stopped only then.
     */
    private long sweptFrom = NONE;

    private long sweptAsked;
    /** From when a sweep is asked for until it has come to its end, over all its attempts and pauses. */
    private boolean isSweeping;
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
            Others others,
            Sweeper sweeper,
            Duration pause,
            Duration delay) {
        this.region = region;
        this.sender = sender;
        this.watermarks = new Watermarks(region, Watermarks.Kind.UNCERTAIN);
        this.others = others;
        this.sweeper = sweeper;
        this.pause = pause;
        this.delay = delay;
        plan.indexes().forEach(index -> marks.put(index, new Mark(index)));
    }

    /**
     * Writes that failed, and loads.
     *
     * <p>They remember on their own what they have to look at, and this asks them only whether the timestamp may pass
     * it.
     */
    public interface Others {
        /** Whether they have left nothing that is still to be looked at. */
        boolean areSettled();

        /**
         * The lowest timestamp of what was left since the last question and nobody remembers; {@link Long#MAX_VALUE} if
         * there is nothing.
         *
         * <p>Taken, not only read: who asks answers for it from then on.
         */
        long takeForgotten();
    }

    /**
     * Removes what no row bears out.
     *
     * <p>Called by one thread at a time, that of the table's repairs.
     */
    @FunctionalInterface
    public interface Sweeper {
        /**
         * Looks at all entries of the region's rows from a timestamp on, until it is stopped; where the last one, from
         * the same timestamp, did not come to the end, it goes on there.
         *
         * @return whether all were looked at, and those without rows removed
         */
        boolean sweep(IndexPlan index, long from, BooleanSupplier isStopped) throws IOException;
    }

    /** Batches that began between two raises. Guarded by the object around it. */
    private static final class Running {
        private int number;
        private long lowest = NONE;
    }

    /**
     * A batch whose entries have no rows yet.
     *
     * @param lowest its lowest timestamp
     * @param isUnsynced whether its rows may be in memory only, at first
     */
    record Begun(Running among, long lowest, boolean isUnsynced) {}

    /**
     * Of one index: what its table says. What is stored is changed in turns only, but compared without one: nearly all
     * writes find that they are above it and go on.
     */
    private final class Mark {

        private final IndexPlan index;
        private final Turns turns = new Turns(sender.timeoutMillis());
        private volatile boolean isKnown;

        /** The table says this, or less: entries from it on will be looked at. */
        private volatile long stored = NONE;

        // Without this a store that failed on the way up would never be repeated, as nothing seems left to raise.
        /** Whether it may say less, since it could not be told. */
        private volatile boolean isBehind;

        Mark(IndexPlan index) {
            this.index = index;
        }

        /** What an earlier life has left must not be lost. */
        void read() throws IOException {
            turns.take(this::readOnce);
        }

        /**
         * The first thing of every life, before anything is written: a write that stored its own timestamp first would
         * cover up what an earlier life has left.
         */
        private void readOnce() throws IOException {
            if (!isKnown) {
                long left = sender.askAsServer(index.table(), connection -> watermarks.read(connection, index));
                if (left != NONE) {
                    // Perhaps it is that of a region which this one was a part of.
                    // At once, under the own name: the region that it came from may be taken away when all who need it
                    // have stored theirs.
                    store(left);
                    askForSweep(left);
                }
                isKnown = true;
            }
        }

        /** What it has read is covered by what it has stored. */
        void removeGone() throws IOException {
            sender.askAsServer(index.table(), connection -> {
                watermarks.removeGone(connection, index);
                return index;
            });
        }

        /**
         * What the table says is at most this when it returns. Asked first without a turn, as nearly always nothing is
         * to be done.
         */
        void require(long lowest) throws IOException {
            if (lowest < stored) {
                turns.take(() -> lower(lowest));
            }
        }

        /** Asks again, now in a turn: who was before may have lowered it for this one too. */
        private void lower(long lowest) throws IOException {
            readOnce();
            if (lowest < stored) {
                store(lowest);
            }
        }

        void raise(boolean mayEnd) throws IOException {
            turns.take(() -> raiseIfHigher(mayEnd));
        }

        /**
         * Raises what the table says to what is certain now. Writes look at the number without a turn, so it is raised
         * in two steps: first here, for those who look; then it is asked again what runs. A batch that looked before
         * counts as running and is seen by the second question; one that looks afterwards finds itself below and takes
         * a turn, which it gets when this is over.
         */
        private void raiseIfHigher(boolean mayEnd) throws IOException {
            long before = stored;
            long limit = limit(mayEnd);
            if (limit < before || limit == before && !isBehind) {
                return;
            }
            stored = limit;
            limit = Math.min(limit, limit(mayEnd));
            if (limit < before) {
                stored = before;
            } else {
                store(limit);
            }
        }

        boolean saysNothing() {
            return stored == NONE && !isBehind;
        }

        /**
         * If it fails, either may be there: only the higher of the two is sure to be covered.
         *
         * <p>So the higher one is noted before the call, and the new one after it. A failure leaves the higher one:
         * writes below it lower it again, though it may be for nothing.
         */
        private void store(long timestamp) throws IOException {
            stored = Math.max(stored, timestamp);
            isBehind = true;
            sender.askAsServer(index.table(), connection -> {
                watermarks.write(connection, index, timestamp);
                return index;
            });
            stored = timestamp;
            isBehind = false;
        }
    }

    /**
     * Reads what an earlier life has left, and has it looked at.
     *
     * <p>Not waited for: a region is opened while its index may be on no server yet, and one that waited for the other
     * could be the very one that this thread is to open. The first write waits for the reading instead.
     */
    public void start() {
        if (!marks.isEmpty()) {
            schedule(this::threads, this::read, 0);
        }
    }

    private void read() {
        try {
            for (Mark mark : marks.values()) {
                mark.read();
            }
            // After all indexes were read: of each mark of a region that is gone this one has stored its own by then.
            for (Mark mark : marks.values()) {
                mark.removeGone();
            }
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
            require(entries, unfindable, lowest);
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
            require(uncertain, List.of(), lowest(uncertain, List.of()));
        }
    }

    /** Makes no call and waits for nobody, so that nothing can fail between it and the end that its caller owes. */
    private synchronized Begun begin(long lowest, boolean isUnsynced) {
        current.number++;
        current.lowest = Math.min(current.lowest, lowest);
        if (isUnsynced) {
            unsynced.begin();
        }
        written();
        return new Begun(current, lowest, isUnsynced);
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
     * The lowest of all holds for each index of the batch: one comparison each, where telling them apart would need a
     * map.
     */
    private void require(Collection<NewEntry> entries, Collection<Entry> unfindable, long lowest) throws IOException {
        IndexPlan last = null;
        for (NewEntry each : entries) {
            last = require(each.entry(), lowest, last);
        }
        for (Entry each : unfindable) {
            last = require(each, lowest, last);
        }
    }

    private IndexPlan require(Entry entry, long lowest, @Nullable IndexPlan last) throws IOException {
        IndexPlan index = entry.index();
        if (index != last) {
            Objects.requireNonNull(marks.get(index), "an index of another table")
                    .require(lowest);
        }
        return index;
    }

    /**
     * After a batch; if it is uncertain what became of it, after it was told to those who look at its entries.
     *
     * <p>What is not certain is kept, before the batch stops counting, so that no raise in between passes it.
     */
    synchronized void end(Begun batch, boolean isCertain) {
        if (!isCertain) {
            kept = Math.min(kept, batch.lowest);
        }
        if (batch.isUnsynced) {
            // Only now do its cells stand before the next flush for sure.
            unsynced.end(batch.lowest);
        }
        batch.among.number--;
    }

    /** Whether the region has in memory what may be lost though it was acknowledged. */
    public boolean hasUnsynced() {
        return !unsynced.isEmpty();
    }

    /**
     * Before entries of a load are written, which are uncertain until it has ended.
     *
     * <p>A load takes minutes and may end in another call than it began in, so it is not counted as running but kept,
     * until nothing is left of loads, see {@link Others#areSettled}.
     *
     * @param unfindable entries that are there and that nobody finds any more when the load has ended, unless he is
     *     told
     */
    public void load(Collection<NewEntry> entries, Collection<Entry> unfindable) throws IOException {
        long lowest = lowest(entries, unfindable);
        synchronized (this) {
            kept = Math.min(kept, lowest);
            written();
        }
        require(entries, unfindable, lowest);
    }

    /**
     * A load has ended, and its entries may be in vain.
     *
     * <p>What it wrote is known by its timestamps only: there may be millions of entries, more than anybody remembers.
     */
    public synchronized void loadFailed() {
        askForSweep(kept);
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
            requireAll();
        } catch (IOException | RuntimeException | Error e) {
            // The sweep begins with it once more.
            Retries.failed("to store what is not certain", region.getRegionNameAsString(), e);
        }
    }

    private void requireAll() throws IOException {
        for (Mark mark : marks.values()) {
            mark.require(lowestUncertain());
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

    /** The lowest of the four kinds: kept, running now, running since earlier, in memory only. */
    private synchronized long lowestUncertain() {
        long lowest = Math.min(kept, current.number > 0 ? current.lowest : NONE);
        for (Running each : earlier) {
            lowest = Math.min(lowest, each.number > 0 ? each.lowest : NONE);
        }
        return Math.min(lowest, unsynced.lowest());
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
            for (Mark mark : marks.values()) {
                mark.raise(mayEnd);
            }
        } catch (IOException | RuntimeException | Error e) {
            // What is stored holds.
            Retries.failed("to store what is certain", region.getRegionNameAsString(), e);
        }
        synchronized (this) {
            isScheduled = wasWritten || !marks.values().stream().allMatch(Mark::saysNothing);
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
        earlier.add(current);
        earlier.removeIf(each -> each.number == 0);
        current = new Running();
        // It is told before its batch has ended.
        askForSweep(others.takeForgotten());
        if (!isSweeping && others.areSettled()) {
            kept = NONE;
        }
        return isAtRest;
    }

    /**
     * Has entries from a timestamp on looked at. A sweep that is at work does not begin anew: it may be past that, so
     * another follows it when it has ended. The delay lets arrive what a killed server has sent; before that a sweep
     * would look too early.
     */
    private synchronized void askForSweep(long from) {
        if (from == NONE) {
            return;
        }
        kept = Math.min(kept, from);
        sweepsAsked++;
        if (!isSweeping) {
            isSweeping = true;
            scheduleSweep(delay.toMillis());
        }
    }

    private void scheduleSweep(long millis) {
        schedule(() -> sender.repairs(region.getTable()), this::sweep, millis);
    }

    /** One that did not come to its end goes on as it began: what was asked for meanwhile is looked for after it. */
    private synchronized void beginSweep() {
        if (unswept.isEmpty()) {
            // Taken together: what is asked for from here on raises the number, and so makes another sweep.
            unswept.addAll(marks.keySet());
            sweptFrom = kept;
            sweptAsked = sweepsAsked;
        }
    }

    /**
     * One attempt, in the table's one thread for repairs: it waits for the index, which other tables' repairs must not
     * do.
     */
    private void sweep() {
        beginSweep();
        // First: a kill during the sweep must leave what the sweep was to look at.
        note();
        boolean isDone = false;
        try {
            for (IndexPlan index : List.copyOf(unswept)) {
                if (sweeper.sweep(index, sweptFrom, () -> stopped)) {
                    unswept.remove(index);
                }
            }
            isDone = unswept.isEmpty();
        } catch (IOException | RuntimeException | Error e) {
            Retries.failed("to look at what an earlier life left", region.getRegionNameAsString(), e);
        }
        synchronized (this) {
            if (!isDone) {
                scheduleSweep(Retry.SWEEP.firstMillis());
            } else if (sweptAsked != sweepsAsked) {
                scheduleSweep(delay.toMillis());
            } else {
                // What was kept may go at the next raise, so there has to be one.
                isSweeping = false;
                written();
            }
        }
    }

    /** Whether nothing of an earlier life is left to look at, and all is certain that was written; for tests. */
    public synchronized boolean isSettled() {
        return hasSwept() && marks.values().stream().allMatch(Mark::saysNothing);
    }

    /** Whether nothing is left to look for, of an earlier life or of what nobody remembers; for tests. */
    public synchronized boolean hasSwept() {
        return !isSweeping && marks.values().stream().allMatch(mark -> mark.isKnown);
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
        boolean isNoted = !marks.values().stream().allMatch(Mark::saysNothing);
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
                requireAll();
                for (Mark mark : marks.values()) {
                    mark.raise(true);
                }
                return region;
            });
        } catch (IOException | RuntimeException e) {
            LOG.debug("what is certain of {} could not be stored", region.getRegionNameAsString(), e);
        }
    }
}
