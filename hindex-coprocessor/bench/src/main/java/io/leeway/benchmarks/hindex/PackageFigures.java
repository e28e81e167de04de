package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The whole package (source: table 5): writes while the application runs, and the compaction with its repair afterwards, on
 * a table that is much larger than the block cache: once where it is in the memory of the machine all the same, in the system's
 * file cache, and once where it is not.
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

    /** Where blocks come from that are not in the block cache. */
    private enum Source {
        /** The table is in the memory of the machine. */
        FILE_CACHE("whole package, "),
        /** It is not. */
        DISK("whole package from disk, ");

        private final String figures;

        Source(String figures) {
            this.figures = figures;
        }

        /** Sees to it until it is closed. */
        AutoCloseable keep(ProcessCluster cluster) throws IOException, InterruptedException {
            return this == DISK ? UncachedFiles.below(Servers.tables(cluster)) : () -> {};
        }
    }

    /** What is measured. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private record Phase(double seconds, Usage used) {

        static Phase of(HBaseStore store, Work work) throws Exception {
            Usage before = store.usage();
            long start = System.nanoTime();
            work.run();
            return new Phase((System.nanoTime() - start) / 1e9, store.usage().since(before));
        }
    }

    private record Cost(Phase writing, Phase flushing, Phase compacting, long blocksOnline) {

        double seconds() {
            return Stream.of(writing, flushing, compacting)
                    .mapToDouble(Phase::seconds)
                    .sum();
        }

        double cpuSeconds() {
            return Stream.of(writing, flushing, compacting)
                            .mapToLong(phase -> phase.used().cpuNanos())
                            .sum()
                    / 1e9;
        }
    }

    void run() throws Exception {
        for (Source source : Source.values()) {
            Cost deferred = measure(source, "deferred");
            Cost sync = measure(source, "sync");
            record(source, "deferred", deferred);
            record(source, "sync", sync);
            recorder.record(
                    source.figures + "deferred against in place, time",
                    deferred.seconds() / sync.seconds(),
                    "×",
                    1.0 / 3,
                    Better.LOWER,
                    PEER);
            recorder.record(
                    source.figures + "deferred against in place, server CPU",
                    deferred.cpuSeconds() / sync.cpuSeconds(),
                    "×",
                    null,
                    Better.LOWER,
                    PEER);
        }
    }

    private Cost measure(Source source, String mode) throws Exception {
        var rows = new Rows(seed, KEYS, PAYLOAD);
        String what = source.figures + mode + ": ";
        try (ProcessCluster cluster = Servers.smallCache(Map.of());
                var store = HBaseStore.indexed(cluster, mode, "mode=" + mode);
                var blocks = BlockReads.of(cluster.regionServers().get(0).handle())) {
            progress.say(what + "loading");
            Writes.batched(store, rows.all());
            store.flush();
            store.compact();
            long blocksBefore = blocks.misses();
            Phase writing;
            Phase flushing;
            long blocksOnline;
            try (AutoCloseable reads = source.keep(cluster)) {
                progress.say(what + "writing");
                writing = Phase.of(store, () -> Writes.batched(store, rows.updates(UPDATES)));
                blocksOnline = blocks.misses() - blocksBefore;
                flushing = Phase.of(store, store::flush);
            }
            progress.say(what + "compacting");
            Phase compacting = Phase.of(store, store::compact);
            return new Cost(writing, flushing, compacting, blocksOnline);
        }
    }

    private void record(Source source, String mode, Cost cost) throws IOException {
        String figure = source.figures + mode + ", ";
        lower(figure + "writing", cost.writing().seconds(), "s");
        lower(
                figure + "compacting",
                cost.flushing().seconds() + cost.compacting().seconds(),
                "s");
        lower(figure + "server CPU", cost.cpuSeconds(), "s");
        lower(figure + "blocks read beside the cache while writing", (double) cost.blocksOnline(), "blocks");
        lower(figure + "read from the disk while writing", cost.writing().used().diskBytesRead() / 1e6, "MB");
    }

    private void lower(String name, double value, String unit) throws IOException {
        recorder.record(name, value, unit, null, Better.LOWER, PEER);
    }
}
