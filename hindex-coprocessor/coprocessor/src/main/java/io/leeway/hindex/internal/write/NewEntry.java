package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An entry to be written.
 *
 * @param timeToLive milliseconds from the entry's timestamp on, as of the base cell; {@code Long.MAX_VALUE} for ever
 */
public record NewEntry(Entry entry, long timeToLive) {

    /**
     * HBase's number for a cell's own time to live.
     *
     * <p>HBase's {@code TagType} is no API, but the number stands in its files and cannot change.
     */
    private static final byte TTL_TAG = 8;

    /** The time to live that a cell has of its own; {@code Long.MAX_VALUE} if it has none. */
    public static long timeToLive(Cell cell) {
        return cell instanceof RawCell raw
                ? raw.getTag(TTL_TAG)
                        .map(tag -> Bytes.toLong(Tag.cloneValue(tag)))
                        .orElse(Long.MAX_VALUE)
                : Long.MAX_VALUE;
    }

    /** One that lives as long as the index's family says. */
    static NewEntry of(Entry entry) {
        return new NewEntry(entry, Long.MAX_VALUE);
    }
}
