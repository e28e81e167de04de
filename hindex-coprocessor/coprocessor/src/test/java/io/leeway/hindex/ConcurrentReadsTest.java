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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever clients read by an index while others write, and while regions are flushed, compacted, moved, split and merged,
 * can be explained.
 */
class ConcurrentReadsTest {

    private static final int CLIENTS = 5;
    private static final int STEPS = 120;
    private static final int WORDS = 3;
    private static final int RESHAPES = 10;

    private final HBaseCluster cluster = TestClusters.light(2);

    /** In few rows clients meet; in many a read finds some that changed and some that did not. */
    @ParameterizedTest(name = "{0}, {1} rows")
    @CsvSource({
        "mode=deferred, 4",
        "mode=deferred, 9",
        "mode=deferred; covers=f:other, 4",
        "mode=sync, 4",
        "mode=sync; covers=f:other, 9"
    })
    void everyReadCanBeExplained(String index, int rows) throws Exception {
        long seed = Seeds.seed("reads " + index + rows);
        var history = new History();
        var steps = new AtomicIntegerArray(CLIENTS);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (var words = IndexedWords.create(cluster, index)) {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    work(words, history, rows, new Random(seed + number), () -> steps.incrementAndGet(number));
                    return null;
                }));
            }
            disturb(words, running, steps, new Random(seed));
            for (Future<?> client : running) {
                client.get(3, TimeUnit.MINUTES);
            }
        } finally {
            clients.shutdownNow();
        }

        assertThat(HistoryChecker.check(history.operations())).isEmpty();
        assertThat(history.operations()).hasSizeGreaterThan(CLIENTS * STEPS);
    }

    private static void work(IndexedWords words, History history, int rows, Random random, Runnable step)
            throws IOException {
        try (Table table = words.connect()) {
            for (int i = 0; i < STEPS; i++) {
                String row = "r" + random.nextInt(rows);
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
                step.run();
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
    private void disturb(IndexedWords words, List<Future<?>> running, AtomicIntegerArray steps, Random random)
            throws Exception {
        int reshapes = 0;
        reshape(words, random);
        int[] before = now(steps);
        while (!running.stream().allMatch(Future::isDone)) {
            switch (random.nextInt(6)) {
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
                    if (reshapes < RESHAPES && haveAllGoneOn(running, before, steps)) {
                        reshapes++;
                        reshape(words, random);
                        before = now(steps);
                    }
                }
            }
        }
    }

    private static int[] now(AtomicIntegerArray steps) {
        return IntStream.range(0, CLIENTS).map(steps::get).toArray();
    }

    private static boolean haveAllGoneOn(List<Future<?>> running, int[] before, AtomicIntegerArray steps) {
        return IntStream.range(0, CLIENTS)
                .allMatch(client -> running.get(client).isDone() || steps.get(client) > before[client]);
    }

    /** Splits a table of one region, moves a region of two, or merges them; new ones have to be compacted first. */
    private void reshape(IndexedWords words, Random random) throws Exception {
        TableName table = random.nextBoolean() ? words.name() : words.indexTable();
        List<HRegion> regions = cluster.regions(table);
        HRegion any = regions.get(random.nextInt(regions.size()));
        try (Admin admin = cluster.connection().getAdmin()) {
            boolean whole = regions.stream().noneMatch(HRegion::hasReferences);
            if (whole && regions.size() == 1) {
                byte[] middle = bytes(table.equals(words.name()) ? "r2" : "w1");
                admin.splitRegionAsync(any.getRegionInfo().getRegionName(), middle)
                        .get(1, TimeUnit.MINUTES);
                cluster.forgetRegions();
            } else if (whole && random.nextBoolean()) {
                byte[][] merged = {
                    regions.get(0).getRegionInfo().getRegionName(),
                    regions.get(1).getRegionInfo().getRegionName()
                };
                admin.mergeRegionsAsync(merged, false).get(1, TimeUnit.MINUTES);
                cluster.forgetRegions();
            } else {
                admin.move(any.getRegionInfo().getEncodedNameAsBytes());
            }
        }
    }
}
