package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes and reads by value in memory, each store in turn (source: figure 15 and the acceptance list): no index, hindex
 * deferred and in place, Phoenix's indexes, MariaDB's. Then what is left in the indexes after a compaction.
 */
final class OnlineFigures {

    private static final int KEYS = 40_000;

    /** What is written is the indexed value, as in the source. */
    private static final int PAYLOAD = 0;

    private static final int WARM_UPS = 4;
    private static final int ROUNDS = 5;

    /** Enough for a second or more: what the server collects and flushes meanwhile belongs to it, and is not in every half second. */
    private static final int UPDATES = 3 * KEYS;

    private static final int SINGLES = 2_000;
    private static final int READS = 3_000;

    /** A server that has run for hours is what people have; its compiler takes tens of thousands of calls to be done. */
    private static final long WARM_UP_NANOS = Duration.ofSeconds(20).toNanos();

    private static final long READ_NANOS = Duration.ofSeconds(5).toNanos();
    private static final String DEFERRED = "hindex deferred";
    private static final String SYNC = "hindex sync (in place)";
    private static final String CLIENT = "client in place";
    private static final String STRONG = "Phoenix strong global index";
    private static final String UNCOVERED = "Phoenix uncovered index";
    private static final String PEER = "same run, same rows";

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    OnlineFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    void run() throws Exception {
        try (HBaseStore none = HBaseStore.plain(servers.hbase());
                HBaseStore deferred = HBaseStore.indexed(servers.hbase(), DEFERRED, "mode=deferred");
                HBaseStore sync = HBaseStore.indexed(servers.hbase(), SYNC, "mode=sync");
                ClientInPlaceStore client = ClientInPlaceStore.create(servers.hbase());
                PhoenixStore plainPhoenix = PhoenixStore.create(servers.phoenix(), "Phoenix without an index", null);
                PhoenixStore strong = PhoenixStore.create(servers.phoenix(), STRONG, "");
                PhoenixStore uncovered = PhoenixStore.create(servers.phoenix(), UNCOVERED, "UNCOVERED");
                PhoenixStore local = PhoenixStore.create(servers.phoenix(), "Phoenix local index", "LOCAL");
                MariaDbStore mariaDb = MariaDbStore.create()) {
            List<Store> stores = List.of(none, deferred, sync, client, plainPhoenix, strong, uncovered, local, mariaDb);
            var rows = new Rows(seed, KEYS, PAYLOAD);
            for (Store store : stores) {
                Writes.batched(store, rows.all());
            }
            batches(stores, rows);
            baseReads(deferred, sync, rows);
            singles(stores, rows);
            garbage(deferred, uncovered);
            reads(List.of(none, deferred, strong, uncovered, local, mariaDb));
        }
    }

