package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/*
 * Model: who removes an entry has concluded from what it read that the version is superseded. A delete of the exact
 * timestamp of a newer version makes it fresh again, and writes its entry again. A removal that was concluded before and
 * is sent after that would take the entry of a fresh version.
 *
 * So a counter numbers the revivals of a region. Who concludes takes the number of the last revival that it is sure to
 * have read (its knowledge); when it removes, entries revived since are left out. A revival waits for the removals that
 * are being sent, which is limited by the sender's time limit.
 *
 * A compaction keeps the versions of such entries, unless a delete that it has read hides them. Where it has dropped the version
 * when the revival comes, or drops it all the same, the entry stays, and no compaction finds it any more: see LateRevivals.
 *
 * The same holds for a put that arrives behind a delete, with the timestamp and the value of one that the delete hid before: a
 * compaction that has read only the older one drops it with the delete, and the newer one can be seen.
 *
 * Cost: removals read a hash map that is empty unless versions are deleted by exact timestamp, or written behind deletes.
 * What everybody knows who reads or will read is forgotten, one flush later: who has concluded something before, and has not
 * removed it by then, takes all for revived. Bounded: where there are more, all are forgotten but their lowest timestamp. What
 * came back before can then not be told from what did not: compactions that know less leave alone what they have not read yet,
 * and the index is looked through for what came back too late for them.
 */
/**
 * Removes entries of one region's rows, but none that became fresh meanwhile. All that removes entries in a region goes
 * this way: writes of mode sync, compactions, and those who look at what failed writes have left. Thread-safe.
 */
public final class Removals {

    /**
     * Shared by who concludes or sends removals; exclusive for a revival, which so waits for them. Fair, as removals
     * come one after the other: a revival that waits must not be overtaken by all of them.
     */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    /** Entries that were revived, with the number of the revival. */
    private final Map<Entry, Long> revived = new HashMap<>();

    private final Sender sender;
    private final long patienceMillis;
    /** What loads on their way have written entries of. */
    private final Kept held;

    private final int most;
    /** The number of the last revival. */
    private long revivals;
    /** Who knows less than this takes every entry for revived: what was revived up to then is not remembered. */
    private volatile long allRevivedAt;
    /** What is forgotten with the next flush. */
    private long forgottenNext;
    /** The last revival before which entries were lost for want of place. */
    private long lostAt;
    /** The lowest timestamp of those. */
    private long lowestLost = Long.MAX_VALUE;

    /**
     * Removals through this sender, but of no entry that is held.
     *
     * @param patienceMillis how long a revival waits for them at most
     * @param most how many entries that were revived are remembered
     */
    public Removals(Sender sender, long patienceMillis, Kept held, int most) {
        this.sender = sender;
        this.patienceMillis = patienceMillis;
        this.held = held;
        this.most = most;
    }

    /** Sends removals. */
    @FunctionalInterface
    public interface Sender {
        /** Returns when all these entries are gone. */
        void delete(Collection<Entry> entries) throws IOException;
    }

    /** Entries that stay, whatever is concluded about them. */
    @FunctionalInterface
    public interface Kept {
        /** Which of these entries do. */
        Set<Entry> among(Collection<Entry> entries);
    }

