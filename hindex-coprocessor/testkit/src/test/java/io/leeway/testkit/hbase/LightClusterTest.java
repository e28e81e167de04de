package io.leeway.testkit.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class LightClusterTest {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] ROW = bytes("row");
    private static final byte[] QUALIFIER = bytes("q");

    private final HBaseCluster cluster = TestClusters.light();

    @Test
    void returnsWhatWasPut() throws IOException {
        TableName name = cluster.freshTable("smoke", LightClusterTest::oneFamily);

        try (var table = cluster.connection().getTable(name)) {
            table.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, bytes("value")));

            assertThat(table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER)).isEqualTo(bytes("value"));
        }
    }

    @Test
    void showsTheRegionsOfATable() {
        TableName name = cluster.freshTable("smoke", LightClusterTest::oneFamily);

        assertThat(cluster.regions(name)).hasSize(1);
    }

    @Test
    void isSharedByAllWhoAskForTheSame() {
        assertThat(TestClusters.light()).isSameAs(cluster);
    }

    @Test
    void runsAsManyRegionServersAsAsked() {
        assertThat(TestClusters.light(2).regionServers()).hasSize(2);
    }

    private static TableDescriptorBuilder oneFamily(TableDescriptorBuilder table) {
        return table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
