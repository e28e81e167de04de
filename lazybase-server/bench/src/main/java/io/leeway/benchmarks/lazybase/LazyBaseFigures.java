package io.leeway.benchmarks.lazybase;

import com.sun.management.OperatingSystemMXBean;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * Ingest, point and range queries of LazyBase and of DuckDB with a primary key, on the same rows in the same run: {@code build/bench
 * io.leeway.benchmarks.lazybase.LazyBaseFigures}. CPU time is that of the whole process, with the client.
 */
public final class LazyBaseFigures {

    private static final int ROWS = 1_000_000;
    private static final int WARM_UP = 300_000;
    private static final int POINTS = 5_000;
    private static final String COLUMNS =
            "(k bigint primary key, ts bigint, u int, v int, d double precision, s varchar)";
    private static final String PEER = "DuckDB with a primary key";

    private final Recorder recorder =
            Recorder.of("lazybase", "build/bench io.leeway.benchmarks.lazybase.LazyBaseFigures");
    private final Path directory;

    private LazyBaseFigures(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("lazybase-bench-");
        try {
            new LazyBaseFigures(directory).run();
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    private static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    private void run() throws Exception {
        Path warm = directory.resolve("warm.csv");
        Path file = directory.resolve("rows.csv");
        write(warm, WARM_UP, 1);
        write(file, ROWS, 2);
        lazyBase(warm, file);
        duck(warm, file);
    }

    /** Keys in random order, all different: an odd multiplier permutes the numbers below a power of two. */
    private static long key(int i) {
        return (i * 0x9E3779B1L) & 0xFFFFFFFFL;
    }

    private static void write(Path file, int rows, long seed) throws IOException {
        var random = new Random(seed);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < rows; i++) {
                out.write(key(i) + "," + (1_700_000_000_000L + i) + "," + random.nextInt(1_000) + "," + random.nextInt()
                        + "," + random.nextInt(1_000_000) / 1000.0
                        + ",some words that look like text of a tweet number "
                        + Integer.toHexString(random.nextInt() | 0x10000000) + "\n");
            }
        }
    }

