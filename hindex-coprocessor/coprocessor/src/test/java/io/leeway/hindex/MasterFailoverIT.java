package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import io.leeway.testkit.Depth;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import io.leeway.testkit.hbase.TestClusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A master that is killed while it builds an index leaves the rest to the next one; reads do not need it. */
@Tag(Depth.DEEP)
class MasterFailoverIT {

    private static final int ROWS = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void theNextMasterGoesOnWithABuild() throws Exception {
        Map<String, String> site = Map.of(
                "hbase.coprocessor.master.classes", HindexMasterObserver.class.getName(), "hindex.build.rate", "60");
        try (ProcessCluster cluster = TestClusters.processes(1, site)) {
            TableName words = cluster.freshTable(
                    "words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
            fill(cluster, words);
            try (Admin admin = cluster.connection().getAdmin()) {
                admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words))
                        .setValue(IndexDefinition.ATTRIBUTE_PREFIX + INDEX, "columns=f:word:utf8")
                        .build());
            }
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            // Some entries are there, and far from all.
            await().atMost(PATIENCE).until(() -> indexes.verify(words, INDEX).entries() > 0);
            assertThat(indexes.verify(words, INDEX).entries()).isLessThan(ROWS);
            ServerProcess master = cluster.master();
            cluster.kill(master);
            cluster.restart(master);
            cluster.awaitReady();

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> indexes.get(words, INDEX).definition().state() == IndexState.ACTIVE);
            assertThat(indexes.get(words, INDEX).isComplete()).isTrue();
            VerifyReport report = indexes.verify(words, INDEX);
            assertThat(report.isExact()).isTrue();
            assertThat(report.entries()).isEqualTo(ROWS);

            // Who reads and writes needs no master, once the regions know that the index is complete.
            var region = new UpkeepClient(cluster.connection(), words);
            await().atMost(PATIENCE)
                    .until(() -> TablePlan.of(region.describe())
                                    .named(INDEX)
                                    .definition()
                                    .state()
                            == IndexState.ACTIVE);
            cluster.kill(cluster.master());
            try (Table table = cluster.connection().getTable(words)) {
                table.put(word("r2000", "without a master"));
            }
            assertThat(IndexedTable.open(cluster.connection(), words, INDEX)
                            .readValue(Bytes.toBytes("without a master")))
                    .hasSize(1);
        }
    }

    private static void fill(ProcessCluster cluster, TableName words) throws Exception {
        var puts = new ArrayList<Put>();
        for (int i = 0; i < ROWS; i++) {
            puts.add(word("r" + (1_000 + i), "w" + i % 10));
        }
        try (Table table = cluster.connection().getTable(words)) {
            table.put(puts);
        }
    }
}
