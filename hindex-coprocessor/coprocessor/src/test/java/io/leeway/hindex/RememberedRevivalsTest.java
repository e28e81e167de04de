package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Delete;
import org.junit.jupiter.api.Test;

/** Versions that a delete of a newer one brought back are not remembered for the life of the region. */
class RememberedRevivalsTest {

    private static final int ROWS = 20;

    private final HBaseCluster cluster = TestClusters.light();

    private static int remembered(IndexedWords words) {
        return words.regions()
                .get(0)
                .getCoprocessorHost()
                .findCoprocessor(HindexObserver.class)
                .repair()
                .remembered();
    }

    private static void bringBack(IndexedWords words, String prefix) throws IOException {
        for (int i = 0; i < ROWS; i++) {
            words.put(prefix + i, "apple", 100);
            words.put(prefix + i, "pear", 200);
            words.table().delete(new Delete(bytes(prefix + i)).addColumn(FAMILY, WORD, 200));
        }
    }

    @Test
    void whatIsInFilesIsForgottenAndCompactionsLeaveExactlyTheFreshEntries() throws Exception {
        try (var words = IndexedWords.create(
                cluster,
                "mode=deferred",
                family -> family,
                table -> table.setValue("hbase.hstore.compaction.min", "1000"))) {
            bringBack(words, "r");
            assertThat(remembered(words)).isGreaterThanOrEqualTo(ROWS);

            words.flush();
            assertThat(remembered(words)).isGreaterThanOrEqualTo(ROWS);
            bringBack(words, "s");
            int both = remembered(words);
            words.flush();

            assertThat(remembered(words)).isLessThan(both).isPositive();
            words.flushAndCompact();
            assertThat(words.rows("apple")).hasSize(2 * ROWS);
            assertThat(words.entries()).hasSize(2 * ROWS);
        }
    }
}
