package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.junit.jupiter.api.Test;

/** Entries whose region is on the server of their rows are written without a call, and as safely as by one. */
class EntriesOfItsServerTest {

    private static final int WRITES = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HBaseCluster cluster = TestClusters.light(2);

    private IndexedWords words(UnaryOperator<TableDescriptorBuilder> table) throws IOException {
        IndexedWords words = IndexedWords.create(cluster, "mode=deferred", family -> family, table);
        BusyHandler.move(cluster, words.name(), server(0));
        BusyHandler.move(cluster, words.indexTable(), server(0));
        return words;
    }

    private HRegionServer server(int number) {
        return cluster.regionServers().get(number);
    }

    /** Calls with several writes, as HBase's client sends those of an index, also where the call stays in the process. */
    private long calls(int server) {
        return server(server).getMetrics().getRegionServerWrapper().getRpcMultiRequestsCount();
    }

    private static void assertExact(IndexedWords words) throws IOException {
        assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index()));
    }

    @Test
    void onlyAnIndexElsewhereIsCalled() throws Exception {
        try (IndexedWords words = words(table -> table)) {
            words.put("r", "first");
            long before = calls(0);
            for (int i = 0; i < WRITES; i++) {
                words.put("a" + i, "w" + i);
            }
            // Others may call meanwhile, but not as often.
            assertThat(calls(0) - before).isLessThan(WRITES);

            BusyHandler.move(cluster, words.indexTable(), server(1));
            words.put("r", "moved");
            before = calls(1);
            for (int i = 0; i < WRITES; i++) {
                words.put("b" + i, "w" + i);
            }
            assertThat(calls(1) - before).isGreaterThanOrEqualTo(WRITES);

            words.flushAndCompact();
            assertExact(words);
        }
    }

    @Test
    void aBatchGoesToRegionsHereAndElsewhere() throws Exception {
        try (IndexedWords words = words(table -> table);
                Admin admin = cluster.connection().getAdmin()) {
            words.put("r", "first");
            admin.splitRegionAsync(admin.getRegions(words.indexTable()).get(0).getRegionName(), bytes("m"))
                    .get(1, TimeUnit.MINUTES);
            admin.move(
                    admin.getRegions(words.indexTable()).get(1).getEncodedNameAsBytes(),
                    server(1).getServerName());
            var batch = new ArrayList<Put>();
            for (int i = 0; i < 100; i++) {
                batch.add(word("r" + i, (char) ('a' + i % 26) + "-word"));
            }

            words.table().put(batch);

            assertThat(words.rows("a-word")).containsExactlyInAnyOrder("r0", "r26", "r52", "r78");
            assertThat(words.rows("z-word")).containsExactlyInAnyOrder("r25", "r51", "r77");
            words.flushAndCompact();
            assertExact(words);
        }
    }

    @Test
    void anIndexThatDoesNotAnswerIsWaitedForUntilTheLimit() throws Exception {
        try (IndexedWords words = words(table ->
                        table.setValue("hindex.write.timeout", "300ms").setValue("hindex.failed.delay", "10ms"));
                Admin admin = cluster.connection().getAdmin();
                Table impatient = cluster.connection()
                        .getTableBuilder(words.name(), null)
                        .setOperationTimeout(1_000)
                        .build()) {
            words.put("r", "old");
            WriteStop.arm().open();
            admin.modifyTable(
                    WriteStop.behind(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.indexTable())))
                            .build());
            words.put("r", "older");
            WriteStop.Gate gate = WriteStop.arm();
            try {
                assertThatThrownBy(() -> impatient.put(word("r", "failed"))).isInstanceOf(IOException.class);
                assertThat(gate.isReached()).isTrue();
                // Nobody holds the row's lock any more, though the index still does not answer.
                words.regions().get(0).getRowLock(bytes("r"), false).release();
                assertThat(words.newest("failed")).isEmpty();
                // Those who look at what failed writes have left look now, and find nothing.
                words.awaitFailed();
            } finally {
                gate.open();
            }

            // As after a call that was given up, the entry comes all the same, and that late only a repair looks for
            // it.
            await().atMost(PATIENCE).until(() -> words.entries().contains("failed/r"));
            words.awaitFailed();
            assertThat(words.rows("failed")).isEmpty();
            // The client has tried several times; the entries of later calls may come later.
            await().atMost(PATIENCE).untilAsserted(() -> {
                HindexAdmin.of(cluster.connection()).repair(words.name(), IndexedWords.INDEX);
                assertThat(words.entries()).containsExactly("older/r");
            });
        }
    }

    @Test
    void whatItsRegionRefusesIsToldAsByACall() throws Exception {
        try (IndexedWords words = words(table -> table.setValue("hindex.write.timeout", "300ms"));
                Admin admin = cluster.connection().getAdmin();
                Table impatient = cluster.connection()
                        .getTableBuilder(words.name(), null)
                        .setOperationTimeout(1_000)
                        .build()) {
            words.put("r", "old");
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.indexTable()))
                    .setReadOnly(true)
                    .build());

            assertThatThrownBy(() -> impatient.put(List.of(word("r", "new"), word("s", "new"))))
                    .isInstanceOf(IOException.class);

            assertThat(words.newest("new")).isEmpty();
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.indexTable()))
                    .setReadOnly(false)
                    .build());
            words.put("r", "new");
            assertThat(words.rows("new")).containsExactly("r");
        }
    }
}
