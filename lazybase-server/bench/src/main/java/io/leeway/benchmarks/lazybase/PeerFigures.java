package io.leeway.benchmarks.lazybase;

import io.leeway.benchmarks.results.Better;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBConnection;

/** The others on the same rows: DuckDB in this process, Cassandra and ClickHouse in ones of their own. */
final class PeerFigures {

    private static final String DUCK = "DuckDB with a primary key";
    private static final String CASSANDRA = "Apache Cassandra 5.0.9";
    private static final String CLICKHOUSE = "ClickHouse (chDB), one thread";

    /** What Cassandra's own start script opens. */
    private static final String[] OPENS = {
        "java.base/java.io",
        "java.base/java.lang",
        "java.base/java.lang.module",
        "java.base/java.lang.reflect",
        "java.base/java.math",
        "java.base/java.net",
        "java.base/java.nio",
        "java.base/java.util",
        "java.base/java.util.concurrent",
        "java.base/java.util.concurrent.atomic",
        "java.base/jdk.internal.loader",
        "java.base/jdk.internal.math",
        "java.base/jdk.internal.misc",
        "java.base/jdk.internal.module",
        "java.base/jdk.internal.ref",
        "java.base/jdk.internal.reflect",
        "java.base/jdk.internal.util.jar",
        "java.base/sun.nio.ch",
        "java.management.rmi/com.sun.jmx.remote.internal.rmi",
        "java.rmi/sun.rmi.registry",
        "java.rmi/sun.rmi.server",
        "java.rmi/sun.rmi.transport.tcp",
        "java.sql/java.sql",
        "jdk.management/com.sun.management.internal"
    };

    /** How long another process may take. */
    private static final int MOST_MINUTES = 7;

    private final Measure measure;
    private final Given given;

    /** Rows in CSV: to warm up, of about 90 bytes, of about 1 KB. */
    record Given(Path warm, Path rows, Path large) {}

    PeerFigures(Measure measure, Given given) {
        this.measure = measure;
        this.given = given;
    }

