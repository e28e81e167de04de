package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are loaded whole have their entries before their rows can be seen, or are refused. */
class BulkLoadTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();
    private static final int MANY = 2_500;

    @TempDir
    java.nio.file.Path directory;

    private final HindexAdmin admin = HindexAdmin.of(CLUSTER.connection());
    private final List<IndexedWords> tables = new ArrayList<>();

    @AfterEach
    void dropTables() {
        tables.forEach(IndexedWords::close);
    }

    private IndexedWords words(String settings, UnaryOperator<TableDescriptorBuilder> table) throws IOException {
        IndexedWords words = IndexedWords.create(CLUSTER, settings, family -> family.setMaxVersions(2), table);
        tables.add(words);
        return words;
    }

    private IndexedWords words(String settings) throws IOException {
        return words(settings, table -> table);
    }

    private static KeyValue put(String row, String word, long timestamp) {
        return new KeyValue(bytes(row), FAMILY, WORD, timestamp, bytes(word));
    }

    private static KeyValue delete(String row, KeyValue.Type type, long timestamp) {
        return new KeyValue(bytes(row), FAMILY, WORD, timestamp, type);
    }

    private void assertNothingIsMissing(IndexedWords words) throws IOException {
        List<String> visible = words.visible();
        assertThat(words.entriesWithTime()).containsAll(visible);
        for (VerifyMethod method : VerifyMethod.values()) {
            assertThat(admin.verify(words.name(), INDEX, method, Long.MAX_VALUE).isSound())
                    .isTrue();
        }
        words.flushAndCompact();
        List<String> fresh = words.fresh(words.index()).stream().toList();
        assertThat(words.stored(words.index())).containsExactlyInAnyOrderElementsOf(fresh);
    }

    @Test
    void loadedRowsAreFoundAmongThoseThatWereWritten() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=sync", "mode=async", "mode=deferred; versions=2")) {
            IndexedWords words = words(mode);
            words.put("k1", "before", 100);
            words.put("k2", "overwritten", 100);
            words.put("k3", "newer", 300);
            words.put("k4", "deleted", 100);
            words.put("k6", "hidden", 100);
            words.table().delete(new Delete(bytes("k6")).addColumns(FAMILY, WORD, 400));

            load(
                    words,
                    put("k2", "loaded", 200),
                    put("k3", "loaded", 200),
                    delete("k4", KeyValue.Type.DeleteColumn, 200),
                    put("k5", "loaded", 200),
                    put("k5", "loaded", 100),
                    put("k6", "loaded", 200));
            words.awaitEntries();

            assertThat(words.rows("before")).containsExactly("k1");
            assertThat(words.rows("newer")).containsExactly("k3");
            assertThat(words.rows("deleted")).isEmpty();
            assertThat(words.rows("loaded")).contains("k2", "k5").doesNotContain("k6");
            words.put("k5", "written");
            words.awaitEntries();
            assertThat(words.rows("written")).containsExactly("k5");
            assertNothingIsMissing(words);
        }
    }

    /** A hook may not hold up its caller for as long as that takes. */
    @Test
    void manyRowsTakeSeveralCalls() throws Exception {
        IndexedWords words = words("", table -> table.setValue("hindex.load.time", "10ms"));

        load(words, many());

        assertThat(words.rows("loaded")).hasSize(MANY);
        assertNothingIsMissing(words);
    }

    private static KeyValue[] many(KeyValue... more) {
        KeyValue[] cells = Arrays.copyOf(more, more.length + MANY);
        for (int i = 0; i < MANY; i++) {
            cells[more.length + i] = put("k" + (10_000 + i), "loaded", 100);
        }
        return cells;
    }

    @Test
    void aLoadThatFailsHalfWayLeavesOnlyWhatNobodyFinds() throws Exception {
        IndexedWords words = words("");

        assertThatThrownBy(() -> load(words, many(delete("z", KeyValue.Type.Delete, 100))))
                .hasStackTraceContaining("deletes of exact versions");

        assertThat(words.visible()).isEmpty();
        int left = words.entries().size();
        assertThat(left).isBetween(1_000, MANY);
        VerifyReport report = admin.verify(words.name(), INDEX);
        assertThat(report.dangling()).isEqualTo(left);
        assertThat(report.missing()).isZero();
        assertThat(words.rows("loaded")).isEmpty();
        admin.repair(words.name(), INDEX);
        assertThat(words.entries()).isEmpty();
    }

    /** Whoever meets an entry of a load whose cells are not there yet would take it for garbage. */
    @Test
    void nothingTakesTheEntriesOfALoadThatIsOnItsWay() throws Exception {
        IndexedWords words = words("", WriteStop::behind);
        WriteStop.arm().open();
        words.put("k1", "again", 100);
        words.table().delete(new Delete(bytes("k1")).addColumns(FAMILY, WORD, 150));
        words.flush();
        WriteStop.Gate stop = WriteStop.arm();
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<?> load = client.submit(() -> {
                load(words, put("k1", "again", 100), put("k2", "new", 100));
                return null;
            });
            assertThat(stop.isReached()).isTrue();

            assertThat(words.rows("new")).isEmpty();
            assertThat(admin.repair(words.name(), INDEX).dangling()).isZero();
            words.compact(true);
            assertThat(words.cells()).isZero();
            stop.open();
            load.get(60, TimeUnit.SECONDS);

            assertThat(words.visible()).containsExactlyInAnyOrder("again/k1@100", "new/k2@100");
            assertThat(words.rows("again")).containsExactly("k1");
            assertThat(words.rows("new")).containsExactly("k2");
            assertNothingIsMissing(words);
        } finally {
            stop.open();
            client.shutdown();
        }
    }

    @Test
    void whatCannotBeIndexedIsRefused() throws Exception {
        IndexedWords refusing = words("", table -> table.setValue("hindex.load", "refuse"));
        IndexedWords several = words(
                "",
                table -> table.setValue(
                        IndexDefinition.ATTRIBUTE_PREFIX + "pair", "columns=f:word:utf8, f:other:utf8; state=active"));
        IndexedWords strict = words("strict=true");

        assertThatThrownBy(() -> load(refusing, put("k1", "early", 100))).hasStackTraceContaining("hindex.load");
        assertThatThrownBy(() -> load(
                        strict, new KeyValue(bytes("k1"), FAMILY, WORD, 100, new byte[] {(byte) 0xff, (byte) 0xff})))
                .hasStackTraceContaining("is not what index");
        assertThatThrownBy(() -> load(several, put("k1", "early", HConstants.LATEST_TIMESTAMP)))
                .hasStackTraceContaining("without a timestamp");
        assertThatThrownBy(() -> load(strict, put("k1", "early", HConstants.LATEST_TIMESTAMP)))
                .hasStackTraceContaining("without a timestamp");

        for (IndexedWords words : tables) {
            assertThat(words.visible()).isEmpty();
            assertThat(words.entries()).isEmpty();
        }
    }

    @Test
    void loadedRowsAreFoundOnceTheIndexIsBuiltAgain() throws IOException {
        IndexedWords words = words("", table -> table.setValue("hindex.load", "refuse"));
        words.put("k1", "before");
        admin.disable(words.name(), INDEX);

        load(words, put("k2", "loaded", System.currentTimeMillis()));
        admin.build(words.name(), INDEX);

        assertThat(words.rows("loaded")).containsExactly("k2");
        assertThat(words.rows("before")).containsExactly("k1");
        assertThat(admin.verify(words.name(), INDEX).isSound()).isTrue();
    }

    private void load(IndexedWords words, KeyValue... cells) throws IOException {
        load(directory, words, cells);
    }

    /** Writes a file with these cells, and loads it into a table of the shared cluster. */
    static void load(java.nio.file.Path directory, IndexedWords words, KeyValue... cells) throws IOException {
        LoadedCells.load(CLUSTER, directory, words.name(), List.of(List.of(cells)));
    }
}
