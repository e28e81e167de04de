package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.hindex.internal.write.NewEntry;
import io.leeway.hindex.internal.write.SharedSender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Writes the entries of a region's rows that have cells since a time: what mode async has put off when its server was
 * killed. It reads as much as was written since the last watermark, in a thread of the table. Thread-safe.
 */
public final class RowsSince implements FollowingEntries.Rows {

    private final Region region;
    private final RowEntries rows;
    private final SharedSender sender;

    /** For a region with these rows. */
    public RowsSince(Region region, RowEntries rows, SharedSender sender) {
        this.region = region;
        this.rows = rows;
        this.sender = sender;
    }

    /** Each row under its lock: an entry that is written when it is obsolete already would stay. */
    @Override
    public void writeSince(IndexPlan index, long time, BooleanSupplier isStopped) throws IOException {
        Scan scan = new Scan().setTimeRange(time, Long.MAX_VALUE).setCacheBlocks(false);
        index.select(scan);
        try (InternalScanner scanner = region.getScanner(scan)) {
            var some = new ArrayList<Cell>();
            boolean more;
            do {
                some.clear();
                more = scanner.next(some);
                if (!some.isEmpty()) {
                    write(index, CellUtil.cloneRow(some.get(0)));
                }
            } while (more && !isStopped.getAsBoolean());
        }
    }

    /**
     * All that the row must have, and not only what is newer than the time: which it was that is missing nobody knows.
     */
    private void write(IndexPlan index, byte[] row) throws IOException {
        LockedRows.with(region, List.of(row), () -> {
            List<NewEntry> entries = rows.fresh(row, index);
            sender.put(entries);
            return entries;
        });
    }
}
