package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.CellKind;
import io.leeway.hindex.internal.collect.Collector;
import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/*
 * Model: the cells of a family come in the order of its files, all versions and deletes. Each is judged by these rules, in this
 * order; the first that holds decides.
 *
 * 1. A row whose revivals cannot be told apart stays as it is, with its deletes. Not the rest of one that has begun: its deletes
 *    may be gone. There everything counts as fresh again, which takes masked versions with their deletes and leaves their entries
 *    to be looked at.
 * 2. Puts in columns of an index over several stay where not all files are read. Such an index has entries that no cell tells
 *    alone: the row's cells are remembered until it ends, and give the states that it went through; all but the last are
 *    obsolete. That needs all of them.
 * 3. What a version shows, and to whom its entry is obsolete, Collector says, by versions, deletes and expiry alone.
 * 4. A version that a delete in memory has made fresh again stays with its entry, see Removals: the files may say that newer ones
 *    supersede it. But not one that a delete in the files hides: what was written since, if it is that at all and not in the
 *    files too, has not changed this; it goes with its delete, or it could be seen again. Its entry stays, and is looked at
 *    afterwards.
 * 5. Entries of versions that stay are left to another run where one follows that looks at them again (variant isolated).
 *
 * What is left is handed over to be removed. Much may happen until that is sent: what is held, revived or loaded by then stays all
 * the same, which Removals.remove decides under its lock; nobody else leaves anything out.
 *
 * Cells may point into blocks that are released: whatever is remembered is copied then. A wide row comes in pieces: the state
 * outlives a call.
 */
/**
 * Decides which cells a compaction drops, and which entries it removes. {@link RepairScanner} has one for each run, of
 * a compaction or of a reading beside one. For one thread.
 */
final class CompactedCells {

    private final GarbageBuffer garbage;
    /** Whether another run follows that looks at versions which stay. */
    private final boolean leavesKept;

    private final Collector<Cell, RuntimeException> collector;
    /** Whether states may be concluded, since all cells of a row come by. */
    private final boolean readsWholeRows;
    /** States that ended by this sequence id have had their entries removed. */
    private final long repairedUpTo;
    /**
     * Of the present row, by index over several columns. Empty where there is no such index: then no cell is copied.
     */
    private final Map<IndexPlan, List<Fact>> rowFacts = new LinkedHashMap<>();

    private final List<StoredColumn> columns;
    /** Of the present cell; used again for each, since nearly all leave it empty. */
    private final List<Entry> obsolete = new ArrayList<>();
    /** Whether a cell of the present row went. */
    private boolean droppedOfRow;
    /** Whether the present row stays as it is, see rule 1. */
    private boolean leavesRow;
    /** Whether the present cell goes, so that the removal must not fail. */
    private boolean mustAck;

    private @Nullable Cell previous;
    private StoredColumn column = StoredColumn.WITHOUT_INDEX;

    /**
     * For one run over one family.
     *
     * @param garbage takes what is to be removed
     * @param leavesKept whether entries of versions that stay are left to another run
     */
    CompactedCells(Retention retention, List<IndexPlan> indexes, GarbageBuffer garbage, boolean leavesKept) {
        this.garbage = garbage;
        this.leavesKept = leavesKept;
        indexes.stream()
                .filter(index -> !index.isOfOneColumn())
                .forEach(index -> rowFacts.put(index, new ArrayList<>()));
        this.columns = StoredColumn.of(indexes);
        // Of some files a state would be concluded that the row never had.
        this.readsWholeRows = retention.complete() && retention.repair() != Retention.Repair.NONE;
        this.repairedUpTo = retention.repairedUpTo();
        this.collector = new Collector<>(retention, new Collector.Obsolete<>() {
            @Override
            public void obsolete(int index, Cell cell, @Nullable Cell fresh, boolean acknowledged) {
                addObsolete(index, cell, fresh, acknowledged);
            }

            @Override
            public void overtaken(Cell cell) {
                column.indexes().forEach(index -> garbage.addOvertaken(entries(index, cell)));
            }
        });
    }

    /**
     * Takes the next cell; says whether it stays, and hands over the entries that are to go.
     *
     * <p>In the order of the rules. Between them the entries of the cell are collected; they are handed over at the
     * end, when it is known whether the cell stays.
     */
    boolean keeps(Cell cell) throws IOException {
        follow(cell);
        // Rule 1.
        if (leavesRow) {
            return true;
        }
        // Rule 2.
        if (column.isOfSeveral() && !readsWholeRows && cell.getType() == Cell.Type.Put) {
            return true;
        }
        remember(cell);
        obsolete.clear();
        mustAck = false;
        boolean keeps = decide(cell);
        // If any cell of the row goes, nobody can conclude its states again: their removal must not fail then.
        droppedOfRow |= !keeps;
        // Rule 4, only where it matters: it makes the entries of the cell anew.
        boolean isFresh = (!keeps || !obsolete.isEmpty()) && leaveWhatBecameFresh(cell);
        removeOfVersion();
        return keeps || isFresh;
    }

