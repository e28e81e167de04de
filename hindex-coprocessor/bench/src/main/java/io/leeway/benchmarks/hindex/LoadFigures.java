package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** How long a write takes under a certain load (source: figure 15): rows one by one, in memory, by YCSB's clients. */
final class LoadFigures {

    private static final int KEYS = 40_000;
    private static final int PAYLOAD = 100;
    private static final int CLIENTS = 4;
    private static final List<Integer> TARGETS = List.of(500, 1_000, 2_000, 4_000, 8_000);
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration TIME = Duration.ofSeconds(4);
    /** Of a target that is missed by more, no more than what there was can be said. */
    private static final double REACHED = 0.95;

    private static final String PEER = "same run, same rows";

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    LoadFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        try (HBaseStore none = HBaseStore.plain(servers.hbase());
                HBaseStore deferred = HBaseStore.indexed(servers.hbase(), "hindex deferred", "mode=deferred");
                HBaseStore sync = HBaseStore.indexed(servers.hbase(), "hindex sync (in place)", "mode=sync");
                PhoenixStore strong = PhoenixStore.create(servers.phoenix(), "Phoenix strong global index", "")) {
            for (Store store : List.of(none, deferred, sync, strong)) {
                measure(store);
            }
        }
    }

    private void measure(Store store) throws Exception {
        progress.say("writes under load, loading and warming up, " + store.name());
        Writes.batched(store, new Rows(seed, KEYS, PAYLOAD).all());
        var rows = new KnownRows(KEYS, PAYLOAD);
        Ycsb.run(store, rows, new Load(CLIENTS, 0, true, 0, WARM_UP));
        for (int target : TARGETS) {
            progress.say("writes under load, " + target + " a second, " + store.name());
            Ycsb.Outcome outcome = Ycsb.run(store, rows, new Load(CLIENTS, 0, true, target, TIME));
            if (outcome.perSecond() >= REACHED * target) {
                record("writes under load, " + target + " a second, ", store, outcome);
            }
        }
        progress.say("writes under load, as many as there can be, " + store.name());
        Ycsb.Outcome outcome = Ycsb.run(store, rows, new Load(CLIENTS, 0, true, 0, TIME));
        record("writes under load, as many as there can be, ", store, outcome);
        recorder.record(
                "writes under load, as many as there can be, throughput, " + store.name(),
                outcome.perSecond(),
                "operations/s",
                null,
                Better.HIGHER,
                PEER);
    }

    private void record(String what, Store store, Ycsb.Outcome outcome) throws IOException {
        lower(what + "median, " + store.name(), outcome.writes().median());
        lower(what + "99th percentile, " + store.name(), outcome.writes().quantile(0.99));
    }

    private void lower(String name, double micros) throws IOException {
        recorder.record(name, micros, "µs", null, Better.LOWER, PEER);
    }
}
