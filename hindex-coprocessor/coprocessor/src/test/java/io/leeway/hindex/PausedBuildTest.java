package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.admin.ComingTables;
import io.leeway.hindex.internal.admin.MasterUpkeep;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** A build by the master that is paused and resumed before it has ended. */
class PausedBuildTest {

    private final HBaseCluster cluster = TestClusters.light();
    private final HindexAdmin indexes = HindexAdmin.of(cluster.connection());
    private final TableName words =
            cluster.freshTable("paused", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
    private final CountDownLatch releases = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean isPaused = new AtomicBoolean();

    /** Nobody would begin another: the one that ends was still there when the index was resumed. */
    @Test
    void isGoneOnWith() throws Exception {
        try (Table table = cluster.connection().getTable(words)) {
            table.put(IndexedWords.word("r1", "apple"));
        }
        indexes.create(
                words,
                IndexDefinition.builder("by_word")
                        .column("f", "word", Encoding.UTF8)
                        .build());
        try (var master = new MasterUpkeep(
                forwarding(Connection.class, cluster.connection(), this::connectionCall),
                cluster.configuration(),
                new ComingTables())) {
            master.changed(words);
            assertThat(releases.await(60, TimeUnit.SECONDS)).isTrue();
            indexes.resume(words, "by_word");
            master.changed(words);
            // For the master to look at it; should it be slower, it begins the build by itself.
            TimeUnit.SECONDS.sleep(1);
            gate.countDown();

            await().atMost(Duration.ofMinutes(1))
                    .until(() -> indexes.get(words, "by_word").definition().state() == IndexState.ACTIVE);
        }
        assertThat(IndexedTable.open(cluster.connection(), words, "by_word").readValue(bytes("apple")))
                .hasSize(1);
    }

    @FunctionalInterface
    private interface Call {
        Object call(Method method, Object[] arguments) throws Exception;
    }

    @FunctionalInterface
    private interface Around {
        Object call(Method method, Object[] arguments, Call call) throws Exception;
    }

    private Object connectionCall(Method method, Object[] arguments, Call call) throws Exception {
        Object result = call.call(method, arguments);
        return result instanceof Table table ? forwarding(Table.class, table, this::tableCall) : result;
    }

    /** The index is paused when the build has its claim; that it gives it back waits. */
    private Object tableCall(Method method, Object[] arguments, Call call) throws Exception {
        if (method.getName().equals("checkAndMutate")
                && arguments[0] instanceof CheckAndMutate change
                && change.getAction() instanceof Put put) {
            boolean isRelease = text(put).startsWith("0 ");
            if (isRelease) {
                releases.countDown();
                gate.await();
            }
            Object result = call.call(method, arguments);
            if (!isRelease && !isPaused.getAndSet(true)) {
                indexes.pause(words, "by_word");
            }
            return result;
        }
        return call.call(method, arguments);
    }

    private static String text(Put put) {
        return put.getFamilyCellMap().values().stream()
                .flatMap(cells -> cells.stream())
                .map(cell -> new String(
                        cell.getValueArray(),
                        cell.getValueOffset(),
                        cell.getValueLength(),
                        StandardCharsets.ISO_8859_1))
                .findFirst()
                .orElse("");
    }

    private static <T> T forwarding(Class<T> type, T to, Around around) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> around.call(method, arguments, (called, with) -> {
                    try {
                        return called.invoke(to, with);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception cause ? cause : new IOException(e.getCause());
                    }
                })));
    }
}
