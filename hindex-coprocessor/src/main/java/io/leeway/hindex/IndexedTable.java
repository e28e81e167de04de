package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.CheckedRead;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Reads of a table by value.
 *
 * <pre>{@code
 * IndexedTable words = IndexedTable.open(connection, TableName.valueOf("words"), "by_word");
 * List<IndexedRow> rows = words.readValue(Bytes.toBytes("leeway"));
 * }</pre>
 *
 * <p>A result is as fresh as the base table: each row was checked there, and writes that were acknowledged before the call
 * are seen. Rows that change during the call are seen before or after the change, each for itself. Thread-safe; uses the
 * connection and does not close it.
 */
public final class IndexedTable {

    private final Connection connection;
    private final TableName table;
    private final IndexPlan index;

    private IndexedTable(Connection connection, TableName table, IndexPlan index) {
        this.connection = connection;
        this.table = table;
        this.index = index;
    }

    /**
     * The table, by one of its indexes.
     *
     * @throws IllegalArgumentException if there is no such index
     * @throws IllegalStateException if it is not complete
     */
    public static IndexedTable open(Connection connection, TableName table, String index) throws IOException {
        try (var base = connection.getTable(table)) {
            IndexPlan plan = TablePlan.of(base.getDescriptor()).named(index);
            plan.requireReadable();
            return new IndexedTable(connection, table, plan);
        }
    }

    /** The rows that have this value among the newest versions that the index keeps, in the order of their keys. */
    public List<IndexedRow> readValue(byte[] value) throws IOException {
        return readValue(value, Long.MAX_VALUE);
    }

    /**
     * The rows that had this value at a point in time.
     *
     * @param asOf versions with larger timestamps are not seen
     */
    public List<IndexedRow> readValue(byte[] value, long asOf) throws IOException {
        return new CheckedRead(connection, table, index)
                .exact(value, asOf).stream()
                        .map(hit -> new IndexedRow(hit.row(), hit.value(), hit.timestamp()))
                        .toList();
    }
}
