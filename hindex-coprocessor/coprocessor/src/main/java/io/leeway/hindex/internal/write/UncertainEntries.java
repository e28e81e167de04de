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
    private static final long BEHIND_MILLIS = 1_000;

    private final RegionInfo region;
    private final SharedSender sender;
    private final Watermarks watermarks;
    private final Others others;
    private final Sweeper sweeper;
    private final Duration pause;
    private final Duration delay;
    private final Map<IndexPlan, Mark> marks = new HashMap<>();

    private Running current = new Running();
    private final List<Running> earlier = new ArrayList<>();
    private final UnsyncedWrites unsynced = new UnsyncedWrites();
    private final List<Future<?>> scheduled = new ArrayList<>();
    private long kept = NONE;
    private long sweepsAsked;
    private final Set<IndexPlan> unswept = ConcurrentHashMap.newKeySet();
    private long sweptFrom = NONE;
    private long sweptAsked;
    private boolean isSweeping;
    private boolean wasWritten;
    private boolean isScheduled;
    private long readRetryMillis = Retry.UNCERTAIN.firstMillis();
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

    /** Writes that failed, and loads. */
    public interface Others {
        /** Whether they have left nothing that is still to be looked at. */
        boolean areSettled();

        /**
         * The lowest timestamp of what was left since the last question and nobody remembers; {@link Long#MAX_VALUE} if there
         * is nothing.
         */
        long takeForgotten();
    }

    /** Removes what no row bears out. */
    @FunctionalInterface
    public interface Sweeper {
        /**
         * Looks at all entries of the region's rows from a timestamp on, until it is stopped; where the last one, from the same
         * timestamp, did not come to the end, it goes on there.
         *
         * @return whether all were looked at, and those without rows removed
         */
        boolean sweep(IndexPlan index, long from, BooleanSupplier isStopped) throws IOException;
    }

    /** Batches that began between two raises. */
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

    /** Of one index: what its table says. */
    private final class Mark {

        private final IndexPlan index;
        private final Turns turns = new Turns(sender.timeoutMillis());
        private boolean isKnown;

        /** The table says this, or less: entries from it on will be looked at. */
        private volatile long stored = NONE;

        /** Whether it may say less, since it could not be told. */
        private volatile boolean isBehind;

        Mark(IndexPlan index) {
            this.index = index;
        }

        /** What an earlier life has left must not be lost. */
        void read() throws IOException {
            turns.take(this::readOnce);
        }

        private void readOnce() throws IOException {
            if (!isKnown) {
                long left = sender.askAsServer(index.table(), connection -> watermarks.read(connection, index));
                if (left != NONE) {
                    // Perhaps it is that of a region which this one was a part of.
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

        void require(long lowest) throws IOException {
            if (lowest < stored) {
                turns.take(() -> lower(lowest));
            }
        }

        private void lower(long lowest) throws IOException {
            readOnce();
            if (lowest < stored) {
                store(lowest);
            }
        }

        void raise(boolean mayEnd) throws IOException {
            turns.take(() -> raiseIfHigher(mayEnd));
        }

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

        /** If it fails, either may be there: only the higher of the two is sure to be covered. */
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

    /** Reads what an earlier life has left, and has it looked at. */
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

    /** Before entries are sent that follow after their writes, perhaps after failed ones. */
    public void send(Collection<NewEntry> entries) throws IOException {
        long from = lowestUncertain();
        List<NewEntry> uncertain = entries.stream()
                .filter(each -> each.entry().timestamp() >= from)
                .toList();
        if (!uncertain.isEmpty()) {
            require(uncertain, List.of(), lowest(uncertain, List.of()));
        }
    }

    private synchronized Begun begin(long lowest, boolean isUnsynced) {
        current.number++;
        current.lowest = Math.min(current.lowest, lowest);
        if (isUnsynced) {
            unsynced.begin();
        }
        written();
        return new Begun(current, lowest, isUnsynced);
    }

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

    /** After a batch; if it is uncertain what became of it, after it was told to those who look at its entries. */
    synchronized void end(Begun batch, boolean isCertain) {
        if (!isCertain) {
            kept = Math.min(kept, batch.lowest);
        }
        if (batch.isUnsynced) {
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
     * @param unfindable entries that are there and that nobody finds any more when the load has ended, unless he is told
     */
    public void load(Collection<NewEntry> entries, Collection<Entry> unfindable) throws IOException {
        long lowest = lowest(entries, unfindable);
        synchronized (this) {
            kept = Math.min(kept, lowest);
            written();
        }
        require(entries, unfindable, lowest);
    }

    /** A load has ended, and its entries may be in vain. */
    public synchronized void loadFailed() {
        askForSweep(kept);
    }

    /** Entries from a timestamp on may be left without rows, and nobody remembers which; none, if it is the highest number. */
    public void lookFrom(long timestamp) {
        if (timestamp != NONE) {
            askForSweep(timestamp);
            schedule(this::threads, this::note, 0);
        }
    }

    /** The index's table says so, should the server be killed. */
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
     * @return its number
     */
    public long flushing() {
        return unsynced.flushing();
    }

    /** After it, if nothing was left in memory of what was there before. */
    public void flushed(long number) {
        unsynced.flushed(number);
    }

    private long limit(boolean mayEnd) {
        long lowest = lowestUncertain();
        return lowest == NONE && mayEnd ? NONE : Math.min(lowest, System.currentTimeMillis() - BEHIND_MILLIS);
    }

    private synchronized long lowestUncertain() {
        long lowest = Math.min(kept, current.number > 0 ? current.lowest : NONE);
        for (Running each : earlier) {
            lowest = Math.min(lowest, each.number > 0 ? each.lowest : NONE);
        }
        return Math.min(lowest, unsynced.lowest());
    }

    private void raise() {
        if (stopped) {
            return;
        }
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

    /** Whether nothing was written since the last one. */
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
            unswept.addAll(marks.keySet());
            sweptFrom = kept;
            sweptAsked = sweepsAsked;
        }
    }

    private void sweep() {
        beginSweep();
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
                isSweeping = false;
                written();
            }
        }
    }

    /** Whether nothing of an earlier life is left to look at, and all is certain that was written; for tests. */
    public synchronized boolean isSettled() {
        return !isSweeping && marks.values().stream().allMatch(Mark::saysNothing);
    }

    private ScheduledExecutorService threads() {
        return sender.background(region.getTable());
    }

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
     * Ends the work. Where the index does not answer at once, what its table says stays, and the next life of the region looks at
     * more than it has to: a server that stops, with its indexes, must not wait for them.
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
        if (!inPeace || !isNoted && isCertain || !sender.isAnswered()) {
            return;
        }
        nextTurn();
        try {
            sender.answered(region.getTable(), Close.UNCERTAIN, () -> {
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
