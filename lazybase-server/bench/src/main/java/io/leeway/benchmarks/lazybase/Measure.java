package io.leeway.benchmarks.lazybase;

import com.sun.management.OperatingSystemMXBean;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What all figures need. CPU time is that of the whole process, with the client. */
final class Measure {

    static final String POINT = "SELECT * FROM t WHERE k = ?";
    static final String RANGE = "SELECT count(*), sum(v) FROM t WHERE k >= ? AND k < ?";

    /** How many ask at once. */
    static final int[] CLIENTS = {1, 4, 16, 64};

    private final Recorder recorder =
            Recorder.of("lazybase", "build/bench io.leeway.benchmarks.lazybase.LazyBaseFigures");
    final Path directory;

    /** Figures by name, for those that are compared with them. */
    private final Map<String, Double> seen = new HashMap<>();

    Measure(Path directory) {
        this.directory = directory;
    }

    /** A stage's work so far. */
    record Work(long rows, long bytes, long cpuMillis) {

        Work minus(Work before) {
            return new Work(rows - before.rows, bytes - before.bytes, cpuMillis - before.cpuMillis);
        }
    }

    void record(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        double rounded = Math.round(value * 100) / 100.0;
        System.out.println(name + ": " + rounded + " " + unit);
        seen.put(name, value);
        recorder.record(name, rounded, unit, goal, better, peer);
    }

    /** A figure of this run; null if it was not measured. */
    @Nullable
    Double seen(String name) {
        return seen.get(name);
    }

    static String clients(int count) {
        return count == 1 ? "1 client" : count + " clients";
    }

    static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    LazyBaseServer server(String name, String... more) {
        var options = new HashMap<String, String>();
        options.put("lazybase.directory", directory.resolve(name).toString());
        options.put("lazybase.pg.port", "0");
        options.put("lazybase.web.port", "-1");
        options.put("lazybase.authority.interval", "1s");
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return LazyBaseServer.start(LazyBaseOptions.of(options));
    }

    static Connection connect(LazyBaseServer server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), "me", "");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long copy(Connection connection, String table, Path file) throws SQLException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new CopyManager((BaseConnection) connection)
                    .copyIn("COPY " + table + " FROM STDIN WITH (FORMAT csv)", in, 1 << 16);
        }
    }

    /** Copies a file and waits until it is in the authority. */
    static void ingest(Connection connection, String table, Path file) throws Exception {
        long before = stages(connection).of("authority").rows;
        long rows = copy(connection, table, file);
        while (stages(connection).of("authority").rows < before + rows) {
            Thread.sleep(20);
        }
    }

    /** What all stages have done. */
    record Stages(Map<String, Work> works) {

        Work of(String stage) {
            Work work = works.get(stage);
            if (work == null) {
                throw new IllegalStateException("there is no stage " + stage);
            }
            return work;
        }
    }

    static Stages stages(Connection connection) throws SQLException {
        var work = new HashMap<String, Work>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT stage, row_count, bytes, cpu_ms FROM lazybase.stages")) {
            while (rows.next()) {
                work.put(rows.getString(1), new Work(rows.getLong(2), rows.getLong(3), rows.getLong(4)));
            }
        }
        return new Stages(work);
    }

    /** Times in nanoseconds, in order. */
    static long[] points(PreparedStatement query, int count, long seed) throws SQLException {
        var random = new Random(seed);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long began = System.nanoTime();
            query.setLong(1, Rows.key(random.nextInt(Rows.COUNT)));
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

    /** Of 0.1 % of the keys. */
    static long[] ranges(PreparedStatement query, int count, long seed) throws SQLException {
        var random = new Random(seed);
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

    /** Points and ranges of one client. */
    void queries(Connection connection, String peer) throws Exception {
        String suffix = peer.isEmpty() ? "" : ", " + peer;
        try (PreparedStatement point = connection.prepareStatement(POINT);
                PreparedStatement range = connection.prepareStatement(RANGE)) {
            points(point, 10_000, 1);
            double cpu = cpuSeconds();
            long[] times = points(point, 10_000, 3);
            record("point query, CPU" + suffix, (cpuSeconds() - cpu) * 1e6 / 10_000, "µs", null, Better.LOWER, peer);
            record("point query, median" + suffix, times[5_000] / 1e3, "µs", null, Better.LOWER, peer);
            ranges(range, 1_000, 1);
            cpu = cpuSeconds();
            times = ranges(range, 1_000, 4);
            String what = "range of 0.1 % of the keys, ";
            record(what + "CPU" + suffix, (cpuSeconds() - cpu) * 1e6 / 1_000, "µs", null, Better.LOWER, peer);
            record(what + "median" + suffix, times[500] / 1e3, "µs", null, Better.LOWER, peer);
        }
    }

    /** Something that a client does so many times, with a seed of its own. */
    interface Client {
        long[] run(PreparedStatement query, int count, long seed) throws SQLException;
    }

    /**
     * Queries a second and a CPU second of so many clients at once, who are connected and have prepared their statement before the clock starts,
     * as Cassandra's are and have.
     */
    static double[] throughput(LazyBaseServer server, int clients, int queries, String sql, Client client)
            throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<PreparedStatement> statements = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Connection connection = connect(server);
            connections.add(connection);
            PreparedStatement statement = connection.prepareStatement(sql);
            // The driver names a statement to the server when it has been used five times.
            client.run(statement, 6, 1_000 + i);
            statements.add(statement);
        }
        double cpu = cpuSeconds();
        long wall = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            PreparedStatement mine = statements.get(i);
            int seed = 10 + i;
            var thread = new Thread(
                    () -> {
                        try {
                            client.run(mine, queries / clients, seed);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    "client-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int done = queries / clients * clients;
        double[] rates = {done / ((System.nanoTime() - wall) / 1e9), done / (cpuSeconds() - cpu)};
        for (Connection connection : connections) {
            connection.close();
        }
        return rates;
    }
}
