package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.FreshVersions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a batch changes in one indexed column of one row that was read before. For one thread. */
final class ColumnChange {

    private final IndexPlan index;
    private final byte[] row;
    private final List<Fact> added = new ArrayList<>();
    private List<Fact> before = List.of();
    private boolean readVisible;
    private boolean readAll;

    ColumnChange(IndexPlan index, byte[] row) {
        this.index = index;
        this.row = row;
    }

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

    /** Reads what is stored, also what is hidden, unless that was read already. */
    void readAll(ColumnReader reader) throws IOException {
        if (!readAll) {
            before = reader.readAll(row, index);
            readAll = true;
        }
    }

    /** Entries of older versions that become fresh: they may be gone. */
    List<Entry> revived() {
        Set<Entry> fresh = entries(FreshVersions.of(after(), index.versions()));
        fresh.removeAll(entries(FreshVersions.of(before, index.versions())));
        fresh.removeAll(entries(added));
        return List.copyOf(fresh);
    }

    /**
     * Entries of puts that a delete hides. A compaction that has not read such a put may find an equal version, which it drops
     * together with the delete: then the put can be seen, and the entry is its own.
     */
    List<Entry> hidden() {
        Set<Entry> hidden = entries(added);
        hidden.removeAll(entries(FreshVersions.of(after(), Integer.MAX_VALUE)));
        return List.copyOf(hidden);
    }

    /** Entries to remove after the write: in sync mode all that it makes obsolete, else those that nobody finds later. */
    List<Entry> obsolete() {
        Set<Entry> obsolete;
        if (index.isSync()) {
            // A put that an older delete hides keeps its entry: the delete may be purged before the put is in a file.
            obsolete = entries(added);
            obsolete.retainAll(entries(FreshVersions.of(after(), Integer.MAX_VALUE)));
            obsolete.addAll(entries(FreshVersions.of(before, index.versions())));
            obsolete.removeAll(entries(FreshVersions.of(after(), index.versions())));
        } else {
            obsolete = new HashSet<>();
        }
        Set<Entry> overwritten = entries(before);
        overwritten.removeAll(entries(after()));
        obsolete.addAll(overwritten);
        return List.copyOf(obsolete);
    }

    /** Of two puts of one timestamp HBase keeps the later only, with whatever it hid. */
    private List<Fact> after() {
        var after = new ArrayList<Fact>();
        before.stream().filter(fact -> !isOverwritten(fact)).forEach(after::add);
        for (int i = 0; i < added.size(); i++) {
            if (!isOverwrittenLater(i)) {
                after.add(added.get(i));
            }
        }
        return after;
    }

    private boolean isOverwritten(Fact fact) {
        return added.stream().anyMatch(later -> overwrites(later, fact));
    }

    private boolean isOverwrittenLater(int at) {
        return added.subList(at + 1, added.size()).stream().anyMatch(later -> overwrites(later, added.get(at)));
    }

    private static boolean overwrites(Fact later, Fact fact) {
        return later.kind() == Fact.Kind.PUT && fact.kind() == Fact.Kind.PUT && later.timestamp() == fact.timestamp();
    }

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
