package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.InterruptedIOException;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.junit.jupiter.api.Test;

/** What is kept for a compaction is let go when it fails, though HBase tells nobody. */
class FailedCompactionTest {

    private final HBaseCluster cluster = TestClusters.light();

    @Test
    void nothingIsRememberedForACompactionThatWasInterrupted() throws Exception {
        try (var words = IndexedWords.create(
                cluster,
                "mode=deferred",
                family -> family,
                table -> table.setValue("hbase.hstore.compaction.min", "1000"))) {
            words.put("a", "apple");
            words.flush();
            words.put("b", "pear");
            words.flush();
            StoreRepair repair = words.regions()
                    .get(0)
                    .getCoprocessorHost()
                    .findCoprocessor(HindexObserver.class)
                    .repair();
            HStore store = words.regions().get(0).getStore(IndexedWords.FAMILY);
            store.triggerMajorCompaction();
            CompactionContext compaction = store.requestCompaction(
                            Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null)
                    .orElseThrow();
            assertThat(repair.loadsEndedBefore()).isZero();

            assertThatThrownBy(() -> store.compact(compaction, new Interrupted(), null))
                    .isInstanceOf(InterruptedIOException.class);

            // As when none is at work: files of loads that ended meanwhile are closed.
            assertThat(repair.loadsEndedBefore()).isEqualTo(Long.MAX_VALUE);
            words.flushAndCompact();
            assertThat(words.rows("apple")).hasSize(1);
        }
    }

    private static final class Interrupted extends NoLimitThroughputController {

        @Override
        public long control(String name, long size) throws InterruptedException {
            throw new InterruptedException("interrupted by the test");
        }
    }
}