    /** The knowledge of one who starts to read now. */
    public long knowledge() {
        lock.readLock().lock();
        try {
            return revivals;
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * These entries are about to be written again; from now on only who has read why removes them.
     *
     * <p>Before they are written: a removal that is sent in between would find that it was told too late.
     */
    public void revive(Collection<Entry> entries) throws IOException {
        lockForRevival();
        try {
            revivals++;
            entries.forEach(entry -> revived.put(entry, revivals));
            if (revived.size() > most) {
                lose();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** All at once, so that one number and one timestamp say what is not remembered. */
    private void lose() {
        for (Entry entry : revived.keySet()) {
            lowestLost = Math.min(lowestLost, entry.timestamp());
        }
        revived.clear();
        lostAt = revivals;
        allRevivedAt = revivals;
    }

    /**
     * After a flush: forgets, with the next one, what was revived up to then. Does nothing while removals are sent.
     *
     * @param known the least knowledge of whoever reads files, or will
     */
    void forget(long known) {
        if (!lock.writeLock().tryLock()) {
            return;
        }
        try {
            long forgotten = Math.min(forgottenNext, known);
            forgottenNext = known;
            if (forgotten > allRevivedAt) {
                revived.values().removeIf(number -> number <= forgotten);
                allRevivedAt = forgotten;
                lowestLost = Long.MAX_VALUE;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** What is concluded about entries of a row that is locked. */
    @FunctionalInterface
    public interface Conclusion<T> {
        /** Reads the row, and removes what it does not bear out. */
        T get() throws IOException;
    }

    /**
     * Concludes something, and removes, as one: a load does not come in between.
     *
     * <p>Who concludes may call {@link #remove}, which takes the shared lock once more; nothing in there may wait for
     * the exclusive one.
     */
    public <T> T concluding(Conclusion<T> conclusion) throws IOException {
        lock.readLock().lock();
        try {
            return conclusion.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Waits for the removals that are being sent, and for conclusions.
     *
     * <p>A load that has said that it holds entries waits so for all who had asked before.
     */
    public void await() throws IOException {
        lockForRevival();
        lock.writeLock().unlock();
    }

    /** Whether the entry is not to be removed now, although the table does not bear it out. */
    public boolean isHeld(Entry entry) {
        return !held.among(List.of(entry)).isEmpty();
    }

    private void lockForRevival() throws IOException {
        Wait.REVIVAL.await(patienceMillis, millis -> lock.writeLock().tryLock(millis, TimeUnit.MILLISECONDS));
    }

    /**
     * Removes entries.
     *
     * @param knowledge of the one who concluded that they are obsolete
     * @return those that stay since they are held or were revived later
     */
    public List<Entry> remove(Collection<Entry> entries, long knowledge) throws IOException {
        return remove(entries, knowledge, any -> Set.of());
    }

    /**
     * Removes entries.
     *
     * @param knowledge of the one who concluded that they are obsolete
     * @param loaded which of them stay too, since what they speak of was loaded later
     * @return those that stay since they are held, or were revived or loaded later
     */
    List<Entry> remove(Collection<Entry> entries, long knowledge, Kept loaded) throws IOException {
        lock.readLock().lock();
        try {
            var obsolete = new ArrayList<Entry>();
            var left = new ArrayList<Entry>();
            Set<Entry> areHeld = held.among(entries);
            // Asked last: a load that has just ended holds nothing any more.
            Set<Entry> areLoaded = loaded.among(entries);
            for (Entry entry : entries) {
                if (knowledge < revivedAt(entry) || areHeld.contains(entry) || areLoaded.contains(entry)) {
                    left.add(entry);
                } else {
                    obsolete.add(entry);
                }
            }
            if (!obsolete.isEmpty()) {
                sender.delete(obsolete);
            }
            return left;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Whether one of these entries was revived after that, or may have been, see {@link #canTellApart}. */
    boolean isRevivedSince(Collection<Entry> entries, long knowledge) {
        lock.readLock().lock();
        try {
            return revivals > knowledge && entries.stream().anyMatch(entry -> knowledge < revivedAt(entry));
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Whether what was revived after that can be told from what was not; once it cannot, it never can.
     *
     * <p>Read without the lock, for each row of a compaction.
     */
    boolean canTellApart(long knowledge) {
        return knowledge >= allRevivedAt;
    }

    /** Entries of these indexes that were revived after that, as far as they are remembered, see {@link #lostSince}. */
    List<Entry> revivedSince(List<IndexPlan> indexes, long knowledge) {
        lock.readLock().lock();
        try {
            if (revivals == knowledge) {
                return List.of();
            }
            return revived.entrySet().stream()
                    .filter(entry -> entry.getValue() > knowledge
                            && indexes.contains(entry.getKey().index()))
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * No timestamp of an entry that was revived after that and is not remembered is lower; the highest number if all
     * are.
     */
    long lostSince(long knowledge) {
        lock.readLock().lock();
        try {
            return knowledge < lostAt ? lowestLost : Long.MAX_VALUE;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** How many entries that were revived are remembered. */
    int remembered() {
        lock.readLock().lock();
        try {
            return revived.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    private long revivedAt(Entry entry) {
        return Math.max(allRevivedAt, revived.getOrDefault(entry, 0L));
    }
}
