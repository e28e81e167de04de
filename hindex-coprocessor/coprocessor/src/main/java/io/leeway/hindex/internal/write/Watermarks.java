package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Each life of a region writes columns of its own. A call that was given up may be carried out all the same, when the next life
 * has long written: in one column it would undo that. So it stays beside it, and the lowest counts. Within one life the later
 * call has the higher timestamp, whichever arrives last.
 */
/**
 * Timestamps of one kind that an index's table keeps for a region of the base table, for its next life. Thread-safe.
 */
final class Watermarks {

    /** Nothing is owed. As the highest of all numbers it needs no case of its own where the lowest counts. */
    static final long SETTLED = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    private static final byte[] FAMILY = IndexTables.watermarkFamily();

    private final RegionInfo region;
    private final Kind kind;
    /**
     * The kind, and a random number for this life. The name of the server would not do: it may open a region more than
     * once.
     */
    private final byte[] column;

    /** By index: what earlier lives have written, until this one has written what covers it. */
    private final Map<IndexPlan, Delete> superseded = new ConcurrentHashMap<>();

    /** Indexes whose tables have marks of regions that this one may have come from. */
    private final Set<IndexPlan> inherited = ConcurrentHashMap.newKeySet();

    /**
     * Of the marks' own cells: two in one millisecond would share a timestamp, and the later might not be the one that
     * is kept.
     */
    private long lastTime;

    /** Those of a region that has just been opened. */
    Watermarks(RegionInfo region, Kind kind) {
        this.region = region;
        this.kind = kind;
        this.column = ByteBuffer.allocate(1 + Long.BYTES)
                .put(kind.qualifier)
                .putLong(ThreadLocalRandom.current().nextLong())
                .array();
    }

    /**
     * What a timestamp says. Both are of the same rows of the index's table, told apart by the first byte of the
     * qualifier.
     */
    enum Kind {
        /** What the region got the server's time for below it has its entries. */
        WRITTEN('w'),
        /** Entries from it on may have no rows. */
        UNCERTAIN('u');

        /** Stored: never to be changed. */
        private final byte qualifier;

        Kind(char qualifier) {
            this.qualifier = (byte) qualifier;
        }

        boolean isOf(Cell cell) {
            return cell.getQualifierLength() > 0 && cell.getQualifierArray()[cell.getQualifierOffset()] == qualifier;
        }
    }

    /**
     * What the region's lives have left; if none has left anything, the lowest of all regions that it may have come
     * from.
     *
     * <p>The marks of all regions are read, as where this region came from is not asked of HBase: what says so there
     * goes after a while, while a mark holds the rows that it is of. There is one row for each region, so it is not
     * much.
     *
     * @return {@link #SETTLED} if there is none at all
     */
    long read(Connection connection, IndexPlan index) throws IOException {
        long lowest = SETTLED;
        // Handlers wait for what has to be read first.
        Scan scan = new Scan().addFamily(FAMILY).setPriority(HConstants.HIGH_QOS);
        try (Table table = connection.getTable(index.table());
                ResultScanner all = table.getScanner(scan)) {
            for (Result each : all) {
                if (Bytes.equals(each.getRow(), row())) {
                    if (Stream.of(each.rawCells()).anyMatch(kind::isOf)) {
                        return readOwn(index, each);
                    }
                } else {
                    lowest = Math.min(lowest, lowestFrom(index, each));
                }
            }
        }
        return lowest;
    }

    /**
     * The lowest of what this region's lives have left. All of their columns are noted, to be deleted by this life's
     * first write and with the timestamps that were read: what arrives late has a higher one, and stays.
     */
    private long readOwn(IndexPlan index, Result own) {
        var delete = new Delete(row());
        delete.setPriority(HConstants.HIGH_QOS);
        long lowest = SETTLED;
        for (Cell cell : own.rawCells()) {
            if (kind.isOf(cell)) {
                lowest = Math.min(lowest, Watermark.of(cell).time());
                byte[] written = CellUtil.cloneQualifier(cell);
                if (!Bytes.equals(written, column)) {
                    delete.addColumns(FAMILY, written, cell.getTimestamp());
                }
            }
        }
        if (!delete.isEmpty()) {
            superseded.put(index, delete);
        }
        return lowest;
    }

    private long lowestFrom(IndexPlan index, Result other) {
        long lowest = SETTLED;
        for (Cell cell : other.rawCells()) {
            Watermark watermark = Watermark.of(cell);
            if (kind.isOf(cell) && watermark.overlaps(region)) {
                inherited.add(index);
                lowest = Math.min(lowest, watermark.time());
            }
        }
        return lowest;
    }

    /**
     * Writes one that covers what {@link #read} has found.
     *
     * <p>First written, then deleted what it covers. A crash in between leaves both, of which the lower one counts.
     */
    void write(Connection connection, IndexPlan index, long watermark) throws IOException {
        byte[] content = Watermark.of(region, watermark).content();
        Put put = new Put(row()).addColumn(FAMILY, column, nextTime(), content);
        put.setPriority(HConstants.HIGH_QOS);
        try (Table table = connection.getTable(index.table())) {
            table.put(put);
            Delete earlier = superseded.get(index);
            if (earlier != null) {
                table.delete(earlier);
                superseded.remove(index, earlier);
            }
        }
    }

    /**
     * Takes away what regions have left that are gone, if this one had to look at it and what it found is covered now.
     * What stays costs the regions that come of this one a longer look.
     */
    void removeGone(Connection connection, IndexPlan index) {
        if (inherited.remove(index)) {
            try {
                GoneMarks.remove(connection, index, region.getTable(), kind);
            } catch (IOException | RuntimeException e) {
                LOG.debug("what regions left that are gone stays in {}", index.table(), e);
            }
        }
    }

    private synchronized long nextTime() {
        lastTime = Math.max(lastTime + 1, System.currentTimeMillis());
        return lastTime;
    }

    private byte[] row() {
        return region.getEncodedName().getBytes(StandardCharsets.US_ASCII);
    }
}
