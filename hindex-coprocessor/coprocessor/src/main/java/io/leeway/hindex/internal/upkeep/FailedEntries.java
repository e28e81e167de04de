package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.guard.Retries;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.silence.Close;
import io.leeway.hindex.internal.silence.Retry;
import io.leeway.hindex.internal.write.FailedWrites;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Model: HBase tells a batch's end in every case, and whether it succeeded; not what a failure has left. The table knows: so
 * the entries of a batch that failed are looked at a moment later, each under its row's lock, where no write is on its way, and
 * removed unless the row bears them out.
 *
 * Two things may still come then:
 * - The entry itself, if its call failed: a call that was waited for in vain may be carried out all the same. So these are
 *   looked at only after a delay that is longer than such calls live.
 * - The base cell, if the batch was given to the log. When the log fails, HBase does not put the batch into memory, but it may
 *   be in the log's file; after a crash it is read from there, and the row has the cell. So nobody removes such an entry
 *   before its family was flushed: what is older than a flush is not read from the log again. A flush counts that began after
 *   the failure. Another life of the region has read the log, or the last one ended with a flush.
 *
 * An entry that follows after its write may not be there yet: it is looked at when nothing older is on its way.
 *
 * Entries of values that newer ones superseded stay until a flush, too, where the newer ones may be lost though they were
 * acknowledged, see Logging.
 *
 * Entries that a load needs, or would if it succeeded, are looked at when it has ended. Those of deleted values are left to
 * compactions; but one that is at work may have dropped the value already, so these are looked at when it has ended.
 *
 * Memory: so many entries, and those that a sweep waits for. What finds no place is looked for in the index, see
 * UncertainEntries; where it waits for a flush, afterwards, see LoggedEntries. What is remembered ends with the region.
 */
/** The entries of a region's writes that failed. Thread-safe: its lock guards all that it has. */
public final class FailedEntries implements FailedWrites {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** For what cannot be on its way any more: a moment in which the write's own locks are given back. */
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(Retry.FAILED.firstMillis());
    /** In one turn of the table's thread; others of its regions have turns in between. */
    private static final int AT_ONCE = 100;

    /** Nothing was forgotten. */
    private static final long NONE = Long.MAX_VALUE;

    /** Times are counted from here, so that they can be compared as numbers. */
    private static final long START = System.nanoTime();

    private final RegionUpkeep upkeep;
    private final Removals removals;
    private final Predicate<Entry> isOwed;
    private final Supplier<ScheduledExecutorService> thread;
    private final int capacity;
    private final long lateNanos;
    private final Metrics metrics;
    /** To be looked at, by time. One entry may be in it several times. */
    private final PriorityQueue<Item> queue = new PriorityQueue<>(Comparator.comparingLong(Item::due));
    /** Entries whose cells the log may bring back: until a flush nobody removes them. */
    private final LoggedEntries logged = new LoggedEntries();
    /** Entries that wait for a flush because what superseded them may be lost; with what was found about them. */
    private final Map<Entry, RegionUpkeep.Settled> superseded = new HashMap<>();
    /** Asked without the lock by all that removes entries; nearly always there are none. */
    private volatile boolean holdsAny;
    /** The lowest timestamp of what found no place, until somebody takes it over. */
    private long forgottenFrom = NONE;
    /** Being looked at, by identity: an equal entry may be in the queue again. */
    private final Set<Item> inHand = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The size that the metric knows: it is the server's sum, so only differences are told. */
    private int reported;
    /** When the thread looks again; {@link Long#MAX_VALUE} if it is not to. */
    private long nextTurn = Long.MAX_VALUE;

    private boolean closed;

    /**
     * For a region; remembers so many entries, and so long those that may arrive late.
     *
     * @param isOwed whether an entry may still be on its way to the index
     */
    public FailedEntries(
            RegionUpkeep upkeep,
            Removals removals,
            Predicate<Entry> isOwed,
            Supplier<ScheduledExecutorService> thread,
            int capacity,
            Duration late,
            Metrics metrics) {
        this.upkeep = upkeep;
        this.removals = removals;
        this.isOwed = isOwed;
        this.thread = thread;
        this.capacity = capacity;
        this.lateNanos = Math.max(SOON_NANOS, late.toNanos());
        this.metrics = metrics;
    }

    /**
     * To be looked at.
     *
     * @param before what was found before a flush, if that was waited for
     */
    private record Item(Entry entry, long due, RegionUpkeep.@Nullable Settled before) {}

    /**
     * What waits for a flush when it begins.
     *
     * <p>The flush itself may take long, and more may come meanwhile that it does not have.
     *
     * @param number of the flush
     */
    public record Waiting(List<Entry> entries, long number) {}

    /** Positive for centuries, unlike {@link System#nanoTime}, so that comparisons need no differences. */
    private static long now() {
        return System.nanoTime() - START;
    }

