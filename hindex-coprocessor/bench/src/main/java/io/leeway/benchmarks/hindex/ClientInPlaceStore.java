package io.leeway.benchmarks.hindex;

import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Two tables of plain HBase, of which the client keeps one as the index of the other, in place, as the source's prototype did it:
 * a write reads the old value, writes entry and row, and deletes the old entry. Reads and deletes of a batch go together, which
 * is kinder to the server than one by one. Right with one writer only.
 */
final class ClientInPlaceStore implements Store {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] VALUE = bytes("value");
    private static final byte[] NOTHING = {};

    private final ProcessCluster cluster;
    private final TableName rowsName;
    private final TableName indexName;
    private final Table rows;
    private final Table index;
    private long lastTime;

    private ClientInPlaceStore(ProcessCluster cluster, TableName rowsName, TableName indexName) throws IOException {
        this.cluster = cluster;
        this.rowsName = rowsName;
        this.indexName = indexName;
        this.rows = cluster.connection().getTable(rowsName);
        this.index = cluster.connection().getTable(indexName);
    }

    static ClientInPlaceStore create(ProcessCluster cluster) throws IOException {
        TableName rows = cluster.freshName("rows");
        TableName index = cluster.freshName("index");
        try (Admin admin = cluster.connection().getAdmin()) {
            for (TableName name : List.of(rows, index)) {
                admin.createTable(TableDescriptorBuilder.newBuilder(name)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .build());
            }
        }
        return new ClientInPlaceStore(cluster, rows, index);
    }

    @Override
    public String name() {
        return "client in place";
    }

    @Override
    public Usage usage() {
        return Usage.of(cluster.regionServers().get(0).handle());
    }

    @Override
    public Store session() {
        throw new UnsupportedOperationException("it is for one writer");
    }

    @Override
    public void put(List<Row> written) throws IOException {
        Map<String, byte[]> old = oldValues(written);
        long time = nextTime();
        var entries = new ArrayList<Put>();
        var puts = new ArrayList<Put>();
        var deletes = new ArrayList<Delete>();
        for (Row row : written) {
            byte[] value = bytes(row.value());
            entries.add(new Put(entry(value, row.key())).addColumn(FAMILY, NOTHING, time, NOTHING));
            puts.add(new Put(bytes(row.key())).addColumn(FAMILY, VALUE, time, value));
            byte[] before = old.put(row.key(), value);
            if (before != null) {
                deletes.add(new Delete(entry(before, row.key())).addColumns(FAMILY, NOTHING, time));
            }
        }
        index.put(entries);
        rows.put(puts);
        index.delete(deletes);
    }

    private Map<String, byte[]> oldValues(List<Row> written) throws IOException {
        List<String> keys = written.stream().map(Row::key).distinct().toList();
        Result[] found = rows.get(keys.stream()
                .map(key -> new Get(bytes(key)).addColumn(FAMILY, VALUE))
                .toList());
        var old = new HashMap<String, byte[]>();
        for (int i = 0; i < found.length; i++) {
            if (!found[i].isEmpty()) {
                old.put(keys.get(i), found[i].getValue(FAMILY, VALUE));
            }
        }
        return old;
    }

    private long nextTime() {
        lastTime = Math.max(lastTime + 1, System.currentTimeMillis());
        return lastTime;
    }

    private static byte[] entry(byte[] value, String key) {
        return Bytes.add(value, NOTHING, bytes(key));
    }

    @Override
    public int readValue(String value) throws IOException {
        int found = 0;
        try (ResultScanner scanner = index.getScanner(new Scan().setStartStopRowForPrefixScan(bytes(value)))) {
            while (scanner.next() != null) {
                found++;
            }
        }
        return found;
    }

    @Override
    public boolean readKey(String key) throws IOException {
        return !rows.get(new Get(bytes(key))).isEmpty();
    }

    @Override
    public void settle() throws IOException, InterruptedException {
        try (Admin admin = cluster.connection().getAdmin()) {
            for (TableName name : List.of(rowsName, indexName)) {
                admin.flush(name);
                Compactions.run(admin, name);
            }
        }
    }

    @Override
    public void close() throws IOException {
        rows.close();
        index.close();
        try (Admin admin = cluster.connection().getAdmin()) {
            for (TableName name : List.of(rowsName, indexName)) {
                admin.disableTable(name);
                admin.deleteTable(name);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
