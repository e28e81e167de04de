package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.region.RegionRows;
import io.leeway.hindex.internal.upkeep.Sweep;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a killed server left is looked for to the end, whatever else happens. */
class SweepTest {

    private static final int MORE_THAN_A_BATCH = 600;
    private static final int PLACES = 3;

    private final HBaseCluster cluster = TestClusters.light();
    private IndexedWords words;
    private IndexPlan index;
    private HindexObserver observer;
    private SharedSender sender;
    private Sweep sweep;

    @BeforeEach
    void open() throws IOException {
        words = IndexedWords.create(
                cluster,
                "",
                family -> family,
                table -> table.setValue("hindex.failed.delay", "1h")
                        .setValue("hindex.failed.queue", Integer.toString(PLACES)));
        index = words.indexes().get(0);
        HRegion region = words.regions().get(0);
        observer = region.getCoprocessorHost().findCoprocessor(HindexObserver.class);
        sender = SharedSender.acquire(
                new HashMap<>(),
                "server",
                cluster.connection().getConfiguration(),
                new SharedSender.Limits(60_000, 0),
                ConnectionFactory::createConnection,
                none -> null,
                Metrics.of(
                        new MetricRegistryImpl(new MetricRegistryInfo("t", "t", "t", "t", false)), Metrics.Side.TABLE));
        sweep = new Sweep(region.getRegionInfo(), new RegionRows(region), sender, observer.failed());
    }

    @AfterEach
    void close() throws IOException {
        sender.release();
        words.close();
    }

    private Entry entry(int number) {
        return index.entries(bytes("row"), bytes("w%04d".formatted(number)), 40).get(0);
    }

    private void putWithoutRows(int from, int to) throws IOException {
        var puts = new ArrayList<Put>();
        for (int i = from; i < to; i++) {
            Entry entry = entry(i);
            puts.add(new Put(entry.key())
                    .addColumn(IndexPlan.entryFamily(), entry.qualifier(), entry.timestamp(), entry.content()));
        }
        try (Table table = cluster.connection().getTable(index.table())) {
            table.put(puts);
        }
    }

    /** One write whose call is waited for in vain now and then would hold it up for ever. */
    @Test
    void doesNotWaitForTheEntriesOfWritesThatFailMeanwhile() throws Exception {
        putWithoutRows(0, 2);
        observer.failed().add(List.of(entry(1), entry(9)), true, false);

        assertThat(sweep.sweep(index, 0, () -> false)).isTrue();

        assertThat(words.stored(index)).isEmpty();
    }

    /** Or it would have to come again, and meet the same. */
    @Test
    void finishesThoughItsEntriesHaveNoPlaceAmongThoseOfFailedWrites() throws Exception {
        putWithoutRows(0, 3 * PLACES);

        assertThat(sweep.sweep(index, 0, () -> false)).isTrue();

        assertThat(observer.failed().takeForgotten()).isEqualTo(Long.MAX_VALUE);
        assertThat(words.stored(index)).isEmpty();
    }

    @Test
    void goesOnWhereItEnded() throws Exception {
        putWithoutRows(1, 1 + MORE_THAN_A_BATCH);
        var batches = new AtomicInteger();
        assertThat(sweep.sweep(index, 0, () -> batches.incrementAndGet() > 1)).isFalse();
        putWithoutRows(0, 1);

        assertThat(sweep.sweep(index, 0, () -> false)).isTrue();

        // What has come behind it is for those who ask then.
        assertThat(words.stored(index)).hasSize(1);
        assertThat(sweep.sweep(index, 0, () -> false)).isTrue();
        assertThat(words.stored(index)).isEmpty();
    }
}
