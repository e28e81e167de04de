package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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

/*
 * Each life of a region writes columns of its own. A call that was given up may be carried out all the same, when the next life
 * has long written: in one column it would undo that. So it stays beside it, and the lowest counts. Within one life the later
 * call has the higher timestamp, whichever arrives last.
 */
/** Timestamps of one kind that an index's table keeps for a region of the base table, for its next life. Thread-safe. */
final class Watermarks {

    /** Nothing is owed. */
    static final long SETTLED = Long.MAX_VALUE;

    private static final byte[] FAMILY = IndexTables.watermarkFamily();

    private final RegionInfo region;
    private final Kind kind;
    private final byte[] column;

    /** By index: what earlier lives have written, until this one has written what covers it. */
    private final Map<IndexPlan, Delete> superseded = new ConcurrentHashMap<>();

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

    /** What a timestamp says. */
    enum Kind {
        /** What the region got the server's time for below it has its entries. */
        WRITTEN('w'),
        /** Entries from it on may have no rows. */
        UNCERTAIN('u');

        private final byte qualifier;

        Kind(char qualifier) {
            this.qualifier = (byte) qualifier;
        }

        private boolean isOf(Cell cell) {
            return cell.getQualifierLength() > 0 && cell.getQualifierArray()[cell.getQualifierOffset()] == qualifier;
        }
    }

    /**
     * What the region's lives have left; if none has left anything, the lowest of all regions that it may have come from.
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
                    lowest = Math.min(lowest, lowestFrom(each));
                }
            }
        }
        return lowest;
    }

    private long readOwn(IndexPlan index, Result own) {
        var delete = new Delete(row());
        delete.setPriority(HConstants.HIGH_QOS);
        long lowest = SETTLED;
        for (Cell cell : own.rawCells()) {
            if (kind.isOf(cell)) {
                lowest = Math.min(
                        lowest, ByteBuffer.wrap(CellUtil.cloneValue(cell)).getLong());
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

    private long lowestFrom(Result other) {
        long lowest = SETTLED;
        for (Cell cell : other.rawCells()) {
            ByteBuffer content = ByteBuffer.wrap(CellUtil.cloneValue(cell));
            long watermark = content.getLong();
            byte[] start = read(content);
            byte[] end = read(content);
            if (kind.isOf(cell) && overlap(start, end, region)) {
                lowest = Math.min(lowest, watermark);
            }
        }
        return lowest;
    }

    /** Writes one that covers what {@link #read} has found. */
    void write(Connection connection, IndexPlan index, long watermark) throws IOException {
        byte[] start = region.getStartKey();
        byte[] end = region.getEndKey();
        ByteBuffer content = ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES + start.length + end.length)
                .putLong(watermark)
                .putInt(start.length)
                .put(start)
                .putInt(end.length)
                .put(end);
        Put put = new Put(row()).addColumn(FAMILY, column, nextTime(), content.array());
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

    private synchronized long nextTime() {
        lastTime = Math.max(lastTime + 1, System.currentTimeMillis());
        return lastTime;
    }

    private byte[] row() {
        return region.getEncodedName().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] read(ByteBuffer content) {
        var bytes = new byte[content.getInt()];
        content.get(bytes);
        return bytes;
    }

    /** An empty end is the end of the table. */
    private static boolean overlap(byte[] start, byte[] end, RegionInfo region) {
        byte[] otherEnd = region.getEndKey();
        return (otherEnd.length == 0 || Bytes.compareTo(start, otherEnd) < 0)
                && (end.length == 0 || Bytes.compareTo(region.getStartKey(), end) < 0);
    }
}
