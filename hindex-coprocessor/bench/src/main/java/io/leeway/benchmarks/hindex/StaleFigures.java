package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a read by value costs while obsolete entries wait for their repair, and after it: every row is overwritten again and again,
 * each time with one of a few values.
 */
final class StaleFigures {

    private static final int KEYS = 20_000;
    private static final int VALUES = 2_000;
    private static final long WARM_UP_NANOS = Duration.ofSeconds(20).toNanos();
    /** How many obsolete entries there are for each fresh one. */
    private static final List<Integer> STALE = List.of(0, 1, 9, 31);

    private final Servers servers;
    private final Recorder recorder;
    private final Random random;
    private final Progress progress;
    private int written;

    StaleFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.random = new Random(seed);
        this.progress = progress;
    }

    void run() throws Exception {
        // Else compactions are asked for where queries meet many obsolete entries.
        try (HBaseStore store = HBaseStore.indexed(
                servers.hbase(), "hindex deferred", "mode=deferred", Map.of("hindex.compact.stale", "0"))) {
            store.compactsIndexWhenAsked();
            for (int stale : STALE) {
                while (written <= stale) {
                    overwrite(store);
                }
                store.flush();
                if (stale == 0) {
                    warmUp(store);
                }
                measure(store, stale + " obsolete entries for a fresh one");
            }
            store.compact();
            measure(store, "after the compaction");
            store.compactIndex();
            measure(store, "after a compaction of the index, too");
        }
    }

    private void overwrite(HBaseStore store) throws Exception {
        progress.say("obsolete entries, writing, " + written);
        var rows = new ArrayList<Row>();
        for (int key = 0; key < KEYS; key++) {
            rows.add(new Row(Row.key(key), Row.value(random.nextInt(VALUES)), ""));
        }
        Writes.batched(store, rows);
        written++;
    }

    private void warmUp(HBaseStore store) throws IOException {
        progress.say("reads by value, warming up");
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < WARM_UP_NANOS) {
            read(store, new Series());
        }
    }

    private void measure(HBaseStore store, String when) throws IOException {
        progress.say("reads by value, " + when);
        read(store, new Series());
        var latencies = new Series();
        Usage before = store.usage();
        long rows = read(store, latencies);
        double cpu = store.usage().since(before).cpuNanos() / 1e3 / rows;
        String figure = "reads by value of some ten rows, " + when + ", ";
        recorder.record(figure + "server CPU for a row", cpu, "µs", null, Better.LOWER, "");
        recorder.record(figure + "median", latencies.median(), "µs", null, Better.LOWER, "");
        recorder.record(
                figure + "entries for a row", (double) store.entries() / KEYS, "entries", null, Better.LOWER, "");
    }

    /** How many rows were found; every row has one value, so each is found once when all values are read. */
    private static long read(HBaseStore store, Series latencies) throws IOException {
        long rows = 0;
        for (int value = 0; value < VALUES; value++) {
            long start = System.nanoTime();
            rows += store.readValue(Row.value(value));
            latencies.add((System.nanoTime() - start) / 1e3);
        }
        if (rows != KEYS) {
            throw new IllegalStateException("all values together find " + rows + " rows of " + KEYS);
        }
        return rows;
    }
}
