package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.util.Random;

/** A Get against the number of files that hold versions of its row (source: figure 14). */
final class FileFigures {

    private static final int KEYS = 20_000;
    private static final int PAYLOAD = 100;
    private static final int FILES = 27;
    private static final int STEP = 13;
    private static final int GETS = 3_000;

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    FileFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        var rows = new Rows(seed, KEYS, PAYLOAD);
        try (HBaseStore store = HBaseStore.plain(servers.hbase())) {
            for (int files = 1; files <= FILES; files++) {
                Writes.batched(store, files == 1 ? rows.all() : rows.updates(KEYS));
                store.flush();
                if (files % STEP == 1) {
                    measure(store, files + (files == 1 ? " file" : " files"));
                }
            }
            store.compact();
            measure(store, "1 file after a compaction");
        }
    }

    private void measure(HBaseStore store, String files) throws Exception {
        progress.say("Gets, " + files);
        gets(store, new Series());
        var latencies = new Series();
        Usage before = store.usage();
        gets(store, latencies);
        double cpu = store.usage().since(before).cpuNanos() / 1e3 / GETS;
        recorder.record("Get by key, " + files + ", median", latencies.median(), "µs", null, Better.LOWER, "");
        recorder.record("Get by key, " + files + ", server CPU", cpu, "µs", null, Better.LOWER, "");
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
