package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/*
 * Model: the compaction reads all versions and deletes, since the options of its scanner say so; what HBase would have
 * dropped is dropped here. A put of an indexed column that is no longer fresh is garbage: its entry is removed.
 *
 * Order: a dropped put's entry must be gone before the compaction's file takes the place of the old ones, or nobody ever
 * finds the entry again. So the buffer is emptied before the last next() returns, and a failure fails the compaction,
 * which leaves the old files as they are; removing again what is gone changes nothing. A put that is kept may fail: the
 * next compaction finds it again.
 *
 * What is dropped, of cells that HBase would drop:
 * - hidden puts, unless the family keeps deleted cells
 * - puts beyond the family's versions; of indexed columns only when all files were read, see ColumnHistory
 * - deletes, when all files were read and what they hide is dropped too
 * Of lazy indexes only what a former run of this store has repaired already is dropped.
 *
 * Cells may point into blocks that are released at shipped(): whatever is remembered is copied. A wide row comes in
 * pieces: the state outlives next().
 */
/** Between a compaction and its input: removes the entries of what became obsolete. For one thread. */
final class RepairScanner implements InternalScanner, Shipper {

    private final InternalScanner input;
    private final Scope scope;
    private final List<IndexPlan> indexes;
    private final boolean strict;
    private final GarbageBuffer garbage;
    private final ColumnHistory history = new ColumnHistory();
    private final List<Cell> batch = new ArrayList<>();
    private byte @Nullable [] row;
    private byte @Nullable [] qualifier;
    private List<IndexPlan> indexesOfColumn = List.of();
    private long newestSequence;
    private long newestSequenceOfFamilyDeletes;
    private boolean familyDeletesDropped;
    private boolean deletesDropped;

    /**
     * What one compaction may conclude and drop.
     *
     * @param allFiles whether it reads all files of the store
     * @param dropDeletes whether deletes may go
     * @param keepsDeleted whether the family keeps deleted cells
     * @param familyVersions how many versions the family keeps
     * @param strict whether it fails rather than leave the entry of a superseded version behind
     * @param repairedUpTo all files up to this sequence number were repaired; 0 if none
     */
    record Scope(
            boolean allFiles,
            boolean dropDeletes,
            boolean keepsDeleted,
            int familyVersions,
            boolean strict,
            long repairedUpTo) {}

    RepairScanner(InternalScanner input, Scope scope, List<IndexPlan> indexes, GarbageBuffer garbage) {
        this.input = input;
        this.scope = scope;
        this.indexes = indexes;
        this.strict = scope.strict();
        this.garbage = garbage;
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
            garbage.finish();
        }
        return more;
    }

    private boolean keeps(Cell cell) throws IOException {
        follow(cell);
        return switch (cell.getType()) {
            case DeleteFamily -> {
                history.familyDeletedUpTo(cell.getTimestamp());
                yield keepsFamilyDelete(cell);
            }
            case DeleteFamilyVersion -> {
                history.familyVersionDeleted(cell.getTimestamp());
                yield keepsFamilyDelete(cell);
            }
            case DeleteColumn -> {
                history.deletedUpTo(cell.getTimestamp());
                yield keepsDelete(cell);
            }
            case Delete -> {
                history.versionDeleted(cell.getTimestamp());
                yield keepsDelete(cell);
            }
            case Put -> keepsPut(cell);
        };
    }

    /** Notices when another row or column starts. */
    private void follow(Cell cell) {
        if (row == null || !CellUtil.matchingRows(cell, row)) {
            row = CellUtil.cloneRow(cell);
            qualifier = null;
            history.startRow();
            newestSequenceOfFamilyDeletes = 0;
            familyDeletesDropped = false;
        }
        if (qualifier == null || !CellUtil.matchingQualifier(cell, qualifier)) {
            qualifier = CellUtil.cloneQualifier(cell);
            history.startColumn();
            indexesOfColumn =
                    indexes.stream().filter(index -> index.isOfColumn(cell)).toList();
            newestSequence = newestSequenceOfFamilyDeletes;
            deletesDropped = familyDeletesDropped;
        }
        newestSequence = Math.max(newestSequence, sequence(cell));
    }

    private boolean keepsFamilyDelete(Cell cell) {
        newestSequenceOfFamilyDeletes = Math.max(newestSequenceOfFamilyDeletes, sequence(cell));
        boolean keeps = keepsDelete(cell);
        familyDeletesDropped |= !keeps;
        return keeps;
    }

    private boolean keepsDelete(Cell cell) {
        boolean hidesWhatIsKept = !strict && sequence(cell) > scope.repairedUpTo();
        boolean drops = scope.dropDeletes() && !scope.keepsDeleted() && !hidesWhatIsKept;
        deletesDropped |= drops;
        return !drops;
    }

    private boolean keepsPut(Cell cell) throws IOException {
        boolean visible = history.isVisible(cell.getTimestamp(), Fact.expires(cell));
        boolean superfluous = visible ? history.visible() > scope.familyVersions() : !scope.keepsDeleted();
        if (indexesOfColumn.isEmpty()) {
            return !superfluous;
        }
        boolean certain = !visible || scope.allFiles();
        boolean repaired = newestSequence <= scope.repairedUpTo();
        if (!certain || (repaired && !superfluous)) {
            return true;
        }
        List<Entry> entries = entries(cell, visible ? history.visible() : Integer.MAX_VALUE);
        if (visible && garbage.becameFresh(entries)) {
            return true;
        }
        // What a dropped delete hid must not come to light.
        boolean drops = superfluous && (strict || repaired || (!visible && deletesDropped));
        if (!repaired) {
            garbage.add(entries, drops);
        }
        return !drops;
    }

    /** Of the indexes for which a put of this rank is not fresh. */
    private List<Entry> entries(Cell cell, int rank) {
        var entries = new ArrayList<Entry>();
        for (IndexPlan index : indexesOfColumn) {
            if (rank > index.versions()) {
                entries.addAll(index.entries(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp()));
            }
        }
        return entries;
    }

    @SuppressWarnings("deprecation") // No public successor; HBase 3 has the same method on ExtendedCell.
    private static long sequence(Cell cell) {
        return cell.getSequenceId();
    }

    @Override
    public void shipped() throws IOException {
        if (input instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