    private void batches(List<Store> stores, Rows rows) throws Exception {
        PerStore<String> cpu = new PerStore<>();
        PerStore<String> rate = new PerStore<>();
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            List<Row> updates = rows.updates(UPDATES);
            for (Store store : stores) {
                progress.say("batched writes, round " + (round + WARM_UPS + 1) + " of " + (WARM_UPS + ROUNDS) + ", "
                        + store.name());
                Writes.Cost cost = Writes.batched(store, updates);
                if (round >= 0) {
                    cpu.of(store.name()).add(cost.cpuMicros());
                    rate.of(store.name()).add(cost.perSecond());
                }
            }
        }
        for (Store store : stores) {
            lower("batched write, server CPU, " + store.name(), cpu.median(store.name()), "µs");
            recorder.record(
                    "batched write, throughput, " + store.name(),
                    rate.median(store.name()),
                    "rows/s",
                    null,
                    Better.HIGHER,
                    PEER);
        }
        double deferred = cpu.median(DEFERRED);
        recorder.record(
                "batched write, server CPU, in place against deferred",
                cpu.median(SYNC) / deferred,
                "×",
                3.5,
                Better.HIGHER,
                SYNC);
        recorder.record(
                "batched write, server CPU, client in place against deferred",
                cpu.median(CLIENT) / deferred,
                "×",
                null,
                Better.HIGHER,
                "source: 14 against 4 thousand operations a second, of its prototype");
        recorder.record(
                "batched write, server CPU, Phoenix's strong index against deferred",
                cpu.median(STRONG) / deferred,
                "×",
                4.0,
                Better.HIGHER,
                STRONG);
        recorder.record(
                "batched write, server CPU, deferred against no index",
                deferred / cpu.median("no index"),
                "×",
                2.0,
                Better.LOWER,
                "no index");
    }

    /**
     * Counted by HBase itself; in-place is there to show that it counts. Of two times the smaller: all reads of the server are
     * counted, and the master has it read hbase:meta every few minutes.
     */
    private void baseReads(HBaseStore deferred, HBaseStore sync, Rows rows) throws Exception {
        progress.say("reads and block reads of the write path");
        // From files, which an index that reads has to look into.
        deferred.flush();
        sync.flush();
        try (var blocks = BlockReads.of(servers.hbase().regionServers().get(0).handle())) {
            for (HBaseStore store : List.of(deferred, sync)) {
                List<Row> updates = rows.updates(10_000);
                long reads = Long.MAX_VALUE;
                long blockReads = Long.MAX_VALUE;
                for (int time = 0; time < 2; time++) {
                    long blocksBefore = blocks.all();
                    long readsBefore = store.readRequests();
                    Writes.batched(store, updates);
                    reads = Math.min(reads, store.readRequests() - readsBefore);
                    blockReads = Math.min(blockReads, blocks.all() - blocksBefore);
                }
                boolean hasGoal = store == deferred;
                recorder.record(
                        "base reads a write, " + store.name(),
                        (double) reads / updates.size(),
                        "reads",
                        hasGoal ? 0.0 : null,
                        Better.LOWER,
                        PEER);
                recorder.record(
                        "block reads a write, " + store.name(),
                        (double) blockReads / updates.size(),
                        "blocks",
                        hasGoal ? 0.0 : null,
                        Better.LOWER,
                        PEER);
            }
        }
    }

    private void singles(List<Store> stores, Rows rows) throws Exception {
        for (Store store : stores) {
            progress.say("single writes, " + store.name());
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < WARM_UP_NANOS / 2) {
                Writes.single(store, rows.updates(SINGLES / 4), new Series());
            }
            var latencies = new Series();
            Writes.Cost cost = Writes.single(store, rows.updates(SINGLES), latencies);
            lower("single write, server CPU, " + store.name(), cost.cpuMicros(), "µs");
            lower("single write, median, " + store.name(), latencies.median(), "µs");
            lower("single write, 99th percentile, " + store.name(), latencies.quantile(0.99), "µs");
        }
    }

    private void garbage(HBaseStore deferred, PhoenixStore uncovered) throws Exception {
        progress.say("entries before and after compactions");
        long fresh = deferred.rows();
        lower("entries a row before the compaction, " + DEFERRED, (double) deferred.entries() / fresh, "entries");
        deferred.flush();
        deferred.compact();
        recorder.record(
                "entries a row after the compaction, " + DEFERRED,
                (double) deferred.entries() / fresh,
                "entries",
                1.0,
                Better.LOWER,
                "exactly the fresh entries");
        lower(
                "entries a row after the compaction, " + UNCOVERED,
                (double) Compactions.compactAndCount(servers.phoenix(), uncovered.rowTable(), uncovered.indexTable())
                        / fresh,
                "entries");
    }

    /** After the compaction, a value that one row has; and the same number of reads by key of a table without an index. */
    private void reads(List<Store> stores) throws Exception {
        var random = new Random(seed);
        var values = new ArrayList<Row>();
        for (int i = 0; i < READS; i++) {
            values.add(new Row(Row.key(random.nextInt(KEYS)), Row.value(10L * KEYS + i), "p".repeat(PAYLOAD)));
        }
        for (Store store : stores) {
            Writes.batched(store, values);
        }
        for (Store store : stores) {
            progress.say("reads by value, warming up, " + store.name());
            read(store, values, WARM_UP_NANOS);
        }
        PerStore<String> cpu = new PerStore<>();
        PerStore<String> latency = new PerStore<>();
        PerStore<String> tail = new PerStore<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Store store : stores) {
                progress.say("reads by value, round " + round + " of " + ROUNDS + ", " + store.name());
                Usage before = store.usage();
                Series latencies = read(store, values, READ_NANOS);
                cpu.of(store.name()).add(store.usage().since(before).cpuNanos() / 1e3 / latencies.count());
                latency.of(store.name()).add(latencies.median());
                tail.of(store.name()).add(latencies.quantile(0.99));
            }
        }
        for (Store store : stores) {
            String what = store.name().equals("no index") ? "read by key" : "read by value";
            lower(what + ", server CPU, " + store.name(), cpu.median(store.name()), "µs");
            lower(what + ", median, " + store.name(), latency.median(store.name()), "µs");
            lower(what + ", 99th percentile, " + store.name(), tail.median(store.name()), "µs");
        }
        recorder.record(
                "read by value of one row, server CPU against a plain Get",
                cpu.median(stores.get(1).name()) / cpu.median(stores.get(0).name()),
                "×",
                2.0,
                Better.LOWER,
                "Get by key, table without an index");
    }

    /** One after the other, for so long; their times in microseconds. */
    private static Series read(Store store, List<Row> values, long nanos) throws Exception {
        boolean byKey = store.name().equals("no index");
        var latencies = new Series();
        long begin = System.nanoTime();
        for (int i = 0; System.nanoTime() - begin < nanos; i++) {
            Row row = values.get(i % values.size());
            long start = System.nanoTime();
            if (byKey) {
                store.readKey(row.key());
            } else {
                store.readValue(row.value());
            }
            latencies.add((System.nanoTime() - start) / 1e3);
        }
        return latencies;
    }

    private void lower(String name, double value, String unit) throws IOException {
        recorder.record(name, value, unit, null, Better.LOWER, PEER);
    }
}