    private void lazyBase(Path warm, Path file) throws Exception {
        var options = Map.of(
                "lazybase.directory", directory.resolve("data").toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.authority.interval", "1s");
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options));
                Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "")) {
            ingest(connection, "warm", warm, WARM_UP);
            long[] before = stages(connection);
            double cpu = cpuSeconds();
            long wall = System.nanoTime();
            ingest(connection, "t", file, ROWS);
            double spent = cpuSeconds() - cpu;
            double took = (System.nanoTime() - wall) / 1e9;
            long[] after = stages(connection);
            record(
                    "ingest of CSV, everything up to the authority, client and server",
                    ROWS / spent / 1000,
                    "K rows/CPU s",
                    365.0,
                    Better.HIGHER,
                    "");
            record("the same by the clock", ROWS / took / 1000, "K rows/s", null, Better.HIGHER, "");
            String[] names = {"ingest", "sort", "merge", "authority"};
            for (int i = 0; i < names.length; i++) {
                double millis = after[2 * i + 1] - before[2 * i + 1];
                if (after[2 * i] > before[2 * i] && millis > 0) {
                    record(
                            "stage " + names[i],
                            (after[2 * i] - before[2 * i]) / millis,
                            "K rows/CPU s",
                            null,
                            Better.HIGHER,
                            "");
                }
            }
            queries(connection, "");
            freshness(server, connection, file);
        }
    }

    private void record(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        double rounded = Math.round(value * 100) / 100.0;
        System.out.println(name + ": " + rounded + " " + unit);
        recorder.record(name, rounded, unit, goal, better, peer);
    }

    private static void ingest(Connection connection, String table, Path file, long rows) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " " + COLUMNS);
        }
        long before = stages(connection)[6];
        try (InputStream in = Files.newInputStream(file)) {
            new CopyManager((BaseConnection) connection)
                    .copyIn("COPY " + table + " FROM STDIN WITH (FORMAT csv)", in, 1 << 16);
        }
        while (stages(connection)[6] < before + rows) {
            Thread.sleep(20);
        }
    }

    /** Rows and CPU milliseconds of ingest, sort, merge, authority. */
    private static long[] stages(Connection connection) throws SQLException {
        long[] values = new long[8];
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT row_count, cpu_ms FROM lazybase.stages")) {
            for (int i = 0; rows.next(); i += 2) {
                values[i] = rows.getLong(1);
                values[i + 1] = rows.getLong(2);
            }
        }
        return values;
    }

    private void queries(Connection connection, String peer) throws Exception {
        try (PreparedStatement point = connection.prepareStatement("SELECT * FROM t WHERE k = ?")) {
            points(point, 2_000);
            double cpu = cpuSeconds();
            long[] times = points(point, POINTS);
            record(
                    "point query, CPU" + suffix(peer),
                    (cpuSeconds() - cpu) * 1e6 / POINTS,
                    "µs",
                    null,
                    Better.LOWER,
                    peer);
            record("point query, median" + suffix(peer), times[times.length / 2] / 1e3, "µs", null, Better.LOWER, peer);
        }
        try (PreparedStatement range =
                connection.prepareStatement("SELECT count(*), sum(v) FROM t WHERE k >= ? AND k < ?")) {
            ranges(range, 500);
            double cpu = cpuSeconds();
            long[] times = ranges(range, 1_000);
            record(
                    "range of 0.1 % of the keys, CPU" + suffix(peer),
                    (cpuSeconds() - cpu) * 1e6 / 1_000,
                    "µs",
                    null,
                    Better.LOWER,
                    peer);
            record(
                    "range of 0.1 % of the keys, median" + suffix(peer),
                    times[times.length / 2] / 1e3,
                    "µs",
                    null,
                    Better.LOWER,
                    peer);
        }
    }

    private static String suffix(String peer) {
        return peer.isEmpty() ? "" : ", " + peer;
    }

    private static long[] points(PreparedStatement query, int count) throws SQLException {
        var random = new Random(3);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long began = System.nanoTime();
            query.setLong(1, key(random.nextInt(ROWS)));
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("a row is missing");
                }
            }
            times[i] = System.nanoTime() - began;
        }
        Arrays.sort(times);
        return times;
    }

    private static long[] ranges(PreparedStatement query, int count) throws SQLException {
        var random = new Random(4);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long from = (long) (random.nextDouble() * 4e9);
            long began = System.nanoTime();
            query.setLong(1, from);
            query.setLong(2, from + (1L << 32) / 1000);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
            }
            times[i] = System.nanoTime() - began;
        }
        Arrays.sort(times);
        return times;
    }

    /** The same range query at four freshnesses while rows come in at full speed. */
    private void freshness(LazyBaseServer server, Connection connection, Path file) throws Exception {
        var done = new AtomicBoolean();
        Thread writer = new Thread(() -> keepWriting(server, file, done), "writer");
        writer.start();
        String[] bounds = {"any", "5 s", "2 s", "0 s"};
        long[][] times = new long[bounds.length][200];
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lazybase.monotonic = off");
            for (int i = 0; i < 200; i++) {
                for (int j = 0; j < bounds.length; j++) {
                    // In turns: the first one after the pause pays for waking up.
                    int b = (i + j) % bounds.length;
                    long began = System.nanoTime();
                    statement
                            .executeQuery("SELECT /*+ freshness('" + bounds[b]
                                    + "') */ count(*), sum(v) FROM t WHERE k >= 1000000000 AND k < 1004000000")
                            .close();
                    times[b][i] = System.nanoTime() - began;
                }
                Thread.sleep(10);
            }
        }
        done.set(true);
        writer.join();
        for (int b = 0; b < bounds.length; b++) {
            Arrays.sort(times[b]);
            record(
                    "range query at " + bounds[b] + " under full ingest, median",
                    times[b][100] / 1e6,
                    "ms",
                    null,
                    Better.LOWER,
                    "");
        }
        record(
                "0 s beside any under full ingest",
                times[3][100] / (double) times[0][100],
                "times",
                10.0,
                Better.LOWER,
                "");
    }

    private static void keepWriting(LazyBaseServer server, Path file, AtomicBoolean done) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "")) {
            while (!done.get()) {
                try (InputStream in = Files.newInputStream(file)) {
                    new CopyManager((BaseConnection) connection)
                            .copyIn("COPY t FROM STDIN WITH (FORMAT csv)", in, 1 << 16);
                }
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void duck(Path warm, Path file) throws Exception {
        try (var connection =
                (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("duck.db"))) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET threads = 1");
                csv(statement, "warm", warm);
                double cpu = cpuSeconds();
                csv(statement, "t", file);
                record(
                        "ingest of CSV, " + PEER,
                        ROWS / (cpuSeconds() - cpu) / 1000,
                        "K rows/CPU s",
                        null,
                        Better.HIGHER,
                        PEER);
                statement.execute("CREATE TABLE a " + COLUMNS);
            }
            appended(connection);
            queries(connection, PEER);
        }
    }

    private static void csv(Statement statement, String table, Path file) throws SQLException {
        statement.execute("CREATE TABLE " + table + " " + COLUMNS);
        statement.execute("INSERT INTO " + table + " SELECT * FROM read_csv('" + file + "', header = false)");
        statement.execute("CHECKPOINT");
    }

    private void appended(DuckDBConnection connection) throws Exception {
        var random = new Random(5);
        double cpu = cpuSeconds();
        try (var appender = connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, "a")) {
            for (int i = 0; i < ROWS; i++) {
                appender.beginRow();
                appender.append(key(i));
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
        record(
                "ingest through the appender, " + PEER,
                ROWS / (cpuSeconds() - cpu) / 1000,
                "K rows/CPU s",
                null,
                Better.HIGHER,
                PEER);
    }
}
