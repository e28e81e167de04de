package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import site.ycsb.generator.ScrambledZipfianGenerator;

/**
 * Reads by value and writes of single rows in every ratio, keys drawn as YCSB draws them (source: figures 16 and 17, YCSB
 * extended by value queries): with all data in memory, and with a table that is larger than the block cache.
 */
final class MixFigures {

    private static final int SMALL_KEYS = 40_000;
    private static final int SMALL_PAYLOAD = 100;
    private static final int LARGE_KEYS = 150_000;
    private static final int LARGE_PAYLOAD = 1_000;
    private static final List<Integer> READ_PERCENTS = List.of(0, 25, 50, 75, 100);
    private static final long WARM_UP_NANOS = Duration.ofSeconds(45).toNanos();
    private static final long NANOS = Duration.ofSeconds(4).toNanos();
    private static final String PEER = "same run, same rows";

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    MixFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        try (HBaseStore deferred = HBaseStore.indexed(servers.hbase(), "hindex deferred", "mode=deferred");
                HBaseStore sync = HBaseStore.indexed(servers.hbase(), "hindex sync (in place)", "mode=sync");
                PhoenixStore strong = PhoenixStore.create(servers.phoenix(), "Phoenix strong global index", "")) {
            List<Mix> mixes = Stream.<Store>of(deferred, sync, strong)
                    .map(store -> new Mix(store, SMALL_KEYS, SMALL_PAYLOAD, "in memory"))
                    .toList();
            // All before the first is measured: two of them share a server, whose compiler is not done after one.
            for (Mix mix : mixes) {
                mix.load();
                mix.warmUp();
            }
            for (Mix mix : mixes) {
                mix.measure();
            }
        }
        for (String mode : List.of("deferred", "sync")) {
            try (ProcessCluster cluster = Servers.smallCache(Map.of());
                    HBaseStore store = HBaseStore.indexed(
                            cluster,
                            mode.equals("sync") ? "hindex sync (in place)" : "hindex deferred",
                            "mode=" + mode)) {
                var mix = new Mix(store, LARGE_KEYS, LARGE_PAYLOAD, "beside the cache");
                mix.load();
                store.flush();
                store.compact();
                mix.warmUp();
                mix.measure();
            }
        }
    }

    /** Operations on one store, which knows what each row has. */
    private final class Mix {

        private final Store store;
        private final int keys;
        private final String payload;
        private final String where;
        private final ScrambledZipfianGenerator zipf;
        private final Random random = new Random(seed);
        private final long[] values;
        private long written;

        Mix(Store store, int keys, int payload, String where) {
            this.store = store;
            this.keys = keys;
            this.payload = "p".repeat(payload);
            this.where = where;
            this.zipf = new ScrambledZipfianGenerator(keys);
            this.values = new long[keys];
        }

        void load() throws Exception {
            progress.say("mix " + where + ", loading " + store.name());
            for (int i = 0; i < keys; i++) {
                values[i] = i;
            }
            written = keys;
            Writes.batched(store, new Rows(seed, keys, payload.length()).all());
        }

        void warmUp() throws Exception {
            progress.say("mix " + where + ", warming up, " + store.name());
            operate(50, WARM_UP_NANOS, new Series(), new Series());
        }

        void measure() throws Exception {
            for (int percent : READ_PERCENTS) {
                progress.say("mix " + where + ", " + percent + " % reads, " + store.name());
                var reads = new Series();
                var writes = new Series();
                Usage before = store.usage();
                long operations = operate(percent, NANOS, reads, writes);
                String what = "mix " + where + ", " + percent + " % reads by value, ";
                lower(
                        what + "server CPU, " + store.name(),
                        store.usage().since(before).cpuNanos() / 1e3 / operations,
                        "µs");
                recorder.record(
                        what + "throughput of one client, " + store.name(),
                        operations / (NANOS / 1e9),
                        "operations/s",
                        null,
                        Better.HIGHER,
                        PEER);
                if (percent > 0) {
                    lower(what + "reads, 99th percentile, " + store.name(), reads.quantile(0.99), "µs");
                }
                if (percent < 100) {
                    lower(what + "writes, 99th percentile, " + store.name(), writes.quantile(0.99), "µs");
                }
            }
        }

        /** So many in a hundred are reads; returns how many there were in all. */
        private long operate(int percent, long nanos, Series reads, Series writes) throws Exception {
            long begin = System.nanoTime();
            long operations = 0;
            while (System.nanoTime() - begin < nanos) {
                int key = zipf.nextValue().intValue();
                boolean isRead = random.nextInt(100) < percent;
                long start = System.nanoTime();
                if (isRead) {
                    int found = store.readValue(Row.value(values[key]));
                    if (found != 1) {
                        throw new IllegalStateException(store.name() + " finds " + found + " rows by the value of row "
                                + key + " instead of one");
                    }
                } else {
                    values[key] = written++;
                    store.put(List.of(new Row(Row.key(key), Row.value(values[key]), payload)));
                }
                (isRead ? reads : writes).add((System.nanoTime() - start) / 1e3);
                operations++;
            }
            return operations;
        }

        private void lower(String name, double value, String unit) throws IOException {
            recorder.record(name, value, unit, null, Better.LOWER, PEER);
        }
    }
}