    /** Called in the thread of a write, so it does no more than to note them. */
    @Override
    public synchronized void add(Collection<Entry> entries, boolean mayArriveLate, boolean isLogged) {
        if (closed) {
            return;
        }
        long due = now() + (mayArriveLate ? lateNanos : SOON_NANOS);
        for (Entry entry : entries) {
            boolean hasPlace = size() < capacity;
            boolean isHeld = isLogged && !logged.withPlace().contains(entry);
            if (hasPlace) {
                queue.add(new Item(entry, due, null));
                if (isHeld) {
                    logged.add(entry);
                }
            } else if (isHeld) {
                logged.addToCrowd(entry);
            } else {
                forgottenFrom = Math.min(forgottenFrom, entry.timestamp());
            }
            metrics.add(Metrics.Count.FAILED_FORGOTTEN, hasPlace ? 0 : 1);
        }
        changed();
    }

    /**
     * Under the lock, after each change: what others ask without it, what the metric says, and when the thread is to
     * look.
     */
    private void changed() {
        holdsAny = !logged.isEmpty();
        int size = size();
        metrics.add(Metrics.Count.FAILED_WAITING, size - reported);
        reported = size;
        notifyAll();
        schedule();
    }

    private int size() {
        return queue.size() + logged.parked() + superseded.size() + inHand.size();
    }

    /**
     * Whether the cell of an entry may come back from the log.
     *
     * <p>It may say yes for one that was only close to such, see {@link LoggedEntries}; never no for one that may.
     */
    public boolean holds(Entry entry) {
        if (!holdsAny) {
            return false;
        }
        synchronized (this) {
            return logged.has(entry);
        }
    }

    /** Before a flush takes what is in memory: those for which it matters. */
    public synchronized Waiting flushing() {
        var waiting = new ArrayList<Entry>(logged.withPlace());
        waiting.addAll(superseded.keySet());
        return new Waiting(waiting, logged.flushing());
    }

    /**
     * After a flush of one family, when its file is among those of the store.
     *
     * <p>What is in a file of this family is not read from the log again. Entries that came since the flush began wait
     * for the next.
     *
     * @param before of {@link #flushing()}
     */
    public synchronized void flushed(byte[] family, Waiting before) {
        for (Entry entry : before.entries) {
            if (entry.index().isOfFamily(family) && logged.release(entry)) {
                queue.add(new Item(entry, now(), null));
            }
        }
        changed();
    }

    /**
     * After a flush that has left nothing in memory of what was there before.
     *
     * @param before of {@link #flushing()}
     */
    public synchronized void allFlushed(Waiting before) {
        for (Entry entry : before.entries) {
            RegionUpkeep.Settled found = superseded.remove(entry);
            if (found != null) {
                queue.add(new Item(entry, now(), found));
            }
        }
        forgottenFrom = Math.min(forgottenFrom, logged.releaseCrowds(before.number));
        lookAgain();
    }

    /** Perhaps a flush has taken what superseded them. */
    private synchronized void lookAgain() {
        superseded.keySet().forEach(entry -> queue.add(new Item(entry, now(), null)));
        superseded.clear();
        changed();
    }

    /**
     * One turn is scheduled for the first that is due; an earlier one replaces it, and the later finds that it is not
     * wanted.
     */
    private void schedule() {
        Item first = queue.peek();
        if (first == null || closed || nextTurn <= first.due) {
            return;
        }
        long turn = first.due;
        try {
            var unused = thread.get().schedule(() -> run(turn), Math.max(0, turn - now()), TimeUnit.NANOSECONDS);
            nextTurn = turn;
        } catch (RejectedExecutionException e) {
            LOG.debug("the server stops; entries of failed writes are left to reads and repairs");
        }
    }

    private void run(long turn) {
        settle(due(turn), Long.MAX_VALUE);
    }

    private synchronized List<Item> due(long turn) {
        if (turn != nextTurn || closed) {
            // An earlier turn was needed meanwhile.
            return List.of();
        }
        nextTurn = Long.MAX_VALUE;
        return take(now(), AT_ONCE);
    }

    private synchronized List<Item> take(long until, int most) {
        var taken = new ArrayList<Item>();
        for (Item first = queue.peek();
                first != null && first.due <= until && taken.size() < most;
                first = queue.peek()) {
            taken.add(queue.remove());
        }
        inHand.addAll(taken);
        return taken;
    }

    /**
     * Looks at each, outside the lock; what was not come to is put back. After a failure all the rest is: most fail
     * alike.
     */
    private void settle(List<Item> taken, long end) {
        int settled = 0;
        try {
            for (; settled < taken.size() && now() < end; settled++) {
                settle(taken.get(settled));
            }
        } catch (IOException | RuntimeException | Error e) {
            Retries.failed("to look at entries of failed writes", upkeep.name(), e);
        } finally {
            taken.subList(settled, taken.size()).forEach(this::later);
            synchronized (this) {
                taken.forEach(inHand::remove);
                changed();
            }
        }
    }

