package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where queries meet many obsolete entries, the table is compacted, once. */
class AskedCompactionsTest {

    private static final int ROWS = 30;

    private final HBaseCluster cluster = TestClusters.light(2);

    private IndexedWords words(String stale, String variant) throws IOException {
        return IndexedWords.create(
                cluster,
                "mode=deferred",
                family -> family,
                table -> table.setValue("hindex.compact.stale", stale)
                        .setValue("hindex.repair.variant", variant)
                        .setValue("hbase.hstore.compaction.min", "1000"));
    }

    /** Every row had the word apple, and has the word pear now. */
    private static void makeObsolete(IndexedWords words) throws IOException {
        for (String word : new String[] {"apple", "pear"}) {
            for (int i = 0; i < ROWS; i++) {
                words.put("r" + i, word);
            }
            words.flush();
        }
    }

    /** Puts the index on the table's server, or not. */
    private void place(IndexedWords words, boolean together) throws IOException {
        ServerName ofTable;
        try (var regions = cluster.connection().getRegionLocator(words.name())) {
            ofTable = regions.getRegionLocation(IndexedWords.bytes("r")).getServerName();
        }
        ServerName server = cluster.regionServers().stream()
                .map(HRegionServer::getServerName)
                .filter(name -> together == name.equals(ofTable))
                .findAny()
                .orElseThrow();
        try (var admin = cluster.connection().getAdmin()) {
            admin.move(admin.getRegions(words.indexTable()).get(0).getEncodedNameAsBytes(), server);
        }
    }

    @ParameterizedTest
    @CsvSource({"pipelined, true", "pipelined, false", "isolated, true"})
    void queriesThatMeetManyObsoleteEntriesHaveThemRemoved(String variant, boolean together) throws Exception {
        try (var words = words("50", variant)) {
            place(words, together);
            makeObsolete(words);
            long asked = RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED);

            // The second tells what the first has met, the third what both have.
            for (int i = 0; i < 3; i++) {
                assertThat(words.rows("apple")).isEmpty();
            }

            HRegion region = words.regions().get(0);
            // Entries go before the new file takes the place of the old ones, or after it.
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(region.getStore(FAMILY).getStorefilesCount()).isEqualTo(1);
                assertThat(words.entries()).hasSize(ROWS);
            });
            assertThat(words.rows("pear")).hasSize(ROWS);
            assertThat(RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED) - asked)
                    .isEqualTo(1);
        }
    }

    @Test
    void notWhereMostEntriesAreFresh() throws IOException {
        try (var words = words("10", "pipelined")) {
            makeObsolete(words);
            long asked = RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED);
            for (int i = 0; i < 5; i++) {
                assertThat(words.rows("pear")).hasSize(ROWS);
                assertThat(words.rows("pear")).hasSize(ROWS);
                assertThat(words.rows("apple")).isEmpty();
            }

            assertThat(RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED) - asked)
                    .isZero();
            assertThat(words.entries()).hasSize(2 * ROWS);
        }
    }

    @Test
    void notIfItIsSwitchedOff() throws IOException {
        try (var words = words("0", "pipelined")) {
            makeObsolete(words);
            long asked = RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED);
            for (int i = 0; i < 5; i++) {
                assertThat(words.rows("apple")).isEmpty();
            }

            assertThat(RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED) - asked)
                    .isZero();
        }
    }

    /** What is in memory no compaction sees. */
    @Test
    void notWhereACompactionWouldFindNothing() throws IOException {
        try (var words = words("50", "pipelined")) {
            for (int i = 0; i < ROWS; i++) {
                words.put("r" + i, "apple");
            }
            words.flushAndCompact();
            for (int i = 0; i < ROWS; i++) {
                words.put("r" + i, "pear");
            }
            long asked = RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED);
            for (int i = 0; i < 5; i++) {
                assertThat(words.rows("apple")).isEmpty();
            }

            assertThat(RepairContract.count(words, Metrics.Count.COMPACTIONS_ASKED) - asked)
                    .isZero();
        }
    }
}
