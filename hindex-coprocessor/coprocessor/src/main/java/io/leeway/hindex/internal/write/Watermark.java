package io.leeway.hindex.internal.write;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A timestamp that a region has left, as it is stored.
 *
 * <p>The rows stand in it since the region may be gone when it is read, and HBase forgets what it was.
 *
 * @param start the first row of the region
 * @param end the row behind it; empty is the end of the table
 */
@SuppressWarnings("ArrayRecordComponent") // of a region, which nobody changes
record Watermark(long time, byte[] start, byte[] end) {

    static Watermark of(RegionInfo region, long time) {
        return new Watermark(time, region.getStartKey(), region.getEndKey());
    }

    static Watermark of(Cell cell) {
        ByteBuffer content = ByteBuffer.wrap(CellUtil.cloneValue(cell));
        return new Watermark(content.getLong(), read(content), read(content));
    }

    private static byte[] read(ByteBuffer content) {
        var bytes = new byte[content.getInt()];
        content.get(bytes);
        return bytes;
    }

    /** Stored, and read by later versions: time, then both rows with their lengths. */
    byte[] content() {
        return ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES + start.length + end.length)
                .putLong(time)
                .putInt(start.length)
                .put(start)
                .putInt(end.length)
                .put(end)
                .array();
    }

    /** Whether its region and this one share rows. */
    boolean overlaps(RegionInfo region) {
        byte[] otherEnd = region.getEndKey();
        return (otherEnd.length == 0 || Bytes.compareTo(start, otherEnd) < 0)
                && (end.length == 0 || Bytes.compareTo(region.getStartKey(), end) < 0);
    }
}
