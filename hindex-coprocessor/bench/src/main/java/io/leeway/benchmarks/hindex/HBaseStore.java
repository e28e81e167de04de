package io.leeway.benchmarks.hindex;

import io.leeway.hindex.HindexAdmin;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexedTable;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/** A table of plain HBase, or one with an index of hindex. */
final class HBaseStore implements Store {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] VALUE = bytes("value");
    private static final byte[] PAYLOAD = bytes("payload");
    private static final String INDEX = "by_value";

    private final ProcessCluster cluster;
    private final String name;
    private final TableName tableName;
    private final Table table;
    private final @Nullable IndexedTable indexed;
    private final @Nullable TableName indexTable;
    private final boolean isOwner;

    private HBaseStore(
            ProcessCluster cluster, String name, TableName tableName, @Nullable TableName indexTable, boolean isOwner)
            throws IOException {
        this.isOwner = isOwner;
        this.cluster = cluster;
        this.name = name;
        this.tableName = tableName;
        this.table = cluster.connection().getTable(tableName);
        this.indexTable = indexTable;
        this.indexed = indexTable == null ? null : IndexedTable.open(cluster.connection(), tableName, INDEX);
    }

    /** A table without an index and without any coprocessor. */
    static HBaseStore plain(ProcessCluster cluster) throws IOException {
        TableName table = cluster.freshName("plain");
        try (var admin = cluster.connection().getAdmin()) {
            admin.createTable(builder(table).build());
        }
        return new HBaseStore(cluster, "no index", table, null, true);
    }

    /** With an index; the settings are those of a definition, such as {@code mode=sync}. */
    static HBaseStore indexed(ProcessCluster cluster, String name, String settings) throws IOException {
        return indexed(cluster, name, settings, Map.of());
    }

    /** The same with options of hindex for this table. */
    static HBaseStore indexed(ProcessCluster cluster, String name, String settings, Map<String, String> options)
            throws IOException {
        TableName table = cluster.freshName("indexed");
        var builder = builder(table);
        options.forEach(builder::setValue);
        try (var admin = cluster.connection().getAdmin()) {
            admin.createTable(builder.build());
        }
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        indexes.create(table, IndexDefinition.parse(INDEX, "columns=f:value:utf8; " + settings));
        indexes.build(table, INDEX);
        TableName entries = indexes.get(table, INDEX).entries();
        return new HBaseStore(cluster, name, table, entries, true);
    }

    /** Files are merged when the benchmark says so, not before. */
    private static TableDescriptorBuilder builder(TableName table) {
        return TableDescriptorBuilder.newBuilder(table)
                .setValue("hbase.hstore.compaction.min", "1000")
                .setValue("hbase.hstore.blockingStoreFiles", "1000")
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Usage usage() {
        return cluster.regionServers().stream()
                .map(server -> Usage.of(server.handle()))
                .reduce(Usage::plus)
                .orElseThrow();
    }

    @Override
    public HBaseStore session() throws IOException {
        return new HBaseStore(cluster, name, tableName, indexTable, false);
    }

    @Override
    public void put(List<Row> rows) throws IOException {
        List<Put> puts = new ArrayList<>(rows.size());
        for (Row row : rows) {
            Put put = new Put(bytes(row.key())).addColumn(FAMILY, VALUE, bytes(row.value()));
            puts.add(row.payload().isEmpty() ? put : put.addColumn(FAMILY, PAYLOAD, bytes(row.payload())));
        }
        if (puts.size() == 1) {
            table.put(puts.get(0));
        } else {
            table.put(puts);
        }
    }

    @Override
    public int readValue(String value) throws IOException {
        if (indexed == null) {
            throw new UnsupportedOperationException("there is no index");
        }
        return indexed.readValue(bytes(value)).size();
    }

    @Override
    public boolean readKey(String key) throws IOException {
        return !table.get(new Get(bytes(key)).addFamily(FAMILY)).isEmpty();
    }

    /** How many rows its clients have had the region server read in the table so far, and its coprocessors. */
    long readRequests() throws IOException {
        return regionMetrics(tableName)
                .mapToLong(RegionMetrics::getReadRequestCount)
                .sum();
    }

    /** How many entries were written and removed in the index so far. */
    long indexWrites() throws IOException {
        return indexTable == null
                ? 0
                : regionMetrics(indexTable)
                        .mapToLong(RegionMetrics::getWriteRequestCount)
                        .sum();
    }

    private Stream<RegionMetrics> regionMetrics(TableName of) throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            var metrics = new ArrayList<RegionMetrics>();
            for (var server : admin.getRegionServers()) {
                metrics.addAll(admin.getRegionMetrics(server, of));
            }
            return metrics.stream();
        }
    }

    /** Files of the table. */
    int files() throws IOException {
        return regionMetrics(tableName)
                .mapToInt(RegionMetrics::getStoreFileCount)
                .sum();
    }

    /** Entries of the index, whatever they are worth; without what says how far it is built. */
    long entries() throws IOException {
        if (indexTable == null) {
            throw new UnsupportedOperationException("there is no index");
        }
        return Compactions.count(cluster, indexTable, IndexPlan.entryFamily());
    }

    /** Rows of the table. */
    long rows() throws IOException {
        return Compactions.count(cluster, tableName);
    }

    /** Writes what is in memory to files, of the index too. */
    void flush() throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.flush(tableName);
            if (indexTable != null) {
                admin.flush(indexTable);
            }
        }
    }

    /** Merges all files of the table into one, and waits for it. */
    void compact() throws IOException, InterruptedException {
        try (var admin = cluster.connection().getAdmin()) {
            Compactions.run(admin, tableName);
        }
    }

    /** Merges the files of the index, and waits for it. */
    void compactIndex() throws IOException, InterruptedException {
        if (indexTable == null) {
            throw new UnsupportedOperationException("there is no index");
        }
        try (var admin = cluster.connection().getAdmin()) {
            admin.flush(indexTable);
            Compactions.runOfIndex(admin, indexTable);
        }
    }

    /** Reads never ask for a compaction of the index. */
    void compactsIndexWhenAsked() throws IOException {
        if (indexTable == null) {
            throw new UnsupportedOperationException("there is no index");
        }
        try (var admin = cluster.connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(indexTable))
                    .setValue("hindex.compact.removed", "0")
                    .build());
        }
    }

    /** Puts the index on another server than the table; there are two, and one region of each. */
    void setApart() throws IOException {
        if (indexTable == null) {
            throw new UnsupportedOperationException("there is no index");
        }
        try (var admin = cluster.connection().getAdmin();
                var regions = cluster.connection().getRegionLocator(tableName)) {
            ServerName ofTable =
                    regions.getRegionLocation(HConstants.EMPTY_START_ROW, true).getServerName();
            ServerName other = admin.getRegionServers().stream()
                    .filter(server -> !server.equals(ofTable))
                    .findAny()
                    .orElseThrow();
            admin.move(admin.getRegions(indexTable).get(0).getEncodedNameAsBytes(), other);
        }
        try (var regions = cluster.connection().getRegionLocator(indexTable);
                var ofTable = cluster.connection().getRegionLocator(tableName)) {
            ServerName first =
                    regions.getRegionLocation(HConstants.EMPTY_START_ROW, true).getServerName();
            if (first.equals(
                    ofTable.getRegionLocation(HConstants.EMPTY_START_ROW, true).getServerName())) {
                throw new IllegalStateException("the index has not moved");
            }
        }
    }

    @Override
    public void settle() throws IOException, InterruptedException {
        flush();
        compact();
    }

    @Override
    public void close() throws IOException {
        table.close();
        if (!isOwner) {
            return;
        }
        try (var admin = cluster.connection().getAdmin()) {
            drop(admin, tableName);
            if (indexTable != null && admin.tableExists(indexTable)) {
                drop(admin, indexTable);
            }
        }
    }

    private static void drop(Admin admin, TableName table) throws IOException {
        admin.disableTable(table);
        admin.deleteTable(table);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