    /**
     * Before the region closes, which ends what is remembered: looks at what need not wait longer, while there is time
     * and the index answers.
     *
     * @param timeoutMillis that a call to the index may take
     */
    public void hurry(long timeoutMillis) {
        long end = now() + TimeUnit.MILLISECONDS.toNanos(Close.FAILED.millis(timeoutMillis, true));
        settle(take(now() + SOON_NANOS, Integer.MAX_VALUE), end);
        try {
            await(inHand::isEmpty, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void later(Item item) {
        if (!closed) {
            queue.add(new Item(item.entry, now() + RETRY_NANOS, item.before));
        }
    }

    /**
     * Looks at one entry, and decides whether that was the last look. Again later: it is not there yet; a load needs
     * it; a compaction that is at work may drop what it speaks of. After a flush: its cell may come back, or what
     * superseded it may go. Else it is done with.
     */
    private void settle(Item item) throws IOException {
        Entry entry = item.entry;
        if (isOwed.test(entry)) {
            later(item);
            return;
        }
        boolean comesBack = holds(entry);
        if (!comesBack && removals.isHeld(entry)) {
            // Of a load.
            later(item);
            return;
        }
        // Asked first: the files that are read then are not replaced.
        boolean isCompacting = upkeep.isCompacting();
        RegionUpkeep.Settled settled = upkeep.settle(entry, !comesBack, item.before);
        Verdict verdict = settled.verdict();
        boolean isGarbage = verdict == Verdict.DANGLING || verdict == Verdict.SUPERSEDED;
        if (comesBack && isGarbage) {
            park(item);
        } else if (isGarbage && removals.isHeld(entry)) {
            // Since a moment ago.
            later(item);
        } else if (verdict == Verdict.DELETED && isCompacting) {
            later(item);
        } else if (verdict == Verdict.SUPERSEDED && !settled.isRemoved()) {
            awaitFlush(entry, settled);
            if (!upkeep.hasUnsynced()) {
                // A flush has just been.
                lookAgain();
            }
        } else {
            metrics.add(Metrics.Count.FAILED_REMOVED, settled.isRemoved() ? 1 : 0);
            forget(entry);
        }
    }

    /**
     * Until the next flush; where that has just been, it is looked at again.
     *
     * <p>In the queue it would be looked at over and over until then.
     */
    private synchronized void park(Item item) {
        if (!logged.park(item.entry) && !logged.has(item.entry)) {
            later(item);
        }
    }

    /** If a compaction removes it meanwhile, all the better. */
    private synchronized void awaitFlush(Entry entry, RegionUpkeep.Settled found) {
        forget(entry);
        if (!closed) {
            superseded.put(entry, found);
        }
    }

    private synchronized void forget(Entry entry) {
        logged.release(entry);
        superseded.remove(entry);
    }

    /** Whether all was looked at, also what found no place. */
    public synchronized boolean isSettled() {
        return size() == 0 && !holdsAny && forgottenFrom == NONE;
    }

    /**
     * The lowest timestamp of those that found no place since the last question; the highest number if all found one.
     */
    public synchronized long takeForgotten() {
        long from = forgottenFrom;
        forgottenFrom = NONE;
        return from;
    }

    /** Waits until all was looked at but for what waits for a flush. */
    public boolean await(long millis) throws InterruptedException {
        return await(() -> queue.isEmpty() && inHand.isEmpty(), now() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /**
     * Looks at a few entries, for which there always is a place, and waits for that.
     *
     * <p>For sweeps, which bring more than there is place for, and so are held up by what they bring.
     *
     * @return whether it is done; if not, it is not tried again, unless it is asked for
     */
    boolean settle(Collection<Entry> few, long millis) throws InterruptedException {
        // These objects: others that are equal may be due much later.
        Set<Entry> awaited = Collections.newSetFromMap(new IdentityHashMap<>());
        awaited.addAll(few);
        if (!look(few)) {
            return false;
        }
        boolean isDone = await(
                () -> Stream.concat(queue.stream(), inHand.stream()).noneMatch(item -> awaited.contains(item.entry)),
                now() + TimeUnit.MILLISECONDS.toNanos(millis));
        if (!isDone) {
            leave(awaited);
        }
        return isDone;
    }

    private synchronized boolean look(Collection<Entry> few) {
        if (!closed) {
            long due = now() + SOON_NANOS;
            few.forEach(entry -> queue.add(new Item(entry, due, null)));
            changed();
        }
        return !closed;
    }

    private synchronized void leave(Set<Entry> some) {
        queue.removeIf(item -> some.contains(item.entry));
        changed();
    }

    private synchronized boolean await(BooleanSupplier condition, long end) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - now());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Forgets all. */
    public synchronized void stop() {
        closed = true;
        queue.clear();
        logged.clear();
        superseded.clear();
        changed();
    }
}
