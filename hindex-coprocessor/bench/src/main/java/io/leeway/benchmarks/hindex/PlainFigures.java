package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.testkit.hbase.ProcessCluster;
import java.time.Duration;
import java.util.List;

/**
 * Plain HBase without an index: what reads cost beside writes, with heaps of several sizes (source: figure 13). The block cache is
 * 40 % of the heap, the table is larger than that of the smallest.
 */
final class PlainFigures {

    private static final int KEYS = 300_000;
    private static final int PAYLOAD = 1_000;
    private static final int CLIENTS = 4;
    private static final List<Integer> HEAPS = List.of(512, 1_024, 2_048);
    private static final List<Integer> READ_PERCENTS = List.of(0, 10, 25, 50, 75, 100);
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration TIME = Duration.ofSeconds(4);

    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    PlainFigures(Recorder recorder, long seed, Progress progress) {
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        for (int heap : HEAPS) {
            String what = "plain HBase, heap of " + heap + " MB, ";
            try (ProcessCluster cluster = Servers.withHeap(heap);
                    HBaseStore store = HBaseStore.plain(cluster)) {
                progress.say(what + "loading and warming up");
                Writes.batched(store, new Rows(seed, KEYS, PAYLOAD).all());
                store.settle();
                var rows = new KnownRows(KEYS, PAYLOAD);
                Ycsb.run(store, rows, new Load(CLIENTS, 50, true, 0, WARM_UP));
                for (int percent : READ_PERCENTS) {
                    progress.say(what + percent + " % reads");
                    Ycsb.Outcome outcome = Ycsb.run(store, rows, new Load(CLIENTS, percent, true, 0, TIME));
                    String figure = what + percent + " % reads by key, ";
                    recorder.record(
                            figure + "throughput", outcome.perSecond(), "operations/s", null, Better.HIGHER, "");
                    recorder.record(figure + "server CPU", outcome.cpuMicros(), "µs", null, Better.LOWER, "");
                    if (percent > 0) {
                        recorder.record(
                                figure + "a read, median", outcome.reads().median(), "µs", null, Better.LOWER, "");
                    }
                }
            }
        }
    }
}
