package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with some of the columns of an index: the entries say what the rows show with all of them. */
class LoadOfSeveralColumnsTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();
    private static final int WRITES_BESIDE_A_LOAD = 300;
    private static final int ROWS = 30;

    @TempDir
    Path directory;

    private final HindexAdmin admin = HindexAdmin.of(CLUSTER.connection());
    private final List<IndexedWords> tables = new ArrayList<>();

    @AfterEach
    void dropTables() {
        tables.forEach(IndexedWords::close);
    }

    private IndexedWords words(
            String settings,
            UnaryOperator<ColumnFamilyDescriptorBuilder> family,
            UnaryOperator<TableDescriptorBuilder> table)
            throws IOException {
        IndexedWords words = IndexedWords.create(
                CLUSTER,
                settings,
                each -> family.apply(each.setMaxVersions(2)),
                // Calls fail on a busy machine, too; what they left is to be looked at within the test.
                each -> table.apply(each.setValue("hindex.failed.delay", "2s")
                        .setValue("hindex.index.pair", "columns=f:word:utf8, f:other:utf8; state=active; " + settings)
                        .setValue(
                                "hindex.index.covering",
                                "columns=f:word:utf8; covers=f:other; state=active; " + settings)));
        tables.add(words);
        return words;
    }

    private IndexedWords words(String settings, UnaryOperator<TableDescriptorBuilder> table) throws IOException {
        return words(settings, family -> family, table);
    }

    private static KeyValue cell(String row, byte[] column, String value, long timestamp) {
        return new KeyValue(bytes(row), FAMILY, column, timestamp, bytes(value));
    }

    private static Put put(String row, byte[] column, String value, long timestamp) {
        return new Put(bytes(row)).addColumn(FAMILY, column, timestamp, bytes(value));
    }

    private void load(IndexedWords words, List<KeyValue> file) throws IOException {
        LoadedCells.load(CLUSTER, directory, words.name(), List.of(file));
    }

    private void load(IndexedWords words, List<KeyValue> first, List<KeyValue> second) throws IOException {
        LoadedCells.load(CLUSTER, directory, words.name(), List.of(first, second));
    }

    private static IndexPlan pair(IndexedWords words) {
        return words.indexes().stream()
                .filter(index -> index.name().equals("pair"))
                .findAny()
                .orElseThrow();
    }

    private static List<String> pairs(IndexedWords words) throws IOException {
        return words.fresh(pair(words)).stream()
                .map(entry -> entry.substring(0, entry.indexOf('@')))
                .toList();
    }

    private void assertNothingIsMissing(IndexedWords words) throws IOException {
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).containsAll(words.fresh(index));
            assertThat(admin.verify(words.name(), index.name(), VerifyMethod.HASH, Long.MAX_VALUE)
                            .missing())
                    .isZero();
        }
    }

    private void assertExact(IndexedWords words) throws Exception {
        words.awaitEntries();
        assertNothingIsMissing(words);
        words.awaitFailed();
        words.flushAndCompact();
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEqualTo(words.fresh(index));
        }
    }

    @Test
    void loadedColumnsAreFoundTogetherWithThoseThatWereWritten() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=sync", "mode=async")) {
            IndexedWords words = words(mode, table -> table);
            for (String row : List.of("k1", "k2", "k3", "k4", "k5")) {
                words.table().put(put(row, WORD, "old", 100).addColumn(FAMILY, OTHER, 100, bytes("red")));
            }
            words.table().delete(new Delete(bytes("k5")).addColumns(FAMILY, OTHER, 400));

            load(
                    words,
                    List.of(
                            cell("k1", OTHER, "green", 200),
                            cell("k2", WORD, "new", 50),
                            new KeyValue(bytes("k3"), FAMILY, OTHER, 200, KeyValue.Type.DeleteColumn),
                            new KeyValue(bytes("k4"), FAMILY, null, 200, KeyValue.Type.DeleteFamily),
                            cell("k5", OTHER, "hidden", 300),
                            cell("k6", OTHER, "blue", 200),
                            cell("k7", WORD, "new", 200)),
                    List.of(cell("k1", WORD, "new", 300), cell("k6", WORD, "new", 300)));
            words.awaitEntries();

            assertThat(pairs(words))
                    .as(mode)
                    .containsExactlyInAnyOrder(
                            "[new, green]/k1",
                            "[old, red]/k2",
                            "[old, null]/k3",
                            "[old, null]/k5",
                            "[new, blue]/k6",
                            "[new, null]/k7");
            assertThat(words.rows(pair(words), "new")).as(mode).containsExactlyInAnyOrder("k1", "k6", "k7");
            assertExact(words);
            words.table().put(put("k7", OTHER, "later", 400));
            words.table().put(new Put(bytes("k6")).addColumn(FAMILY, OTHER, bytes("now")));
            assertExact(words);
        }
    }

    /** Nobody knows whether they or the files will be first. */
    @Test
    void writesOfRowsThatAreBeingLoadedFindTheirRowsEitherWay() throws Exception {
        for (boolean comes : new boolean[] {true, false}) {
            IndexedWords words = words("mode=deferred", WriteStop::behind);
            WriteStop.arm().open();
            for (String row : List.of("k1", "k2", "k3", "k4")) {
                words.table().put(put(row, WORD, "old", 100).addColumn(FAMILY, OTHER, 100, bytes("red")));
            }
            WriteStop.Gate stop = WriteStop.armForLoads();
            ExecutorService client = Executors.newSingleThreadExecutor();
            // The first answer is looked at: which of several ends a write depends on the machine.
            Configuration once = new Configuration(CLUSTER.connection().getConfiguration());
            once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
            try (Connection connection = ConnectionFactory.createConnection(once);
                    Table impatient = connection.getTable(words.name())) {
                Future<?> load = client.submit(() -> {
                    load(
                            words,
                            List.of(
                                    cell("k1", OTHER, "green", 200),
                                    cell("k2", OTHER, "green", 200),
                                    cell("k3", WORD, "new", 200),
                                    cell("k4", WORD, "new", 200),
                                    cell("k5", WORD, "new", 200)));
                    return null;
                });
                assertThat(stop.isReached()).isTrue();

                words.table().put(new Put(bytes("k1")).addColumn(FAMILY, WORD, bytes("written")));
                words.table().delete(new Delete(bytes("k2")).addColumns(FAMILY, WORD));
                words.table().put(new Put(bytes("k4")).addColumn(FAMILY, OTHER, bytes("first")));
                words.table().put(new Put(bytes("k4")).addColumn(FAMILY, OTHER, bytes("second")));
                assertThatThrownBy(() -> impatient.put(put("k3", OTHER, "late", 150)))
                        .hasStackTraceContaining("is being loaded");
                assertThatThrownBy(() -> impatient.delete(new Delete(bytes("k3")).addColumn(FAMILY, OTHER, 100)))
                        .hasStackTraceContaining("is being loaded");
                assertThat(words.rows(pair(words), "new")).isEmpty();
                assertNothingIsMissing(words);
                admin.repair(words.name(), "pair");
                words.flushAndCompact();
                if (comes) {
                    stop.open();
                    load.get(60, TimeUnit.SECONDS);
                    assertThat(pairs(words))
                            .containsExactlyInAnyOrder(
                                    "[written, green]/k1", "[new, red]/k3", "[new, second]/k4", "[new, null]/k5");
                    assertThat(words.rows(pair(words), "new")).containsExactlyInAnyOrder("k3", "k4", "k5");
                    assertExact(words);
                } else {
                    assertThat(pairs(words))
                            .containsExactlyInAnyOrder("[written, red]/k1", "[old, red]/k3", "[old, second]/k4");
                    assertNothingIsMissing(words);
                }
            } finally {
                stop.open();
                client.shutdown();
            }
        }
    }

    /** A compaction that had chosen its files before would drop a delete, and what the file has behind it would be seen. */
    @Test
    void aCompactionDoesNotBringBackWhatALoadHasBehindADelete() throws Exception {
        IndexedWords words = words("mode=deferred", WriteStop::behind);
        WriteStop.arm().open();
        words.table().put(put("k1", WORD, "old", 50).addColumn(FAMILY, OTHER, 50, bytes("red")));
        words.table().delete(new Delete(bytes("k1")).addColumns(FAMILY, OTHER, 150));
        words.flush();
        WriteStop.Gate stop = WriteStop.armForLoads();
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<?> load = client.submit(() -> {
                load(words, List.of(cell("k1", OTHER, "hidden", 100), cell("k2", WORD, "new", 100)));
                return null;
            });
            assertThat(stop.isReached()).isTrue();
            words.compact(true);
            stop.open();
            load.get(60, TimeUnit.SECONDS);

            assertThat(pairs(words)).containsExactlyInAnyOrder("[old, null]/k1", "[new, null]/k2");
            assertExact(words);
        } finally {
            stop.open();
            client.shutdown();
        }
    }

    /** HBase keeps the later only, so that compactions do not find the states of the earlier. */
    @Test
    void whatALoadRepeatsLeavesNoEntriesOfTheStatesBefore() throws Exception {
        IndexedWords words = words("mode=deferred", table -> table);
        words.table().put(put("k1", WORD, "old", 100).addColumn(FAMILY, OTHER, 107, bytes("red")));
        words.table().put(put("k1", WORD, "new", 112));
        words.table().put(put("k1", WORD, "newer", 113));
        words.table().put(put("k2", WORD, "old", 100).addColumn(FAMILY, OTHER, 100, bytes("red")));
        words.table().delete(new Delete(bytes("k2")).addColumns(FAMILY, OTHER, 118));
        words.table().delete(new Delete(bytes("k2")).addColumns(FAMILY, WORD, 119));

        load(
                words,
                List.of(
                        cell("k1", OTHER, "green", 107),
                        new KeyValue(bytes("k2"), FAMILY, OTHER, 118, KeyValue.Type.DeleteColumn)));

        assertThat(pairs(words)).containsExactly("[newer, green]/k1");
        assertExact(words);
    }

    /** Nothing says which of the two came last; HBase shows one of them, to all readers and to compactions. */
    @Test
    void twoValuesOfATimestampWithoutSequenceIdsMissNothing() throws Exception {
        Configuration withoutSequence = new Configuration(CLUSTER.configuration());
        withoutSequence.setBoolean(BulkLoadHFilesTool.ASSIGN_SEQ_IDS, false);
        for (List<String> values : List.of(List.of("red", "green"), List.of("green", "red and larger"))) {
            IndexedWords words = words("mode=deferred", table -> table);
            words.table().put(put("k1", WORD, "old", 100));
            words.flush();
            for (String value : values) {
                LoadedCells.load(
                        withoutSequence, directory, words.name(), List.of(List.of(cell("k1", OTHER, value, 107))));
            }
            words.table().put(put("k1", WORD, "new", 112));
            words.awaitEntries();
            assertNothingIsMissing(words);
            words.flushAndCompact();
            assertNothingIsMissing(words);
            words.table().put(put("k1", WORD, "newer", 113));
            words.flushAndCompact();
            assertNothingIsMissing(words);
        }
    }

    @Test
    void whatCannotHaveEntriesIsRefused() throws Exception {
        IndexedWords expiring = words("mode=deferred", family -> family.setTimeToLive(1_000_000), table -> table);
        long now = System.currentTimeMillis();
        expiring.table().put(put("k1", WORD, "old", now));

        assertThatThrownBy(() -> load(expiring, List.of(cell("k1", OTHER, "red", now + 1))))
                .hasStackTraceContaining("would expire one by one");
        load(expiring, List.of(cell("k2", OTHER, "red", now), cell("k2", WORD, "new", now)));

        assertThat(pairs(expiring)).containsExactlyInAnyOrder("[old, null]/k1", "[new, red]/k2");
        assertNothingIsMissing(expiring);
    }

    /** As in the moment of a split: HBase takes none of them, and clients make others that fit. */
    @Test
    void filesThatDoNotFitTheirRegionAreLeftToHBase() throws Exception {
        IndexedWords words = words("mode=deferred", table -> table);
        try (Admin hbase = CLUSTER.connection().getAdmin()) {
            byte[] whole = words.regions().get(0).getRegionInfo().getRegionName();
            hbase.splitRegionAsync(whole, bytes("k5")).get(60, TimeUnit.SECONDS);
        }
        HRegion lower = words.regions().stream()
                .filter(region -> region.getRegionInfo().getStartKey().length == 0)
                .findAny()
                .orElseThrow();
        List<Pair<byte[], String>> files = LoadedCells.write(
                        CLUSTER.configuration(),
                        directory,
                        List.of(
                                List.of(cell("k1", WORD, "fits", 100)),
                                List.of(cell("k2", WORD, "both", 100), cell("k7", WORD, "both", 100))))
                .stream()
                .map(file -> new Pair<>(FAMILY, file.toString()))
                .toList();

        lower.getCoprocessorHost().preBulkLoadHFile(files);

        assertThat(lower.bulkLoadHFiles(files, true, null)).isNull();
        assertThat(words.stored(pair(words))).isEmpty();
        load(words, List.of(cell("k2", WORD, "both", 100), cell("k7", WORD, "both", 100)));
        assertThat(pairs(words)).containsExactlyInAnyOrder("[both, null]/k2", "[both, null]/k7");
        assertExact(words);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loadsAmongWritesAndCompactionsMissNothing(boolean isDisturbed) throws Exception {
        var random = new Random(Seeds.seed("loads among writes, " + isDisturbed));
        IndexedWords words = words(
                random.nextBoolean() ? "mode=deferred" : "mode=sync",
                table -> table.setValue("hindex.load.time", "10ms").setValue("hindex.load.rate", "500"));
        var stopped = new AtomicBoolean();
        var written = new AtomicInteger();
        var refused = new AtomicInteger();
        // Without a limit the versions of a row, each of which a verification compares, are as many as the machine is
        // fast.
        var turns = new Semaphore(0);
        ExecutorService others = Executors.newCachedThreadPool();
        var futures = new ArrayList<Future<?>>();
        try {
            for (int writer = 0; writer < 2; writer++) {
                var own = new Random(random.nextLong());
                futures.add(others.submit(() -> {
                    write(words, own, isDisturbed, stopped, turns, written, refused);
                    return null;
                }));
            }
            if (isDisturbed) {
                var own = new Random(random.nextLong());
                futures.add(others.submit(() -> {
                    while (!stopped.get()) {
                        words.flush();
                        words.compact(own.nextInt(3) > 0);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 12; i++) {
                turns.release(WRITES_BESIDE_A_LOAD);
                loadSome(words, random, isDisturbed);
                for (IndexPlan index : words.indexes()) {
                    turns.release(WRITES_BESIDE_A_LOAD / 3);
                    assertThat(admin.verify(words.name(), index.name()).missing())
                            .isZero();
                }
            }
        } finally {
            stopped.set(true);
            others.shutdown();
            assertThat(others.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
        for (Future<?> future : futures) {
            future.get();
        }
        // Calls that their clients have given up may still be at work, under the locks of their rows.
        HRegion region = words.regions().get(0);
        for (int row = 0; row < ROWS; row++) {
            region.getRowLock(bytes("k" + row), false).release();
        }

        assertThat(written.get()).as("besides %s refused", refused).isGreaterThan(50);
        assertNothingIsMissing(words);
        words.awaitFailed();
        assertNothingIsMissing(words);
        if (!isDisturbed) {
            assertExact(words);
        }
    }

    private static String row(Random random) {
        return "k" + random.nextInt(ROWS);
    }

    private static byte[] column(Random random) {
        return random.nextBoolean() ? WORD : OTHER;
    }

    private static void write(
            IndexedWords words,
            Random random,
            boolean isDisturbed,
            AtomicBoolean stopped,
            Semaphore turns,
            AtomicInteger written,
            AtomicInteger refused)
            throws IOException {
        try (Table table = CLUSTER.connection()
                .getTableBuilder(words.name(), null)
                .setOperationTimeout(300)
                .build()) {
            while (!stopped.get()) {
                if (!tryTurn(turns)) {
                    continue;
                }
                String row = row(random);
                String value = "v" + random.nextInt(4);
                long late = System.currentTimeMillis() - random.nextInt(2_000);
                try {
                    switch (random.nextInt(isDisturbed ? 8 : 6)) {
                        case 0 -> table.delete(new Delete(bytes(row)));
                        case 1 -> table.delete(new Delete(bytes(row)).addColumns(FAMILY, column(random)));
                        case 2 ->
                            table.put(new Put(bytes(row))
                                    .addColumn(FAMILY, WORD, bytes(value))
                                    .addColumn(FAMILY, OTHER, bytes(value)));
                        case 6 -> table.put(put(row, column(random), value, late));
                        case 7 -> table.delete(new Delete(bytes(row)).addColumn(FAMILY, column(random)));
                        default -> table.put(new Put(bytes(row)).addColumn(FAMILY, column(random), bytes(value)));
                    }
                    written.incrementAndGet();
                } catch (IOException notAcknowledged) {
                    // It waits for a load, or for another write of the row, longer than this client does.
                    refused.incrementAndGet();
                }
            }
        }
    }

    private static String place(byte[] row, byte[] column, long timestamp) {
        return IndexedWords.text(row) + " " + IndexedWords.text(column) + " " + timestamp;
    }

    private static Set<String> written(IndexedWords words) throws IOException {
        var written = new HashSet<String>();
        try (ResultScanner scanner =
                words.table().getScanner(new Scan().setRaw(true).readAllVersions())) {
            for (Result result : scanner) {
                for (Cell cell : result.rawCells()) {
                    written.add(place(result.getRow(), CellUtil.cloneQualifier(cell), cell.getTimestamp()));
                }
            }
        }
        return written;
    }

    private static boolean tryTurn(Semaphore turns) throws IOException {
        try {
            return turns.tryAcquire(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a turn");
        }
    }

    private void loadSome(IndexedWords words, Random random, boolean overwrites) throws IOException {
        long now = System.currentTimeMillis();
        // Of two values at one timestamp one is in the way of exactness (docs/hindex/limits.md), which is asserted
        // then.
        Set<String> written = overwrites ? Set.of() : written(words);
        List<KeyValue> first = new ArrayList<>();
        List<KeyValue> second = new ArrayList<>();
        var keys = new TreeSet<>(CellComparator.getInstance());
        for (int i = 0; i < 25; i++) {
            String row = row(random);
            byte[] column = column(random);
            long timestamp = now - 1 - random.nextInt(3_000);
            if (written.contains(place(bytes(row), column, timestamp))) {
                continue;
            }
            KeyValue cell = switch (random.nextInt(8)) {
                case 0 -> new KeyValue(bytes(row), FAMILY, null, timestamp, KeyValue.Type.DeleteFamily);
                case 1 -> new KeyValue(bytes(row), FAMILY, column, timestamp, KeyValue.Type.DeleteColumn);
                default -> cell(row, column, "v" + random.nextInt(4), timestamp);
            };
            if (keys.add(cell)) {
                (random.nextInt(3) > 0 ? first : second).add(cell);
            }
        }
        if (second.isEmpty()) {
            load(words, first);
        } else {
            load(words, first, second);
        }
    }
}