    void duck() throws Exception {
        try (var connection =
                (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + measure.directory.resolve("duck.db"))) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET threads = 1");
                csv(statement, "warm", given.warm);
                double cpu = Measure.cpuSeconds();
                csv(statement, "t", given.rows);
                rate("ingest of CSV, " + DUCK, Rows.COUNT / (Measure.cpuSeconds() - cpu) / 1000, DUCK);
                cpu = Measure.cpuSeconds();
                csv(statement, "large", given.large);
                rate("ingest of CSV of 1 KB, " + DUCK, Rows.LARGE / (Measure.cpuSeconds() - cpu) / 1000, DUCK);
                statement.execute("CREATE TABLE a " + Rows.COLUMNS);
            }
            appended(connection);
            measure.queries(connection, DUCK);
        }
    }

    private void rate(String name, double value, String peer) throws IOException {
        measure.record(name, value, "K rows/CPU s", null, Better.HIGHER, peer);
    }

    private static void csv(Statement statement, String table, Path file) throws SQLException {
        statement.execute("CREATE TABLE " + table + " " + Rows.COLUMNS);
        statement.execute("INSERT INTO " + table + " SELECT * FROM read_csv('" + file + "', header = false)");
        statement.execute("CHECKPOINT");
    }

    private void appended(DuckDBConnection connection) throws Exception {
        var random = new Random(5);
        double cpu = Measure.cpuSeconds();
        try (var appender = connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, "a")) {
            for (int i = 0; i < Rows.COUNT; i++) {
                appender.beginRow();
                appender.append(Rows.key(i));
                appender.append(1_700_000_000_000L + i);
                appender.append(random.nextInt(1_000));
                appender.append(random.nextInt());
                appender.append(random.nextInt(1_000_000) / 1000.0);
                appender.append("some words that look like text of a tweet number 12345678");
                appender.endRow();
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        }
        rate("ingest through the appender, " + DUCK, Rows.COUNT / (Measure.cpuSeconds() - cpu) / 1000, DUCK);
    }

    void cassandra() throws Exception {
        Path built = Path.of(System.getProperty("leeway.root", ".")).resolve("lazybase-server/peers/target");
        String jars = Files.readString(built.resolve("classpath.txt")).strip();
        String jamm = List.of(jars.split(File.pathSeparator)).stream()
                .filter(jar -> jar.matches(".*/jamm-[^/]*\\.jar"))
                .findFirst()
                .orElseThrow();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-javaagent:" + jamm,
                "-Djdk.attach.allowAttachSelf=true",
                "-Dio.netty.tryReflectionSetAccessible=true"));
        for (String open : OPENS) {
            command.add("--add-opens=" + open + "=ALL-UNNAMED");
            command.add("--add-exports=" + open + "=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-cp",
                built.resolve("classes") + File.pathSeparator + jars,
                "io.leeway.benchmarks.peers.CassandraPeer",
                measure.directory.resolve("cassandra").toString(),
                given.rows.toString(),
                given.warm.toString(),
                given.large.toString()));
        Map<String, Double> figures = run(command);
        if (!figures.containsKey("large compacted")) {
            System.out.println("Cassandra is not measured: it did not end");
            return;
        }
        for (String size : List.of("", " of 1 KB")) {
            String which = size.isEmpty() ? "" : "large ";
            rate(
                    "writes" + size + " acknowledged before they are durable, " + CASSANDRA,
                    need(figures, which + "acknowledged"),
                    CASSANDRA);
            rate(
                    "ingest" + size + ", flushed and compacted, " + CASSANDRA,
                    need(figures, which + "compacted"),
                    CASSANDRA);
        }
        queries(figures, CASSANDRA);
        for (int clients : Measure.CLIENTS) {
            clients(figures, clients, "points", "point queries, ", 1.0);
            clients(figures, clients, "ranges", "ranges, ", 4.0);
        }
    }

    private void clients(Map<String, Double> figures, int clients, String key, String what, double goal)
            throws IOException {
        String name = what + Measure.clients(clients);
        double cpu = need(figures, key + " " + clients + " cpu");
        measure.record(
                name + ", " + CASSANDRA,
                need(figures, key + " " + clients + " wall"),
                "/s",
                null,
                Better.HIGHER,
                CASSANDRA);
        measure.record(name + ", CPU, " + CASSANDRA, cpu, "/CPU s", null, Better.HIGHER, CASSANDRA);
        Double ours = measure.seen(name + ", CPU");
        if (ours != null) {
            measure.record(
                    name + ": as many a CPU second as Cassandra's",
                    ours / cpu,
                    "times",
                    goal,
                    Better.HIGHER,
                    CASSANDRA);
        }
    }

    private void queries(Map<String, Double> figures, String peer) throws IOException {
        String range = "range of 0.1 % of the keys, ";
        measure.record("point query, CPU, " + peer, need(figures, "point cpu"), "µs", null, Better.LOWER, peer);
        measure.record("point query, median, " + peer, need(figures, "point median"), "µs", null, Better.LOWER, peer);
        measure.record(range + "CPU, " + peer, need(figures, "range cpu"), "µs", null, Better.LOWER, peer);
        measure.record(range + "median, " + peer, need(figures, "range median"), "µs", null, Better.LOWER, peer);
    }

    /** With the Python that {@code LAZYBASE_PYTHON} names, which needs the package chdb. */
    void clickHouse() throws Exception {
        Path script = Path.of(System.getProperty("leeway.root", "."))
                .resolve("lazybase-server/bench/src/main/python/clickhouse.py");
        String python = System.getenv().getOrDefault("LAZYBASE_PYTHON", "python3");
        Map<String, Double> figures = run(List.of(
                python,
                script.toString(),
                given.rows.toString(),
                given.warm.toString(),
                given.large.toString(),
                measure.directory.resolve("clickhouse").toString()));
        if (!figures.containsKey("merged")) {
            System.out.println("ClickHouse is not measured: " + python + " has no package chdb (pip install chdb)");
            return;
        }
        rate("ingest of CSV, " + CLICKHOUSE, need(figures, "inserted"), CLICKHOUSE);
        rate("ingest of CSV, merged to one part, " + CLICKHOUSE, need(figures, "merged"), CLICKHOUSE);
        rate("ingest of CSV of 1 KB, merged to one part, " + CLICKHOUSE, need(figures, "merged large"), CLICKHOUSE);
        queries(figures, CLICKHOUSE);
    }

    private static double need(Map<String, Double> figures, String name) {
        Double value = figures.get(name);
        if (value == null) {
            throw new IllegalStateException("the other process gave no figure of " + name);
        }
        return value;
    }

    private static Map<String, Double> run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture.delayedExecutor(MOST_MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
        var figures = new HashMap<String, Double>();
        var last = new StringBuilder();
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] cells = line.split("\t", -1);
                if (cells.length == 3 && cells[0].equals("figure")) {
                    figures.put(cells[1], Double.parseDouble(cells[2]));
                } else {
                    last.append(line).append('\n');
                }
            }
        }
        if (process.waitFor() != 0) {
            System.out.println(last.substring(Math.max(0, last.length() - 3_000)));
        }
        return figures;
    }
}
