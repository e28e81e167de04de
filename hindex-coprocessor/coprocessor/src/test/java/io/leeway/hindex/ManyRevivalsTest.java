package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes bring back more entries than a region remembers: compactions succeed, nothing is lost, and nothing stays. */
class ManyRevivalsTest {

    private static final int ROWS = 12;

    private final HBaseCluster cluster = TestClusters.light();
    private final ExecutorService server = Executors.newCachedThreadPool();
    private IndexedWords words;

    @AfterEach
    void close() {
        server.shutdownNow();
        words.close();
    }

    /** Each row has an old and a new value, the last one a third row of deletes besides. */
    private void create(String repair, String variant, int remembered, int queue) throws IOException {
        create(repair, variant, remembered, queue, "100ms", "50ms");
    }

    private void create(
            String repair, String variant, int remembered, int queue, String certainPause, String failedDelay)
            throws IOException {
        words = IndexedWords.create(
                cluster,
                "mode=deferred",
                family -> family,
                table -> StoreStop.around(table)
                        .setValue("hbase.hstore.compaction.min", "1000")
                        .setValue("hindex.repair", repair)
                        .setValue("hindex.repair.variant", variant)
                        .setValue("hindex.revived.entries", Integer.toString(remembered))
                        .setValue("hindex.failed.queue", Integer.toString(queue))
                        .setValue("hindex.failed.delay", failedDelay)
                        .setValue("hindex.certain.pause", certainPause));
        for (int i = 0; i < ROWS; i++) {
            words.put(row(i), "old", 100);
            words.put(row(i), "new", 200);
        }
        words.put("deleted", "old", 100);
        words.delete("deleted");
        words.flush();
    }

    private static String row(int number) {
        return String.format("r%02d", number);
    }

    /** Deletes the new values, so that the old ones are seen. */
    private void bringBack(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            words.table().delete(new Delete(bytes(row(i))).addColumn(FAMILY, WORD, 200));
        }
    }

    private void assertReads() throws IOException {
        assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
    }

    /** What nobody remembers is looked for in the index, some time. Before reads, which remove what they meet. */
    private void assertExact() throws Exception {
        words.awaitFailed();
        words.awaitSwept();
        words.flushAndCompact();
        // In the variant isolated, the first keeps what is repaired after it.
        words.compact(true);
        words.awaitFailed();
        words.awaitSwept();
        assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
    }

    private interface Meanwhile {
        void run() throws Exception;
    }

    private void compactAnd(StoreStop.Point point, Meanwhile meanwhile) throws Exception {
        try (StoreStop.Gate stop = StoreStop.arm(point)) {
            Future<?> compaction = server.submit(() -> {
                words.compact(true);
                return null;
            });
            assertThat(stop.isReached()).isTrue();
            meanwhile.run();
            stop.open();
            compaction.get(60, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"strict pipelined", "lazy pipelined", "strict isolated", "strict before-compaction"})
    void beforeTheCompactionReads(String repair) throws Exception {
        create(repair.split(" ")[0], repair.split(" ")[1], 3, 1_000);
        bringBack(0, ROWS - 1);
        int before = words.cells();
        words.compact(true);

        // Nothing can be told of what is in the files.
        assertThat(words.cells()).isEqualTo(before);
        assertThat(words.rows("old")).hasSize(ROWS - 1);
        assertReads();
        assertExact();
        assertThat(words.cells()).isEqualTo(ROWS);
    }

    /** Of the rows that it has read it has dropped the old values; what the index says of them is looked for. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"strict pipelined", "strict isolated", "strict before-compaction"})
    void whileTheCompactionReads(String repair) throws Exception {
        create(repair.split(" ")[0], repair.split(" ")[1], 3, 1_000);
        compactAnd(StoreStop.Point.IN_A_COMPACTION, () -> {
            bringBack(0, ROWS);
            assertReads();
        });

        assertExact();
        assertReads();
    }

    @Test
    void whenTheCompactionHasReadAll() throws Exception {
        create("strict", "pipelined", 3, 1_000);
        compactAnd(StoreStop.Point.BEFORE_FILES_ARE_REPLACED, () -> bringBack(0, ROWS));

        assertExact();
        assertReads();
    }

    @Test
    void whenTheRegionIsClosedThen() throws Exception {
        // Nothing is looked for before it is closed.
        create("strict", "pipelined", 3, 1_000, "100ms", "3s");
        compactAnd(StoreStop.Point.BEFORE_FILES_ARE_REPLACED, () -> {
            bringBack(0, ROWS);
            // Else the index's table would say so in any case.
            words.awaitSwept();
        });
        words.reopen();

        assertExact();
        assertReads();
    }

    /** HBase waits for the compaction, when the region was told already that it is to close: nothing is looked at any more. */
    @Test
    void whileTheRegionIsBeingClosed() throws Exception {
        create("strict", "pipelined", 1_000, 1_000);
        HRegion region = words.regions().get(0);
        try (StoreStop.Gate stop = StoreStop.arm(StoreStop.Point.BEFORE_FILES_ARE_REPLACED)) {
            Future<?> compaction = server.submit(() -> {
                region.compact(true);
                return null;
            });
            assertThat(stop.isReached()).isTrue();
            bringBack(0, ROWS);
            Future<?> reopened = server.submit(() -> {
                words.reopen();
                return null;
            });
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !region.getStores().get(0).areWritesEnabled());
            stop.open();
            compaction.get(60, TimeUnit.SECONDS);
            reopened.get(60, TimeUnit.SECONDS);
        }

        assertExact();
        assertReads();
    }

    /** They are all remembered, but those that look at entries have no place for them. Nothing is written then, nor was lately. */
    @Test
    void moreThanCanBeLookedAt() throws Exception {
        create("strict", "pipelined", 1_000, 3, "1h", "50ms");
        compactAnd(StoreStop.Point.BEFORE_FILES_ARE_REPLACED, () -> bringBack(0, ROWS));

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(words.entries()).noneMatch(entry -> entry.startsWith("old")));
        assertReads();
    }
}
