package io.leeway.hindex.internal.plan;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One entry of an index: at this timestamp a row of the base table got a value, both of which are in the entry's key.
 *
 * <p>Equal by content. The array belongs to it.
 *
 * @param key the row of the index table
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record Entry(IndexPlan index, byte[] key, long timestamp) implements Comparable<Entry> {

    /** The order of the index table, so that what goes to one region stands together. */
    @Override
    public int compareTo(Entry other) {
        int byTable = index.table().compareTo(other.index.table());
        if (byTable != 0) {
            return byTable;
        }
        int byKey = Bytes.compareTo(key, other.key);
        return byKey != 0 ? byKey : Long.compare(timestamp, other.timestamp);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entry entry
                && timestamp == entry.timestamp
                && index.equals(entry.index)
                && Arrays.equals(key, entry.key);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(key) + Long.hashCode(timestamp);
    }

    /** Keys are values of rows and therefore not shown. */
    @Override
    public String toString() {
        return "entry of " + index.name() + " at " + timestamp;
    }
}
