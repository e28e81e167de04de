package io.leeway.benchmarks.lazybase;

import io.leeway.benchmarks.results.Better;
import io.leeway.lazybase.LazyBaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * LazyBase, DuckDB with a primary key, Cassandra and ClickHouse on the same rows in the same run: {@code build/bench
 * io.leeway.benchmarks.lazybase.LazyBaseFigures}. CPU time is that of the whole process, with the client. Arguments name parts: {@code tables},
 * {@code freshness}, {@code sizes}, {@code ids}, {@code duckdb}, {@code cassandra}, {@code clickhouse}; without any, all.
 */
public final class LazyBaseFigures {

    /** Queries of all clients together; as many as Cassandra gets. */
    private static final int POINTS = 40_000;

    private static final int RANGES = 4_000;

    private final Measure measure;

    private LazyBaseFigures(Path directory) {
        this.measure = new Measure(directory);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("lazybase-bench-");
        try {
            new LazyBaseFigures(directory).run(Set.of(arguments));
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void run(Set<String> parts) throws Exception {
        Predicate<String> wanted = part -> parts.isEmpty() || parts.contains(part);
        Path warm = Rows.write(measure.directory.resolve("warm.csv"), 0, Rows.WARM_UP, 0, 1);
        Path file = Rows.write(measure.directory.resolve("rows.csv"), 0, Rows.COUNT, 0, 2);
        Path large = Rows.write(measure.directory.resolve("large.csv"), 0, Rows.LARGE, 930, 7);
        var peers = new PeerFigures(measure, new PeerFigures.Given(warm, file, large));
        // Cassandra's figures are given as multiples of ours.
        if (wanted.test("tables") || wanted.test("cassandra")) {
            lazyBase(warm, file, large);
        }
        if (wanted.test("freshness")) {
            new FreshnessFigures(measure).run(file);
        }
        if (wanted.test("sizes")) {
            sizes();
        }
        if (wanted.test("ids")) {
            ids();
        }
        if (wanted.test("duckdb")) {
            peers.duck();
        }
        if (wanted.test("clickhouse")) {
            peers.clickHouse();
        }
        if (wanted.test("cassandra")) {
            peers.cassandra();
        }
    }

    private void lazyBase(Path warm, Path file, Path large) throws Exception {
        try (LazyBaseServer server = measure.server("data");
                Connection connection = Measure.connect(server)) {
            Measure.execute(connection, "CREATE TABLE warm " + Rows.COLUMNS);
            Measure.ingest(connection, "warm", warm);
            ingest(connection, "t", file, "", 365.0);
            measure.queries(connection, "");
            clients(server);
            ingest(connection, "large", large, " of 1 KB", null);
        }
    }

    /** Tables 3.2 and 3.3 of the dissertation, by CPU: everything once through the pipeline, and each stage. */
    private void ingest(Connection connection, String table, Path file, String what, @Nullable Double goal)
            throws Exception {
        Measure.execute(connection, "CREATE TABLE " + table + " " + Rows.COLUMNS);
        Measure.Stages before = Measure.stages(connection);
        double cpu = Measure.cpuSeconds();
        long wall = System.nanoTime();
        Measure.ingest(connection, table, file);
        double spent = Measure.cpuSeconds() - cpu;
        double took = (System.nanoTime() - wall) / 1e9;
        Measure.Stages after = Measure.stages(connection);
        long rows = after.of("authority").rows() - before.of("authority").rows();
        String name = "ingest of CSV" + what + ", everything up to the authority, client and server";
        measure.record(name, rows / spent / 1000, "K rows/CPU s", goal, Better.HIGHER, "");
        measure.record(
                "ingest of CSV" + what + " by the clock", rows / took / 1000, "K rows/s", null, Better.HIGHER, "");
        long written = 0;
        for (String stage : new String[] {"ingest", "sort", "merge", "authority"}) {
            Measure.Work work = after.of(stage).minus(before.of(stage));
            written += work.bytes();
            if (work.rows() > 0 && work.cpuMillis() > 0) {
                double rate = work.rows() / (double) work.cpuMillis();
                measure.record("stage " + stage + what, rate, "K rows/CPU s", null, Better.HIGHER, "");
            }
        }
        double raw = Files.size(file);
        measure.record("bytes written by all stages for each of CSV" + what, written / raw, "", null, Better.LOWER, "");
        double kept = after.of("authority").minus(before.of("authority")).bytes();
        measure.record(
                "bytes of one rewriting of the authority for each of CSV" + what,
                kept / raw,
                "",
                null,
                Better.LOWER,
                "");
    }

    private void clients(LazyBaseServer server) throws Exception {
        for (int clients : Measure.CLIENTS) {
            double[] points = Measure.throughput(server, clients, POINTS, Measure.POINT, Measure::points);
            double[] ranges = Measure.throughput(server, clients, RANGES, Measure.RANGE, Measure::ranges);
            String who = Measure.clients(clients);
            measure.record("point queries, " + who, points[0], "/s", null, Better.HIGHER, "");
            measure.record("point queries, " + who + ", CPU", points[1], "/CPU s", null, Better.HIGHER, "");
            measure.record("ranges, " + who, ranges[0], "/s", null, Better.HIGHER, "");
            measure.record("ranges, " + who + ", CPU", ranges[1], "/CPU s", null, Better.HIGHER, "");
        }
    }

    /** The same rows in SCUs of different sizes. */
    private void sizes() throws Exception {
        Path file = Rows.write(measure.directory.resolve("sizes.csv"), 0, 400_000, 0, 3);
        for (int rows : new int[] {5_000, 50_000, 500_000}) {
            String[] options = {
                "lazybase.scu.rows",
                Integer.toString(rows),
                "lazybase.copy.rows",
                Integer.toString(Math.min(rows, 50_000))
            };
            try (LazyBaseServer server = measure.server("sizes-" + rows, options);
                    Connection connection = Measure.connect(server)) {
                Measure.execute(connection, "CREATE TABLE t " + Rows.COLUMNS);
                double cpu = Measure.cpuSeconds();
                Measure.ingest(connection, "t", file);
                measure.record(
                        "ingest of CSV, SCUs of " + rows + " rows",
                        400 / (Measure.cpuSeconds() - cpu),
                        "K rows/CPU s",
                        null,
                        Better.HIGHER,
                        "");
            }
        }
    }

    /** Rows that come with a natural key of two texts, of which every tenth is new. */
    private void ids() throws Exception {
        Path file = measure.directory.resolve("ids.csv");
        try (var out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < 300_000; i++) {
                long key = i % 10 == 0 ? i : Rows.key(i) % (i + 1L) / 10 * 10;
                out.write("host" + key % 100 + ",/a/path/of/a/file/" + key + "," + i + "," + key + "\n");
            }
        }
        try (LazyBaseServer server = measure.server("ids");
                Connection connection = Measure.connect(server)) {
            Measure.execute(
                    connection,
                    "CREATE TABLE files (host text, path text, id bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (host, path))");
            Measure.execute(
                    connection,
                    "CREATE TABLE sizes (file bigint REFERENCES files, at bigint, bytes bigint, PRIMARY KEY (file, at))");
            double cpu = Measure.cpuSeconds();
            long before = Measure.stages(connection).of("remap").cpuMillis();
            Measure.copy(connection, "sizes (file.host, file.path, at, bytes)", file);
            // The rows, and the keys that are new.
            while (Measure.stages(connection).of("authority").rows() < 330_000) {
                Thread.sleep(20);
            }
            measure.record(
                    "ingest of CSV with natural keys",
                    300 / (Measure.cpuSeconds() - cpu),
                    "K rows/CPU s",
                    null,
                    Better.HIGHER,
                    "");
            Measure.Work remap = Measure.stages(connection).of("remap");
            double rate = remap.rows() / (double) Math.max(1, remap.cpuMillis() - before);
            measure.record("stage remap", rate, "K rows/CPU s", null, Better.HIGHER, "");
        }
    }
}
