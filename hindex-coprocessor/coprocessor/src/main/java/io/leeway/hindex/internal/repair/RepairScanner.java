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
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/*
 * Model: the compaction reads all versions and deletes, since the options of its scanner say so; the collector says what
 * is obsolete, and drops what HBase would have dropped.
 *
 * Order: a dropped version's entry must be gone before the compaction's file takes the place of the old ones, or nobody
 * ever finds the entry again. So the buffer is emptied before the last next() returns, and a failure fails the compaction,
 * which leaves the old files as they are; removing again what is gone changes nothing. For a version that is kept the
 * removal may fail: the next compaction finds it again.
 *
 * A version that a delete in memory has made fresh again stays with its entry, see Removals: the files may say that newer ones
 * supersede it. But not one that a delete in the files hides: what was written since, if it is that at all and not in the files
 * too, has not changed this; it goes with its delete, or it could be seen again. Its entry stays, and is looked at afterwards.
 *
 * Where more came back than is remembered, rows that are still to come stay as they are, with their deletes. Not the rest of one
 * that has begun: its deletes may be gone. There everything counts as fresh again, which takes masked versions with their deletes
 * and leaves their entries to be looked at, as above.
 *
 * An index over several columns has entries that no cell tells alone. Their row's cells are remembered until it ends, and give
 * the states that it went through; all but the last are obsolete. That needs all of them: in a compaction of some files
 * the puts of such columns stay, and nothing is concluded.
 *
 * Cells may point into blocks that are released at shipped(): whatever is remembered is copied then. A wide row comes in
 * pieces: the state outlives next().
 */
/** Between a compaction and its input: removes the entries of what became obsolete. For one thread. */
final class RepairScanner implements InternalScanner, Shipper {

    private final InternalScanner input;
    private final GarbageBuffer garbage;
    private final UnaryOperator<Cell> copier;
    private final Collector<Cell, RuntimeException> collector;
    private final boolean readsWholeRows;
    private final long repairedUpTo;
    private final Map<IndexPlan, List<Fact>> rowFacts = new LinkedHashMap<>();
    private boolean droppedOfRow;
    private boolean leavesRow;
    private final List<StoredColumn> columns;
    private final List<Cell> batch = new ArrayList<>();
    private final List<Entry> obsolete = new ArrayList<>();
    private final End end;
    private final Consumer<Boolean> closed;
    private boolean isAtEnd;
    private boolean mustAck;
    private @Nullable Cell previous;
    private StoredColumn column = StoredColumn.WITHOUT_INDEX;

    RepairScanner(
            InternalScanner input,
            Retention retention,
            List<IndexPlan> indexes,
            GarbageBuffer garbage,
            UnaryOperator<Cell> copier) {
        this(input, retention, indexes, garbage, copier, () -> {}, toTheEnd -> {});
    }

    /** Whether all that was read may count. */
    @FunctionalInterface
    interface End {
        /** Fails if it may not. */
        void check() throws IOException;
    }

    /** The last one is told when it is closed, and whether everything was read. */
    RepairScanner(
            InternalScanner input,
            Retention retention,
            List<IndexPlan> indexes,
            GarbageBuffer garbage,
            UnaryOperator<Cell> copier,
            End end,
            Consumer<Boolean> closed) {
        this.end = end;
        this.closed = closed;
        this.input = input;
        indexes.stream()
                .filter(index -> !index.isOfOneColumn())
                .forEach(index -> rowFacts.put(index, new ArrayList<>()));
        this.columns = StoredColumn.of(indexes);
        this.readsWholeRows = retention.complete() && retention.repair() != Retention.Repair.NONE;
        this.repairedUpTo = retention.repairedUpTo();
        this.garbage = garbage;
        this.copier = copier;
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

    @Override
    public boolean next(List<Cell> result, ScannerContext limits) throws IOException {
        batch.clear();
        boolean more = input.next(batch, limits);
        for (Cell cell : batch) {
            if (keeps(cell)) {
                result.add(cell);
            }
        }
        if (!more) {
            endRow();
            garbage.finish();
            end.check();
            isAtEnd = true;
        }
        return more;
    }

    /** Removes the entries of the states that the row went through. */
    private void endRow() throws IOException {
        for (Map.Entry<IndexPlan, List<Fact>> index : rowFacts.entrySet()) {
            List<Fact> facts = index.getValue();
            if (previous != null && !facts.isEmpty()) {
                Set<Entry> former =
                        StateHistory.of(index.getKey(), facts).formerEntries(CellUtil.cloneRow(previous), repairedUpTo);
                if (!former.isEmpty()) {
                    garbage.addOfRow(former, droppedOfRow);
                }
                facts.clear();
            }
        }
        droppedOfRow = false;
    }

    private boolean keeps(Cell cell) throws IOException {
        follow(cell);
        if (leavesRow) {
            return true;
        }
        if (column.isOfSeveral() && !readsWholeRows && cell.getType() == Cell.Type.Put) {
            return true;
        }
        remember(cell);
        obsolete.clear();
        mustAck = false;
        boolean keeps = decide(cell);
        droppedOfRow |= !keeps;
        boolean isFresh = (!keeps || !obsolete.isEmpty()) && leaveWhatBecameFresh(cell);
        if (!obsolete.isEmpty()) {
            garbage.addOfVersion(obsolete, mustAck);
        }
        return keeps || isFresh;
    }

    private void remember(Cell cell) {
        if (readsWholeRows && !rowFacts.isEmpty()) {
            rowFacts.forEach((index, facts) -> {
                if (index.concerns(cell)) {
                    facts.add(Fact.stored(index, cell));
                }
            });
        }
    }

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
        if (!sameRow) {
            endRow();
            collector.row();
            leavesRow = garbage.leavesRest();
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

    private void addObsolete(int index, Cell cell, @Nullable Cell fresh, boolean acknowledged) {
        List<Entry> entries = entries(column.indexes().get(index), cell);
        entries.stream()
                .filter(entry -> fresh == null
                        || !entries(column.indexes().get(index), fresh).contains(entry))
                .forEach(obsolete::add);
        mustAck |= acknowledged;
    }

    /** For one index a version may have become fresh, and be obsolete for another, that finds fewer. */
    private boolean leaveWhatBecameFresh(Cell cell) {
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

    @Override
    public void shipped() throws IOException {
        if (previous != null) {
            previous = copier.apply(previous);
        }
        collector.detach(copier);
        if (input instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    @Override
    public void close() throws IOException {
        garbage.abandon();
        closed.accept(isAtEnd);
        input.close();
    }
}
