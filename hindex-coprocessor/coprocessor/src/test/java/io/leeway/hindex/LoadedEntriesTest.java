package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.StoreStop.Gate;
import io.leeway.hindex.StoreStop.Point;
import io.leeway.hindex.internal.write.UncertainEntries;
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
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A compaction takes the files of a load before the index is told that it has ended, as the one may that HBase asks for after
 * a load: it drops what is obsolete in them and leaves the entries. They are looked at afterwards, whatever comes in between.
 */
class LoadedEntriesTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private IndexedWords words;

    @BeforeEach
    void createTable() throws IOException {
        words = IndexedWords.create(
                CLUSTER,
                "mode=deferred",
                family -> family,
                table -> StoreStop.around(table)
                        .setValue("hindex.failed.delay", "50ms")
                        .setValue("hindex.certain.pause", "100ms"));
        words.put("k1", "new", 200);
        words.put("k2", "other", 200);
        words.flush();
    }

    @AfterEach
    void dropTable() {
        StoreStop.arm(Point.NOWHERE);
        threads.shutdownNow();
        words.close();
    }

    private Future<?> run(Callable<?> task) {
        return threads.submit(task);
    }

    private static void finish(Future<?> task) throws Exception {
        task.get(60, TimeUnit.SECONDS);
    }

    /** Another value, which is obsolete at once. */
    private Future<?> load() {
        return run(() -> {
            LoadedCells.load(
                    CLUSTER,
                    directory,
                    words.name(),
                    List.of(List.of(new KeyValue(bytes("k1"), FAMILY, WORD, 100, bytes("loaded")))));
            return null;
        });
    }

    private interface Meanwhile {
        void run(HRegion region, Gate gate) throws Exception;
    }

    /** Does something when the load has ended, and the compaction that has its file has come to a point. */
    private void compactAnd(Point point, Meanwhile meanwhile) throws Exception {
        HRegion region = words.regions().get(0);
        try (Gate ofLoads = StoreStop.armLoads();
                Gate gate = StoreStop.arm(point)) {
            Future<?> load = load();
            assertThat(ofLoads.isReached()).isTrue();
            Future<?> compaction = run(() -> {
                region.compact(true);
                return null;
            });
            assertThat(gate.isReached()).isTrue();
            ofLoads.open();
            finish(load);
            assertThat(words.entries()).contains("loaded/k1");
            meanwhile.run(region, gate);
            gate.open();
            finish(compaction);
        }
    }

    private void assertExact() throws Exception {
        words.awaitFailed();
        words.awaitSwept();
        words.flushAndCompact();
        words.awaitFailed();
        assertThat(words.entriesWithTime()).containsExactlyInAnyOrder("new/k1@200", "other/k2@200");
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_A_COMPACTION", "BEFORE_FILES_ARE_REPLACED"})
    void goWhenTheCompactionHasEnded(Point point) throws Exception {
        compactAnd(point, (region, gate) -> {});

        assertExact();
    }

    /** HBase waits for the compaction, when the region has been told already that it is to close. */
    @ParameterizedTest
    @EnumSource(names = {"IN_A_COMPACTION", "BEFORE_FILES_ARE_REPLACED"})
    void goInTheRegionsNextLife(Point point) throws Exception {
        compactAnd(point, (region, gate) -> {
            Future<?> reopened = run(() -> {
                words.reopen();
                return null;
            });
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !region.getStores().get(0).areWritesEnabled());
            gate.open();
            finish(reopened);
        });

        assertExact();
    }

    /** Were the server killed now, the next one would have to find them. */
    @Test
    void areUncertainUntilTheyWereLookedAt() throws Exception {
        compactAnd(Point.BEFORE_FILES_ARE_REPLACED, (region, gate) -> {
            UncertainEntries uncertain = region.getCoprocessorHost()
                    .findCoprocessor(HindexObserver.class)
                    .uncertain();
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofMinutes(1)).until(() -> !uncertain.isSettled());
        });

        assertExact();
    }
}
