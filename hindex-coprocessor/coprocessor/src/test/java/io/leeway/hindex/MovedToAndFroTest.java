package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions of an index that were on two servers, each of which then says for two minutes that they are on the other one, where
 * HBase's blocking client looks for them in turn, though they are merged.
 */
class MovedToAndFroTest {

    private final HBaseCluster cluster = TestClusters.light(2);

    @ParameterizedTest
    @ValueSource(strings = {"mode=deferred", "mode=sync"})
    void writesFindThoseThatCameAfterThem(String mode) throws Exception {
        ServerName here = cluster.regionServers().get(0).getServerName();
        ServerName there = cluster.regionServers().get(1).getServerName();
        try (IndexedWords words = IndexedWords.create(
                        cluster, mode, family -> family, table -> table.setValue("hindex.write.timeout", "500ms"));
                Admin admin = cluster.connection().getAdmin();
                Table table = cluster.connection()
                        .getTableBuilder(words.name(), null)
                        .setOperationTimeout(10_000)
                        .build()) {
            BusyHandler.move(cluster, words.name(), cluster.regionServers().get(0));
            admin.splitRegionAsync(admin.getRegions(words.indexTable()).get(0).getRegionName(), bytes("m"))
                    .get(1, TimeUnit.MINUTES);
            List<RegionInfo> halves = admin.getRegions(words.indexTable());
            for (ServerName server : List.of(there, here, there)) {
                for (RegionInfo half : halves) {
                    admin.move(half.getEncodedNameAsBytes(), server);
                }
                table.put(word("r1", "apple"));
                table.put(word("r2", "pear"));
            }
            for (HRegion region : cluster.regions(words.indexTable())) {
                region.compact(true);
            }
            admin.mergeRegionsAsync(
                            halves.stream().map(RegionInfo::getRegionName).toArray(byte[][]::new), false)
                    .get(1, TimeUnit.MINUTES);

            table.put(word("r3", "apple"));
            table.put(word("r4", "pear"));

            cluster.forgetRegions();
            assertThat(words.rows("apple")).containsExactlyInAnyOrder("r1", "r3");
            assertThat(words.rows("pear")).containsExactlyInAnyOrder("r2", "r4");
        }
    }
}