    /** If the version is dropped, the removal must not fail: nobody would find the entries again. */
    private void removeOfVersion() throws IOException {
        if (leavesKept && !mustAck && !obsolete.isEmpty()) {
            garbage.leave();
        } else if (!obsolete.isEmpty()) {
            garbage.add(obsolete, mustAck);
        }
    }

    /** Also cells that go: what they said was a state once. */
    private void remember(Cell cell) {
        if (readsWholeRows && !rowFacts.isEmpty()) {
            rowFacts.forEach((index, facts) -> {
                if (index.concerns(cell)) {
                    facts.add(Fact.stored(index, cell));
                }
            });
        }
    }

    /** Rule 3. A put that expires by itself is told apart, as it supersedes nothing for long. */
    private boolean decide(Cell cell) {
        CellKind kind = switch (cell.getType()) {
            case DeleteFamily -> CellKind.DELETE_FAMILY;
            case DeleteFamilyVersion -> CellKind.DELETE_FAMILY_VERSION;
            case DeleteColumn -> CellKind.DELETE_COLUMN;
            case Delete -> CellKind.DELETE_VERSION;
            case Put -> CellKind.PUT;
        };
        return kind == CellKind.PUT && Fact.expires(cell)
                ? collector.expiringPut(cell.getTimestamp(), sequence(cell), cell)
                : collector.cell(kind, cell.getTimestamp(), sequence(cell), cell);
    }

    /** Notices when another row or column starts. */
    private void follow(Cell cell) throws IOException {
        boolean sameRow = previous != null && CellUtil.matchingRows(previous, cell);
        // The states first: whether the next row may be judged is asked for that row alone.
        if (!sameRow) {
            endRow();
            collector.row();
            leavesRow = leavesRest();
        }
        if (!sameRow || !CellUtil.matchingQualifier(previous, cell)) {
            column = columnOf(cell);
            collector.column(column.versions());
        }
        previous = cell;
    }

    private StoredColumn columnOf(Cell cell) {
        for (StoredColumn each : columns) {
            if (CellUtil.matchingQualifier(cell, each.qualifier())) {
                return each;
            }
        }
        return StoredColumn.WITHOUT_INDEX;
    }

    /** Told by the collector, within {@link #decide}. */
    private void addObsolete(int index, Cell cell, @Nullable Cell fresh, boolean acknowledged) {
        List<Entry> entries = entries(column.indexes().get(index), cell);
        entries.stream()
                // An entry that the fresh version at the same timestamp has as well is not obsolete.
                .filter(entry -> fresh == null
                        || !entries(column.indexes().get(index), fresh).contains(entry))
                .forEach(obsolete::add);
        mustAck |= acknowledged;
    }

    /** For one index a version may have become fresh, and be obsolete for another, that finds fewer. */
    private boolean leaveWhatBecameFresh(Cell cell) {
        // A number is compared first: nearly always nothing was revived at all.
        if (cell.getType() != Cell.Type.Put || !garbage.mayHaveRevived()) {
            return false;
        }
        boolean isFresh = false;
        for (IndexPlan index : column.indexes()) {
            if (garbage.becameFresh(entries(index, cell)) && !collector.isMasked()) {
                obsolete.removeIf(entry -> entry.index().equals(index));
                isFresh = true;
            }
        }
        return isFresh;
    }

    private static List<Entry> entries(IndexPlan index, Cell cell) {
        return index.entries(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp());
    }

    @SuppressWarnings("deprecation") // No public successor; HBase 3 has the same method on ExtendedCell.
    private static long sequence(Cell cell) {
        return cell.getSequenceId();
    }

    /**
     * After the last cell of a row: the entries of the states that it went through are to go, which no other run finds.
     */
    void endRow() throws IOException {
        for (Map.Entry<IndexPlan, List<Fact>> index : rowFacts.entrySet()) {
            List<Fact> facts = index.getValue();
            if (previous != null && !facts.isEmpty()) {
                Set<Entry> former =
                        StateHistory.of(index.getKey(), facts).formerEntries(CellUtil.cloneRow(previous), repairedUpTo);
                if (!former.isEmpty()) {
                    garbage.add(former, droppedOfRow || leavesKept);
                }
                facts.clear();
            }
        }
        droppedOfRow = false;
    }

    /**
     * Whether rows that were not read yet have to stay as they are, since any of their entries may have been revived.
     */
    private boolean leavesRest() {
        if (!garbage.canTellApart()) {
            garbage.leaveRest();
        }
        return garbage.hasLeftRest();
    }

    /** Replaces what is remembered by copies, before its memory goes. */
    void detach(UnaryOperator<Cell> copier) {
        if (previous != null) {
            previous = copier.apply(previous);
        }
        collector.detach(copier);
    }
}
