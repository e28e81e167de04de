package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.Depth;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that is killed leaves entries whose rows never came to be. Writes without a log make many of them: their rows are
 * gone for certain.
 */
@Tag(Depth.DEEP)
class KilledServerIT {

    private static final String PAIR = "pair";
    private static final int ROWS = 300;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Map<String, String> SITE = Map.of(
            "hbase.coprocessor.master.classes", HindexMasterObserver.class.getName(),
            "hindex.failed.delay", "2s",
            "hindex.certain.pause", "1s");

    @Test
    void whatItLeftIsFoundWithoutARepair() throws Exception {
        try (ProcessCluster cluster = TestClusters.processes(1, SITE)) {
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            var tables = new ArrayList<TableName>();
            for (IndexMode mode : List.of(IndexMode.DEFERRED, IndexMode.SYNC, IndexMode.ASYNC)) {
                TableName words = cluster.freshTable(
                        "words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
                String settings = "; mode=" + mode.name().toLowerCase(Locale.ROOT);
                // One over several columns would have them logged.
                indexes.create(words, IndexDefinition.parse(INDEX, "columns=f:word:utf8" + settings));
                indexes.build(words, INDEX);
                put(cluster, words, Durability.USE_DEFAULT, "kept", 0);
                // What was certain for long is not looked at.
                Thread.sleep(3_000);
                put(cluster, words, Durability.SKIP_WAL, "lost", 0);
                put(cluster, words, Durability.SKIP_WAL, "lost long ago", 5);
                put(cluster, words, Durability.SKIP_WAL, "lost in the future", System.currentTimeMillis() + 10_000_000);
                tables.add(words);
            }
            for (TableName words : tables) {
                await().atMost(PATIENCE)
                        .until(() -> verify(indexes, words, INDEX).entries() == 4 * ROWS);
            }
            ServerProcess server = cluster.regionServers().get(0);
            cluster.kill(server);
            cluster.restart(server);
            cluster.awaitReady();

            for (TableName words : tables) {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    VerifyReport report = verify(indexes, words, INDEX);
                    assertThat(report.isExact()).as("%s", report).isTrue();
                    assertThat(report.entries()).isEqualTo(ROWS);
                });
            }
        }
    }

    /** What is lost with the memory shows what was there before: its entries must not be gone by then. */
    @Test
    void whatComesBackWhenMemoryIsLostHasItsEntries() throws Exception {
        try (ProcessCluster cluster = TestClusters.processes(1, SITE)) {
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            var tables = new LinkedHashMap<TableName, String>();
            for (IndexMode mode : List.of(IndexMode.DEFERRED, IndexMode.SYNC, IndexMode.ASYNC)) {
                for (String index : List.of(INDEX, PAIR)) {
                    TableName words = cluster.freshTable(
                            "words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
                    String columns = index.equals(INDEX) ? "columns=f:word:utf8" : "columns=f:word:utf8, f:other:utf8";
                    indexes.create(
                            words,
                            IndexDefinition.parse(
                                    index, columns + "; mode=" + mode.name().toLowerCase(Locale.ROOT)));
                    indexes.build(words, index);
                    tables.put(words, index);
                }
            }
            for (TableName words : tables.keySet()) {
                try (Table table = cluster.connection().getTable(words)) {
                    for (String row : List.of("superseded", "overwritten", "extended")) {
                        table.put(new Put(bytes(row), 1_000)
                                .addColumn(FAMILY, WORD, bytes("kept"))
                                .addColumn(FAMILY, OTHER, bytes("x")));
                    }
                    table.put(word("superseded", "lost", 2_000).setDurability(Durability.SKIP_WAL));
                    table.put(word("overwritten", "lost", 1_000).setDurability(Durability.SKIP_WAL));
                    table.put(word("extended", "lost", 2_000).setDurability(Durability.SKIP_WAL));
                    table.put(new Put(bytes("extended")).addColumn(FAMILY, OTHER, 3_000, bytes("y")));
                }
            }
            // Queries may have asked for removals, or somebody for a repair.
            for (Map.Entry<TableName, String> each : tables.entrySet()) {
                indexes.repair(each.getKey(), each.getValue());
            }
            ServerProcess server = cluster.regionServers().get(0);
            cluster.kill(server);
            cluster.restart(server);
            cluster.awaitReady();

            for (Map.Entry<TableName, String> each : tables.entrySet()) {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    VerifyReport report = verify(indexes, each.getKey(), each.getValue());
                    assertThat(report.isExact()).as("%s: %s", each, report).isTrue();
                });
            }
        }
    }

    private static Put word(String row, String word, long timestamp) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, timestamp, bytes(word));
    }

    /** With what comes later than now. */
    private static VerifyReport verify(HindexAdmin indexes, TableName words, String index) throws IOException {
        return indexes.verify(words, index, VerifyMethod.HASH, Long.MAX_VALUE);
    }

    /** Each with rows of its own. */
    private static void put(ProcessCluster cluster, TableName words, Durability durability, String word, long timestamp)
            throws IOException {
        var puts = new ArrayList<Put>();
        for (int i = 0; i < ROWS; i++) {
            byte[] row = bytes(word + i);
            Put put = timestamp == 0 ? new Put(row) : new Put(row, timestamp);
            puts.add(put.addColumn(FAMILY, WORD, bytes(word))
                    .addColumn(FAMILY, OTHER, bytes("x"))
                    .setDurability(durability));
        }
        try (Table table = cluster.connection().getTable(words)) {
            table.put(puts);
        }
    }
}
