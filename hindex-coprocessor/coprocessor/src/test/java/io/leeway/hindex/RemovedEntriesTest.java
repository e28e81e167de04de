package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/** Where queries pass over many removed entries, the index is compacted, once. */
class RemovedEntriesTest {

    private static final int ROWS = 30;
    private static final String[] WORDS = {"apple", "plum", "fig", "pear"};

    private final HBaseCluster cluster = TestClusters.light();

    private IndexedWords words(String removed) throws IOException {
        IndexedWords words = IndexedWords.create(cluster, "mode=sync");
        try (var admin = cluster.connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.indexTable()))
                    .setValue("hindex.compact.removed", removed)
                    .setValue("hbase.hstore.compaction.min", "1000")
                    .build());
        }
        return words;
    }

    /** Every row had each word, and has the last of them now; the entries of the others were removed while it was written. */
    private static void overwrite(IndexedWords words) throws IOException {
        for (String word : WORDS) {
            for (int i = 0; i < ROWS; i++) {
                words.put("r" + i, word);
            }
        }
    }

    private HRegion region(IndexedWords words) {
        return cluster.regions(words.indexTable()).get(0);
    }

    private long asked(IndexedWords words) {
        return region(words)
                .getCoprocessorHost()
                .findCoprocessorEnvironment(HindexEndpoint.class.getName())
                .getMetricRegistryForRegionServer()
                .counter(Metrics.Count.INDEX_COMPACTIONS_ASKED.key())
                .getCount();
    }

    /** With what was removed, and the deletes. */
    private int cells(IndexedWords words) throws IOException {
        int cells = 0;
        try (Table entries = cluster.connection().getTable(words.indexTable());
                ResultScanner scanner = entries.getScanner(new Scan()
                        .addFamily(IndexPlan.entryFamily())
                        .setRaw(true)
                        .readAllVersions())) {
            for (Result result : scanner) {
                cells += result.size();
            }
        }
        return cells;
    }

    @Test
    void queriesThatPassOverManyRemovedEntriesHaveTheIndexCompacted() throws Exception {
        try (var words = words("60")) {
            overwrite(words);
            assertThat(cells(words)).isGreaterThan(3 * ROWS);
            long asked = asked(words);

            for (int i = 0; i < 3; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS);
            }

            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(cells(words)).isEqualTo(ROWS));
            for (int i = 0; i < 10; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS);
            }
            assertThat(words.rows("apple")).isEmpty();
            assertThat(asked(words) - asked).isEqualTo(1);
        }
    }

    @Test
    void notWhatACompactionHasTakenAwayAlready() throws Exception {
        try (var words = words("60")) {
            overwrite(words);
            HRegion region = region(words);
            region.flush(true);
            region.compact(true);
            assertThat(cells(words)).isEqualTo(ROWS);
            long asked = asked(words);

            for (int i = 0; i < 10; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS);
            }

            assertThat(asked(words) - asked).isZero();
        }
    }

    @Test
    void notWhereMostEntriesAreStillThere() throws Exception {
        try (var words = words("1")) {
            for (int i = 0; i < ROWS; i++) {
                words.put("r" + i, "pear");
            }
            words.put("s", "fig");
            words.put("s", "pear");
            long asked = asked(words);

            for (int i = 0; i < 10; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS + 1);
            }

            assertThat(asked(words) - asked).isZero();
        }
    }

    @Test
    void notIfItIsSwitchedOff() throws Exception {
        try (var words = words("0")) {
            overwrite(words);
            long asked = asked(words);
            for (int i = 0; i < 10; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS);
            }

            assertThat(asked(words) - asked).isZero();
        }
    }
}
