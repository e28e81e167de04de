package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/*
 * Memory: of what finds no place, all entries between the lowest and the highest timestamp of such wait for the flush: for one of
 * the whole region, as nobody knows of which families they were.
 */
/**
 * Entries of one region whose cells the log may bring back: until a flush nobody removes them. Under the lock of
 * {@link FailedEntries}.
 */
final class LoggedEntries {

    private final Map<Entry, State> entries = new HashMap<>();
    /** What has no place, by the flush that it waits for. */
    private final List<Crowd> crowds = new ArrayList<>();
    /** How many have begun. */
    private long flushes;
    /** How many are in no queue. */
    private int parked;

    /**
     * What is to be done about an entry of a logged batch.
     *
     * <p>Both kinds are held against removal; only the second waits in no queue.
     */
    private enum State {
        /** It is in the queue: the batch may have been written all the same. */
        TO_LOOK_AT,
        /** It waits for a flush. */
        PARKED
    }

    /**
     * Entries that wait for a flush and have no place: of these, and of others like them, the timestamps only.
     *
     * <p>They stand for all entries between the two, most of which are others': those are held as well, which costs
     * them a later removal.
     */
    private static final class Crowd {

        /** How many flushes had begun when the first came. */
        private final long flushes;

        private long lowest = Long.MAX_VALUE;
        private long highest = Long.MIN_VALUE;

        Crowd(long flushes) {
            this.flushes = flushes;
        }

        void add(Entry entry) {
            lowest = Math.min(lowest, entry.timestamp());
            highest = Math.max(highest, entry.timestamp());
        }

        boolean has(Entry entry) {
            return lowest <= entry.timestamp() && entry.timestamp() <= highest;
        }
    }

    boolean isEmpty() {
        return entries.isEmpty() && crowds.isEmpty();
    }

    /** Those that have a place. */
    Set<Entry> withPlace() {
        return entries.keySet();
    }

    /** How many wait in no queue. */
    int parked() {
        return parked;
    }

    /** Whether an entry is one of them; perhaps also of one that was only close to such, see {@link Crowd}. */
    boolean has(Entry entry) {
        return entries.containsKey(entry) || crowds.stream().anyMatch(crowd -> crowd.has(entry));
    }

    /** One that is in the queue. */
    void add(Entry entry) {
        entries.put(entry, State.TO_LOOK_AT);
    }

    /** One that has no place. */
    void addToCrowd(Entry entry) {
        if (crowds.isEmpty() || crowds.get(crowds.size() - 1).flushes < flushes) {
            crowds.add(new Crowd(flushes));
        }
        crowds.get(crowds.size() - 1).add(entry);
    }

    /** From the queue into none, until a flush; whether it was in the queue. */
    boolean park(Entry entry) {
        boolean isToLookAt = entries.replace(entry, State.TO_LOOK_AT, State.PARKED);
        parked += isToLookAt ? 1 : 0;
        return isToLookAt;
    }

    /** It is not held any more; whether it was in no queue. */
    boolean release(Entry entry) {
        boolean wasParked = entries.remove(entry) == State.PARKED;
        parked -= wasParked ? 1 : 0;
        return wasParked;
    }

    /** Before a flush: its number. */
    long flushing() {
        return flushes++;
    }

    /** After it, if all was flushed: the lowest timestamp of those without a place that it has released. */
    long releaseCrowds(long number) {
        long lowest = Long.MAX_VALUE;
        for (Iterator<Crowd> all = crowds.iterator(); all.hasNext(); ) {
            Crowd crowd = all.next();
            if (crowd.flushes <= number) {
                lowest = Math.min(lowest, crowd.lowest);
                all.remove();
            }
        }
        return lowest;
    }

    /** When the region ends: of what has no place, the timestamps stay. */
    void clear() {
        entries.clear();
        parked = 0;
    }
}
