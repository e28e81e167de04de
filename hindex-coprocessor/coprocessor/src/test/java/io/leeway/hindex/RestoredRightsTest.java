package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** With HBase's access control and the master's observer: a table that becomes what it was once. */
class RestoredRightsTest {

    private static final byte[] FAMILY = Bytes.toBytes("f");

    private final HBaseCluster cluster = TestClusters.light(
            1,
            Map.of(
                    "hbase.security.authorization",
                    "true",
                    "hbase.coprocessor.master.classes",
                    AccessController.class.getName() + "," + HindexMasterObserver.class.getName(),
                    "hbase.coprocessor.regionserver.classes",
                    AccessController.class.getName(),
                    "hbase.coprocessor.region.classes",
                    AccessController.class.getName()));

    @Test
    void whoMayReadAnIndexMayReadItWhenItsTableWasRestored() throws Exception {
        TableName name = cluster.freshName("restored");
        TableName entries = TableName.valueOf(name + ".hindex.by_n");
        Permission read = Permission.newBuilder(entries)
                .withActions(Permission.Action.READ)
                .build();
        try (Admin admin = cluster.connection().getAdmin()) {
            await().atMost(Duration.ofMinutes(1)).until(() -> admin.isTableAvailable(TableName.valueOf("hbase:acl")));
            admin.createTable(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .setValue("hindex.index.by_n", "columns=f:n:bytes")
                    .build());
            try (Table table = cluster.connection().getTable(name)) {
                table.put(new Put(Bytes.toBytes("r1")).addColumn(FAMILY, Bytes.toBytes("n"), new byte[] {1}));
            }
            admin.grant(new UserPermission("reader", read), false);
            List<UserPermission> before = rights(admin, entries);
            admin.snapshot("of-" + name.getNameAsString(), name);

            admin.disableTable(name);
            admin.restoreSnapshot("of-" + name.getNameAsString());
            admin.enableTable(name);

            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> indexes.get(name, "by_n").definition().state() == IndexState.ACTIVE);
            assertThat(admin.hasUserPermissions("reader", List.of(read))).containsExactly(true);
            // The owner's, too.
            assertThat(rights(admin, entries))
                    .hasSizeGreaterThan(1)
                    .extracting(UserPermission::toString)
                    .containsExactlyInAnyOrderElementsOf(
                            before.stream().map(UserPermission::toString).toList());
            assertThat(IndexedTable.open(cluster.connection(), name, "by_n").readValue(new byte[] {1}))
                    .hasSize(1);
        }
    }

    private static List<UserPermission> rights(Admin admin, TableName table) throws IOException {
        return admin.getUserPermissions(
                GetUserPermissionsRequest.newBuilder(table).build());
    }
}
