package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.WriteFault.Point;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What writes leave in the index that fail after their entries were written is removed, if it is garbage, and only then. */
class FailedWritesTest {

    private static final byte[] NUMBER = bytes("n");

    private final HBaseCluster cluster = TestClusters.light();

    @AfterEach
    void disarm() {
        WriteFault.arm(Point.NOWHERE);
    }

    private IndexedWords words(String settings, UnaryOperator<TableDescriptorBuilder> table) throws IOException {
        return IndexedWords.create(
                cluster,
                settings,
                family -> family.setMaxVersions(3),
                each -> table.apply(WriteFault.behind(each)
                        .setValue("hindex.failed.delay", "10ms")
                        .setValue("hindex.index.by_n", "columns=f:n:long; state=active; " + settings)
                        .setValue(
                                "hindex.index.pair", "columns=f:word:utf8, f:other:utf8; state=active; " + settings)));
    }

    private IndexedWords words(String settings) throws IOException {
        return words(settings, table -> table);
    }

    /** A way to write. */
    @FunctionalInterface
    private interface Write {
        void to(Table table, String row) throws Exception;
    }

    /** Each to a row of its own, which is called like it. */
    private static Map<String, Write> writes() {
        var writes = new LinkedHashMap<String, Write>();
        writes.put("put", (table, row) -> table.put(word(row, "failed")));
        writes.put(
                "batch",
                (table, row) -> table.batch(
                        List.of(word(row, "failed"), word(row + "2", "failed"), new Delete(bytes(row))),
                        new Object[3]));
        writes.put("put at the same time", (table, row) -> table.put(word(row, "failed", 100)));
        writes.put("put behind a delete", (table, row) -> table.put(word(row, "failed", 50)));
        writes.put(
                "put without a log",
                (table, row) -> table.put(word(row, "failed").setDurability(Durability.SKIP_WAL)));
        writes.put("append", (table, row) -> table.append(new Append(bytes(row)).addColumn(FAMILY, WORD, bytes("!"))));
        writes.put(
                "increment", (table, row) -> table.increment(new Increment(bytes(row)).addColumn(FAMILY, NUMBER, 1)));
        writes.put(
                "check and mutate",
                (table, row) -> table.checkAndMutate(CheckAndMutate.newBuilder(bytes(row))
                        .ifEquals(FAMILY, WORD, bytes("old"))
                        .build(word(row, "failed"))));
        writes.put(
                "row mutations",
                (table, row) -> table.mutateRow(RowMutations.of(
                        List.of(word(row, "failed"), new Delete(bytes(row)).addColumns(FAMILY, OTHER)))));
        writes.put(
                "delete that brings back",
                (table, row) -> table.delete(new Delete(bytes(row)).addColumn(FAMILY, WORD, 100)));
        return writes;
    }

    private static void prepare(IndexedWords words) throws Exception {
        for (String row : writes().keySet()) {
            words.put(row, "older", 40);
            words.put(row, "old", 100);
            words.table().put(new Put(bytes(row)).addColumn(FAMILY, OTHER, 100, bytes("also")));
        }
        words.awaitEntries();
        words.flushAndCompact();
        words.table().delete(new Delete(bytes("put behind a delete")).addColumns(FAMILY, WORD, 60));
    }

