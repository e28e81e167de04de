package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.util.Map;

/**
 * The whole package (source: table 5): writes while the application runs, and the compaction with its repair afterwards, on
 * a table that is much larger than the block cache.
 */
final class PackageFigures {

    private static final int KEYS = 300_000;
    private static final int PAYLOAD = 1_000;
    private static final int UPDATES = 300_000;
    private static final String PEER = "hindex sync (in place), same run, same rows";

    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    PackageFigures(Recorder recorder, long seed, Progress progress) {
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    private record Cost(double online, double offline, double cpu, long onlineBlocks) {
        double total() {
            return online + offline;
        }
    }

    void run() throws Exception {
        Cost deferred = measure("deferred");
        Cost sync = measure("sync");
        record("deferred", deferred);
        record("sync", sync);
        recorder.record(
                "whole package, deferred against in place, time",
                deferred.total() / sync.total(),
                "×",
                1.0 / 3,
                Better.LOWER,
                PEER);
        recorder.record(
                "whole package, deferred against in place, server CPU",
                deferred.cpu() / sync.cpu(),
                "×",
                null,
                Better.LOWER,
                PEER);
    }

    private Cost measure(String mode) throws Exception {
        var rows = new Rows(seed, KEYS, PAYLOAD);
        try (ProcessCluster cluster = Servers.smallCache(Map.of());
                var store = HBaseStore.indexed(cluster, mode, "mode=" + mode);
                var blocks = BlockReads.of(cluster.regionServers().get(0).handle())) {
            progress.say("whole package, " + mode + ": loading");
            Writes.batched(store, rows.all());
            store.flush();
            store.compact();
            long blocksBefore = blocks.misses();
            progress.say("whole package, " + mode + ": writing");
            Usage before = store.usage();
            long start = System.nanoTime();
            Writes.batched(store, rows.updates(UPDATES));
            double online = (System.nanoTime() - start) / 1e9;
            Usage written = store.usage();
            long blocksOnline = blocks.misses() - blocksBefore;
            progress.say("whole package, " + mode + ": compacting");
            Usage waited = store.usage();
            start = System.nanoTime();
            store.flush();
            store.compact();
            double offline = (System.nanoTime() - start) / 1e9;
            double cpu = (written.since(before).cpuNanos()
                            + store.usage().since(waited).cpuNanos())
                    / 1e9;
            return new Cost(online, offline, cpu, blocksOnline);
        }
    }

    private void record(String mode, Cost cost) throws IOException {
        lower("whole package, " + mode + ", writing", cost.online(), "s");
        lower("whole package, " + mode + ", compacting", cost.offline(), "s");
        lower("whole package, " + mode + ", server CPU", cost.cpu(), "s");
        lower(
                "whole package, " + mode + ", blocks read beside the cache while writing",
                (double) cost.onlineBlocks(),
                "blocks");
    }

    private void lower(String name, double value, String unit) throws IOException {
        recorder.record(name, value, unit, null, Better.LOWER, PEER);
    }
}
