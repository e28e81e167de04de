package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.WriteFault.Point;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From which timestamps on entries may have no rows is known to the next server, and no longer than it is so. */
class UncertainEntriesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * Later than a test looks: at its end a build has the regions opened again, with all that was in memory in files, and from
     * then on what is superseded may be removed.
     */
    private static final String LATE = "10m";

    /** Of a server of the test kit. */
    private static final int HANDLERS = 8;

    private final HBaseCluster cluster = TestClusters.light();

    @TempDir
    Path directory;

    @AfterEach
    void disarm() {
        WriteFault.arm(Point.NOWHERE);
    }

    private IndexedWords words(String settings, String... attributes) throws IOException {
        return IndexedWords.create(cluster, settings, family -> family, table -> {
            TableDescriptorBuilder all = WriteFault.behind(table)
                    .setValue("hindex.failed.delay", "10ms")
                    .setValue("hindex.certain.pause", "100ms")
                    .setValue("hindex.index.pair", "columns=f:word:utf8, f:other:utf8; state=active; " + settings);
            for (int i = 0; i < attributes.length; i += 2) {
                all.setValue(attributes[i], attributes[i + 1]);
            }
            return all;
        });
    }

    /** What the tables of the indexes say, but for regions that have left nothing. */
    private Set<Long> marks(IndexedWords words) throws IOException {
        var marks = new TreeSet<Long>();
        for (IndexPlan index : words.indexes()) {
            try (Table table = cluster.connection().getTable(index.table());
                    ResultScanner scanner = table.getScanner(new Scan().addFamily(IndexTables.watermarkFamily()))) {
                for (Result each : scanner) {
                    each.listCells().stream()
                            .filter(cell -> CellUtil.cloneQualifier(cell)[0] == 'u')
                            .forEach(cell -> marks.add(
                                    ByteBuffer.wrap(CellUtil.cloneValue(cell)).getLong()));
                }
            }
        }
        marks.remove(Long.MAX_VALUE);
        return marks;
    }

    private void awaitNoMarks(IndexedWords words) {
        await().atMost(PATIENCE).until(() -> marks(words).isEmpty());
    }

    private static Put put(String row, long timestamp) {
        return new Put(bytes(row), timestamp)
                .addColumn(FAMILY, WORD, bytes("w"))
                .addColumn(FAMILY, OTHER, bytes("o"));
    }

    @Test
    void whatIsWrittenIsCertainSoonAfter() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=sync", "mode=immutable")) {
            try (IndexedWords words = words(mode, "hindex.certain.pause", "2s")) {
                words.table().put(put("k1", 100));
                // It is raised a while after the first write, which may be just before somebody looks.
                var timestamp = new AtomicInteger(41);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    long lower = timestamp.decrementAndGet();
                    words.table().put(put("k2" + lower, lower));
                    assertThat(marks(words)).as(mode).contains(lower);
                });
                awaitNoMarks(words);
                // An index that does not answer at once is not waited for. Another row each time, or an entry were
                // obsolete.
                var attempts = new AtomicInteger();
                await().atMost(PATIENCE).until(() -> {
                    words.put("k3" + attempts.incrementAndGet(), "now");
                    boolean isNoted = !marks(words).isEmpty();
                    words.reopen();
                    return isNoted && marks(words).isEmpty();
                });
                assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index()));
            }
        }
    }

    @Test
    void whatWasWrittenWithoutALogIsCertainWithTheNextFlush() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=async")) {
            try (IndexedWords words = words(mode)) {
                words.table().put(put("k1", 40).setDurability(Durability.SKIP_WAL));
                words.awaitEntries();
                words.put("k2", "logged");
                Thread.sleep(500);
                assertThat(marks(words)).as(mode).containsExactly(40L);
                words.flush();
                awaitNoMarks(words);
            }
        }
    }

    @Test
    void whatIsCertainIsToldWhenTheIndexCanBeWrittenAgain() throws Exception {
        try (IndexedWords words = words("mode=deferred");
                var admin = cluster.connection().getAdmin()) {
            words.table().put(put("k1", 40).setDurability(Durability.SKIP_WAL));
            makeReadOnly(admin, words, true);
            assertThat(marks(words)).containsExactly(40L);
            words.flush();
            Thread.sleep(1_000);
            assertThat(marks(words)).containsExactly(40L);
            makeReadOnly(admin, words, false);
            awaitNoMarks(words);
        }
    }

    /** An index that does not answer is not asked twice for what is known. */
    @Test
    void aWriteOfALowerTimestampIsWrittenOnlyWhenThatIsKnown() throws Exception {
        try (IndexedWords words = words("mode=deferred", "hindex.write.timeout", "1s")) {
            words.put("k1", "before");
            awaitNoMarks(words);
            try (var admin = cluster.connection().getAdmin()) {
                admin.disableTable(words.index().table());
                assertThatThrownBy(() -> words.put("k2", "refused", 30)).isInstanceOf(IOException.class);
                admin.enableTable(words.index().table());
            }
            words.put("k3", "after");
            awaitNoMarks(words);
            assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index()));
        }
    }

    /** Each has a handler and the lock of its row; there are more than the server has handlers. */
    @Test
    void writesThatWaitForAnIndexThatDoesNotAnswerEndAndLetOthersBeServed() throws Exception {
        var patient = new Configuration(cluster.configuration());
        // One call each, which the server has to end.
        patient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        patient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 600_000);
        try (IndexedWords words = words("mode=deferred", "hindex.write.timeout", "1s");
                var admin = cluster.connection().getAdmin();
                Table other = cluster.connection().getTable(plainTable());
                Connection clients = ConnectionFactory.createConnection(patient)) {
            var isEnough = new AtomicBoolean();
            var writers = new ArrayList<CompletableFuture<Integer>>();
            try (Closeable stop = MarkStop.arm(admin, words.index().table())) {
                // What an earlier life left is to be read first.
                words.reopen();
                for (int i = 0; i < 3 * HANDLERS; i++) {
                    String row = "k" + i;
                    writers.add(inThread(() -> writeUntil(isEnough, clients, words.name(), row)));
                }

                inThread(() -> {
                            for (int i = 0; i < 3; i++) {
                                other.put(word("row", "served"));
                            }
                            return true;
                        })
                        .get(1, TimeUnit.MINUTES);
                isEnough.set(true);
                for (CompletableFuture<Integer> writer : writers) {
                    assertThat(writer.get(1, TimeUnit.MINUTES)).isPositive();
                }
                stop.close();
            } finally {
                isEnough.set(true);
            }
            for (int i = 0; i < writers.size(); i++) {
                words.put("k" + i, "after");
            }
            assertThat(words.rows("after")).hasSize(writers.size());
            awaitNoMarks(words);
            for (IndexPlan index : words.indexes()) {
                assertThat(words.stored(index)).containsAll(words.fresh(index));
            }
        }
    }

    private TableName plainTable() throws IOException {
        return cluster.freshTable("plain", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> task) {
        var result = new CompletableFuture<T>();
        var thread = new Thread(() -> {
            try {
                result.complete(task.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** How often it was refused. */
    private static int writeUntil(AtomicBoolean isEnough, Connection clients, TableName name, String row)
            throws IOException {
        int refused = 0;
        try (Table table = clients.getTable(name)) {
            do {
                assertThatThrownBy(() -> table.put(word(row, "refused"))).isInstanceOf(IOException.class);
                refused++;
            } while (!isEnough.get());
        }
        return refused;
    }

    /** Else each region that comes of them later would look through the index from there on. */
    @Test
    void whatARegionThatWasSplitHasLeftGoesWhenItsDaughtersHaveTakenItOver() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=async")) {
            try (IndexedWords words = words(mode);
                    var admin = cluster.connection().getAdmin()) {
                words.table().put(put("k1", 40).setDurability(Durability.SKIP_WAL));
                words.table().put(put("k7", 50));
                words.awaitEntries();
                RegionInfo whole = admin.getRegions(words.name()).get(0);
                makeReadOnly(admin, words, true);
                admin.splitRegionAsync(whole.getRegionName(), bytes("k5")).get(1, TimeUnit.MINUTES);
                assertThat(marks(words)).as(mode).contains(40L);
                makeReadOnly(admin, words, false);

                awaitNoMarks(words);
                for (IndexPlan index : words.indexes()) {
                    await().atMost(PATIENCE)
                            .until(() -> !regionsWithMarks(index).contains(whole.getEncodedName()));
                    assertThat(words.stored(index)).isEqualTo(words.fresh(index));
                }
            }
        }
    }

    private Set<String> regionsWithMarks(IndexPlan index) throws IOException {
        var regions = new TreeSet<String>();
        try (Table table = cluster.connection().getTable(index.table());
                ResultScanner scanner = table.getScanner(new Scan().addFamily(IndexTables.watermarkFamily()))) {
            scanner.forEach(each -> regions.add(Bytes.toString(each.getRow())));
        }
        return regions;
    }

    @Test
    void whatFindsNoPlaceAmongFailuresIsLookedForInTheIndex() throws Exception {
        try (IndexedWords words = words("mode=deferred", "hindex.failed.queue", "1")) {
            WriteFault.arm(Point.BEFORE_THE_LOG);
            assertThatThrownBy(() -> words.table()
                            .put(List.of(word("k1", "failed", 20), word("k2", "failed"), word("k3", "failed"))))
                    .isInstanceOf(IOException.class);
            WriteFault.arm(Point.NOWHERE);

            await().atMost(PATIENCE).until(() -> words.stored(words.index()).isEmpty());
            awaitNoMarks(words);
        }
    }

    /** In mode async the entries of a batch that fails late are written all the same: its cells may be in the log. */
    @Test
    void whatFollowsAfterAFailedBatchIsUncertainBeforeItIsThere() throws Exception {
        try (IndexedWords words = words("mode=async", "hindex.failed.delay", "1h")) {
            awaitNoMarks(words);
            WriteFault.arm(Point.BEFORE_THE_LOG);
            assertThatThrownBy(() -> words.put("k1", "failed")).isInstanceOf(IOException.class);
            WriteFault.arm(Point.NOWHERE);

            long afterwards = System.currentTimeMillis();
            await().atMost(PATIENCE).until(() -> !words.stored(words.index()).isEmpty());
            assertThat(marks(words)).isNotEmpty().allMatch(mark -> mark <= afterwards);
            words.put("k2", "written");
            Thread.sleep(500);
            assertThat(marks(words)).isNotEmpty().allMatch(mark -> mark <= afterwards);
        }
    }

    @Test
    void whatFollowsAfterAFailedBatchIsLookedAtWhenItIsThere() throws Exception {
        try (IndexedWords words = words("mode=async");
                var admin = cluster.connection().getAdmin()) {
            words.put("k1", "before");
            words.awaitEntries();
            makeReadOnly(admin, words, true);
            WriteFault.arm(Point.BEFORE_THE_LOG);
            assertThatThrownBy(() -> words.put("k2", "failed")).isInstanceOf(IOException.class);
            WriteFault.arm(Point.NOWHERE);
            Thread.sleep(1_000);
            makeReadOnly(admin, words, false);

            awaitNoMarks(words);
            words.awaitEntries();
            for (IndexPlan index : words.indexes()) {
                await().atMost(PATIENCE).until(() -> words.stored(index).equals(words.fresh(index)));
            }
        }
    }

    private static void makeReadOnly(Admin admin, IndexedWords words, boolean isReadOnly) throws IOException {
        for (IndexPlan index : words.indexes()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(index.table()))
                    .setReadOnly(isReadOnly)
                    .build());
        }
    }

    @Test
    void whatALoadThatFailedHasLeftIsLookedForInTheIndex() throws Exception {
        try (IndexedWords words = words("mode=deferred")) {
            var cells = new KeyValue[3_001];
            for (int i = 0; i < 3_000; i++) {
                cells[i] = new KeyValue(bytes("k" + (10_000 + i)), FAMILY, WORD, 70, bytes("loaded"));
            }
            cells[3_000] = new KeyValue(bytes("z"), FAMILY, WORD, 70, KeyValue.Type.Delete, bytes(""));
            words.put("k10007", "stays", 70);

            assertThatThrownBy(() -> BulkLoadTest.load(directory, words, cells))
                    .hasStackTraceContaining("deletes of exact versions");

            for (IndexPlan index : words.indexes()) {
                // Each of the 3,000 is looked at for itself.
                await().atMost(Duration.ofMinutes(5))
                        .until(() -> words.stored(index).equals(words.fresh(index)));
                assertThat(words.fresh(index)).hasSize(1);
            }
            awaitNoMarks(words);
        }
    }

    /** A state whose entries no compaction finds any more, once a delete is repeated: {@code [apple, red]}. */
    private static void writeAndDeleteTwoColumns(IndexedWords words) throws IOException {
        words.table()
                .put(new Put(bytes("r1"), 100)
                        .addColumn(FAMILY, WORD, bytes("apple"))
                        .addColumn(FAMILY, OTHER, bytes("red")));
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, OTHER, 118));
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 119));
    }

    private static Delete repeatedDelete() {
        return new Delete(bytes("r1")).addColumns(FAMILY, OTHER, 118);
    }

    private static IndexPlan pair(IndexedWords words) {
        return words.indexes().stream()
                .filter(index -> index.name().equals("pair"))
                .findAny()
                .orElseThrow();
    }

    /** The write removes them itself; should its server be killed before, the next one has to know. */
    @Test
    void whatAWriteMakesUnfindableIsUncertainUntilItIsGone() throws Exception {
        // The write waits for its removal as long as the test looks.
        try (IndexedWords words = words("mode=deferred", "hindex.write.timeout", "1m");
                var admin = cluster.connection().getAdmin()) {
            writeAndDeleteTwoColumns(words);
            RemovalStop.behind(admin, pair(words).table());
            awaitNoMarks(words);

            try (RemovalStop.Gate gate = RemovalStop.arm();
                    Table table = words.connect()) {
                CompletableFuture<Void> delete = CompletableFuture.runAsync(() -> {
                    try {
                        table.delete(repeatedDelete());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                assertThat(gate.isReached()).isTrue();
                Thread.sleep(500);
                assertThat(marks(words)).containsExactly(100L);
                gate.letEnd();
                delete.get(1, TimeUnit.MINUTES);
            }

            await().atMost(PATIENCE).until(() -> words.stored(pair(words)).isEmpty());
            awaitNoMarks(words);
        }
    }

    @Test
    void whatAWriteMakesUnfindableIsRemovedWhenTheIndexAnswersAgain() throws Exception {
        try (IndexedWords words = words("mode=deferred");
                var admin = cluster.connection().getAdmin()) {
            writeAndDeleteTwoColumns(words);
            // So that the next write has nothing to tell the index.
            words.table().put(put("k1", 40).setDurability(Durability.SKIP_WAL));
            makeReadOnly(admin, words, true);
            words.table().delete(repeatedDelete());
            assertThat(words.stored(pair(words))).hasSizeGreaterThan(1);
            makeReadOnly(admin, words, false);
            words.flush();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(words.stored(pair(words))).isEqualTo(words.fresh(pair(words))));
            awaitNoMarks(words);
        }
    }

    @Test
    void whatAFailedWriteMakesUnfindableIsRemoved() throws Exception {
        try (IndexedWords words = words("mode=deferred")) {
            writeAndDeleteTwoColumns(words);
            WriteFault.arm(Point.IN_MEMORY);
            assertThatThrownBy(() -> words.table().delete(repeatedDelete())).isInstanceOf(IOException.class);
            WriteFault.arm(Point.NOWHERE);
            // Its cells were in the log, which is not read again after a flush.
            words.awaitFailed();
            words.flush();

            await().atMost(PATIENCE).until(() -> words.stored(pair(words)).isEmpty());
            awaitNoMarks(words);
        }
    }

    @Test
    void whatALoadMakesUnfindableIsLookedForWhereItFindsNoPlace() throws Exception {
        try (IndexedWords words = words("mode=deferred", "hindex.failed.queue", "1")) {
            writeAndDeleteTwoColumns(words);
            awaitNoMarks(words);
            BulkLoadTest.load(
                    directory,
                    words,
                    new KeyValue(bytes("r1"), FAMILY, OTHER, 118, KeyValue.Type.DeleteColumn),
                    new KeyValue(bytes("r2"), FAMILY, OTHER, 200, bytes("green")));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(words.stored(pair(words))).isEqualTo(words.fresh(pair(words))));
            awaitNoMarks(words);
        }
    }

    /** An import without a log that is run again, with other values at the same timestamps. */
    @Test
    void whatAWriteWithoutALogMakesUnfindableIsLookedForAfterAFlushWhereItFoundNoPlace() throws Exception {
        try (IndexedWords words = words("mode=deferred", "hindex.failed.queue", "1")) {
            for (String value : List.of("first", "second")) {
                for (int row = 0; row < 10; row++) {
                    words.table().put(word("k" + row, value, 100 + row).setDurability(Durability.SKIP_WAL));
                }
                words.put("logged", value, 105);
            }
            words.awaitFailed();
            assertThat(words.entries()).contains("first/k0", "first/k9");

            words.flushAndCompact();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index())));
            awaitNoMarks(words);
            // Nothing is held any more.
            words.delete("k0");
            words.put("k1", "third");
            words.flushAndCompact();
            assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index()));
        }
    }

    /** Rows of before the index was made may be hidden, while they are built, by writes that are lost then. */
    @Test
    void aBuildWritesWhatComesBackWhenMemoryIsLost() throws Exception {
        for (String built : List.of(IndexedWords.INDEX, "pair")) {
            try (IndexedWords words = IndexedWords.create(
                            cluster,
                            "mode=deferred; state=building",
                            family -> family,
                            table -> table.setValue("hindex.failed.delay", LATE)
                                    .setValue(
                                            "hindex.index.pair",
                                            "columns=f:word:utf8, f:other:utf8; mode=deferred; state=building"));
                    var admin = cluster.connection().getAdmin()) {
                for (String row : List.of("k1", "k2", "k3", "k4")) {
                    words.table().put(put(row, 100));
                }
                words.flush();
                IndexPlan index = words.indexes().stream()
                        .filter(each -> each.name().equals(built))
                        .findAny()
                        .orElseThrow();
                Set<String> before = words.fresh(index);
                // As if the rows had been there before.
                admin.disableTable(index.table());
                admin.truncateTable(index.table(), true);
                words.table().put(word("k1", "newer", 200).setDurability(Durability.SKIP_WAL));
                words.table().delete(new Delete(bytes("k2"), 200).setDurability(Durability.SKIP_WAL));
                words.table().put(word("k3", "instead", 100).setDurability(Durability.SKIP_WAL));

                assertThat(HindexAdmin.of(cluster.connection()).build(words.name(), built))
                        .isTrue();
                assertThat(words.stored(index)).containsAll(before).containsAll(words.fresh(index));
                admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.name()))
                        .setValue("hindex.failed.delay", "10ms")
                        .build());
                words.flushAndCompact();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(words.stored(index)).isEqualTo(words.fresh(index)));
            }
        }
    }

    /** Each call has a time limit, which a row of very many versions must not exceed every time. */
    @Test
    void aBuildSendsTheVersionsOfARowInSeveralCalls() throws Exception {
        int versions = 5_000;
        try (IndexedWords words = IndexedWords.create(
                        cluster,
                        "mode=deferred; state=building",
                        family -> family,
                        table -> table.setValue("hindex.failed.delay", "10ms"));
                var admin = cluster.connection().getAdmin()) {
            var puts = new ArrayList<Put>();
            for (int version = 1; version <= versions; version++) {
                puts.add(word(version % 2 == 0 ? "k1" : "k2", "w" + version, version)
                        .setDurability(Durability.SKIP_WAL));
            }
            words.table().put(puts);
            TableName index = words.index().table();
            // As if the rows had been there before.
            admin.disableTable(index);
            admin.truncateTable(index, true);
            CallSizes.watch(admin, index);

            assertThat(HindexAdmin.of(cluster.connection()).build(words.name(), IndexedWords.INDEX))
                    .isTrue();
            assertThat(words.entries()).hasSize(versions);
            assertThat(CallSizes.largest()).isBetween(1, 2_000);
        }
    }
}
