package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A Get against the number of files that hold versions of its row (source: figure 14). */
final class FileFigures {

    private static final int KEYS = 20_000;
    private static final int PAYLOAD = 100;
    private static final int FILES = 27;
    /** Between the first and the last there are others. */
    private static final List<Integer> MEASURED = List.of(1, 4, 8, 11, 16, 22, FILES);

    private static final int GETS = 3_000;
    private static final long WARM_UP_NANOS = Duration.ofSeconds(20).toNanos();

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;
    private long blocksBefore;

    FileFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        var rows = new Rows(seed, KEYS, PAYLOAD);
        try (HBaseStore store = HBaseStore.plain(servers.hbase());
                var blocks =
                        BlockReads.of(servers.hbase().regionServers().get(0).handle())) {
            for (int files = 1; files <= FILES; files++) {
                Writes.batched(store, files == 1 ? rows.all() : rows.updates(KEYS));
                store.flush();
                if (files == 1) {
                    warmUp(store);
                    // Writes read none.
                    blocksBefore = blocks.all();
                }
                if (MEASURED.contains(files)) {
                    measure(store, blocks, files + (files == 1 ? " file" : " files"));
                }
            }
            store.compact();
            // The compaction reads as well.
            blocksBefore = blocks.all();
            measure(store, blocks, "1 file after a compaction");
        }
    }

    /** The server's compiler takes tens of thousands of calls to be done. */
    private void warmUp(HBaseStore store) throws Exception {
        progress.say("Gets, warming up");
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < WARM_UP_NANOS) {
            gets(store, new Series());
        }
    }

    private void measure(HBaseStore store, BlockReads blocks, String files) throws Exception {
        progress.say("Gets, " + files);
        gets(store, new Series());
        var latencies = new Series();
        Usage before = store.usage();
        gets(store, latencies);
        double cpu = store.usage().since(before).cpuNanos() / 1e3 / GETS;
        long blocksAfter = blocks.all();
        double read = (double) (blocksAfter - blocksBefore) / (2 * GETS);
        blocksBefore = blocksAfter;
        recorder.record("Get by key, " + files + ", median", latencies.median(), "µs", null, Better.LOWER, "");
        recorder.record("Get by key, " + files + ", server CPU", cpu, "µs", null, Better.LOWER, "");
        recorder.record("Get by key, " + files + ", blocks read", read, "blocks", null, Better.LOWER, "");
    }

    private void gets(HBaseStore store, Series latencies) throws Exception {
        var random = new Random(seed);
        for (int i = 0; i < GETS; i++) {
            String key = Row.key(random.nextInt(KEYS));
            long start = System.nanoTime();
            store.readKey(key);
            latencies.add((System.nanoTime() - start) / 1e3);
        }
    }
}
