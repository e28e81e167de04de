package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.benchmarks.results.Series;
import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What repair adds to a major compaction, in each of its variants (source: figure 17): time, CPU time and bytes read, on rows
 * written once and on rows with three versions each. First where compactions may write as fast as they can, so that time says
 * what they do; then as HBase is delivered, which holds them up, for the variant that is used.
 */
final class CompactionFigures {

    private static final int KEYS = 450_000;
    private static final int PAYLOAD = 200;
    private static final int ROUNDS = 5;
    private static final int FILES = 3;
    private static final String PEER = "the same rows in a table without an index, same run";

    private final Servers servers;
    private final Recorder recorder;
    private final long seed;
    private final Progress progress;

    CompactionFigures(Servers servers, Recorder recorder, long seed, Progress progress) {
        this.servers = servers;
        this.recorder = recorder;
        this.seed = seed;
        this.progress = progress;
    }

    /** A way to repair: the options of the table, or null for a table without an index. */
    private record Way(String name, @Nullable Map<String, String> options) {}

    private static final Way PLAIN = new Way("plain", null);
    private static final Way PIPELINED = new Way("pipelined", variant("pipelined"));
    private static final List<Way> WAYS = List.of(
            PLAIN,
            PIPELINED,
            new Way("isolated", variant("isolated")),
            new Way("before-compaction", variant("before-compaction")),
            new Way("no repair", Map.of("hindex.repair", "none")));

    private static Map<String, String> variant(String name) {
        return Map.of("hindex.repair", "strict", "hindex.repair.variant", name);
    }

    /** Until the compaction is done; and until the entries are gone, too, which may be later. */
    private record Cost(Series compactSeconds, Series seconds, Series cpuSeconds, Series megabytes) {
        Cost() {
            this(new Series(), new Series(), new Series(), new Series());
        }
    }

    void run() throws Exception {
        var unlimited = new Setting("compaction without a limit of ", servers.unlimitedCompactions(), WAYS);
        measure(unlimited, "rows written once", false);
        measure(unlimited, "rows with three versions", true);
        var limited = new Setting("compaction of ", servers.hbase(), List.of(PLAIN, PIPELINED));
        measure(limited, "rows written once", false);
        measure(limited, "rows with three versions", true);
    }

    /** Where it is measured, and what. */
    private record Setting(String name, ProcessCluster cluster, List<Way> ways) {}

    private void measure(Setting setting, String data, boolean versions) throws Exception {
        Map<Way, Cost> costs = new LinkedHashMap<>();
        for (int round = -1; round < ROUNDS; round++) {
            for (Way way : setting.ways()) {
                progress.say(
                        setting.name() + data + ", round " + (round + 2) + " of " + (ROUNDS + 1) + ", " + way.name());
                Cost cost = round < 0 ? new Cost() : costs.computeIfAbsent(way, absent -> new Cost());
                compact(setting.cluster(), way, versions, cost);
            }
        }
        costs.forEach((way, cost) -> {
            String name = setting.name() + data + ", " + way.name();
            record(name + ", time", cost.seconds().median(), "s", null);
            record(
                    name + ", time of the compaction alone",
                    cost.compactSeconds().median(),
                    "s",
                    null);
            record(name + ", CPU", cost.cpuSeconds().median(), "s", null);
            record(name + ", bytes read", cost.megabytes().median(), "MB", null);
        });
        Cost plain = costs.getOrDefault(PLAIN, new Cost());
        Cost pipelined = costs.getOrDefault(PIPELINED, new Cost());
        String against = setting.name() + data + ", pipelined repair against plain, ";
        record(against + "time", pipelined.seconds().median() / plain.seconds().median(), "×", versions ? null : 1.25);
        record(
                against + "CPU",
                pipelined.cpuSeconds().median() / plain.cpuSeconds().median(),
                "×",
                versions ? null : 1.5);
        record(
                against + "bytes read",
                pipelined.megabytes().median() / plain.megabytes().median(),
                "×",
                versions ? null : 1.01);
    }

    private void compact(ProcessCluster cluster, Way way, boolean versions, Cost cost) throws Exception {
        var rows = new Rows(seed, KEYS, PAYLOAD);
        Map<String, String> options = way.options();
        try (HBaseStore store = options == null
                ? HBaseStore.plain(cluster)
                : HBaseStore.indexed(cluster, way.name(), "mode=deferred", options)) {
            if (versions) {
                for (int version = 0; version < FILES; version++) {
                    // A third of the keys, so that there are as many cells as in the other set.
                    Writes.batched(store, rows.again(version, KEYS / FILES));
                    store.flush();
                }
            } else {
                List<Row> all = rows.all();
                for (int file = 0; file < FILES; file++) {
                    var part = new ArrayList<Row>();
                    for (int i = file; i < all.size(); i += FILES) {
                        part.add(all.get(i));
                    }
                    Writes.batched(store, part);
                    store.flush();
                }
            }
            boolean repairs = options != null && !"none".equals(options.get("hindex.repair"));
            // Each row has all versions, and all but the newest are obsolete.
            long obsolete = versions && repairs ? (long) (FILES - 1) * (KEYS / FILES) : 0;
            long removed = store.indexWrites() + obsolete;
            Usage before = store.usage();
            long start = System.nanoTime();
            store.compact();
            cost.compactSeconds().add((System.nanoTime() - start) / 1e9);
            Compactions.awaitIndexWrites(store, removed);
            cost.seconds().add((System.nanoTime() - start) / 1e9);
            Usage used = store.usage().since(before);
            cost.cpuSeconds().add(used.cpuNanos() / 1e9);
            cost.megabytes().add(used.bytesRead() / 1e6);
        }
    }

    private void record(String name, double value, String unit, @Nullable Double goal) {
        try {
            recorder.record(name, value, unit, goal, Better.LOWER, PEER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
