package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Timestamps that an index's table keeps for each region of the base table, for the next life of the region. */
final class Watermarks {

    /** Nothing is owed. */
    static final long SETTLED = Long.MAX_VALUE;

    private static final byte[] FAMILY = IndexTables.watermarkFamily();

    private Watermarks() {}

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

        private byte[] qualifier() {
            return new byte[] {qualifier};
        }
    }

    /**
     * The watermark of a region; of one that has none, the lowest of all regions that it may have come from.
     *
     * @return {@link #SETTLED} if there is none at all
     */
    static long read(Connection connection, IndexPlan index, RegionInfo region, Kind kind) throws IOException {
        long lowest = SETTLED;
        // Handlers wait for what has to be read first.
        Scan scan = new Scan().addColumn(FAMILY, kind.qualifier()).setPriority(HConstants.HIGH_QOS);
        try (Table table = connection.getTable(index.table());
                ResultScanner all = table.getScanner(scan)) {
            for (Result each : all) {
                ByteBuffer content = ByteBuffer.wrap(each.value());
                long watermark = content.getLong();
                byte[] start = read(content);
                byte[] end = read(content);
                if (Bytes.equals(each.getRow(), row(region))) {
                    return watermark;
                }
                if (overlap(start, end, region)) {
                    lowest = Math.min(lowest, watermark);
                }
            }
        }
        return lowest;
    }

    static void write(Connection connection, IndexPlan index, RegionInfo region, Kind kind, long watermark)
            throws IOException {
        byte[] start = region.getStartKey();
        byte[] end = region.getEndKey();
        ByteBuffer content = ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES + start.length + end.length)
                .putLong(watermark)
                .putInt(start.length)
                .put(start)
                .putInt(end.length)
                .put(end);
        Put put = new Put(row(region)).addColumn(FAMILY, kind.qualifier(), content.array());
        put.setPriority(HConstants.HIGH_QOS);
        try (Table table = connection.getTable(index.table())) {
            table.put(put);
        }
    }

    private static byte[] row(RegionInfo region) {
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
