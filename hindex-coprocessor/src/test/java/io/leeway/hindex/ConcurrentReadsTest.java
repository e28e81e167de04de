package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import io.leeway.testkit.history.History;
import io.leeway.testkit.history.HistoryChecker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever clients read by an index while others write, and while regions are flushed, compacted and moved, can be explained. */
class ConcurrentReadsTest {

    private static final int CLIENTS = 5;
    private static final int STEPS = 120;
    private static final int ROWS = 4;
    private static final int WORDS = 3;
    private static final int MOVES = 4;

    private final HBaseCluster cluster = TestClusters.light(2);

    @ParameterizedTest
    @ValueSource(strings = {"deferred", "sync"})
    void everyReadCanBeExplained(String mode) throws Exception {
        long seed = Seeds.seed("reads " + mode);
        var history = new History();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (var words = IndexedWords.create(cluster, "mode=" + mode)) {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    work(words, history, new Random(seed + number));
                    return null;
                }));
            }
            disturb(words, running, new Random(seed));
            for (Future<?> client : running) {
                client.get(3, TimeUnit.MINUTES);
            }
        } finally {
            clients.shutdownNow();
        }

        assertThat(HistoryChecker.check(history.operations())).isEmpty();
        assertThat(history.operations()).hasSizeGreaterThan(CLIENTS * STEPS);
    }

    private static void work(IndexedWords words, History history, Random random) throws IOException {
        try (Table table = words.connect()) {
            for (int i = 0; i < STEPS; i++) {
                String row = "r" + random.nextInt(ROWS);
                String word = "w" + random.nextInt(WORDS);
                long now = history.now();
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        table.put(IndexedWords.word(row, word));
                        history.wrote(row, word, now);
                    }
                    case 3 -> {
                        table.delete(new Delete(bytes(row)));
                        history.wrote(row, null, now);
                    }
                    case 4 -> history.readValue(word, new HashSet<>(words.rows(word)), now);
                    case 5 -> history.readValue(word, new HashSet<>(words.scanned(word)), now);
                    case 6 -> several(words.found(Condition.isPresent()), history, now);
                    default -> several(words.found(Condition.in(List.of("w0", "w1", "w2"))), history, now);
                }
            }
        }
    }

    /** One query, about every word. */
    private static void several(Map<String, List<String>> found, History history, long now) {
        for (int word = 0; word < WORDS; word++) {
            history.readValue("w" + word, Set.copyOf(found.getOrDefault("w" + word, List.of())), now);
        }
    }

    /** Until the clients are done. */
    private void disturb(IndexedWords words, List<Future<?>> running, Random random) throws Exception {
        int moves = 0;
        while (!running.stream().allMatch(Future::isDone)) {
            switch (random.nextInt(5)) {
                case 0 -> words.flush();
                case 1 -> words.compact(false);
                case 2 -> words.flushAndCompact();
                case 3 -> {
                    for (HRegion region : cluster.regions(words.indexTable())) {
                        region.flush(true);
                    }
                }
                default -> {
                    // A client that waits ever longer between its attempts never meets a region that always moves.
                    if (moves++ >= MOVES) {
                        continue;
                    }
                    var table = random.nextBoolean() ? words.name() : words.indexTable();
                    try (var admin = cluster.connection().getAdmin()) {
                        admin.move(admin.getRegions(table).get(0).getEncodedNameAsBytes());
                    }
                }
            }
        }
    }
}
