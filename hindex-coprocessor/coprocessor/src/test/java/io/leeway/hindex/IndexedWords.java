package io.leeway.hindex;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.silence.Wait;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.RunningHBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** A table with the indexed column {@code f:word}, for tests: text in, text out. */
final class IndexedWords implements AutoCloseable {

    static final byte[] FAMILY = bytes("f");
    static final byte[] WORD = bytes("word");
    static final byte[] OTHER = bytes("other");
    static final String INDEX = "by_word";

    private final RunningHBase cluster;
    private final TableName name;
    private final List<IndexPlan> indexes;
    private final IndexPlan index;
    private final Table table;

    private IndexedWords(RunningHBase cluster, TableName name, TablePlan plan) throws IOException {
        this.cluster = cluster;
        this.name = name;
        this.indexes = plan.indexes();
        this.index = plan.named(INDEX);
        this.table = cluster.connection().getTable(name);
    }

    /** With the index's other settings, such as {@code mode=sync}. */
    static IndexedWords create(RunningHBase cluster, String settings) throws IOException {
        return create(cluster, settings, family -> family, table -> table);
    }

    static IndexedWords create(
            RunningHBase cluster,
            String settings,
            UnaryOperator<ColumnFamilyDescriptorBuilder> family,
            UnaryOperator<TableDescriptorBuilder> table)
            throws IOException {
        return create(cluster, cluster.freshName("words"), settings, family, table);
    }

