package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index whose table somebody has disabled by hand. */
class DisabledIndexTest {

    private final HBaseCluster cluster = TestClusters.light();

    @AutoClose("shutdownNow")
    private final ExecutorService clients = Executors.newSingleThreadExecutor();

    /** HBase's client gives up at once where it is told that a table is disabled: it would take that for the base table. */
    @Test
    void writesAreRefusedToBeTriedAgainAndSucceedWhenItIsEnabled() throws Exception {
        try (IndexedWords words = IndexedWords.create(cluster, "mode=deferred");
                Admin admin = cluster.connection().getAdmin()) {
            words.put("r1", "apple");
            admin.disableTable(words.indexTable());

            assertThatThrownBy(() -> words.regions().get(0).put(word("r2", "pear")))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(DoNotRetryIOException.class)
                    .hasMessageContaining("the index table " + words.indexTable());
            Future<?> write = clients.submit(() -> {
                words.put("r3", "plum");
                return null;
            });
            admin.enableTable(words.indexTable());
            write.get(2, TimeUnit.MINUTES);
            assertThat(words.rows("plum")).containsExactly("r3");
        }
    }

    /** A write that removes entries, those of several columns, and those that follow, ask the table otherwise. */
    @ParameterizedTest
    @ValueSource(strings = {"mode=sync", "mode=async", "mode=deferred; covers=f:other"})
    void soAreThoseOfOtherModes(String definition) throws Exception {
        try (IndexedWords words = IndexedWords.create(
                        cluster, definition, family -> family, table -> table.setValue("hindex.write.timeout", "1s"));
                Admin admin = cluster.connection().getAdmin()) {
            words.put("r1", "apple");
            admin.disableTable(words.indexTable());

            try {
                words.regions().get(0).put(word("r1", "pear"));
                // The entry follows.
                assertThat(definition).isEqualTo("mode=async");
            } catch (IOException refused) {
                assertThat(refused)
                        .isNotInstanceOf(DoNotRetryIOException.class)
                        .hasMessageContaining("the index table " + words.indexTable());
            }
            admin.enableTable(words.indexTable());
            words.put("r1", "plum");
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(words.rows("plum")).containsExactly("r1"));
            assertThat(words.rows("apple")).isEmpty();
        }
    }

    /** Who asks may never have heard of the index's table. */
    @Test
    void readsSayWhatIsWrongAndABuildPutsItRight() throws Exception {
        try (IndexedWords words = IndexedWords.create(cluster, "mode=deferred");
                Admin admin = cluster.connection().getAdmin()) {
            words.put("r1", "apple");
            HindexAdmin indexes = HindexAdmin.of(cluster.connection());
            admin.disableTable(words.indexTable());

            assertThatThrownBy(() -> words.rows("apple"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "the index table " + words.indexTable() + " is disabled; enable it (hindex build)");
            for (ThrowingCallable compare : List.<ThrowingCallable>of(
                    () -> indexes.verify(words.name(), IndexedWords.INDEX),
                    () -> indexes.repair(words.name(), IndexedWords.INDEX))) {
                assertThatThrownBy(compare)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("its table " + words.indexTable() + " is disabled; hindex build");
            }

            assertThat(indexes.build(words.name(), IndexedWords.INDEX)).isTrue();
            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(indexes.verify(words.name(), IndexedWords.INDEX).isExact())
                    .isTrue();
        }
    }
}
