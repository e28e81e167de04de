package io.leeway.hindex.internal.write;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import io.leeway.hindex.internal.repair.ComingStates;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.Fact.Kind;
import io.leeway.hindex.internal.repair.StateHistory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.jspecify.annotations.Nullable;

/*
 * What is read of the row:
 * - nothing, if the batch says about every column what is visible of it afterwards
 * - what is visible, if it says so about some columns only
 * - everything that is stored, if a delete of an exact version may make older versions visible, or a timestamp of the client
 *   may be one that the row had or that a delete hides
 *
 * A put or a delete that is repeated takes the place of the first one: compactions, which conclude from the order of arrival
 * what states a row went through, find those in between no more. So the write removes their entries itself.
 *
 * A compaction may drop what is deleted, together with the delete, and what stands behind the versions that the store keeps.
 * With one column that only takes entries away. With several it makes other states: after the purge of a delete a put that it
 * hid, and that is still in memory, is read; and a row whose newest version was deleted by its timestamp has the one before it,
 * or none, as a compaction has dropped it or not. Nobody would write the entry of such a state. So what may be dropped is
 * deleted for good where it matters: such a put together with its own delete, and such older versions when a newer one is
 * deleted. Readers see the same as if the compaction had come first.
 *
 * While files with cells of the row are being loaded, nobody knows whether the write or the files will be first. So it leads to
 * several states, of which one will be: without the files and with them. All get their entries, and those that were in vain
 * are looked for when the load has ended. That is so only for writes above all timestamps of the files, and for none of which
 * compactions must not see a part; the others wait for the load.
 */
/**
 * What a batch changes in one row of an index over several columns. {@link BatchChanges} adds the cells of the batch,
 * has it resolved once under the row's lock, and then asks what is to be written and removed. For one thread.
 */
final class RowChange {

    private final IndexPlan index;
    private final byte[] row;
    private final List<Fact> added = new ArrayList<>();
    /** Timestamps that the row cannot have had: an entry with one of them was never written, so never removed. */
    private final Set<Long> newTimestamps = new HashSet<>();
    /** What is added to the batch so that compactions make no state that nobody wrote. */
    private final List<Deletion> deletions = new ArrayList<>();
    /** Whether nothing of the batch can stand below, or in the place of, what the row has. */
    private boolean allNew = true;

    private boolean serverTime = true;
    /** Whether what readers do not see has to be known. */
    private boolean everything;
    /** Whether there is a put among them; deletes alone lead to states of values that were there before. */
    private boolean puts;
    /** Null if the row was not read. */
    private @Nullable StateHistory before;
    /** Without anything added it is that of an empty row. */
    private StateHistory after;

    private List<Fact> stored = List.of();
    /** States that the row has after this write if files that are on their way come first, or afterwards. */
    private final List<RowState> whenLoaded = new ArrayList<>();
    /** All states of which only one will be: with and without files, with and without this write. */
    private final List<RowState> inVain = new ArrayList<>();

    RowChange(IndexPlan index, byte[] row) {
        this.index = index;
        this.row = row;
        this.after = StateHistory.of(index, List.of());
    }

    /** A delete to add to the batch. */
    record Deletion(int column, Cell.Type type, long timestamp) {}

    /**
     * A cell of the batch.
     *
     * <p>All are to be added before anything is resolved: a cell at the end of a batch may decide what one at its
     * beginning means.
     *
     * @param isNew whether its timestamp is above all that the row had
     * @param ofServer whether its timestamp is the server's
     */
    void add(Fact fact, boolean isNew, boolean ofServer) {
        serverTime &= ofServer;
        added.add(fact);
        allNew &= isNew;
        puts |= fact.kind() == Kind.PUT;
        everything |= fact.kind() == Kind.DELETE_VERSION || !isNew;
        if (isNew) {
            newTimestamps.add(fact.timestamp());
        }
    }

