package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.silence.Wait;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.hindex.internal.write.Sweeps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Cost: HBase passes over the index's files that have nothing from the timestamp on. What it reads are the entries of all
 * regions of the table since then, of which those of this one are compared with their rows, without a lock. Only what a row
 * does not bear out is looked at again under its lock, as the entries of writes that failed.
 */
/**
 * Looks for entries of a region's rows that a killed server has left without rows.
 *
 * <p>Used by one thread at a time.
 */
public final class Sweep implements Sweeps.Sweeper {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Rows of the index between two looks whether it is to stop. */
    private static final int BATCH = 500;

    private final RegionInfo region;
    private final RowEntries rows;
    private final SharedSender sender;
    private final FailedEntries failed;
    /** Where the last one gave up. Forgotten with the region: its next life begins at the timestamp again. */
    private final Map<IndexPlan, Position> ended = new ConcurrentHashMap<>();

    /** For a region with these rows; what they do not bear out is told to those who settle it. */
    public Sweep(RegionInfo region, RowEntries rows, SharedSender sender, FailedEntries failed) {
        this.region = region;
        this.rows = rows;
        this.sender = sender;
        this.failed = failed;
    }

    /**
     * Where one ended before its time.
     *
     * @param key of the first entry that it did not settle
     */
    @SuppressWarnings("ArrayRecordComponent") // a key as HBase hands it around
    private record Position(long from, byte[] key) {}

    /**
     * By calls to other servers, without a lock, so that writes of the region are not held up however long it takes.
     */
    @Override
    public boolean sweep(IndexPlan index, long from, BooleanSupplier isStopped) throws IOException {
        return sender.ask(index.table(), connection -> sweep(connection, index, from, isStopped));
    }

    private boolean sweep(Connection connection, IndexPlan index, long from, BooleanSupplier isStopped)
            throws IOException {
        Scan scan = new Scan()
                .addFamily(IndexPlan.entryFamily())
                // By it HBase passes over older files.
                .setTimeRange(from, Long.MAX_VALUE)
                .readAllVersions()
                .setCacheBlocks(false)
                .setCaching(BATCH);
        // Only from the same timestamp on: a lower one has entries before that place too.
        Position last = ended.remove(index);
        if (last != null && last.from == from) {
            scan.withStartRow(last.key);
        }
        long seen = 0;
        long suspect = 0;
        try (Table table = connection.getTable(index.table());
                ResultScanner scanner = table.getScanner(scan)) {
            for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
                List<Entry> suspects = suspects(index, some);
                if (isStopped.getAsBoolean() || !settle(suspects)) {
                    // From the first of this batch, whose suspects may not all be settled.
                    ended.put(index, new Position(from, some[0].getRow()));
                    return false;
                }
                seen += some.length;
                suspect += suspects.size();
            }
        }
        LOG.info(
                "index {}: {} entries since {} were looked at for {}, which an earlier server of it may have left; {} of them"
                        + " needed more than a look",
                index.name(),
                seen,
                from,
                region.getRegionNameAsString(),
                suspect);
        return true;
    }

    private List<Entry> suspects(IndexPlan index, Result[] some) throws IOException {
        var suspects = new ArrayList<Entry>();
        for (Result each : some) {
            byte[] row = index.row(each.getRow());
            // Entries of all regions of the table are mixed in its index.
            if (!region.containsRow(row)) {
                continue;
            }
            for (Cell cell : each.rawCells()) {
                var entry = new Entry(index, each.getRow(), CellUtil.cloneQualifier(cell), cell.getTimestamp());
                // Without the lock: what is on its way looks like a suspect, and is looked at again under it.
                if (rows.fresh(row, index).stream()
                        .noneMatch(fresh -> fresh.entry().equals(entry))) {
                    suspects.add(entry);
                }
            }
        }
        return suspects;
    }

    /** A few at a time, and never put off for want of a place: another sweep would come upon the same, for ever. */
    private boolean settle(List<Entry> suspects) {
        if (suspects.isEmpty()) {
            return true;
        }
        try {
            return failed.settle(suspects, Wait.SWEEP.millis(0));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
