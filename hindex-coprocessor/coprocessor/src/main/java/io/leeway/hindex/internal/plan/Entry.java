package io.leeway.hindex.internal.plan;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One entry of an index: at this timestamp a row of the base table got these values, all of which are in the entry's
 * key.
 *
 * <p>Equal by what identifies it, which is all but the content. The arrays belong to it.
 *
 * <p>That is what a removal names, so what is remembered to be removed need not keep the covered values.
 *
 * @param key the row of the index table
 * @param qualifier tells entries of one key and timestamp apart that cover different values
 * @param content the covered values; empty where it is not to be written, or there are none
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record Entry(IndexPlan index, byte[] key, byte[] qualifier, long timestamp, byte[] content)
        implements Comparable<Entry> {

    private static final byte[] NOTHING = {};

    /** One of an index that covers nothing. */
    public Entry(IndexPlan index, byte[] key, long timestamp) {
        this(index, key, IndexPlan.entryQualifier(), timestamp);
    }

    /** One to compare or to remove. */
    public Entry(IndexPlan index, byte[] key, byte[] qualifier, long timestamp) {
        this(index, key, qualifier, timestamp, NOTHING);
    }

    /** The order of the index table, so that what goes to one region stands together. */
    @Override
    public int compareTo(Entry other) {
        int byTable = index.table().compareTo(other.index.table());
        if (byTable != 0) {
            return byTable;
        }
        int byKey = Bytes.compareTo(key, other.key);
        if (byKey != 0) {
            return byKey;
        }
        int byQualifier = Bytes.compareTo(qualifier, other.qualifier);
        return byQualifier != 0 ? byQualifier : Long.compare(timestamp, other.timestamp);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entry entry
                && timestamp == entry.timestamp
                && index.equals(entry.index)
                && Arrays.equals(key, entry.key)
                && Arrays.equals(qualifier, entry.qualifier);
    }

    /** Key and timestamp tell nearly all apart. */
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
