package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Writes that all need an answer of an index that gives none. */
class WaitingWritesTest {

    private static final int WRITES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TableDescriptor TABLE = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("hindex.index.i", "columns=f:c:utf8")
            .build();

    private final TablePlan plan = TablePlan.of(TABLE);
    private final AtomicInteger calls = new AtomicInteger();
    private final Semaphore failures = new Semaphore(0);

    /** A call waits until the test lets it fail. */
    private Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTable" -> {
                calls.incrementAndGet();
                failures.acquire();
                throw new IOException("the index does not answer");
            }
            case "getRegionLocator" -> proxy(RegionLocator.class, (locator, cleared, none) -> null);
            default -> null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private SharedSender sender(Duration timeout, IndexSender.Connector connector) {
        return SharedSender.acquire(
                new HashMap<>(),
                "server",
                new Configuration(false),
                new SharedSender.Limits(Math.toIntExact(timeout.toMillis()), 0),
                connector,
                region -> null,
                Metrics.of(
                        new MetricRegistryImpl(new MetricRegistryInfo("t", "t", "t", "t", false)), Metrics.Side.TABLE));
    }

    private UncertainEntries uncertain(SharedSender sender) {
        return new UncertainEntries(
                plan,
                RegionInfoBuilder.newBuilder(TABLE.getTableName()).build(),
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

    private List<NewEntry> entries(long timestamp) {
        IndexPlan index = plan.named("i");
        return index.entries(Bytes.toBytes("row"), Bytes.toBytes("value"), timestamp).stream()
                .map(NewEntry::of)
                .toList();
    }

    /** A write in a thread of its own. */
    private record Write(FutureTask<UncertainEntries.Begun> task, Thread thread) {

        static Write start(UncertainEntries uncertain, List<NewEntry> entries) {
            var task = new FutureTask<>(() -> uncertain.begin(entries, List.of(), false));
            var thread = new Thread(task, "write");
            thread.setDaemon(true);
            thread.start();
            return new Write(task, thread);
        }

        /** Whether it makes the call, or waits for who does. */
        boolean isHeldUp() {
            boolean isAtMark = List.of(thread.getStackTrace()).stream()
                    .anyMatch(frame -> frame.getClassName().endsWith("UncertainMarks$Mark"));
            return isAtMark && thread.getState() != Thread.State.RUNNABLE;
        }
    }

    private List<Write> writes(UncertainEntries uncertain) {
        var writes = new ArrayList<Write>();
        for (int i = 0; i < WRITES; i++) {
            writes.add(Write.start(uncertain, entries(100 - i)));
        }
        return writes;
    }

    @Test
    void aCallThatFailedIsNotRepeatedByAllWhoWaitedForIt() throws Exception {
        SharedSender sender = sender(Duration.ofHours(1), settings -> connection());
        UncertainEntries uncertain = uncertain(sender);
        List<Write> writes = writes(uncertain);
        await().atMost(PATIENCE).until(() -> writes.stream().allMatch(Write::isHeldUp));

        failures.release();

        await().atMost(PATIENCE)
                .until(() -> writes.stream().allMatch(write -> write.task().isDone()));
        assertThat(calls).hasValue(1);
        for (Write write : writes) {
            assertThatThrownBy(() -> write.task().get()).hasCauseInstanceOf(IOException.class);
        }
        // Who comes later tries himself.
        failures.release();
        assertThatThrownBy(() -> uncertain.begin(entries(40), List.of(), false))
                .hasMessageContaining("t.hindex.i")
                .hasRootCauseMessage("the index does not answer");
        assertThat(calls).hasValue(2);
        uncertain.stop(false);
        sender.release();
    }

    @Test
    void nobodyWaitsWithoutLimitForTheCallOfAnother() throws Exception {
        SharedSender sender = sender(Duration.ofMillis(100), settings -> connection());
        UncertainEntries uncertain = uncertain(sender);
        List<Write> writes = writes(uncertain);

        await().atMost(PATIENCE)
                .until(() ->
                        writes.stream().filter(write -> write.task().isDone()).count() == WRITES - 1);

        assertThat(calls).hasValue(1);
        for (Write write : writes) {
            if (write.task().isDone()) {
                assertThatThrownBy(() -> write.task().get()).hasCauseInstanceOf(RegionTooBusyException.class);
            }
        }
        failures.release();
        await().atMost(PATIENCE)
                .until(() -> writes.stream().allMatch(write -> write.task().isDone()));
        assertThat(calls).hasValue(1);
        uncertain.stop(false);
        sender.release();
    }
}
