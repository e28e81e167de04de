package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An index over {@code f:word} and {@code f:other}, one that covers, and one of a single column beside them. */
class SeveralColumnsTest {

    private final HBaseCluster cluster = TestClusters.light();
    private final List<IndexedWords> tables = new ArrayList<>();

    @AfterEach
    void dropTables() {
        tables.forEach(IndexedWords::close);
    }

    private IndexedWords table(UnaryOperator<ColumnFamilyDescriptorBuilder> family) throws IOException {
        IndexedWords words = IndexedWords.create(
                cluster,
                "mode=deferred",
                family,
                table -> table.setValue(
                                "hindex.index.pair", "columns=f:word:utf8, f:other:utf8; strict=true; state=active")
                        .setValue("hindex.index.covering", "columns=f:word:utf8; covers=f:other; state=active"));
        tables.add(words);
        return words;
    }

    private IndexedWords table() throws IOException {
        return table(family -> family);
    }

    private static Put put(String row, String word, String other) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, bytes(word)).addColumn(FAMILY, OTHER, bytes(other));
    }

    private static Put put(String row, byte[] column, String value) {
        return new Put(bytes(row)).addColumn(FAMILY, column, bytes(value));
    }

    private static Put put(String row, byte[] column, String value, long timestamp) {
        return new Put(bytes(row)).addColumn(FAMILY, column, timestamp, bytes(value));
    }

    /** Nothing is missing now, and nothing else is there after a compaction. */
    private static void assertExact(IndexedWords words) throws IOException {
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).containsAll(words.fresh(index));
        }
        words.flushAndCompact();
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).as("%s", index).isEqualTo(words.fresh(index));
        }
    }

    private static List<String> pairs(IndexedWords words) throws IOException {
        return entries(words, "pair");
    }

    private static List<String> entries(IndexedWords words, String index) throws IOException {
        IndexPlan plan = words.indexes().stream()
                .filter(each -> each.name().equals(index))
                .findAny()
                .orElseThrow();
        return words.fresh(plan).stream()
                .map(entry -> entry.substring(0, entry.indexOf('@')))
                .toList();
    }

    @Test
    void aWriteOfAllColumnsReadsNothing() throws Exception {
        IndexedWords words = table();
        for (int i = 0; i < 5; i++) {
            words.table().put(put("r1", "w" + i, "o" + i));
        }
        words.table().put(List.of(put("r2", "a", "b"), put("r2", "c", "d"), put("r3", "e", "f")));
        words.delete("r3");
        words.table().delete(new Delete(bytes("r2")).addColumns(FAMILY, WORD));

        assertThat(words.baseReads()).isZero();
        assertThat(pairs(words)).containsExactly("[w4, o4]/r1");
        assertExact(words);
    }

    @Test
    void aWriteOfSomeColumnsReadsTheOthersOnceForEachIndex() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", "apple", "red"));
        words.table().put(put("r1", WORD, "pear"));
        assertThat(words.baseReads()).isEqualTo(2);
        words.table().put(put("r1", OTHER, "green"));
        words.table().put(put("r2", OTHER, "blue"));

        assertThat(words.baseReads()).isEqualTo(6);
        assertThat(pairs(words)).containsExactly("[pear, green]/r1");
        assertThat(words.rows("pear")).containsExactly("r1");
        assertExact(words);
    }

    @Test
    void aColumnThatIsDeletedIsAbsent() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", WORD, "apple"));
        words.table().put(put("r1", OTHER, "red"));
        words.flushAndCompact();
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, OTHER));

        assertThat(pairs(words)).containsExactly("[apple, null]/r1");
        assertExact(words);
        words.table().put(put("r1", OTHER, "green"));
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD));
        assertThat(pairs(words)).isEmpty();
        words.table().put(put("r1", WORD, "pear"));
        assertThat(pairs(words)).containsExactly("[pear, green]/r1");
        assertExact(words);
    }

    /** The two states agree in all but what is covered. */
    @Test
    void coveredValuesAreThoseOfTheState() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", OTHER, "red"));
        words.table().put(put("r1", WORD, "apple"));
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, OTHER));

        assertExact(words);
        words.table().put(put("r1", OTHER, "green"));
        assertExact(words);
        IndexPlan covering = words.indexes().stream()
                .filter(index -> index.name().equals("covering"))
                .findAny()
                .orElseThrow();
        assertThat(words.fresh(covering)).singleElement().asString().endsWith("\\x00\\x00\\x00\\x05green");
    }

    @Test
    void concurrentWritesOfDifferentColumnsLoseNoEntry() throws Exception {
        IndexedWords words = table();
        ExecutorService clients = Executors.newFixedThreadPool(4);
        try {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < 4; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    try (Table table = cluster.connection().getTable(words.name())) {
                        for (int i = 0; i < 150; i++) {
                            table.put(put("r" + i % 3, number % 2 == 0 ? WORD : OTHER, "v" + number + "-" + i));
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get(2, TimeUnit.MINUTES);
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(pairs(words)).hasSize(3);
        assertExact(words);
    }

    @Test
    void resultsOfAppendsTakePartInTheStateOfTheirBatch() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", "apple", "red"));
        words.table().append(new Append(bytes("r1")).addColumn(FAMILY, OTHER, bytes("dish")));
        assertThat(pairs(words)).containsExactly("[apple, reddish]/r1");
        words.table()
                .mutateRow(RowMutations.of(List.of(
                        put("r1", WORD, "pear"), new Append(bytes("r1")).addColumn(FAMILY, OTHER, bytes("-brown")))));
        assertThat(pairs(words)).containsExactly("[pear, reddish-brown]/r1");
        words.table()
                .checkAndMutate(CheckAndMutate.newBuilder(bytes("r1"))
                        .ifEquals(FAMILY, WORD, bytes("pear"))
                        .build(put("r1", OTHER, "green")));

        assertThat(pairs(words)).containsExactly("[pear, green]/r1");
        assertExact(words);
    }

    /** HBase alone would show the put once the delete is purged, and nobody would have written the entry of that. */
    @Test
    void aPutThatArrivesBehindADeleteStaysHidden() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", OTHER, "red", 100));
        words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 200));
        words.flush();
        words.table().put(put("r1", WORD, "apple", 150));
        words.compact(true);

        assertThat(pairs(words)).isEmpty();
        assertExact(words);
        words.table().put(put("r1", WORD, "pear", 300));
        assertThat(pairs(words)).containsExactly("[pear, red]/r1");
        assertExact(words);
    }

    /**
     * A compaction that has not read the second value of a timestamp takes the first for what the entry stands for, and drops the
     * version before it, of which the entry was.
     */
    @Test
    void aSecondValueOfATimestampLeavesNoEntryOfTheFirst() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", WORD, "apple", 100));
        words.table().put(put("r1", OTHER, "red", 200));
        words.flush();
        words.table().put(put("r1", WORD, "apple", 150));
        words.flush();
        words.table().put(put("r1", WORD, "pear", 300));
        words.table().put(put("r1", WORD, "plum", 150));
        words.compact(true);
        words.flush();
        words.compact(true);

        assertThat(pairs(words)).containsExactly("[pear, red]/r1");
        assertExact(words);
    }

    /** HBase keeps one of them, the later, as if what the first one did had not been. */
    @Test
    void aDeleteThatIsRepeatedLeavesNoEntryOfTheStateInBetween() throws Exception {
        for (boolean isFlushed : new boolean[] {false, true}) {
            IndexedWords words = table();
            words.table().put(put("r1", WORD, "apple", 100).addColumn(FAMILY, OTHER, 100, bytes("red")));
            words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, OTHER, 118));
            words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 119));
            if (isFlushed) {
                words.flush();
            }
            words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, OTHER, 118));

            assertExact(words);
        }
    }

    @Test
    void aDeletedVersionDoesNotShowWhatCompactionsMayHaveDropped() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", WORD, "apple", 100));
        words.table().put(put("r1", OTHER, "red", 100));
        words.table().put(put("r1", OTHER, "green", 200));
        words.flush();
        words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, OTHER, 200));

        assertThat(pairs(words)).containsExactly("[apple, null]/r1");
        for (IndexPlan index : words.indexes()) {
            assertThat(words.stored(index)).containsAll(words.fresh(index));
        }
        words.compact(true);
        assertThat(pairs(words)).containsExactly("[apple, null]/r1");
        assertExact(words);
    }

    @Test
    void aMinorCompactionKeepsWhatTheRepairOfStatesNeeds() throws Exception {
        IndexedWords words = table();
        words.table().put(put("r1", WORD, "apple"));
        words.flush();
        words.table().put(put("r1", OTHER, "red"));
        words.flush();
        for (int i = 0; i < 3; i++) {
            words.table().put(put("r1", WORD, "pear" + i));
            words.flush();
            words.compact(false);
        }

        assertExact(words);
        assertThat(pairs(words)).containsExactly("[pear2, red]/r1");
    }

    @Test
    void aRowOfManyColumnsComesInPieces() throws Exception {
        IndexedWords words = table();
        for (int round = 0; round < 30; round++) {
            Put put = round % 2 == 0 ? put("r1", "w" + round, "o" + round) : put("r1", OTHER, "p" + round);
            for (int column = 0; column < 30; column++) {
                put.addColumn(FAMILY, bytes("p" + column), bytes("v" + round));
            }
            words.table().put(put);
        }

        assertThat(pairs(words)).containsExactly("[w28, p29]/r1");
        assertExact(words);
        assertThat(words.cells()).isEqualTo(32);
    }

    @Test
    void cellsThatWouldExpireOneByOneAreRefused() throws Exception {
        IndexedWords words = table(family -> family.setTimeToLive(86_400));
        words.table().put(put("r1", "apple", "red"));
        words.table().put(put("r1", "pear", "green"));

        assertThatThrownBy(() -> words.table().put(put("r1", OTHER, "blue")))
                .hasMessageContaining("write all of them in one put");
        assertThatThrownBy(() -> table().table().put(put("r1", "apple", "red").setTTL(60_000)))
                .hasMessageContaining("time to live of its own");
        assertThat(pairs(words)).containsExactly("[pear, green]/r1");
        assertExact(words);
    }

    @Test
    void aSyncIndexRemovesTheStateBefore() throws Exception {
        IndexedWords words = IndexedWords.create(
                cluster,
                "mode=deferred",
                family -> family,
                table -> table.setValue(
                        "hindex.index.pair", "columns=f:word:utf8, f:other:utf8; mode=sync; state=active"));
        tables.add(words);
        words.table().put(put("r1", WORD, "apple"));
        words.table().put(put("r1", OTHER, "red"));
        words.table().append(new Append(bytes("r1")).addColumn(FAMILY, WORD, bytes("s")));
        words.table().put(put("r2", "pear", "green"));
        words.table().delete(new Delete(bytes("r2")));

        IndexPlan pair = words.indexes().stream()
                .filter(index -> !index.isOfOneColumn())
                .findAny()
                .orElseThrow();
        assertThat(words.stored(pair)).isEqualTo(words.fresh(pair)).hasSize(1);
    }
}
