package io.leeway.hindex;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row that has a value.
 *
 * <p>Equal by content.
 *
 * @param row the key of the row in the base table
 * @param value what the indexed column holds
 * @param timestamp since when
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record IndexedRow(byte[] row, byte[] value, long timestamp) {

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexedRow indexed
                && timestamp == indexed.timestamp
                && Arrays.equals(row, indexed.row)
                && Arrays.equals(value, indexed.value);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(row) + Long.hashCode(timestamp);
    }

    @Override
    public String toString() {
        return Bytes.toStringBinary(row) + "=" + Bytes.toStringBinary(value) + "@" + timestamp;
    }
}
