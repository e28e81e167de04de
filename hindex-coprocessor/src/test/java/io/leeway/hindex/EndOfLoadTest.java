package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order a load ends, for those who ask meanwhile whether its entries are certain; without a region. */
class EndOfLoadTest {

    @TempDir
    Path directory;

    private final Configuration configuration = HBaseConfiguration.create();
    private @Nullable BulkLoads loads;
    private final List<NewEntry> entries = new ArrayList<>();
    private final List<Boolean> underWayWhenFailed = new ArrayList<>();

    /** Else what is uncertain would count as settled in between, and nobody would look for its entries. */
    @Test
    void aFailedLoadIsUnderWayUntilItWasSaidThatItFailed() throws Exception {
        List<Pair<byte[], String>> files = files();
        BulkLoads under = loads();

        under.before(files);
        assertThat(entries).hasSize(1);
        assertThat(under.isUnderWay()).isTrue();
        under.after(files, false);

        assertThat(underWayWhenFailed).containsExactly(true);
        assertThat(under.isUnderWay()).isFalse();
    }

    /** The region has said that it failed, so its entries are removed: HBase may be slow to copy the files. */
    @Test
    void filesOfALoadThatHasEndedAreNotTaken() throws Exception {
        BulkLoads under = loads();
        under.before(files());
        under.commit(IndexedWords.FAMILY);

        under.stop();

        assertThatThrownBy(() -> under.commit(IndexedWords.FAMILY)).hasMessageContaining("load them again");
        under.commit(IndexedWords.bytes("other family"));
    }

    private BulkLoads loads() {
        var table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedWords.FAMILY))
                .setValue("hindex.index.by_word", "columns=f:word:utf8")
                .build();
        var under = new BulkLoads(
                TablePlan.of(table),
                configuration,
                new Region(),
                new BulkLoads.Settings(false, Duration.ofMinutes(1), 1_000_000, Duration.ofSeconds(5)));
        loads = under;
        return under;
    }

    private List<Pair<byte[], String>> files() throws Exception {
        var cell = new KeyValue(
                IndexedWords.bytes("k1"), IndexedWords.FAMILY, IndexedWords.WORD, 100, IndexedWords.bytes("apple"));
        return LoadedCells.write(configuration, directory, List.of(List.of(cell))).stream()
                .map(file -> new Pair<>(IndexedWords.FAMILY, file.toString()))
                .toList();
    }

    private final class Region implements BulkLoads.Region {

        @Override
        public boolean holds(byte[] first, byte[] last) {
            return true;
        }

        @Override
        public void put(List<NewEntry> written) {
            entries.addAll(written);
        }

        @Override
        public int putComing(IndexPlan index, List<byte[]> rows) {
            throw new AssertionError("the index is over one column");
        }

        @Override
        public void awaitCompactions(Duration longest) {}

        @Override
        public boolean awaitFlush(Duration longest) {
            return true;
        }

        @Override
        public boolean isFlushed(byte[] family) {
            return true;
        }

        @Override
        public void awaitRemovals() {}

        @Override
        public long loadsEndedBeforeCompactions() {
            return Long.MAX_VALUE;
        }

        @Override
        public void loadFailed() {
            underWayWhenFailed.add(loads != null && loads.isUnderWay());
        }

        @Override
        public void raiseClock(long timestamp) {}
    }
}
