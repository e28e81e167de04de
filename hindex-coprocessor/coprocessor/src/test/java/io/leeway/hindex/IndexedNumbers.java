package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.testkit.hbase.RunningHBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with numbers in {@code f:n} and texts between commas in {@code f:tags}, in several regions, for tests of queries. */
final class IndexedNumbers implements AutoCloseable {

    static final byte[] FAMILY = "f".getBytes(StandardCharsets.US_ASCII);
    static final byte[] NUMBER = "n".getBytes(StandardCharsets.US_ASCII);
    static final byte[] TAGS = "tags".getBytes(StandardCharsets.US_ASCII);
    static final byte[] NOTE = "note".getBytes(StandardCharsets.US_ASCII);

    /** Else clients read for themselves where the machine is busy, and tests count who has read. */
    private static final String READ_TIMEOUT = "1m";

    private final RunningHBase cluster;
    private final TableName name;
    private final TablePlan plan;
    private final Table table;

    private IndexedNumbers(RunningHBase cluster, TableName name, TablePlan plan) throws IOException {
        this.cluster = cluster;
        this.name = name;
        this.plan = plan;
        this.table = cluster.connection().getTable(name);
    }

    /** With these indexes: definitions by name. */
    static IndexedNumbers create(RunningHBase cluster, Map<String, String> indexes) throws IOException {
        return create(cluster, indexes, true);
    }

    static IndexedNumbers create(RunningHBase cluster, Map<String, String> indexes, boolean endpoint)
            throws IOException {
        TableName name = cluster.freshName("numbers");
        var builder = TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMaxVersions(3)
                        .build())
                .setCoprocessor(HindexObserver.class.getName())
                // Queries meet many obsolete entries here; a compaction for that would take what points in time still
                // find.
                .setValue("hindex.compact.stale", "0")
                .setValue("hindex.read.timeout", READ_TIMEOUT);
        indexes.forEach((index, definition) ->
                builder.setValue(IndexDefinition.ATTRIBUTE_PREFIX + index, definition + "; state=active"));
        TableDescriptor descriptor = builder.build();
        TablePlan plan = TablePlan.of(descriptor);
        try (var admin = cluster.connection().getAdmin()) {
            for (IndexPlan index : plan.indexes()) {
                var entries = TableDescriptorBuilder.newBuilder(IndexTables.descriptor(index, descriptor))
                        .setCoprocessor(EndpointCalls.class.getName())
                        .setValue("hindex.read.timeout", READ_TIMEOUT);
                if (!endpoint) {
                    entries.removeCoprocessor(HindexEndpoint.class.getName());
                }
                admin.createTable(entries.build(), splits(index));
            }
            admin.createTable(descriptor, new byte[][] {Bytes.toBytes("r3"), Bytes.toBytes("r6")});
        }
        return new IndexedNumbers(cluster, name, plan);
    }

    /** Within what tests write: salted, or numbers around nought. */
    private static byte[][] splits(IndexPlan index) {
        byte[] middle = Encoding.LONG.keyOf(0L);
        byte[] other = Encoding.LONG.keyOf(4L);
        return index.keys().salt() > 0
                ? new byte[][] {{1}, {2, -128}}
                : index.columns().get(0).equals(ColumnName.of(FAMILY, TAGS))
                        ? new byte[][] {{'b'}, {'c', 'x'}}
                        : new byte[][] {middle, other};
    }

    TableName name() {
        return name;
    }

    Table table() {
        return table;
    }

    IndexPlan index(String index) {
        return plan.named(index);
    }

    IndexedTable by(String index) throws IOException {
        return IndexedTable.open(cluster.connection(), name, index);
    }

    static Put put(String row, Long number, List<String> tags) {
        return new Put(Bytes.toBytes(row))
                .addColumn(FAMILY, NUMBER, Bytes.toBytes(number))
                .addColumn(FAMILY, TAGS, Bytes.toBytes(String.join(",", tags)))
                .addColumn(FAMILY, NOTE, Bytes.toBytes("note of " + row));
    }

    /** A version of a cell of the base table. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Version(String row, byte[] value, long timestamp) {

        long number() {
            return Bytes.toLong(value);
        }

        List<String> tags() {
            return Arrays.asList(Bytes.toString(value).split(","));
        }
    }

    /** The newest so many versions of a column, as of a point in time, by a scan of the base table. */
    List<Version> versions(byte[] qualifier, int newest, long asOf) throws IOException {
        var versions = new ArrayList<Version>();
        Scan scan = new Scan().addColumn(FAMILY, qualifier).readVersions(newest);
        if (asOf != Long.MAX_VALUE) {
            scan.setTimeRange(0, asOf + 1);
        }
        try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
                for (Cell cell : result.rawCells()) {
                    versions.add(new Version(
                            Bytes.toString(result.getRow()), CellUtil.cloneValue(cell), cell.getTimestamp()));
                }
            }
        }
        return versions;
    }

    @Override
    public void close() {
        try {
            table.close();
            try (var admin = cluster.connection().getAdmin()) {
                var names = new ArrayList<TableName>(List.of(name));
                plan.indexes().forEach(index -> names.add(index.table()));
                for (TableName each : names) {
                    admin.disableTable(each);
                    admin.deleteTable(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
