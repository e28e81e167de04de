package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many clients on few rows, while the table is flushed, compacted and moved. What an acknowledged write says must be in the
 * index at once; when all is quiet, the index holds exactly what the table says.
 */
class ConcurrentWritesTest {

    private static final int CLIENTS = 6;
    private static final int WRITES = 150;
    private static final int ROWS = 5;
    private static final int MOVES = 4;
    private static final int WORDS = 8;

    private final HBaseCluster cluster = TestClusters.light(2);

    @ParameterizedTest
    @ValueSource(strings = {"deferred", "sync"})
    void nothingIsLostAndNothingIsLeft(String mode) throws Exception {
        long seed = Seeds.seed("concurrent " + mode);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (var words = IndexedWords.create(
                cluster, "mode=" + mode, family -> family, table -> table.setValue("hindex.failed.delay", "10ms"))) {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    write(words, new Random(seed + number), number);
                    return null;
                }));
            }
            disturb(words, running, new Random(seed));
            for (Future<?> client : running) {
                client.get(3, TimeUnit.MINUTES);
            }

            assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
            // A write that took too long was repeated, and has left the entries of its first attempt.
            words.awaitFailed();
            words.flush();
            words.compactAll();
            assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
        } finally {
            clients.shutdownNow();
        }
    }

    /** Until the clients are done. */
    private void disturb(IndexedWords words, List<Future<?>> running, Random random) throws Exception {
        int moves = 0;
        while (!running.stream().allMatch(Future::isDone)) {
            switch (random.nextInt(4)) {
                case 0 -> words.flush();
                case 1 -> words.compact(false);
                case 2 -> words.flushAndCompact();
                default -> {
                    // A client that waits ever longer between its attempts never meets a region that always moves.
                    if (moves++ >= MOVES) {
                        continue;
                    }
                    try (var admin = cluster.connection().getAdmin()) {
                        admin.move(admin.getRegions(words.name()).get(0).getEncodedNameAsBytes());
                    }
                }
            }
        }
    }

    private void write(IndexedWords words, Random random, int client) throws Exception {
        IndexedTable indexed = IndexedTable.open(cluster.connection(), words.name(), IndexedWords.INDEX);
        byte[] own = bytes("own" + client);
        try (Table table = cluster.connection().getTable(words.name())) {
            for (int i = 0; i < WRITES; i++) {
                byte[] row = bytes("r" + random.nextInt(ROWS));
                byte[] word = bytes("w" + random.nextInt(WORDS));
                switch (random.nextInt(8)) {
                    case 0 -> table.delete(new Delete(row));
                    case 1 -> table.delete(new Delete(row).addColumns(FAMILY, WORD));
                    case 2 ->
                        table.checkAndMutate(CheckAndMutate.newBuilder(row)
                                .ifNotExists(FAMILY, WORD)
                                .build(new Put(row).addColumn(FAMILY, WORD, word)));
                    case 3 -> appendOnce(table, row);
                    case 4 -> {
                        // Nobody else writes this row: after the acknowledgement it is found by this word and no other.
                        String mine = "client " + client + " at " + i;
                        table.put(new Put(own).addColumn(FAMILY, WORD, bytes(mine)));
                        assertThat(indexed.readValue(bytes(mine))).hasSize(1);
                        assertThat(words.found(Condition.in(List.of(mine, "no word"))))
                                .containsOnlyKeys(mine);
                        assertThat(words.scanned(mine)).containsExactly("own" + client);
                    }
                    default ->
                        table.put(List.of(
                                new Put(row).addColumn(FAMILY, WORD, word),
                                new Put(bytes("r" + random.nextInt(ROWS))).addColumn(FAMILY, WORD, word)));
                }
            }
        }
    }

    /** Words must stay few, or they never meet. */
    private static void appendOnce(Table table, byte[] row) throws Exception {
        byte[] before = table.get(new Get(row).addColumn(FAMILY, WORD)).value();
        if (before == null || before.length < 4) {
            table.append(new Append(row).addColumn(FAMILY, WORD, bytes("x")));
        }
    }
}
