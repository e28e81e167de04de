package io.leeway.hindex.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** A table that is dropped and created again at once: what is tidied up after the first is not the second's. */
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

    private void beforeCreation() throws IOException {
        master.beforeCreation(TableDescriptorBuilder.newBuilder(words)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("hindex.index.by_word", "columns=f:word:utf8")
                .build());
    }

    private boolean exists() throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            return admin.tableExists(entries);
        }
    }
}
