package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

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
}