    /**
     * Finds out what the row becomes; reads it if it must.
     *
     * <p>Four cases, from the cheapest on: files are coming, which needs everything and allows little; nothing has to
     * be read; what is visible has to be; all that is stored has to be.
     *
     * @param coming what files that are being loaded say about it, see {@link ComingCells}
     */
    void resolve(ColumnReader reader, List<List<Fact>> coming) throws IOException {
        if (!coming.isEmpty()) {
            resolveAmong(coming, reader);
            return;
        }
        // Mode sync needs what was there before, to remove it.
        if (!everything && !index.isSync() && isKnownWithoutReading()) {
            after = StateHistory.of(index, added);
            requireOneTime();
            return;
        }
        stored = everything ? reader.readAll(row, index) : reader.readVisible(row, index, 1);
        before = StateHistory.of(index, stored);
        after = StateHistory.of(index, afterwards());
        if (everything) {
            deleteWhatMayBeDropped(before);
            // Once more, with the deletes that were just added: where older versions go for good the row shows less.
            after = StateHistory.of(index, afterwards());
        }
        requireOneTime();
    }

    /**
     * The same while files with cells of the row are on their way. Only writes above all of their timestamps are let
     * in: these come out on top whichever is first. One below would be hidden by a file or not, and a delete of an
     * exact version would bring to light what the file has or has not brought yet: too many states, and some that a
     * compaction would still change.
     */
    private void resolveAmong(List<List<Fact>> coming, ColumnReader reader) throws IOException {
        long newest = coming.stream()
                .flatMap(List::stream)
                .mapToLong(Fact::timestamp)
                .max()
                .orElse(Long.MIN_VALUE);
        if (everything || !allNew || added.stream().anyMatch(fact -> fact.timestamp() <= newest)) {
            throw new RegionTooBusyException(
                    "a file with newer cells of the row is being loaded, or the write is of exact"
                            + " versions of a row that is being loaded; try again");
        }
        stored = reader.readAll(row, index);
        before = StateHistory.of(index, stored);
        after = StateHistory.of(index, afterwards());
        whenLoaded.addAll(ComingStates.of(index, stored, coming, added));
        // Those that the load itself has written entries for: this write may have made them impossible.
        inVain.addAll(ComingStates.of(index, stored, coming, List.of()));
        inVain.add(after.current());
        inVain.addAll(whenLoaded);
        requireOneTime();
        whenLoaded.forEach(this::requireOneTime);
    }

    /** Entries to write besides, since files are being loaded: which of them are in vain is known later. */
    Set<Entry> entriesWhenLoaded() {
        return entries(whenLoaded);
    }

    /** Entries that may turn out to be in vain, among them such as the load has written. */
    Set<Entry> maybeInVain() {
        return entries(inVain);
    }

    private Set<Entry> entries(List<RowState> states) {
        var entries = new HashSet<Entry>();
        states.forEach(state -> entries.addAll(index.entries(row, state)));
        return entries;
    }

    IndexPlan index() {
        return index;
    }

    /** Whether all timestamps of the batch are the server's. */
    boolean hasServerTime() {
        return serverTime;
    }

    /** What is to be deleted with the batch. */
    List<Deletion> deletions() {
        return deletions;
    }

    /** The column of such a delete. */
    ColumnName column(Deletion deletion) {
        return index.columns().get(deletion.column);
    }

    /**
     * Entries to write before the batch.
     *
     * <p>What the row showed before has its entry already and is left out: writing it again would cost a call, and
     * would have to wait for a removal that may be on its way. A write that changes nothing in the indexed columns thus
     * sends nothing.
     */
    List<Entry> entries() {
        List<Entry> entries = puts ? index.newEntries(row, after.current()) : index.entries(row, after.current());
        if (before == null) {
            return entries;
        }
        Set<Entry> there = before.currentEntries(row);
        return entries.stream().filter(entry -> !there.contains(entry)).toList();
    }

    /**
     * Whether these entries may have been there before and be on their way out.
     *
     * <p>All entries of one state have one timestamp, that of its newest cell, so the first stands for all.
     */
    boolean areRevived(List<Entry> entries) {
        return !entries.isEmpty() && !isNew(entries.get(0));
    }

    /** Whether an entry cannot have been there before. */
    boolean isNew(Entry entry) {
        return newTimestamps.contains(entry.timestamp());
    }

    /**
     * Entries to remove in sync mode.
     *
     * <p>Only those of the state before: what older states have left is for compactions.
     */
    Set<Entry> obsolete() {
        return before == null || !index.isSync() ? Set.of() : unlessFresh(before.currentEntries(row));
    }

