package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/*
 * Model: all versions and deletes go to the file, so that compactions find what became obsolete. A version behind lasting ones
 * can wait there: only a delete brings it back, which writes its entry again. One behind values with a time to live of their
 * own cannot: it would be read again when these expire, where HBase has dropped it. So it is dropped, as HBase does it: behind
 * as many visible puts as the family keeps, counting those that expire, and among the cells of this flush only. Every put that
 * is counted must be visible to every open scanner.
 *
 * Cost: a comparison with the cell before; nothing is made unless a version is dropped.
 */
/**
 * Between a flush and what was in memory: drops what values that expire by themselves have overtaken. Made by
 * {@link StoreRepair} for the flush of one family. For one thread.
 */
final class FlushScanner implements InternalScanner, Shipper {

    private final InternalScanner input;
    private final int maxVersions;
    /** The smallest of all open scanners: cells up to it are visible to each of them. */
    private final long readPoint;

    private final List<StoredColumn> columns;
    private final Overtaken overtaken;
    private final UnaryOperator<Cell> copier;
    private final ColumnHistory history = new ColumnHistory();
    private final List<Cell> batch = new ArrayList<>();
    private @Nullable Cell previous;
    /** Puts of the present column that push others out. */
    private int counted;
    /** Those among them that do not expire by themselves. */
    private int lasting;
    /** Whether the column had a visible put, whose timestamp follows. */
    private boolean hasPut;

    private long lastPut;
    /** Whether what shares its timestamp goes: it would be seen when that expires. */
    private boolean lastPutGoes;

    /** For a family that keeps so many versions, and scanners that see what is up to a sequence id. */
    FlushScanner(
            InternalScanner input,
            int maxVersions,
            long readPoint,
            List<IndexPlan> indexes,
            Overtaken overtaken,
            UnaryOperator<Cell> copier) {
        this.input = input;
        this.maxVersions = maxVersions;
        this.readPoint = readPoint;
        this.columns = StoredColumn.of(indexes);
        this.overtaken = overtaken;
        this.copier = copier;
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext limits) throws IOException {
        batch.clear();
        boolean more = input.next(batch, limits);
        for (Cell cell : batch) {
            follow(cell);
            if (keeps(cell)) {
                result.add(cell);
            }
        }
        return more;
    }

    private void follow(Cell cell) {
        // A wide row comes in pieces: what was before is remembered over calls.
        boolean sameRow = previous != null && CellUtil.matchingRows(previous, cell);
        if (!sameRow) {
            history.startRow();
        }
        if (!sameRow || !CellUtil.matchingQualifier(previous, cell)) {
            history.startColumn();
            counted = 0;
            lasting = 0;
            hasPut = false;
        }
        previous = cell;
    }

    private boolean keeps(Cell cell) {
        long timestamp = cell.getTimestamp();
        switch (cell.getType()) {
            case DeleteFamily -> history.familyDeletedUpTo(timestamp);
            case DeleteFamilyVersion -> history.familyVersionDeleted(timestamp);
            case DeleteColumn -> history.deletedUpTo(timestamp);
            case Delete -> history.versionDeleted(timestamp);
            case Put -> {
                return keepsPut(cell, timestamp);
            }
        }
        return true;
    }

    private boolean keepsPut(Cell cell, long timestamp) {
        boolean expires = Fact.expires(cell);
        // The order of arrival decides between the two, and the store sorts the later one first.
        if (hasPut && lastPut == timestamp) {
            // Readers see the first, and the second when that has expired or was dropped.
            if (lastPutGoes) {
                drop(cell);
            }
            return !lastPutGoes;
        }
        // What a delete hides takes no place among the versions, and is left to compactions, which purge both.
        if (!history.isVisible(timestamp, expires)) {
            return true;
        }
        hasPut = true;
        lastPut = timestamp;
        // A reader that does not see this put yet would miss the one behind it.
        lastPutGoes = expires && sequence(cell) <= readPoint;
        // Were they all lasting, a delete alone could bring it back, which writes its entry: then it waits for a
        // compaction.
        if (counted >= maxVersions && lasting < maxVersions) {
            lastPutGoes = true;
            drop(cell);
            return false;
        }
        // Only what every open scanner sees may push another out.
        if (sequence(cell) <= readPoint) {
            counted++;
            lasting += expires ? 0 : 1;
        }
        return true;
    }

    /** Most columns have no index, and are dropped without a word. */
    private void drop(Cell cell) {
        for (StoredColumn column : columns) {
            if (CellUtil.matchingQualifier(cell, column.qualifier())) {
                // The entry goes when the file is in its place: until then the version may be read again.
                column.indexes()
                        .forEach(index -> overtaken.add(index.entries(
                                CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp())));
            }
        }
    }

    @SuppressWarnings("deprecation") // No public successor; HBase 3 has the same method on ExtendedCell.
    private static long sequence(Cell cell) {
        return cell.getSequenceId();
    }

    /** HBase is about to release the blocks that cells point into. */
    @Override
    public void shipped() throws IOException {
        if (previous != null) {
            previous = copier.apply(previous);
        }
        if (input instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
