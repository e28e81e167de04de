package io.leeway.hindex.internal.write;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table whose index does not answer, beside another one on the same server. */
class HangingIndexTest {

    private static final int REGIONS = 50;

    /** More wait for a thread. */
    private static final int BUSY = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TableDescriptor HANGING = table("hanging", "");
    private static final TableDescriptor HEALTHY = table("healthy", ";mode=async");

    private static final TableDescriptor STOPPING = table("stopping", ";mode=async");

    private final AtomicBoolean stops = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();
    private final Semaphore failures = new Semaphore(0);
    private final List<UncertainEntries> regions = new ArrayList<>();
    private SharedSender sender;

    private static TableDescriptor table(String name, String mode) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("hindex.index.i", "columns=f:c:utf8" + mode)
                .build();
    }

    @BeforeEach
    void connect() {
        sender = SharedSender.acquire(
                new HashMap<>(),
                "server",
                new Configuration(false),
                new SharedSender.Limits(Math.toIntExact(PATIENCE.toMillis()), 0),
                settings -> connection(),
                region -> null,
                Metrics.of(
                        new MetricRegistryImpl(new MetricRegistryInfo("t", "t", "t", "t", false)), Metrics.Side.TABLE));
    }

    @AfterEach
    void disconnect() throws IOException {
        regions.forEach(region -> region.stop(false));
        failures.release(REGIONS);
        sender.release();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getTable")) {
                return null;
            }
            String name = arguments[0].toString();
            if (name.startsWith("hanging") || name.startsWith("stopping") && stops.get()) {
                calls.incrementAndGet();
                failures.acquire();
                throw new IOException("the index does not answer");
            }
            return emptyTable();
        });
    }

    private static Table emptyTable() {
        return proxy(
                Table.class,
                (proxy, method, arguments) -> method.getName().equals("getScanner")
                        ? proxy(
                                ResultScanner.class,
                                (scanner, asked, none) ->
                                        asked.getName().equals("iterator") ? Collections.emptyIterator() : null)
                        : null);
    }

    private static RegionInfo region(TableDescriptor table, int number) {
        return RegionInfoBuilder.newBuilder(table.getTableName())
                .setRegionId(number)
                .build();
    }

    private UncertainEntries hanging(int number) {
        return new UncertainEntries(
                TablePlan.of(HANGING),
                region(HANGING, number),
                sender,
                new Sweeps.Others() {
                    @Override
                    public boolean areSettled() {
                        return true;
                    }

                    @Override
                    public long takeForgotten() {
                        return Long.MAX_VALUE;
                    }
                },
                (index, from, isStopped) -> true,
                Duration.ofHours(1),
                Duration.ofHours(1));
    }

    @Test
    void whatWritesToAnotherTableLeftIsLookedAt() throws Exception {
        var answered = new CountDownLatch(1);
        var looked = new CountDownLatch(1);
        try {
            var unused = sender.cleaner(HANGING.getTableName())
                    .submit(() -> answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            sender.cleaner(HEALTHY.getTableName()).execute(looked::countDown);

            assertThat(looked.await(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS)).isTrue();
        } finally {
            answered.countDown();
        }
    }

    /** Such a repair waits for its index, and is tried again as long as that does not answer. */
    @Test
    void repairsOfAnotherTableDoNotWait() throws Exception {
        var answered = new CountDownLatch(1);
        var repaired = new CountDownLatch(1);
        try {
            var unused = sender.repairs(HANGING.getTableName())
                    .submit(() -> answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            sender.repairs(HEALTHY.getTableName()).execute(repaired::countDown);

            assertThat(repaired.await(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            answered.countDown();
        }
    }

    /** As where a server is told to end that has the index, too: to wait for it in each of many regions in turn would take for ever. */
    @Test
    void regionsThatCloseDoNotWaitInTurnForAnIndexThatStopsAnswering() throws Exception {
        TablePlan plan = TablePlan.of(STOPPING);
        var open = new ArrayList<FollowingEntries>();
        for (int i = 0; i < REGIONS; i++) {
            var following = new FollowingEntries(
                    plan,
                    region(STOPPING, i),
                    new RowClock(1, System::currentTimeMillis, 60_000, () -> {}),
                    sender,
                    entries -> failures.acquireUninterruptibly(),
                    (index, time, isStopped) -> {},
                    100,
                    more -> {});
            open.add(following);
            following.start();
            assertThat(following.awaitCaughtUp(PATIENCE.toMillis())).isTrue();
        }
        stops.set(true);
        // Some have nothing to write but that all is written, others an entry that does not get there.
        var entries = plan.named("i").entries(Bytes.toBytes("row"), Bytes.toBytes("value"), 7).stream()
                .map(NewEntry::of)
                .toList();
        FollowingEntries last = open.get(REGIONS - 1);
        last.end(requireNonNull(last.reserve(entries)), true);

        var closed = new CountDownLatch(1);
        var closing = new Thread(() -> {
            open.forEach(region -> region.stop(PATIENCE.toMillis()));
            closed.countDown();
        });
        closing.setDaemon(true);
        closing.start();

        // One of them waits for a second.
        assertThat(closed.await(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** What has a place is also what compactions wait for. */
    @Test
    void entriesOfAnotherTableGoAndItsCompactionsDoNotWait() throws Exception {
        for (int i = 0; i < REGIONS; i++) {
            UncertainEntries region = hanging(i);
            regions.add(region);
            region.start();
        }
        await().atMost(PATIENCE).until(() -> calls.get() > 0 && failures.getQueueLength() >= BUSY);

        TablePlan plan = TablePlan.of(HEALTHY);
        var sent = Collections.synchronizedList(new ArrayList<NewEntry>());
        var following = new FollowingEntries(
                plan,
                region(HEALTHY, 1),
                new RowClock(1, System::currentTimeMillis, 60_000, () -> {}),
                sender,
                sent::addAll,
                (index, time, isStopped) -> {},
                100,
                more -> {});
        following.start();
        assertThat(following.awaitCaughtUp(PATIENCE.toMillis())).isTrue();
        List<NewEntry> entries = plan.named("i").entries(Bytes.toBytes("row"), Bytes.toBytes("value"), 7).stream()
                .map(NewEntry::of)
                .toList();
        following.end(requireNonNull(following.reserve(entries)), true);
        following.await(Wait.COMPACTION, PATIENCE.toMillis());

        assertThat(sent).containsExactlyElementsOf(entries);
        following.stop(PATIENCE.toMillis());
    }
}