    /**
     * Entries to remove in every mode: nobody else finds them after the write. Among them are those that older versions
     * tell, as a compaction that reads what is repeated, but not what repeats it, may drop these for it.
     */
    Set<Entry> unfindable() {
        return before == null || stored.stream().noneMatch(Fact.repeatedBy(added))
                ? Set.of()
                : unlessFresh(before.allEntries(row));
    }

    /**
     * A state may be the same before and after, as when a value is written again; what is needed wins over what is
     * obsolete.
     */
    private Set<Entry> unlessFresh(Set<Entry> entries) {
        entries.removeAll(after.currentEntries(row));
        entries.removeAll(entriesWhenLoaded());
        return entries;
    }

    /**
     * Whether the batch says all by itself. Either it takes away the first column, without which a row has no entry
     * whatever the others hold; or it says something of every column. In both cases only if it stands above all that
     * the row had.
     */
    private boolean isKnownWithoutReading() {
        return allNew && (hasFactFor(0) && !afterAdded().has(0) || hasFactForAll());
    }

    private RowState afterAdded() {
        return StateHistory.of(index, added).current();
    }

    private boolean hasFactForAll() {
        for (int column = 0; column < index.columns().size(); column++) {
            if (!hasFactFor(column)) {
                return false;
            }
        }
        return true;
    }

    /** A delete of the whole family speaks of all columns. */
    private boolean hasFactFor(int column) {
        return added.stream().anyMatch(fact -> fact.column() == column || fact.column() == Fact.ALL_COLUMNS);
    }

    /**
     * Of two puts, or deletes, of one timestamp HBase keeps the later only, with whatever it hid.
     *
     * <p>The order is kept, as which came later decides between equals. What was added by us comes last and counts as
     * arriving now, behind the batch's own cells.
     */
    private List<Fact> afterwards() {
        var facts = new ArrayList<Fact>();
        stored.stream().filter(Predicate.not(Fact.repeatedBy(added))).forEach(facts::add);
        facts.addAll(added);
        for (Deletion deletion : deletions) {
            Kind kind = deletion.type == Cell.Type.Delete ? Kind.DELETE_VERSION : Kind.DELETE_UP_TO;
            facts.add(new Fact(deletion.column, kind, deletion.timestamp, Fact.NOW, new byte[0], false));
        }
        return facts;
    }

    /**
     * Asks for deletes that make final what a compaction might do, or not do, later:
     *
     * <ul>
     *   <li>a put that is hidden when it arrives is deleted itself, by its timestamp, since the delete that hides it
     *       may be purged before;
     *   <li>when an exact version is deleted, what stands behind the versions that the family keeps is deleted too: a
     *       compaction may have dropped it, or not yet, and the row would fall back on it only in the second case.
     * </ul>
     */
    private void deleteWhatMayBeDropped(StateHistory known) {
        for (Fact fact : added) {
            if (fact.kind() == Kind.PUT && !after.shows(fact.column(), fact.timestamp())) {
                deletions.add(new Deletion(fact.column(), Cell.Type.Delete, fact.timestamp()));
            }
            if (fact.kind() == Kind.DELETE_VERSION) {
                for (int column = 0; column < index.columns().size(); column++) {
                    Long behind = fact.column() == column || fact.column() == Fact.ALL_COLUMNS
                            ? known.behindKept(column, fact.timestamp(), index.keptVersions())
                            : null;
                    if (behind != null) {
                        deletions.add(new Deletion(column, Cell.Type.DeleteColumn, behind));
                    }
                }
            }
        }
    }

    /**
     * Cells that expire one after the other make states whose entries nobody writes.
     *
     * <p>Only where there is an entry at all: a row without one may have columns of any age.
     */
    private void requireOneTime() {
        if (!entries().isEmpty()) {
            requireOneTime(after.current());
        }
    }

    private void requireOneTime(RowState state) {
        if (index.expires() && !state.isOfOneTime()) {
            throw new IllegalArgumentException("the family of index " + index.name()
                    + " has a time to live, and the columns of the index would expire one by one; write all of them in one"
                    + " put, or take the time to live away");
        }
    }
}
