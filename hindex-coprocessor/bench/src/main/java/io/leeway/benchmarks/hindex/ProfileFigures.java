package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.testkit.hbase.ProcessCluster;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Where the CPU time of batched writes in memory goes, by samples of the server's threads; collections and compilation are not seen. */
final class ProfileFigures {

    private static final int KEYS = 40_000;
    private static final int WARM_UPS = 4;
    private static final int ROUNDS = 8;
    private static final int UPDATES = 3 * KEYS;

    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    ProfileFigures(Recorder recorder, long seed, Progress progress) {
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    /** What a sample belongs to. */
    private enum Part {
        ROW_MEMSTORE("the rows' memstore"),
        INDEX_MEMSTORE("the index's memstore"),
        FLUSHES("flushes"),
        INDEX("hindex and its calls of the index"),
        REST("HBase else");

        private final String text;

        Part(String text) {
            this.text = text;
        }

        static Part of(CpuSamples.Sample sample) {
            boolean ofIndex =
                    sample.isIn("io.leeway.hindex.internal.write.IndexSender") || isCallOfIndex(sample.thread());
            if (sample.isIn("org.apache.hadoop.hbase.regionserver.HStore.flushCache")) {
                return FLUSHES;
            }
            if (sample.isIn("org.apache.hadoop.hbase.regionserver.AbstractMemStore.add")) {
                return ofIndex ? INDEX_MEMSTORE : ROW_MEMSTORE;
            }
            return ofIndex || sample.isIn("io.leeway.hindex") ? INDEX : REST;
        }

        /** Threads of the connection to the index, and of hindex itself. */
        private static boolean isCallOfIndex(String thread) {
            return thread.startsWith("hconnection") || thread.startsWith("hindex");
        }
    }

    void run() throws Exception {
        for (String mode : List.of("none", "deferred", "sync")) {
            // Each alone: caches and the heap are its own.
            try (ProcessCluster cluster = Servers.profiled();
                    HBaseStore store = mode.equals("none")
                            ? HBaseStore.plain(cluster)
                            : HBaseStore.indexed(cluster, mode, "mode=" + mode)) {
                profile(cluster, store);
            }
        }
    }

    private void profile(ProcessCluster cluster, HBaseStore store) throws Exception {
        var rows = new Rows(seed, KEYS, 0);
        Writes.batched(store, rows.all());
        write(store, rows, WARM_UPS);
        Map<Part, Integer> counts = new EnumMap<>(Part.class);
        CpuSamples.take(
                cluster.regionServers().get(0).handle(),
                () -> write(store, rows, ROUNDS),
                sample -> counts.merge(Part.of(sample), 1, Integer::sum));
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        for (Map.Entry<Part, Integer> part : counts.entrySet()) {
            recorder.record(
                    "batched write, share of CPU samples, " + store.name() + ", " + part.getKey().text,
                    100.0 * part.getValue() / all,
                    "%",
                    null,
                    Better.LOWER,
                    "of " + all);
        }
    }

    private void write(HBaseStore store, Rows rows, int rounds) throws Exception {
        for (int round = 1; round <= rounds; round++) {
            progress.say("profile of batched writes, " + store.name() + ", " + round + " of " + rounds);
            Writes.batched(store, rows.updates(UPDATES));
        }
    }
}
