package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final Region region = new Region();
    private @Nullable BulkLoads loads;
    private final List<Boolean> underWayWhenFailed = new ArrayList<>();
    private final List<Boolean> isCertain = new ArrayList<>();
    private long compactionsSince = Long.MAX_VALUE;

    /** Else what is uncertain would count as settled in between, and nobody would look for its entries. */
    @Test
    void aFailedLoadIsUnderWayUntilItWasSaidThatItFailed() throws Exception {
        List<Pair<byte[], String>> files = files();
        BulkLoads under = loads();

        under.before(files);
        assertThat(region.entries).hasSize(1);
        assertThat(under.running().isUnderWay()).isTrue();
        under.after(files, false);

        assertThat(underWayWhenFailed).containsExactly(true);
        assertThat(under.running().isUnderWay()).isFalse();
    }

    /** The region has said that it failed, so its entries are removed: HBase may be slow to copy the files. */
    @Test
    void filesOfALoadThatHasEndedAreNotTaken() throws Exception {
        BulkLoads under = loads();
        under.before(files());
        under.commit(IndexedWords.FAMILY);

        under.running().stop();

        assertThatThrownBy(() -> under.commit(IndexedWords.FAMILY)).hasMessageContaining("load them again");
        under.commit(IndexedWords.bytes("other family"));
    }

    /** A compaction that chose its files before the end asks for what was loaded since; nothing may be missed in between. */
    @Test
    void anEntryIsKeptByItsLoadOrByThoseThatHaveEnded() throws Exception {
        compactionsSince = 0;
        List<Pair<byte[], String>> files = files();
        BulkLoads under = loads();
        under.before(files);
        assertThat(under.running().loadedSince(List.of(region.entries.get(0).entry()), 0))
                .isEmpty();
        assertThat(isKept()).isTrue();

        under.after(files, false);

        assertThat(isCertain).containsExactly(true, true);
        assertThat(under.running().held(List.of(region.entries.get(0).entry()))).isEmpty();
        assertThat(isKept()).isTrue();

        compactionsSince = under.running().ended();
        under.running().compacted();
        assertThat(isKept()).isFalse();
    }

    private boolean isKept() {
        List<Entry> written = region.entries.stream().map(NewEntry::entry).toList();
        return !under().running().held(written).isEmpty()
                || !under().running().loadedSince(written, 0).isEmpty();
    }

    private BulkLoads under() {
        return Objects.requireNonNull(loads);
    }

    private BulkLoads loads() {
        var table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedWords.FAMILY))
                .setValue("hindex.index.by_word", "columns=f:word:utf8")
                .build();
        var under = new BulkLoads(
                TablePlan.of(table),
                configuration,
                region,
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

    /** What a load, or those that have ended, say whenever its end asks the region something. */
    private final class Region extends BareRegion {

        @Override
        public long loadsEndedBeforeCompactions() {
            isCertain.add(isKept());
            return compactionsSince;
        }

        @Override
        public void loadFailed() {
            underWayWhenFailed.add(under().running().isUnderWay());
            isCertain.add(isKept());
        }
    }
}
