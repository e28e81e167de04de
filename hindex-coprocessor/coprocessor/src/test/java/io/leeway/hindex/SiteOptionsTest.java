package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.read.ServerReads;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Options in the site file are those of all tables, in regions as in the master. */
class SiteOptionsTest {

    private final HBaseCluster cluster = TestClusters.light(
            1,
            Map.of(
                    "hbase.coprocessor.master.classes",
                    HindexMasterObserver.class.getName(),
                    "hindex.build",
                    "manual",
                    "hindex.repair",
                    "none",
                    "hbase.rpc.protection",
                    "privacy"));

    @Test
    void regionsFollowThem() throws IOException {
        try (var words = IndexedWords.create(cluster, "mode=deferred")) {
            words.put("r1", "apple");
            words.put("r1", "pear");

            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("apple/r1", "pear/r1");
        }
    }

    /** What a cluster needs to be connected to, such as how calls are protected, is in the site file, too. */
    @Test
    void serversConnectAsTheSiteSays() throws IOException {
        try (var words = IndexedWords.create(cluster, "mode=deferred")) {
            words.put("r1", "apple");
            var region = words.regions()
                    .get(0)
                    .getCoprocessorHost()
                    .findCoprocessorEnvironment(HindexObserver.class.getName());
            String server = region.getServerName().toString();
            var connected = new ArrayList<Configuration>();
            for (var shared : region.getSharedData().entrySet()) {
                Object part = shared.getValue();
                // Servers of other clusters were in this JVM before, and have stopped.
                if (!shared.getKey().contains(server)) {
                    continue;
                }
                if (part instanceof SharedSender sender) {
                    connected.add(sender.ask(words.indexTable(), Connection::getConfiguration));
                } else if (part instanceof ServerReads reads) {
                    connected.add(reads.read(Connection::getConfiguration));
                }
            }

            assertThat(connected).hasSizeGreaterThan(1).allSatisfy(settings -> {
                assertThat(settings.get("hbase.rpc.protection")).isEqualTo("privacy");
                assertThat(settings.get("hbase.zookeeper.property.clientPort")).isNotNull();
            });
        }
    }

    @Test
    void theMasterFollowsThem() throws IOException {
        TableName words =
                cluster.freshTable("words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words))
                    .setValue(IndexDefinition.ATTRIBUTE_PREFIX + INDEX, "columns=f:word:utf8")
                    .build());
            // Another change, so that the master has had its turn.
            admin.disableTable(words);
            admin.enableTable(words);
        }

        assertThat(indexes.get(words, INDEX).definition().state()).isEqualTo(IndexState.BUILDING);
        assertThat(indexes.build(words, INDEX)).isTrue();
    }
}