    private static void assertExact(IndexedWords words) throws IOException {
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEqualTo(words.fresh(index));
        }
    }

    @Test
    void aWriteThatFailsTakesItsEntriesWithIt() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=sync", "mode=async")) {
            try (IndexedWords words = words(mode)) {
                long waiting = count(words, Metrics.Count.FAILED_WAITING);
                long removed = count(words, Metrics.Count.FAILED_REMOVED);
                prepare(words);
                WriteFault.arm(Point.BEFORE_THE_LOG);
                for (Map.Entry<String, Write> write : writes().entrySet()) {
                    long puts = count(words, Metrics.Count.PUTS);
                    assertThatThrownBy(() -> write.getValue().to(words.table(), write.getKey()))
                            .as("%s, %s", mode, write.getKey())
                            .hasStackTraceContaining("BEFORE_THE_LOG");
                    words.awaitEntries();
                    assertThat(count(words, Metrics.Count.PUTS) - puts)
                            .as("%s, %s", mode, write.getKey())
                            .isPositive();
                }
                WriteFault.arm(Point.NOWHERE);
                // What stands behind values of which nobody knows whether they are in memory only stays until they are
                // not.
                words.awaitFailed();
                words.flush();
                words.awaitFailed();

                assertThat(words.newest("failed")).isEmpty();
                assertExact(words);
                assertThat(count(words, Metrics.Count.FAILED_REMOVED) - removed).isGreaterThan(writes().size());
                assertThat(count(words, Metrics.Count.FAILED_WAITING)).isEqualTo(waiting);
            }
        }
    }

    /** What is to be done about them is remembered no longer than that. */
    @Test
    void aRegionRemovesThemBeforeItCloses() throws Exception {
        // A region that closes takes so long for it.
        try (IndexedWords words = words("mode=deferred", table -> table.setValue("hindex.write.timeout", "1m"))) {
            prepare(words);
            Map<String, Write> logged = writes();
            logged.remove("put without a log");
            fail(words, logged);
            words.reopen();

            assertExact(words);
        }
    }

    private static void fail(IndexedWords words, Map<String, Write> writes) {
        WriteFault.arm(Point.BEFORE_THE_LOG);
        for (Map.Entry<String, Write> write : writes.entrySet()) {
            assertThatThrownBy(() -> write.getValue().to(words.table(), write.getKey()))
                    .hasStackTraceContaining("BEFORE_THE_LOG");
        }
        WriteFault.arm(Point.NOWHERE);
    }

    @Test
    void whatARegionCannotDecideBeforeItIsFlushedItLeavesToItsNextLife() throws Exception {
        try (IndexedWords words = words("mode=deferred")) {
            prepare(words);
            fail(words, writes());
            words.reopen();

            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertExact(words));
        }
    }

    /** What the log's file has of it would be read from there after a crash. */
    @Test
    void aWriteThatFailsAtItsLogKeepsItsEntriesUntilAFlush() throws Exception {
        try (IndexedWords words = words("mode=deferred")) {
            long waiting = count(words, Metrics.Count.FAILED_WAITING);
            words.put("k1", "old");
            WriteFault.arm(Point.AT_THE_LOG);
            assertThatThrownBy(() -> words.put("k1", "failed")).hasStackTraceContaining("AT_THE_LOG");
            WriteFault.arm(Point.NOWHERE);

            words.awaitFailed();
            HindexAdmin.of(cluster.connection()).repair(words.name(), INDEX, VerifyMethod.HASH, Long.MAX_VALUE);
            assertThat(words.entries()).containsExactlyInAnyOrder("old/k1", "failed/k1");
            assertThat(words.rows("failed")).isEmpty();
            assertThat(count(words, Metrics.Count.FAILED_WAITING) - waiting).isEqualTo(2);

            words.flush();
            words.awaitFailed();
            assertExact(words);
            assertThat(count(words, Metrics.Count.FAILED_WAITING) - waiting).isZero();
        }
    }

    @Test
    void aWriteThatHappenedAllTheSameKeepsItsEntries() throws Exception {
        for (String mode : List.of("mode=deferred", "mode=sync", "mode=async")) {
            try (IndexedWords words = words(mode)) {
                for (Point point : List.of(Point.IN_MEMORY, Point.AT_THE_END)) {
                    words.put(point.name(), "old");
                    words.awaitEntries();
                    WriteFault.arm(point);
                    assertThatThrownBy(() -> words.put(point.name(), "happened"))
                            .hasStackTraceContaining(point.name());
                    WriteFault.arm(Point.NOWHERE);
                }
                words.awaitEntries();
                words.awaitFailed();

                assertThat(words.newest("happened")).as(mode).containsExactly("AT_THE_END", "IN_MEMORY");
                assertThat(words.rows("happened")).as(mode).containsExactly("AT_THE_END", "IN_MEMORY");
                for (IndexPlan index : words.indexes()) {
                    assertThat(words.stored(index)).containsAll(words.fresh(index));
                }
                // No lock of the row is left behind, whichever handler comes next.
                for (int i = 0; i < 40; i++) {
                    words.put("AT_THE_END", "again" + i);
                }
                words.awaitEntries();
                words.flushAndCompact();
                assertExact(words);
            }
        }
    }

    /** The entries of one index are there, those of the other fail. */
    @Test
    void aWriteWhoseIndexDoesNotAnswerTakesItsOtherEntriesWithIt() throws Exception {
        try (IndexedWords words = words("mode=deferred", table -> table.setValue("hindex.write.timeout", "300ms"));
                Admin admin = cluster.connection().getAdmin();
                Table impatient = cluster.connection()
                        .getTableBuilder(words.name(), null)
                        .setOperationTimeout(1_000)
                        .build()) {
            // In the order in which a write goes to them, which is not that of their names.
            List<IndexPlan> written = words.indexes().stream()
                    .filter(index -> !index.name().equals("by_n"))
                    .sorted(Comparator.comparing(IndexPlan::table))
                    .toList();
            IndexPlan first = written.get(0);
            IndexPlan last = written.get(1);
            long removed = count(words, Metrics.Count.FAILED_REMOVED);
            words.put("k1", "old");
            admin.disableTable(last.table());

            boolean isLeft = false;
            for (int i = 0; i < 20 && !isLeft; i++) {
                assertThatThrownBy(() -> impatient.put(word("k1", "failed"))).isInstanceOf(IOException.class);
                // Where the machine is busy, even the call to the index that answers may take too long.
                isLeft = words.stored(first).stream().anyMatch(entry -> entry.contains("failed"))
                        || count(words, Metrics.Count.FAILED_REMOVED) > removed;
            }
            assertThat(isLeft).isTrue();
            // A call that the client has given up may still wait for the index, under the lock of its row.
            words.regions().get(0).getRowLock(bytes("k1"), false).release();
            admin.enableTable(last.table());
            words.awaitFailed();

            assertThat(words.newest("failed")).isEmpty();
            assertExact(words);
            assertThat(count(words, Metrics.Count.FAILED_REMOVED) - removed).isPositive();
        }
    }

    @Test
    void whatFindsNoPlaceIsLeftToReadsAndRepairs() throws Exception {
        try (IndexedWords words = words("mode=deferred", table -> table.setValue("hindex.failed.queue", "4"))) {
            long forgotten = count(words, Metrics.Count.FAILED_FORGOTTEN);
            WriteFault.arm(Point.BEFORE_THE_LOG);
            assertThatThrownBy(() -> words.table()
                            .put(List.of(word("k1", "failed"), word("k2", "failed"), word("k3", "failed"))))
                    .isInstanceOf(IOException.class);
            WriteFault.arm(Point.NOWHERE);
            words.awaitFailed();

            assertThat(count(words, Metrics.Count.FAILED_FORGOTTEN) - forgotten).isEqualTo(2);
            assertThat(words.rows("failed")).isEmpty();
            for (IndexPlan index : words.indexes()) {
                HindexAdmin.of(cluster.connection())
                        .repair(words.name(), index.name(), VerifyMethod.HASH, Long.MAX_VALUE);
            }
            assertExact(words);
        }
    }

    private long count(IndexedWords words, Metrics.Count count) {
        return MetricsTest.count(words, count);
    }
}
