package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.silence.CompactionRemovals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Collects the obsolete entries that a compaction finds, and removes them in batches: sorted, so that what goes to one
 * region goes in one call. The compaction waits meanwhile, so that it never finds more than the index can take.
 *
 * <p>One for each compaction, or reading beside one. For one thread.
 */
final class GarbageBuffer {

    private final Removals removals;
    /** What the compaction is sure to have read, see {@link Removals}. */
    private final long knowledge;
    /** Entries in a batch; memory, and the length of the compaction's waits. */
    private final int capacity;

    private final Metrics metrics;
    private final Removals.Kept loaded;
    /** Of versions that are dropped: were their removal to fail, nobody would find them again. */
    private final List<Entry> ofDropped = new ArrayList<>();
    /** Of versions that stay: the next compaction finds them. */
    private final List<Entry> ofKept = new ArrayList<>();
    /** Entries that stayed in the index though their versions go: to be looked at when the compaction is done. */
    private final List<Entry> left = new ArrayList<>();

    private final Overtaken overtaken = new Overtaken();
    private long removed;
    /** Whether all that is obsolete in the files was found and removed; only then they count as repaired. */
    private boolean complete = true;

    private boolean leavesRest;

    /**
     * Removals of so many entries at once.
     *
     * @param loaded which entries are of what was loaded since the files that are read were chosen
     */
    GarbageBuffer(Removals removals, long knowledge, int capacity, Metrics metrics, Removals.Kept loaded) {
        this.removals = removals;
        this.knowledge = knowledge;
        this.capacity = capacity;
        this.metrics = metrics;
        this.loaded = loaded;
    }

    /** Whether there can be such entries at all. */
    boolean mayHaveRevived() {
        return removals.knowledge() > knowledge;
    }

    /** Whether a delete that the compaction has not read makes the version of these entries fresh again. */
    boolean becameFresh(Collection<Entry> entries) {
        return removals.isRevivedSince(entries, knowledge);
    }

    /**
     * Whether what was revived since the files were chosen can be told from what was not; once it cannot, it never can.
     */
    boolean canTellApart() {
        return removals.canTellApart(knowledge);
    }

    /** Rows that were not read yet stay as they are: not everything is found. */
    void leaveRest() {
        leavesRest = true;
        complete = false;
    }

    /** Whether rows were left as they are. */
    boolean hasLeftRest() {
        return leavesRest;
    }

    /** Something obsolete is left to another run. */
    void leave() {
        complete = false;
    }

    /** Entries of a version that is dropped, and that readers may see until the compaction's file is in its place. */
    void addOvertaken(Collection<Entry> entries) {
        overtaken.add(entries);
    }

    /** What is to be looked at when the old files are gone. */
    Overtaken overtaken() {
        return overtaken;
    }

    /** Entries to be removed; where that must not fail, the compaction fails with it. */
    void add(Collection<Entry> entries, boolean mustNotFail) throws IOException {
        (mustNotFail ? ofDropped : ofKept).addAll(entries);
        metrics.add(Metrics.Count.REPAIR_QUEUE, entries.size());
        if (ofDropped.size() + ofKept.size() >= capacity) {
            empty();
        }
    }

    /** Removes what was found. */
    void finish() throws IOException {
        empty();
    }

    /** Whether everything that was found is gone, and nothing was left. */
    boolean isComplete() {
        return complete && left.isEmpty();
    }

    /** Entries that stayed, since they are held or were revived or loaded, though their versions were dropped. */
    List<Entry> left() {
        return List.copyOf(left);
    }

    long removed() {
        return removed;
    }

    /** Two kinds, with two answers to a failure, see {@link CompactionRemovals}. */
    private void empty() throws IOException {
        CompactionRemovals.OF_DROPPED.remove(() -> left.addAll(send(ofDropped)), e -> {});
        // These versions are found again, if nothing says that they were repaired.
        CompactionRemovals.OF_KEPT.remove(() -> complete &= send(ofKept).isEmpty(), e -> {
            complete = false;
            clear(ofKept);
        });
    }

    /** Returns what is held, or was revived or loaded since. */
    private List<Entry> send(List<Entry> entries) throws IOException {
        if (entries.isEmpty()) {
            return List.of();
        }
        Collections.sort(entries);
        List<Entry> stay = removals.remove(entries, knowledge, loaded);
        removed += entries.size();
        clear(entries);
        return stay;
    }

    /**
     * Forgets what is left of a compaction that failed; the next one finds it again.
     *
     * <p>Called at every end; after a compaction that has come to its own, nothing is left.
     */
    void abandon() {
        clear(ofDropped);
        clear(ofKept);
    }

    private void clear(List<Entry> entries) {
        metrics.add(Metrics.Count.REPAIR_QUEUE, -entries.size());
        entries.clear();
    }
}
