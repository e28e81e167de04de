package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.Depth;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import io.leeway.testkit.hbase.TestClusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server process that is told to end while it has regions of a table and of its index, and those that say where regions are:
 * what its regions would have the index told as they close, nobody takes any more.
 */
@Tag(Depth.DEEP)
class StoppedServerIT {

    private static final int REGIONS = 6;
    private static final int ROWS = 600;

    /** HBase ends itself by force after a minute; in order it takes some seconds. */
    private static final Duration IN_ORDER = Duration.ofSeconds(50);

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Map<String, String> SITE = Map.of(
            "hbase.coprocessor.master.classes", HindexMasterObserver.class.getName(), "hindex.failed.delay", "2s");

    @ParameterizedTest
    @CsvSource({"async", "deferred", "sync"})
    void itEndsInOrderAndItsNextLifeKnowsWhatItLeft(String mode) throws Exception {
        try (ProcessCluster cluster = TestClusters.processes(1, SITE)) {
            TableName words = TableName.valueOf("stopped");
            byte[][] splits = new byte[REGIONS - 1][];
            for (int region = 1; region < REGIONS; region++) {
                splits[region - 1] = Bytes.toBytes("r" + region);
            }
            try (Admin admin = cluster.connection().getAdmin()) {
                admin.createTable(
                        TableDescriptorBuilder.newBuilder(words)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .setValue("hindex.index." + INDEX, "columns=f:word:utf8; mode=" + mode)
                                .build(),
                        splits);
            }
            put(cluster, words);
            ServerProcess server = cluster.regionServers().get(0);

            assertThat(server.handle().destroy()).isTrue();

            await().atMost(IN_ORDER).until(() -> !server.isAlive());
            cluster.restart(server);
            cluster.awaitReady();
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            await().atMost(PATIENCE).untilAsserted(() -> {
                VerifyReport report = indexes.verify(words, INDEX);
                assertThat(report.isExact()).as("%s", report).isTrue();
                assertThat(report.entries()).isEqualTo(ROWS);
            });
        }
    }

    private static void put(ProcessCluster cluster, TableName words) throws Exception {
        var puts = new ArrayList<Put>();
        for (int row = 0; row < ROWS; row++) {
            puts.add(new Put(bytes("r" + row % REGIONS + "-" + row)).addColumn(FAMILY, WORD, bytes("w" + row)));
        }
        try (Table table = cluster.connection().getTable(words)) {
            // One after the other: so that entries are on their way when the server ends.
            for (List<Put> some : List.of(puts.subList(0, ROWS / 2), puts.subList(ROWS / 2, ROWS))) {
                table.put(some);
            }
        }
    }
}