    /** Of a certain name, such as another cluster has. */
    static IndexedWords create(
            RunningHBase cluster,
            TableName name,
            String settings,
            UnaryOperator<ColumnFamilyDescriptorBuilder> family,
            UnaryOperator<TableDescriptorBuilder> table)
            throws IOException {
        TableDescriptor descriptor = table.apply(TableDescriptorBuilder.newBuilder(name)
                        .setColumnFamily(family.apply(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY))
                                .build())
                        .setValue(
                                IndexDefinition.ATTRIBUTE_PREFIX + INDEX,
                                "columns=f:word:utf8; " + (settings.contains("state=") ? "" : "state=active; ")
                                        + settings)
                        .setCoprocessor(HindexObserver.class.getName()))
                .build();
        TablePlan plan = TablePlan.of(descriptor);
        try (var admin = cluster.connection().getAdmin()) {
            for (IndexPlan index : plan.indexes()) {
                admin.createTable(IndexTables.descriptor(index, descriptor));
            }
            admin.createTable(descriptor);
        }
        return new IndexedWords(cluster, name, plan);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Put word(String row, String word) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, bytes(word));
    }

    static Put word(String row, String word, long timestamp) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, timestamp, bytes(word));
    }

    Table table() {
        return table;
    }

    /** A table for one thread; to be closed. */
    Table connect() throws IOException {
        return cluster.connection().getTable(name);
    }

    TableName name() {
        return name;
    }

    TableName indexTable() {
        return index.table();
    }

    IndexPlan index() {
        return index;
    }

    void put(String row, String word) throws IOException {
        table.put(word(row, word));
    }

    void put(String row, String word, long timestamp) throws IOException {
        table.put(word(row, word, timestamp));
    }

    void delete(String row) throws IOException {
        table.delete(new Delete(bytes(row)));
    }

    /** Rows with this word, by the index. */
    List<String> rows(String word) throws IOException {
        return IndexedTable.open(cluster.connection(), name, INDEX).readValue(bytes(word)).stream()
                .map(hit -> text(hit.row()))
                .distinct()
                .toList();
    }

    /** Rows by word, by one query of the index. */
    Map<String, List<String>> found(Condition condition) throws IOException {
        var found = new TreeMap<String, List<String>>();
        IndexedTable indexed = IndexedTable.open(cluster.connection(), name, INDEX);
        try (IndexedRows rows = indexed.query(IndexQuery.where(condition))) {
            for (IndexedRow row : rows) {
                List<String> of = found.computeIfAbsent(text(row.value()), none -> new ArrayList<>());
                // Once for each version.
                if (!of.contains(text(row.row()))) {
                    of.add(text(row.row()));
                }
            }
        }
        found.values().forEach(list -> list.sort(null));
        return found;
    }

    /** Rows whose newest word is this, by an ordinary scan with a filter, which the index answers. */
    List<String> scanned(String word) throws IOException {
        var filter = new SingleColumnValueFilter(FAMILY, WORD, CompareOperator.EQUAL, bytes(word));
        filter.setFilterIfMissing(true);
        var rows = new ArrayList<String>();
        try (ResultScanner scanner =
                table.getScanner(new Scan().addFamily(FAMILY).setFilter(filter))) {
            scanner.forEach(result -> rows.add(text(result.getRow())));
        }
        return rows;
    }

    /** The same by a scan without a filter. */
    List<String> newest(String word) throws IOException {
        var rows = new ArrayList<String>();
        try (ResultScanner scanner = table.getScanner(new Scan().addColumn(FAMILY, WORD))) {
            for (Result result : scanner) {
                if (text(result.value()).equals(word)) {
                    rows.add(text(result.getRow()));
                }
            }
        }
        return rows;
    }

    /** All entries, whatever they are worth: {@code word/row@timestamp}. */
    List<String> entriesWithTime() throws IOException {
        return entries(true);
    }

    /** All entries, whatever they are worth: {@code word/row}. */
    List<String> entries() throws IOException {
        return entries(false);
    }

    private List<String> entries(boolean time) throws IOException {
        var entries = new ArrayList<String>();
        try (Table entryTable = cluster.connection().getTable(index.table());
                ResultScanner scanner = entryTable.getScanner(
                        new Scan().addFamily(IndexPlan.entryFamily()).readAllVersions())) {
            for (Result result : scanner) {
                for (Cell cell : result.rawCells()) {
                    entries.add(index.valueText(result.getRow()) + "/" + text(index.row(result.getRow()))
                            + (time ? "@" + cell.getTimestamp() : ""));
                }
            }
        }
        return entries;
    }

    /** All indexes, this one and those that the table was created with. */
    List<IndexPlan> indexes() {
        return indexes;
    }

    /** Every entry that an index holds, with all that tells it from others. */
    Set<String> stored(IndexPlan of) throws IOException {
        var entries = new TreeSet<String>();
        try (Table entryTable = cluster.connection().getTable(of.table());
                ResultScanner scanner = entryTable.getScanner(
                        new Scan().addFamily(IndexPlan.entryFamily()).readAllVersions())) {
            for (Result result : scanner) {
                for (Cell cell : result.rawCells()) {
                    entries.add(text(
                            of,
                            new Entry(
                                    of,
                                    result.getRow(),
                                    CellUtil.cloneQualifier(cell),
                                    cell.getTimestamp(),
                                    CellUtil.cloneValue(cell))));
                }
            }
        }
        return entries;
    }

    /** Every entry that an index must hold, by a scan of the base table. */
    Set<String> fresh(IndexPlan of) throws IOException {
        var entries = new TreeSet<String>();
        Scan scan = new Scan().readVersions(of.versions());
        of.select(scan);
        try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
                of.entriesOf(result.getRow(), result.rawCells()).forEach(entry -> entries.add(text(of, entry)));
            }
        }
        return entries;
    }

    private static String text(IndexPlan of, Entry entry) {
        return of.valueText(entry.key()) + "/" + text(of.row(entry.key())) + "@" + entry.timestamp() + " "
                + Bytes.toStringBinary(entry.qualifier()) + "=" + Bytes.toStringBinary(entry.content());
    }

    /** Rows with this value of an index's first column, by that index. */
    List<String> rows(IndexPlan of, String value) throws IOException {
        return IndexedTable.open(cluster.connection(), name, of.name()).readValue(bytes(value)).stream()
                .map(hit -> text(hit.row()))
                .distinct()
                .toList();
    }

    /** An observer that HBase calls after the index's own. */
    static TableDescriptorBuilder behindTheIndex(
            TableDescriptorBuilder table, Class<? extends RegionCoprocessor> observer) {
        return with(table, observer, Coprocessor.PRIORITY_LOWEST);
    }

    /** An observer that HBase calls before the index's own. */
    static TableDescriptorBuilder beforeTheIndex(
            TableDescriptorBuilder table, Class<? extends RegionCoprocessor> observer) {
        return with(table, observer, Coprocessor.PRIORITY_HIGHEST);
    }

    private static TableDescriptorBuilder with(
            TableDescriptorBuilder table, Class<? extends RegionCoprocessor> observer, int priority) {
        try {
            return table.setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(observer.getName())
                    .setPriority(priority)
                    .build());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until entries that follow after their writes are there, and what earlier lives of the regions left. */
    void awaitEntries() throws Exception {
        for (HRegion region : regions()) {
            FollowingEntries following = region.getCoprocessorHost()
                    .findCoprocessor(HindexObserver.class)
                    .following();
            if (!following.awaitCaughtUp(120_000)) {
                throw new IOException("the region has not caught up");
            }
            following.await(Wait.COMPACTION, 120_000);
        }
    }

    /**
     * Waits until the entries of writes that failed were looked at, but for those that wait for a flush, and those that came
     * back during compactions.
     */
    void awaitFailed() throws Exception {
        for (HRegion region : regions()) {
            HindexObserver observer = region.getCoprocessorHost().findCoprocessor(HindexObserver.class);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(observer.repair()::isSettled);
            if (!observer.failed().await(60_000)) {
                throw new IOException("entries of failed writes were not looked at");
            }
        }
    }

    /** Waits until the index was looked through for what nobody remembers. */
    void awaitSwept() {
        for (HRegion region : regions()) {
            HindexObserver observer = region.getCoprocessorHost().findCoprocessor(HindexObserver.class);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(observer.uncertain()::isSettled);
        }
    }

    /** Waits until the index was looked through, where an earlier life of a region has left something to look for. */
    void awaitLeftBehind() {
        for (HRegion region : regions()) {
            HindexObserver observer = region.getCoprocessorHost().findCoprocessor(HindexObserver.class);
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(observer.uncertain()::hasSwept);
        }
    }

    /** How often writes have read their rows, in all regions of this JVM. */
    long baseReads() {
        return regions().stream()
                .map(region -> region.getCoprocessorHost().findCoprocessor(HindexObserver.class))
                .mapToLong(HindexObserver::baseReads)
                .sum();
    }

    /** What an index over everything must say, by a scan of the base table: {@code word/row@timestamp}. */
    List<String> visible() throws IOException {
        var visible = new ArrayList<String>();
        try (ResultScanner scanner =
                table.getScanner(new Scan().addColumn(FAMILY, WORD).readVersions(index.versions()))) {
            for (Result result : scanner) {
                for (Cell cell : result.rawCells()) {
                    visible.add(
                            text(CellUtil.cloneValue(cell)) + "/" + text(result.getRow()) + "@" + cell.getTimestamp());
                }
            }
        }
        return visible;
    }

    /** What the index says, one query for each word that there is: {@code word/row@timestamp}. */
    List<String> allFound() throws IOException {
        var found = new ArrayList<String>();
        IndexedTable indexed = IndexedTable.open(cluster.connection(), name, INDEX);
        for (String word : allWords()) {
            indexed.readValue(bytes(word)).forEach(hit -> found.add(hit.toString()));
        }
        return found.stream().map(IndexedWords::asEntry).toList();
    }

    /** From {@code row=word@timestamp}. */
    private static String asEntry(String hit) {
        int equals = hit.indexOf('=');
        int at = hit.lastIndexOf('@');
        return hit.substring(equals + 1, at) + "/" + hit.substring(0, equals) + hit.substring(at);
    }

    /** How many cells are stored, also such as readers do not see. */
    int cells() throws IOException {
        int cells = 0;
        try (ResultScanner scanner = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
            for (Result result : scanner) {
                cells += result.size();
            }
        }
        return cells;
    }

    /** Every word that the table or the index knows. */
    Set<String> allWords() throws IOException {
        var words = new TreeSet<String>();
        for (List<String> places : List.of(visible(), entries())) {
            places.forEach(place -> words.add(place.substring(0, place.indexOf('/'))));
        }
        return words;
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Only where servers are in this JVM. */
    List<HRegion> regions() {
        return ((HBaseCluster) cluster).regions(name);
    }

    void flush() throws IOException {
        for (HRegion region : regions()) {
            region.flush(true);
        }
    }

    /** Compacts all regions now; returns when done. */
    void compact(boolean major) throws IOException {
        for (HRegion region : regions()) {
            region.compact(major);
            // Else regions cannot be merged until a chore has come by.
            for (HStore store : region.getStores()) {
                store.closeAndArchiveCompactedFiles();
            }
        }
        awaitRepairs();
    }

    /**
     * Compacts all that is in files now; returns when done. A server compacts files of a region that it has just opened,
     * which nobody else can compact meanwhile.
     */
    void compactAll() {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
            Set<HStoreFile> before = files();
            compact(true);
            return Collections.disjoint(before, files())
                    && regions().stream()
                            .flatMap(region -> region.getStores().stream())
                            .allMatch(store -> store.getStorefilesCount() <= 1);
        });
    }

    private Set<HStoreFile> files() {
        return regions().stream()
                .flatMap(region -> region.getStores().stream())
                .flatMap(store -> store.getStorefiles().stream())
                .collect(Collectors.toSet());
    }

    /** Waits for repairs that follow after compactions. */
    void awaitRepairs() throws IOException {
        try {
            for (HRegion region : regions()) {
                if (!region.getCoprocessorHost()
                        .findCoprocessor(HindexObserver.class)
                        .repair()
                        .await(120_000)) {
                    throw new IOException("the repair after a compaction does not end");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Closes the table's regions and opens them again. */
    void reopen() throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.disableTable(name);
            admin.enableTable(name);
        }
    }

    void flushAndCompact() throws IOException {
        flush();
        compact(true);
    }

    @Override
    public void close() {
        try {
            table.close();
            try (var admin = cluster.connection().getAdmin()) {
                var all = new ArrayList<>(List.of(name));
                indexes.forEach(each -> all.add(each.table()));
                for (TableName each : all) {
                    // With the master's observer the entries go with their table.
                    if (admin.tableExists(each)) {
                        admin.disableTable(each);
                        admin.deleteTable(each);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
