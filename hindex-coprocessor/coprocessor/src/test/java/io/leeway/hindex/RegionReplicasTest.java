package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/** Of a region that is open several times, only the first keeps indexes; the others answer reads that ask for them. */
class RegionReplicasTest {

    private final HBaseCluster cluster = TestClusters.light(2);

    @Test
    void onlyThePrimaryKeepsTheIndex() throws Exception {
        try (var words = replicated("mode=async")) {
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.awaitEntries();

            assertThat(words.regions()).hasSize(2);
            assertThat(watermarks(words)).isEqualTo(1);
            words.flushAndCompact();
            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    @Test
    void readsOfASecondarySeeTheTableAsItKnowsIt() throws Exception {
        try (var words = replicated("mode=deferred")) {
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.flush();
            secondary(words).refreshStoreFiles();
            words.put("r1", "plum");

            Result stale = words.table()
                    .get(new Get(bytes("r1"))
                            .addColumn(FAMILY, WORD)
                            .setConsistency(Consistency.TIMELINE)
                            .setReplicaId(1));

            assertThat(stale.isStale()).isTrue();
            assertThat(text(stale.value())).isEqualTo("pear");
            // The index, which has forgotten nothing yet but knows more, is not asked.
            assertThat(scannedOnSecondary(words, "pear")).containsExactly("r1");
            assertThat(scannedOnSecondary(words, "plum")).isEmpty();
        }
    }

    @Test
    void queriesAnswerAsThePrimary() throws Exception {
        try (var words = replicated("mode=deferred")) {
            words.put("r1", "apple");
            words.flush();
            secondary(words).refreshStoreFiles();
            words.put("r1", "pear");

            assertThat(words.rows("apple")).isEmpty();
            assertThat(words.rows("pear")).containsExactly("r1");
            assertThat(words.scanned("pear")).containsExactly("r1");
        }
    }

    @Test
    void anIndexIsBuiltByThePrimary() throws Exception {
        try (var words = replicated("state=disabled")) {
            words.put("r1", "apple");
            words.put("r2", "pear");
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());

            assertThat(indexes.build(words.name(), IndexedWords.INDEX)).isTrue();

            assertThat(words.entries()).containsExactly("apple/r1", "pear/r2");
            assertThat(indexes.verify(words.name(), IndexedWords.INDEX).isSound())
                    .isTrue();
        }
    }

    private IndexedWords replicated(String settings) throws IOException {
        IndexedWords words =
                IndexedWords.create(cluster, settings, family -> family, table -> table.setRegionReplication(2));
        // A server tells the master that a region is open just before it can be found there.
        await().atMost(Duration.ofMinutes(1)).until(() -> words.regions().size() == 2);
        return words;
    }

    private static HRegion secondary(IndexedWords words) {
        return words.regions().stream()
                .filter(region -> region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID)
                .findFirst()
                .orElseThrow();
    }

    /** How many regions have noted until when they have written their entries. */
    private int watermarks(IndexedWords words) throws IOException {
        int rows = 0;
        try (Table entries = cluster.connection().getTable(words.indexTable());
                ResultScanner scanner = entries.getScanner(new Scan().addFamily(IndexTables.watermarkFamily()))) {
            for (Result ignored : scanner) {
                rows++;
            }
        }
        return rows;
    }

    private static List<String> scannedOnSecondary(IndexedWords words, String word) throws IOException {
        var filter = new SingleColumnValueFilter(FAMILY, WORD, CompareOperator.EQUAL, bytes(word));
        filter.setFilterIfMissing(true);
        Scan scan = new Scan()
                .addFamily(FAMILY)
                .setFilter(filter)
                .setConsistency(Consistency.TIMELINE)
                .setReplicaId(1);
        var rows = new ArrayList<String>();
        try (ResultScanner scanner = words.table().getScanner(scan)) {
            scanner.forEach(result -> rows.add(text(result.getRow())));
        }
        return rows;
    }
}
