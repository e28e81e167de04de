package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each cluster indexes for itself what arrives from another; indexes are not replicated. */
class ReplicationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HBaseCluster source = TestClusters.light();
    private final HBaseCluster sink =
            TestClusters.light(1, Map.of("hbase.coprocessor.master.classes", HindexMasterObserver.class.getName()));
    private final TableName name = source.freshName("replicated");
    private ReplicationPeer peer;

    /** The table and its index, were the index to be sent. */
    @BeforeEach
    void connectClusters() throws IOException {
        peer = ReplicationPeer.connect(
                source, sink, List.of(name, TableName.valueOf(name + ".hindex." + IndexedWords.INDEX)));
    }

    @AfterEach
    void disconnectClusters() throws IOException {
        peer.close();
    }

    @Test
    void whatArrivesIsIndexed() throws IOException {
        UnaryOperator<TableDescriptorBuilder> pairs =
                table -> table.setValue("hindex.index.pairs", "columns=f:word:utf8,f:other:utf8; state=active");
        try (var here = IndexedWords.create(source, name, "mode=deferred", ReplicationPeer::replicated, pairs);
                var there = IndexedWords.create(sink, name, "mode=deferred", ReplicationPeer::replicated, pairs)) {
            here.put("r1", "apple");
            here.put("r1", "pear");
            here.table()
                    .put(new Put(bytes("r2"))
                            .addColumn(FAMILY, WORD, bytes("apple"))
                            .addColumn(FAMILY, OTHER, bytes("red")));
            here.table().put(new Put(bytes("r2")).addColumn(FAMILY, OTHER, bytes("green")));
            here.put("r3", "apple");
            here.table().delete(new Delete(bytes("r3")));
            here.put("r4", "plum");
            here.table().delete(new Delete(bytes("r4")).addColumn(FAMILY, WORD));
            here.put("r5", "past", 1_000);

            awaitSame(here, there);

            assertThat(there.rows("apple")).containsExactly("r2");
            assertThat(there.rows("pear")).containsExactly("r1");
            assertThat(there.rows("plum")).isEmpty();
            assertThat(there.rows("past")).containsExactly("r5");
            there.flushAndCompact();
            for (IndexPlan index : there.indexes()) {
                assertThat(there.stored(index)).isEqualTo(there.fresh(index)).isEqualTo(here.fresh(index));
            }
        }
    }

    @Test
    void whatArrivesLateDoesNotHideWhatIsNewer() throws IOException {
        try (var here = IndexedWords.create(
                        source, name, "mode=deferred", ReplicationPeer::replicated, table -> table);
                var there =
                        IndexedWords.create(sink, name, "mode=deferred", ReplicationPeer::replicated, table -> table)) {
            there.put("r1", "new");
            here.put("r1", "old", 1_000);
            here.put("r2", "end");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(there.cells()).isEqualTo(3));

            assertThat(there.rows("new")).containsExactly("r1");
            assertThat(there.rows("old")).isEmpty();
            there.flushAndCompact();
            assertThat(there.entries()).containsExactly("end/r2", "new/r1");
        }
    }

    @Test
    void indexesAreNotReplicated() throws IOException {
        try (var here = IndexedWords.create(
                        source, name, "mode=deferred", ReplicationPeer::replicated, table -> table);
                Admin admin = sink.connection().getAdmin();
                Table there = sink.connection().getTable(name)) {
            admin.createTable(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .build());
            here.put("r1", "apple");
            here.put("r1", "pear");

            // If entries were sent, nothing behind them would arrive: there is no table for them.
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(there.get(new Get(bytes("r1"))).getValue(FAMILY, WORD))
                                    .isEqualTo(bytes("pear")));
            here.put("r2", "plum");
            await().atMost(PATIENCE).until(() -> there.exists(new Get(bytes("r2"))));

            assertThat(here.entries()).hasSize(3);
            assertThat(source.connection()
                            .getTable(here.indexTable())
                            .getDescriptor()
                            .getColumnFamilies())
                    .allMatch(family -> family.getScope() == HConstants.REPLICATION_SCOPE_LOCAL);
            admin.disableTable(name);
            admin.deleteTable(name);
        }
    }

    private static void awaitSame(IndexedWords here, IndexedWords there) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(there.cells()).isEqualTo(here.cells()));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(there.visible()).isEqualTo(here.visible()));
    }
}
