package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.RowState;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/**
 * A row that the base table bears out.
 *
 * <p>The entry may be another than the one that was met: of the same key, with the timestamp that the row says.
 *
 * @param entry that led to it
 * @param row of the base table
 * @param state what it has in the columns of the index
 * @param fetched what else was asked for, in HBase's order
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record Hit(Entry entry, byte[] row, RowState state, List<Cell> fetched) {

    /** The key of the entry. */
    public byte[] key() {
        return entry.key();
    }

    /** Since when the row is in this state. */
    public long timestamp() {
        return entry.timestamp();
    }
}
