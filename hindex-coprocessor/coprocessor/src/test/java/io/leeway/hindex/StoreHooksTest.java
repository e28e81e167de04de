package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.StoreStop.Gate;
import io.leeway.hindex.StoreStop.Point;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's hooks say that a flush or a compaction is done a moment before it is, and that a flush begins a moment before it does. */
class StoreHooksTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private IndexedWords words;

    @BeforeEach
    void createTable() throws IOException {
        words = create(table -> table.setValue("hindex.index.pair", "columns=f:word:utf8, f:other:utf8; state=active"));
    }

    private static IndexedWords create(UnaryOperator<TableDescriptorBuilder> settings) throws IOException {
        return IndexedWords.create(
                CLUSTER,
                "mode=deferred",
                family -> family.setMaxVersions(2),
                table -> settings.apply(
                        WriteFault.behind(StoreStop.around(table)).setValue("hindex.load.time", "10ms")));
    }

    @AfterEach
    void dropTable() {
        StoreStop.arm(Point.NOWHERE);
        WriteFault.arm(WriteFault.Point.NOWHERE);
        threads.shutdownNow();
        words.close();
    }

    private static Put put(String row, byte[] column, String value, long timestamp) {
        return new Put(bytes(row)).addColumn(FAMILY, column, timestamp, bytes(value));
    }

    private Future<?> run(Callable<?> task) {
        return threads.submit(task);
    }

    private Future<?> load(KeyValue... cells) {
        return run(() -> {
            LoadedCells.load(CLUSTER, directory, words.name(), List.of(List.of(cells)));
            return null;
        });
    }

    private Future<?> flush() {
        return run(() -> {
            words.flush();
            return null;
        });
    }

    private static void await(Future<?> task) throws Exception {
        task.get(60, TimeUnit.SECONDS);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
    }

    private List<String> pairs() throws IOException {
        return words
                .fresh(words.indexes().stream()
                        .filter(index -> index.name().equals("pair"))
                        .findAny()
                        .orElseThrow())
                .stream()
                .map(entry -> entry.substring(0, entry.indexOf('@')))
                .toList();
    }

    private void assertNothingIsMissing() throws IOException {
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).containsAll(words.fresh(index));
        }
    }

    private void assertExact() throws Exception {
        assertNothingIsMissing();
        words.awaitFailed();
        words.flushAndCompact();
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEqualTo(words.fresh(index));
        }
    }

    /** Else it reads a delete that is gone a moment later, behind which it takes its own cells to be hidden. */
    @Test
    void aLoadWaitsUntilTheFilesOfACompactionAreReplaced() throws Exception {
        words.table().put(put("k1", WORD, "old", 50).addColumn(FAMILY, OTHER, 50, bytes("red")));
        words.table().delete(new Delete(bytes("k1")).addColumns(FAMILY, OTHER, 150));
        words.flush();
        try (Gate gate = StoreStop.arm(Point.BEFORE_FILES_ARE_REPLACED)) {
            Future<?> compaction = run(() -> {
                words.compact(true);
                return null;
            });
            assertThat(gate.isReached()).isTrue();
            Future<?> load = load(new KeyValue(bytes("k1"), FAMILY, OTHER, 100, bytes("loaded")));
            await(() -> load.isDone() || StoreStop.loads() > 1);
            gate.open();
            await(compaction);
            await(load);
        }

        assertThat(pairs()).containsExactly("[old, loaded]/k1");
        assertExact();
    }

    /** As long as a load waits for it, entries of rows with cells in the files are held; nobody else would come back to them. */
    @Test
    void aCompactionComesBackToEntriesThatALoadHeld() throws Exception {
        words.table().put(put("k1", WORD, "old", 50).addColumn(FAMILY, OTHER, 50, bytes("red")));
        // It drops what this hides, so that no other one knows of it.
        words.table().delete(new Delete(bytes("k1")).addColumns(FAMILY, WORD, 60));
        words.table().put(put("k1", WORD, "new", 100));
        words.put("k2", "other", 100);
        words.flush();
        try (Gate gate = StoreStop.arm(Point.IN_A_COMPACTION)) {
            Future<?> compaction = run(() -> {
                words.compact(true);
                return null;
            });
            assertThat(gate.isReached()).isTrue();
            Future<?> load = load(new KeyValue(bytes("k1"), FAMILY, OTHER, 200, bytes("loaded")));
            await(() -> load.isDone() || StoreStop.loads() > 1);
            gate.open();
            await(compaction);
            await(load);
        }

        assertThat(pairs()).containsExactlyInAnyOrder("[new, loaded]/k1", "[other, null]/k2");
        assertExact();
    }

    /** Else a delete in the file is purged while what it hides is in memory only, and is seen again. */
    @Test
    void aLoadWaitsForAFlushThatBeganBefore() throws Exception {
        words.table().put(put("k1", WORD, "old", 50));
        try (Gate gate = StoreStop.arm(Point.IN_A_FLUSH)) {
            Future<?> flush = flush();
            assertThat(gate.isReached()).isTrue();
            words.table().put(put("k1", OTHER, "hidden", 100));
            Future<?> load = load(new KeyValue(bytes("k1"), FAMILY, OTHER, 200, KeyValue.Type.DeleteColumn));
            await(() -> StoreStop.flushes() > 1 || StoreStop.loads() > 1);
            gate.open();
            await(flush);
            await(load);
        }
        words.put("k1", "new");
        words.compact(true);

        assertThat(pairs()).containsExactly("[new, null]/k1");
        assertExact();
    }

    /** What it concluded from its files may not hold any more when it has its removals sent. */
    @Test
    void aCompactionLeavesTheEntriesOfWhatWasLoadedMeanwhile() throws Exception {
        words.close();
        words = create(table -> table);
        words.put("k1", "again", 100);
        words.put("k2", "other", 100);
        words.table().delete(new Delete(bytes("k1")).addColumns(FAMILY, WORD, 150));
        words.flush();
        try (Gate gate = StoreStop.arm(Point.IN_A_COMPACTION)) {
            Future<?> compaction = run(() -> {
                words.compact(true);
                return null;
            });
            assertThat(gate.isReached()).isTrue();
            await(load(new KeyValue(bytes("k1"), FAMILY, WORD, 100, bytes("again"))));
            gate.open();
            await(compaction);
        }

        assertThat(words.visible()).containsExactlyInAnyOrder("again/k1@100", "other/k2@100");
        assertThat(words.rows("again")).containsExactly("k1");
        assertExact();
    }

    /** Of two indexes over a column, one finds one version and the other three: what comes back for one does not for the other. */
    @Test
    void aCompactionRemovesWhatIsObsoleteForOneIndexThoughItCameBackForAnother() throws Exception {
        words.close();
        words = IndexedWords.create(
                CLUSTER,
                "versions=3",
                family -> family.setMaxVersions(5),
                table -> StoreStop.around(table).setValue("hindex.index.newest", "columns=f:word:utf8; state=active"));
        words.put("k1", "other", 100);
        for (int version = 1; version <= 4; version++) {
            words.put("k2", "v" + version, 100L * version);
        }
        words.flush();
        try (Gate gate = StoreStop.arm(Point.IN_A_COMPACTION)) {
            Future<?> compaction = run(() -> {
                words.compact(true);
                return null;
            });
            assertThat(gate.isReached()).isTrue();
            words.table().delete(new Delete(bytes("k2")).addColumn(FAMILY, WORD, 400));
            gate.open();
            await(compaction);
        }

        assertThat(words.visible()).contains("v3/k2@300", "v2/k2@200", "v1/k2@100");
        assertExact();
    }

    /** Else it takes a version for superseded that a delete in the flushed file has made fresh again. */
    @Test
    void aCompactionKnowsOnlyOfFilesThatItCouldChoose() throws Exception {
        words.put("r1", "apple", 100);
        words.flush();
        words.put("r1", "pear", 200);
        words.flush();
        words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
        try (Gate gate = StoreStop.arm(Point.BEFORE_A_FLUSHED_FILE_IS_ADDED)) {
            Future<?> flush = flush();
            assertThat(gate.isReached()).isTrue();
            words.compact(true);
            gate.open();
            await(flush);
        }

        assertThat(words.visible()).containsExactly("apple/r1@100");
        assertThat(words.rows("apple")).containsExactly("r1");
        assertExact();
    }

    /** What the log's file has of it would be read from there after a crash, though another flush is asked for in vain. */
    @Test
    void anEntryOfAWriteThatFailedAtItsLogWaitsForAFlushThatBeginsLater() throws Exception {
        words.put("k1", "old");
        try (Gate gate = StoreStop.arm(Point.IN_A_FLUSH)) {
            Future<?> flush = flush();
            assertThat(gate.isReached()).isTrue();
            WriteFault.arm(WriteFault.Point.AT_THE_LOG);
            assertThatThrownBy(() -> words.put("k2", "failed")).hasStackTraceContaining("AT_THE_LOG");
            WriteFault.arm(WriteFault.Point.NOWHERE);
            words.flush();
            gate.open();
            await(flush);
        }

        words.awaitFailed();
        assertThat(words.entries()).containsExactlyInAnyOrder("old/k1", "failed/k2");
        words.put("k3", "new");
        words.flush();
        words.awaitFailed();
        assertThat(words.entries()).containsExactlyInAnyOrder("old/k1", "new/k3");
    }

    /** What became fresh once more is kept by a compaction that may not have read why; but deletes hide it in any case. */
    @Test
    void aCompactionDropsWhatADeleteHidesTogetherWithTheDelete() throws Exception {
        words.put("r1", "apple", 100);
        words.put("r1", "pear", 200);
        words.table().delete(new Delete(bytes("r2"), 150));
        words.flush();
        try (Gate gate = StoreStop.arm(Point.BEFORE_A_FLUSH)) {
            Future<?> flush = flush();
            assertThat(gate.isReached()).isTrue();
            words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
            assertThat(words.visible()).containsExactly("apple/r1@100");
            words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 300));
            words.table().put(put("r2", WORD, "hidden", 100));
            assertThat(words.visible()).isEmpty();
            gate.open();
            await(flush);
        }
        words.compact(true);

        assertThat(words.visible()).isEmpty();
        assertThat(words.cells()).isZero();
        words.awaitFailed();
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEmpty();
        }
    }
}
