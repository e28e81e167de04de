package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.JavaProcess;
import io.leeway.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process that is killed while it is written to. */
class KillIT {

    private static final long PATIENCE_SECONDS = 120;

    /** A server in a process of its own. */
    private record Server(Process process, String url) implements AutoCloseable {

        static Server start(Path directory) throws IOException {
            List<String> command = JavaProcess.command(
                    System.getProperty("java.class.path"),
                    LazyBaseCommand.class.getName(),
                    List.of(
                            "start",
                            "--directory=" + directory,
                            "--pg.port=0",
                            "--web.port=-1",
                            "--scu.age=50ms",
                            "--scu.rows=2000",
                            "--authority.interval=100ms"));
            command.add(1, "-Xmx256m");
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String url = out.readLine();
            assertThat(url).as("the first line of the server").startsWith("jdbc:postgresql://");
            return new Server(process, url.strip());
        }

        Connection connect() throws SQLException {
            return DriverManager.getConnection(url, "me", "");
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void nothingThatWasAcknowledgedIsLostOrHalfThere(@TempDir Path directory) throws Exception {
        RandomGenerator random = Seeds.random("kills");
        var acknowledged = new AtomicLong();
        int kills = Depth.of(3, 100);
        for (int round = 0; round <= kills; round++) {
            try (Server server = Server.start(directory)) {
                check(server, acknowledged.get(), round == 0);
                if (round < kills) {
                    Thread writer = new Thread(() -> write(server, acknowledged), "writer");
                    long before = acknowledged.get();
                    writer.start();
                    awaitMore(acknowledged, before + 20 + random.nextInt(200), writer);
                    server.kill();
                    writer.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                    assertThat(writer.isAlive()).isFalse();
                }
            }
        }
    }

    private static void awaitMore(AtomicLong acknowledged, long wanted, Thread writer) {
        // Without keeping a core from the server.
        Awaitility.await()
                .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> acknowledged.get() >= wanted || !writer.isAlive());
    }

    /** Commit n has 5 rows in each of two tables, and moves one between two rows whose sum stays 0. */
    private static void write(Server server, AtomicLong acknowledged) {
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement a = connection.prepareStatement("INSERT INTO a VALUES (?, ?)");
                    PreparedStatement b = connection.prepareStatement("INSERT INTO b VALUES (?, ?)");
                    PreparedStatement pair = connection.prepareStatement("UPDATE pair SET n = n + ? WHERE k = ?")) {
                while (true) {
                    long n = acknowledged.get();
                    for (int i = 0; i < 5; i++) {
                        add(a, n * 5 + i, n);
                        add(b, n * 5 + i, n);
                    }
                    a.executeBatch();
                    b.executeBatch();
                    add(pair, 1, 1);
                    add(pair, -1, 2);
                    pair.executeBatch();
                    connection.commit();
                    acknowledged.incrementAndGet();
                }
            }
        } catch (SQLException e) {
            // The server was killed; what was not acknowledged may be there or not.
            return;
        }
    }

    private static void add(PreparedStatement statement, long first, long second) throws SQLException {
        statement.setLong(1, first);
        statement.setLong(2, second);
        statement.addBatch();
    }

    private static void check(Server server, long acknowledged, boolean first) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            if (first) {
                statement.execute("CREATE TABLE a (k int8 PRIMARY KEY, n int8)");
                statement.execute("CREATE TABLE b (k int8 PRIMARY KEY, n int8)");
                statement.execute("CREATE TABLE pair (k int8 PRIMARY KEY, n int8)");
                statement.execute("INSERT INTO pair VALUES (1, 0), (2, 0)");
                return;
            }
            long rows = number(statement, "SELECT count(*) FROM a");
            assertThat(rows).isBetween(acknowledged * 5, acknowledged * 5 + 5);
            assertThat(rows % 5).isZero();
            assertThat(number(statement, "SELECT count(*) FROM b")).isEqualTo(rows);
            assertThat(number(statement, "SELECT count(*) FROM a WHERE k = n * 5 + mod(k, 5)"))
                    .isEqualTo(rows);
            assertThat(number(statement, "SELECT sum(n) FROM pair")).isZero();
            // A commit that nobody was told of is made again by the next writer with the same keys, so only the pair is
            // counted twice.
            assertThat(number(statement, "SELECT n FROM pair WHERE k = 1")).isGreaterThanOrEqualTo(acknowledged);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
