package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.FreshVersions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a batch changes in one indexed column of one row that was read before. {@link BatchChanges} makes one where a
 * write over one column has to know what is there: in mode sync, for deletes of exact versions, and for a client's old
 * timestamps. For one thread.
 */
final class ColumnChange {

    private final IndexPlan index;
    private final byte[] row;
    private final List<Fact> added = new ArrayList<>();
    /** What the store has, from the newest on; only what is visible, or all, as it was read. */
    private List<Fact> before = List.of();

    private boolean readVisible;
    private boolean readAll;

    ColumnChange(IndexPlan index, byte[] row) {
        this.index = index;
        this.row = row;
    }

    /** What the batch writes, in its order: of two puts at one timestamp the later one counts. */
    void add(Fact fact) {
        added.add(fact);
    }

    /** Reads what is fresh now, unless something was read already. */
    void readVisible(ColumnReader reader) throws IOException {
        if (!readAll && !readVisible) {
            before = reader.readVisible(row, index, index.versions());
            readVisible = true;
        }
    }

    /**
     * Reads what is stored, also what is hidden, unless that was read already.
     *
     * <p>It replaces what was read as visible: the row's lock is held since then, so nothing has changed in between.
     */
    void readAll(ColumnReader reader) throws IOException {
        if (!readAll) {
            before = reader.readAll(row, index);
            readAll = true;
        }
    }

    /**
     * Entries of older versions that become fresh: they may be gone.
     *
     * <p>Fresh is what is among the newest versions that the index answers for. Compactions remove entries of what is
     * not, and so may have removed these.
     */
    List<Entry> revived() {
        Set<Entry> fresh = entries(FreshVersions.of(after(), index.versions()));
        // Those are there, as they were fresh until now.
        fresh.removeAll(entries(FreshVersions.of(before, index.versions())));
        // Those are written anyway.
        fresh.removeAll(entries(added));
        return List.copyOf(fresh);
    }

    /**
     * Entries of puts that a delete hides. A compaction that has not read such a put may find an equal version, which
     * it drops together with the delete: then the put can be seen, and the entry is its own.
     */
    List<Entry> hidden() {
        Set<Entry> hidden = entries(added);
        hidden.removeAll(entries(FreshVersions.of(after(), Integer.MAX_VALUE)));
        return List.copyOf(hidden);
    }

    /**
     * Entries to remove in sync mode.
     *
     * <p>Four steps, since the batch may hide its own puts: what of it is visible, and what was fresh before, less what
     * is fresh afterwards.
     */
    Set<Entry> obsolete() {
        if (!index.isSync()) {
            return Set.of();
        }
        // A put that an older delete hides keeps its entry: the delete may be purged before the put is in a file.
        Set<Entry> obsolete = entries(added);
        obsolete.retainAll(entries(FreshVersions.of(after(), Integer.MAX_VALUE)));
        // What was fresh and is not any more. What was not fresh before is for compactions, which know of all.
        obsolete.addAll(entries(FreshVersions.of(before, index.versions())));
        obsolete.removeAll(entries(FreshVersions.of(after(), index.versions())));
        obsolete.removeIf(this::isReplacedForATime);
        return obsolete;
    }

    /**
     * Entries to remove in every mode: of values that another one replaces at their timestamp, so that nobody else
     * finds them. Not for one that expires by itself: they may be read again then, and nobody sees whether the store
     * has dropped them.
     */
    Set<Entry> unfindable() {
        Set<Entry> replaced = entries(before);
        // An equal value at the timestamp has the same entry.
        replaced.removeAll(entries(after()));
        replaced.removeIf(this::isReplacedForATime);
        return replaced;
    }

    /**
     * What a cell with a time to live of its own replaces may be read again when that expires, and needs its entry
     * then.
     */
    private boolean isReplacedForATime(Entry entry) {
        return added.stream()
                .anyMatch(fact ->
                        fact.kind() == Fact.Kind.PUT && fact.expires() && fact.timestamp() == entry.timestamp());
    }

    /** Of two puts of one timestamp HBase keeps the later only, with whatever it hid. */
    private List<Fact> after() {
        var kept = new ArrayDeque<Fact>();
        var timestamps = new HashSet<Long>();
        // From the end, so that the first that is met is the one that stays.
        for (int i = added.size() - 1; i >= 0; i--) {
            Fact fact = added.get(i);
            if (fact.kind() != Fact.Kind.PUT || timestamps.add(fact.timestamp())) {
                kept.addFirst(fact);
            }
        }
        var after = new ArrayList<Fact>();
        before.stream()
                // Deletes stay: they hide puts that come later, too.
                .filter(fact -> fact.kind() != Fact.Kind.PUT || !timestamps.contains(fact.timestamp()))
                .forEach(after::add);
        after.addAll(kept);
        return after;
    }

    /** As a set: the same value at the same timestamp has one entry, however often it was written. */
    private Set<Entry> entries(List<Fact> facts) {
        var entries = new HashSet<Entry>();
        for (Fact fact : facts) {
            if (fact.kind() == Fact.Kind.PUT) {
                entries.addAll(index.entries(row, fact.value(), fact.timestamp()));
            }
        }
        return entries;
    }
}
