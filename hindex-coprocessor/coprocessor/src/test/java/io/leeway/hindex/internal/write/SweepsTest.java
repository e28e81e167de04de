package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the index is looked through for what nobody remembers; without an index that answers. */
class SweepsTest {

    private static final TableDescriptor TABLE = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("hindex.index.i", "columns=f:c:utf8")
            .build();

    private final TablePlan plan = TablePlan.of(TABLE);
    private final AtomicLong forgotten = new AtomicLong(Long.MAX_VALUE);
    private final AtomicBoolean isLoading = new AtomicBoolean();
    private final AtomicBoolean missingClass = new AtomicBoolean();
    private final AtomicInteger connections = new AtomicInteger();
    private final Queue<Long> sweeps = new ConcurrentLinkedQueue<>();
    private SharedSender sender;

    @BeforeEach
    void start() {
        sender = SharedSender.acquire(
                new HashMap<>(),
                "server",
                new Configuration(false),
                new SharedSender.Limits(1_000, 0),
                settings -> {
                    connections.incrementAndGet();
                    if (missingClass.get()) {
                        throw new NoClassDefFoundError("of a jar that was replaced");
                    }
                    throw new IOException("there is no cluster");
                },
                region -> null,
                Metrics.of(
                        new MetricRegistryImpl(new MetricRegistryInfo("t", "t", "t", "t", false)), Metrics.Side.TABLE));
    }

    @AfterEach
    void stop() throws IOException {
        sender.release();
    }

    private UncertainEntries uncertain(Duration delay) {
        return new UncertainEntries(
                plan,
                RegionInfoBuilder.newBuilder(TABLE.getTableName()).build(),
                sender,
                new Sweeps.Others() {
                    @Override
                    public boolean areSettled() {
                        return !isLoading.get();
                    }

                    @Override
                    public long takeForgotten() {
                        return forgotten.getAndSet(Long.MAX_VALUE);
                    }
                },
                (index, from, isStopped) -> sweeps.add(from),
                Duration.ofMillis(10),
                delay);
    }

    private List<NewEntry> entries(long timestamp) {
        IndexPlan index = plan.named("i");
        return index.entries(Bytes.toBytes("row"), Bytes.toBytes("value"), timestamp).stream()
                .map(NewEntry::of)
                .toList();
    }

    /** Those who look at failures are told of them while their batch still counts as under way. */
    @Test
    void whatFindsNoPlaceBeforeItsBatchHasEndedIsLookedFor() {
        UncertainEntries uncertain = uncertain(Duration.ofMillis(10));
        // First: what begins is looked at once, a moment later.
        forgotten.set(40);
        UncertainEntries.Begun batch = uncertain.begin(entries(40));
        await().atMost(Duration.ofMinutes(1)).until(() -> forgotten.get() == Long.MAX_VALUE);
        uncertain.end(batch, false);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(sweeps).contains(40L));
        uncertain.stop(false);
    }

    /** Such as entries that deletes brought back, which are much older than what is written meanwhile. */
    @Test
    void whatFindsNoPlaceIsLookedForFromItsOwnTimestampOn() {
        UncertainEntries uncertain = uncertain(Duration.ofMillis(10));
        forgotten.set(20);
        uncertain.begin(entries(40));

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(sweeps).contains(20L));
        uncertain.lookFrom(10);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(sweeps).contains(10L));
        uncertain.stop(false);
    }

    /** Or what an earlier life left would be forgotten. */
    @Test
    void whatFailsBecauseOfTheJarIsTriedAgain() {
        missingClass.set(true);
        UncertainEntries uncertain = uncertain(Duration.ofMillis(10));
        uncertain.start();

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(connections).hasValueGreaterThan(1));
        uncertain.stop(false);
    }

    @Test
    void aClosedRegionLeavesNoSweepBehind() {
        UncertainEntries uncertain = uncertain(Duration.ofHours(1));
        var waiting = ((ScheduledThreadPoolExecutor) sender.repairs(TABLE.getTableName())).getQueue();
        isLoading.set(true);
        assertThatThrownBy(() -> uncertain.load(entries(40), List.of())).hasMessageContaining("no cluster");
        uncertain.loadFailed();
        assertThat(waiting).hasSize(1);

        uncertain.stop(false);

        assertThat(waiting).isEmpty();
        assertThat(sweeps).isEmpty();
    }

    /** Nobody would tell that it has ended, and all that is written later would count as uncertain. */
    @Test
    void aWriteThatEndsBecauseOfTheJarIsNotUnderWay() throws IOException {
        missingClass.set(true);
        UncertainEntries uncertain = uncertain(Duration.ofHours(1));
        assertThatThrownBy(() -> uncertain.begin(entries(40), List.of(), false))
                .isInstanceOf(NoClassDefFoundError.class);
        int asked = connections.get();

        uncertain.send(entries(50));

        assertThat(connections).hasValue(asked);
        uncertain.stop(false);
    }
}
