package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Batched writes and reads by value where the index is on another server than its table, so that every entry is sent, and every
 * row is read, by a call: server CPU is that of both servers.
 */
final class ApartFigures {

    private static final int KEYS = 40_000;
    private static final int UPDATES = 3 * KEYS;
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 5;
    private static final int READS = 3_000;
    private static final long WARM_UP_NANOS = Duration.ofSeconds(20).toNanos();
    private static final long READ_NANOS = Duration.ofSeconds(5).toNanos();
    private static final String NONE = "no index";
    private static final String DEFERRED = "hindex deferred";
    private static final String SYNC = "hindex sync (in place)";
    private static final String WHERE = ", index on another server";
    private static final String PEER = "same run, same rows";

    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    ApartFigures(Recorder recorder, long seed, Progress progress) {
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        try (ProcessCluster cluster = Servers.two();
                HBaseStore none = HBaseStore.plain(cluster);
                HBaseStore deferred = HBaseStore.indexed(cluster, DEFERRED, "mode=deferred");
                HBaseStore sync = HBaseStore.indexed(cluster, SYNC, "mode=sync")) {
            deferred.setApart();
            sync.setApart();
            List<HBaseStore> stores = List.of(none, deferred, sync);
            var rows = new Rows(seed, KEYS, 0);
            for (HBaseStore store : stores) {
                Writes.batched(store, rows.all());
            }
            writes(stores, rows);
            deferred.settle();
            reads(List.of(none, deferred));
        }
    }

    private void writes(List<HBaseStore> stores, Rows rows) throws Exception {
        PerStore<String> cpu = new PerStore<>();
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            List<Row> updates = rows.updates(UPDATES);
            for (HBaseStore store : stores) {
                progress.say("batched writes" + WHERE + ", round " + (round + WARM_UPS + 1) + " of "
                        + (WARM_UPS + ROUNDS) + ", " + store.name());
                Writes.Cost cost = Writes.batched(store, updates);
                if (round >= 0) {
                    cpu.of(store.name()).add(cost.cpuMicros());
                }
            }
        }
        for (HBaseStore store : stores) {
            lower("batched write" + WHERE + ", server CPU, " + store.name(), cpu.median(store.name()), "µs");
        }
        recorder.record(
                "batched write" + WHERE + ", server CPU, in place against deferred",
                cpu.median(SYNC) / cpu.median(DEFERRED),
                "×",
                null,
                Better.HIGHER,
                SYNC);
        lower(
                "batched write" + WHERE + ", server CPU, deferred against no index",
                cpu.median(DEFERRED) / cpu.median(NONE),
                "×");
    }

    private void reads(List<HBaseStore> stores) throws Exception {
        var values = new ArrayList<Row>();
        for (int i = 0; i < READS; i++) {
            values.add(new Row(Row.key((long) i * KEYS / READS), Row.value(10L * KEYS + i), ""));
        }
        for (HBaseStore store : stores) {
            Writes.batched(store, values);
            progress.say("reads" + WHERE + ", warming up, " + store.name());
            read(store, values, WARM_UP_NANOS);
        }
        PerStore<String> cpu = new PerStore<>();
        PerStore<String> latency = new PerStore<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (HBaseStore store : stores) {
                progress.say("reads" + WHERE + ", round " + round + " of " + ROUNDS + ", " + store.name());
                Usage before = store.usage();
                Series latencies = read(store, values, READ_NANOS);
                cpu.of(store.name()).add(store.usage().since(before).cpuNanos() / 1e3 / latencies.count());
                latency.of(store.name()).add(latencies.median());
            }
        }
        for (HBaseStore store : stores) {
            String what = (store.name().equals(NONE) ? "read by key" : "read by value") + WHERE;
            lower(what + ", server CPU, " + store.name(), cpu.median(store.name()), "µs");
            lower(what + ", median, " + store.name(), latency.median(store.name()), "µs");
        }
        lower(
                "read by value of one row" + WHERE + ", server CPU against a plain Get",
                cpu.median(DEFERRED) / cpu.median(NONE),
                "×");
    }

    private static Series read(HBaseStore store, List<Row> values, long nanos) throws IOException {
        boolean byKey = store.name().equals(NONE);
        var latencies = new Series();
        long begin = System.nanoTime();
        for (int i = 0; System.nanoTime() - begin < nanos; i++) {
            Row row = values.get(i % values.size());
            long start = System.nanoTime();
            boolean found = byKey ? store.readKey(row.key()) : store.readValue(row.value()) == 1;
            latencies.add((System.nanoTime() - start) / 1e3);
            if (!found) {
                throw new IllegalStateException("row " + row.key() + " is not found by " + store.name());
            }
        }
        return latencies;
    }

    private void lower(String name, double value, String unit) throws IOException {
        recorder.record(name, value, unit, null, Better.LOWER, PEER);
    }
}
