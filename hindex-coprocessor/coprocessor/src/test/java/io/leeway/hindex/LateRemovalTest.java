package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A removal whose caller has given up, and that is carried out later, takes no entry that was written again meanwhile. */
class LateRemovalTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();

    private IndexedWords words;

    @BeforeEach
    void createTable() throws IOException {
        words = IndexedWords.create(
                CLUSTER,
                "mode=sync",
                family -> family.setMaxVersions(3),
                // Long enough for the removals that are to succeed; each of them is one call.
                table -> table.setValue("hindex.write.timeout", "2s").setValue("hindex.clock.skew", "100ms"));
    }

    @AfterEach
    void dropTable() {
        words.close();
    }

    /** How a removal is held. */
    @FunctionalInterface
    private interface Way {
        void hold(Admin admin, TableName entries) throws IOException;
    }

    private void hold(Way way) throws IOException {
        try (Admin admin = CLUSTER.connection().getAdmin()) {
            for (IndexPlan index : words.indexes()) {
                way.hold(admin, index.table());
            }
        }
    }

    /** The removal of the older value's entry is given up; the write is acknowledged all the same. */
    private RemovalStop.Gate removalThatIsGivenUp() throws Exception {
        words.put("k1", "older", 100);
        RemovalStop.Gate gate = RemovalStop.arm();
        words.put("k1", "newer", 200);
        assertThat(gate.isReached()).isTrue();
        return gate;
    }

    private static Delete newer() {
        return new Delete(bytes("k1")).addColumn(FAMILY, WORD, 200);
    }

    private void assertOlderIsFound() throws Exception {
        assertThat(words.newest("older")).containsExactly("k1");
        assertThat(words.rows("older")).containsExactly("k1");
        assertThat(words.stored(words.index())).isEqualTo(words.fresh(words.index()));
    }

    @Test
    void aRemovalThatComesTooLateIsRefused() throws Exception {
        hold(RemovalStop::inFront);
        try (RemovalStop.Gate gate = removalThatIsGivenUp()) {
            words.table().delete(newer());
            assertThat(gate.letEnd()).isTrue();

            assertOlderIsFound();
        }
    }

    @Test
    void anEntryIsNotWrittenAgainWhileItsRemovalIsAtWork() throws Exception {
        hold(RemovalStop::behind);
        try (RemovalStop.Gate gate = removalThatIsGivenUp();
                Table impatient = CLUSTER.connection()
                        .getTableBuilder(words.name(), null)
                        // Longer than the entry is not written anyway since its removal may yet come.
                        .setOperationTimeout(10_000)
                        .build()) {
            assertThatThrownBy(() -> impatient.delete(newer())).isInstanceOf(IOException.class);
            assertThat(gate.letEnd()).isTrue();

            words.table().delete(newer());
            assertOlderIsFound();
        }
    }
}
