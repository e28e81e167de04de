package io.leeway.hindex.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** What is tidied up after a table is not another's, and what an index needs is there. */
class ReconcilerTest {

    private final HBaseCluster cluster = TestClusters.light();
    private final TableName words = cluster.freshName("words");
    private final TableName entries = TableName.valueOf(words + ".hindex.by_word");
    private final ComingTables coming = new ComingTables();
    private final MasterTables master = new MasterTables(cluster.connection(), "", coming);
    private final Reconciler reconciler = new Reconciler(cluster.connection(), coming);

    @Test
    void whatIsMadeForATableToComeIsNotLeftBehind() throws IOException {
        beforeCreation();

        assertThat(reconciler.reconcile(words)).as("done").isFalse();

        assertThat(exists()).isTrue();
        master.afterDeletion(words);
    }

    @Test
    void whatATableLeavesBehindGoes() throws IOException {
        beforeCreation();

        assertThat(new Reconciler(cluster.connection()).reconcile(words)).isTrue();

        assertThat(exists()).isFalse();
    }

    @Test
    void aTableThatIsGoneIsNotExpectedAnyMore() throws IOException {
        beforeCreation();

        master.afterDeletion(words);

        assertThat(exists()).isFalse();
        assertThat(reconciler.reconcile(words)).isTrue();
    }

    /** As a master leaves it that takes it for a leftover while its index is being defined. */
    @Test
    void aTableThatAnIndexNeedsIsEnabled() throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            beforeCreation();
            admin.createTable(described());
            admin.disableTable(entries);

            assertThat(reconciler.reconcile(words)).isTrue();

            assertThat(admin.isTableEnabled(entries)).isTrue();
            admin.disableTable(words);
            admin.disableTable(entries);
            assertThat(reconciler.reconcile(words)).isTrue();
            assertThat(admin.isTableDisabled(entries))
                    .as("disabled with its base table")
                    .isTrue();
            admin.deleteTable(words);
            master.afterDeletion(words);
        }
    }

    private void beforeCreation() throws IOException {
        master.beforeCreation(described());
    }

    private TableDescriptor described() {
        return TableDescriptorBuilder.newBuilder(words)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("hindex.index.by_word", "columns=f:word:utf8")
                .build();
    }

    private boolean exists() throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            return admin.tableExists(entries);
        }
    }
}
