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
import java.util.Map;

/**
 * Reads by value and writes of single rows in every ratio by YCSB's clients (source: figure 16, YCSB extended by value queries):
 * with all data in memory, and with a table that is larger than the cache. Phoenix's uncovered index is not among them: with four
 * clients its server refuses reads after a while ({@code RejectedExecutionException}; Phoenix 5.2.1).
 */
final class MixFigures {

    private static final int SMALL_KEYS = 40_000;
    private static final int SMALL_PAYLOAD = 100;
    private static final int LARGE_KEYS = 150_000;
    private static final int LARGE_PAYLOAD = 1_000;
    private static final int CLIENTS = 4;
    /** Denser where there are few reads, as in the source. */
    private static final List<Integer> READ_PERCENTS = List.of(0, 10, 25, 50, 75, 100);

    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration TIME = Duration.ofSeconds(4);
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
        inMemory();
        try (ProcessCluster cluster = Servers.smallCache(Map.of());
                HBaseStore store = HBaseStore.plain(cluster)) {
            large(store, true);
        }
        for (String mode : List.of("deferred", "sync")) {
            try (ProcessCluster cluster = Servers.smallCache(Map.of());
                    HBaseStore store = HBaseStore.indexed(cluster, name(mode), "mode=" + mode)) {
                large(store, false);
            }
        }
        for (String kind : List.of("", "LOCAL")) {
            try (ProcessCluster cluster = Servers.smallCache(PhoenixStore.SETTINGS);
                    PhoenixStore store = PhoenixStore.create(
                            cluster, kind.isEmpty() ? "Phoenix strong global index" : "Phoenix local index", kind)) {
                large(store, false);
            }
        }
        try (MariaDbStore store = MariaDbStore.create()) {
            large(store, false);
        }
    }

    private static String name(String mode) {
        return mode.equals("sync") ? "hindex sync (in place)" : "hindex deferred";
    }

    private void inMemory() throws Exception {
        try (HBaseStore none = HBaseStore.plain(servers.hbase());
                HBaseStore deferred = HBaseStore.indexed(servers.hbase(), name("deferred"), "mode=deferred");
                HBaseStore sync = HBaseStore.indexed(servers.hbase(), name("sync"), "mode=sync");
                PhoenixStore strong = PhoenixStore.create(servers.phoenix(), "Phoenix strong global index", "");
                PhoenixStore uncovered =
                        PhoenixStore.create(servers.phoenix(), "Phoenix uncovered index", "UNCOVERED");
                PhoenixStore local = PhoenixStore.create(servers.phoenix(), "Phoenix local index", "LOCAL");
                MariaDbStore mariaDb = MariaDbStore.create()) {
            var mixes = new ArrayList<Mix>();
            mixes.add(new Mix(none, SMALL_KEYS, SMALL_PAYLOAD, "in memory", true));
            for (Store store : List.of(deferred, sync, strong, local, mariaDb)) {
                mixes.add(new Mix(store, SMALL_KEYS, SMALL_PAYLOAD, "in memory", false));
            }
            // All before the first is measured: several share a server, whose compiler is not done after one.
            for (Mix mix : mixes) {
                mix.load();
                mix.warmUp();
            }
            for (Mix mix : mixes) {
                mix.measure();
            }
        }
    }

    private void large(Store store, boolean readsByKey) throws Exception {
        var mix = new Mix(store, LARGE_KEYS, LARGE_PAYLOAD, "beside the cache", readsByKey);
        mix.load();
        store.settle();
        mix.warmUp();
        mix.measure();
    }

    /** Operations on one store, which knows what each row has. */
    private final class Mix {

        private final Store store;
        private final int payload;
        private final String where;
        private final boolean readsByKey;
        private final KnownRows rows;

        Mix(Store store, int keys, int payload, String where, boolean readsByKey) {
            this.store = store;
            this.payload = payload;
            this.where = where;
            this.readsByKey = readsByKey;
            this.rows = new KnownRows(keys, payload);
        }

        void load() throws Exception {
            progress.say("mix " + where + ", loading " + store.name());
            Writes.batched(store, new Rows(seed, rows.count(), payload).all());
        }

        void warmUp() throws Exception {
            progress.say("mix " + where + ", warming up, " + store.name());
            Ycsb.run(store, rows, new Load(CLIENTS, 50, readsByKey, 0, WARM_UP));
        }

        void measure() throws Exception {
            for (int percent : READ_PERCENTS) {
                progress.say("mix " + where + ", " + percent + " % reads, " + store.name());
                Ycsb.Outcome outcome = Ycsb.run(store, rows, new Load(CLIENTS, percent, readsByKey, 0, TIME));
                String what = "mix " + where + ", " + percent + " % reads, ";
                lower(what + "server CPU, " + store.name(), outcome.cpuMicros());
                recorder.record(
                        what + "throughput of " + CLIENTS + " clients, " + store.name(),
                        outcome.perSecond(),
                        "operations/s",
                        null,
                        Better.HIGHER,
                        PEER);
                latencies(what + "a read", outcome.reads());
                latencies(what + "a write", outcome.writes());
            }
        }

        private void latencies(String what, Series series) throws IOException {
            if (series.count() > 0) {
                lower(what + ", median, " + store.name(), series.median());
                lower(what + ", 95th percentile, " + store.name(), series.quantile(0.95));
                lower(what + ", 99th percentile, " + store.name(), series.quantile(0.99));
            }
        }

        private void lower(String name, double micros) throws IOException {
            recorder.record(name, micros, "µs", null, Better.LOWER, PEER);
        }
    }
}
