package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads rows of the base table, which are all read alike; as many results as there are gets, empty where there is no
 * row.
 */
@FunctionalInterface
interface RowReads {

    Result[] read(List<Get> gets) throws IOException;

    /** Is told how many entries a row that was read has borne out, and how many not. */
    default void met(byte[] row, int fresh, int stale) {}

    /**
     * By a client.
     *
     * <p>With one batch, which HBase's client divides by servers, and with the application's rights.
     */
    static RowReads byClient(Connection connection, TableName base) {
        return gets -> {
            try (Table rows = connection.getTable(base)) {
                return rows.get(gets);
            }
        };
    }
}
