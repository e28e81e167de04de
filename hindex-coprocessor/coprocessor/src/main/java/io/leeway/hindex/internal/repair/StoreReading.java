package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/*
 * Model: coprocessors cannot read single files, so the region is read, with all versions and deletes. What came after the
 * files of the compaction is left out: it may be in memory only, and be lost in a crash if it was written without a log; an
 * entry that was removed because of it would be missing then.
 *
 * What is left out can still hide something: of two cells that agree in all but their value and their time of arrival, HBase
 * shows the later one only. A delete of an exact version that is hidden so would make a version look obsolete that is not. A
 * cell whose timestamp is above all in the files hides nothing. Where another is left out, the rest of its row is left alone,
 * and the reading is not sure to have seen everything. What comes before in the row can be judged: deletes stand before what
 * they hide.
 */
/**
 * Reads a family beside its compaction, and removes the entries of what is obsolete in it. It plays the part of a
 * compaction's input, so that the same classes decide. For one thread.
 */
final class StoreReading implements InternalScanner, Shipper {

    /** Of a wide row at a time. */
    private static final int CELLS_AT_ONCE = 500;

    /** Until then the blocks that were read stay in memory. */
    private static final int CELLS_UNTIL_SHIPPED = 5_000;

    private final InternalScanner region;
    private final Files files;
    private final BooleanSupplier cancelled;
    private final Metrics metrics;
    /** Whether nothing was left out that may hide something. */
    private boolean sure = true;
    /** The row whose rest is left alone. */
    private byte @Nullable [] unsureRow;

    private StoreReading(InternalScanner region, Files files, BooleanSupplier cancelled, Metrics metrics) {
        this.region = region;
        this.files = files;
        this.cancelled = cancelled;
        this.metrics = metrics;
    }

    /**
     * The files of a compaction.
     *
     * @param newestSequence the newest sequence id in them
     * @param newestTimestamp the newest timestamp in them
     */
    record Files(long newestSequence, long newestTimestamp) {}

    /**
     * Removes the entries of all that is obsolete in files.
     *
     * @param retention drops nothing; what it would drop is what is obsolete
     * @return whether nothing was left, or can have been overlooked
     */
    static boolean repair(
            Region region,
            byte[] family,
            Files files,
            Retention retention,
            List<IndexPlan> indexes,
            GarbageBuffer garbage,
            UnaryOperator<Cell> copier,
            BooleanSupplier cancelled,
            Metrics metrics)
            throws IOException {
        Scan scan = new Scan()
                .addFamily(family)
                .setRaw(true)
                .readAllVersions()
                .setBatch(CELLS_AT_ONCE)
                .setCacheBlocks(false);
        var reading = new StoreReading(region.getScanner(scan), files, cancelled, metrics);
        try (var repair = new RepairScanner(reading, retention, indexes, garbage, copier)) {
            var kept = new ArrayList<Cell>();
            int unshipped = 0;
            boolean more;
            do {
                kept.clear();
                more = repair.next(kept);
                unshipped += kept.size() + 1;
                if (unshipped > CELLS_UNTIL_SHIPPED) {
                    repair.shipped();
                    unshipped = 0;
                }
            } while (more);
        }
        return reading.sure && garbage.isComplete();
    }

    @Override
    @SuppressWarnings("deprecation") // No public successor; HBase 3 has the same method on ExtendedCell.
    public boolean next(List<Cell> result, ScannerContext limits) throws IOException {
        if (cancelled.getAsBoolean()) {
            throw new IOException("the region closes, or another compaction has come");
        }
        var cells = new ArrayList<Cell>();
        boolean more = region.next(cells);
        metrics.add(Metrics.Count.REPAIR_CELLS, cells.size());
        for (Cell cell : cells) {
            if (unsureRow != null && CellUtil.matchingRows(cell, unsureRow)) {
                continue;
            }
            if (cell.getSequenceId() <= files.newestSequence) {
                result.add(cell);
            } else if (cell.getTimestamp() <= files.newestTimestamp) {
                sure = false;
                unsureRow = CellUtil.cloneRow(cell);
            }
        }
        return more;
    }

    @Override
    public void shipped() throws IOException {
        if (region instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    @Override
    public void close() throws IOException {
        region.close();
    }
}
