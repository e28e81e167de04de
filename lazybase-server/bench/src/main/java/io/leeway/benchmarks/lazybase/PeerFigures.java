package io.leeway.benchmarks.lazybase;

import io.leeway.benchmarks.results.Better;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.duckdb.DuckDBConnection;

/** The others on the same rows: DuckDB in this process, ClickHouse in one of its own. */
final class PeerFigures {

    private static final String DUCK = "DuckDB with a primary key";
    private static final String CLICKHOUSE = "ClickHouse (chDB), one thread";

    private final Measure measure;

    PeerFigures(Measure measure) {
        this.measure = measure;
    }

    void duck(Path warm, Path file) throws Exception {
        try (var connection =
                (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + measure.directory.resolve("duck.db"))) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET threads = 1");
                csv(statement, "warm", warm);
                double cpu = Measure.cpuSeconds();
                csv(statement, "t", file);
                rate("ingest of CSV, " + DUCK, Rows.COUNT / (Measure.cpuSeconds() - cpu) / 1000, DUCK);
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

    private void queries(Map<String, Double> figures, String peer) throws IOException {
        String range = "range of 0.1 % of the keys, ";
        measure.record("point query, CPU, " + peer, need(figures, "point cpu"), "µs", null, Better.LOWER, peer);
        measure.record("point query, median, " + peer, need(figures, "point median"), "µs", null, Better.LOWER, peer);
        measure.record(range + "CPU, " + peer, need(figures, "range cpu"), "µs", null, Better.LOWER, peer);
        measure.record(range + "median, " + peer, need(figures, "range median"), "µs", null, Better.LOWER, peer);
    }

    /** With the Python that {@code LAZYBASE_PYTHON} names, which needs the package chdb. */
    void clickHouse(Path warm, Path file) throws Exception {
        Path script = Path.of(System.getProperty("leeway.root", "."))
                .resolve("lazybase-server/bench/src/main/python/clickhouse.py");
        String python = System.getenv().getOrDefault("LAZYBASE_PYTHON", "python3");
        Map<String, Double> figures = run(List.of(
                python,
                script.toString(),
                file.toString(),
                warm.toString(),
                measure.directory.resolve("clickhouse").toString()));
        if (!figures.containsKey("merged")) {
            System.out.println("ClickHouse is not measured: " + python + " has no package chdb (pip install chdb)");
            return;
        }
        rate("ingest of CSV, " + CLICKHOUSE, need(figures, "inserted"), CLICKHOUSE);
        rate("ingest of CSV, merged to one part, " + CLICKHOUSE, need(figures, "merged"), CLICKHOUSE);
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
