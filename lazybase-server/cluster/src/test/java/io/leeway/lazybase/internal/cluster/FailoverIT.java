package io.leeway.lazybase.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.LazyBaseCommand;
import io.leeway.testkit.Depth;
import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes on one directory: one is killed, or stopped for a while and woken again. */
@Tag(Depth.DEEP)
class FailoverIT {

    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;
    private int zooKeeperPort;

    /** A process that takes part. */
    private static final class Node implements AutoCloseable {

        private final Process process;
        private final CompletableFuture<String> leads = new CompletableFuture<>();

        Node(Path directory, int zooKeeperPort) throws IOException {
            List<String> command = JavaProcess.command(
                    System.getProperty("java.class.path"),
                    LazyBaseCommand.class.getName(),
                    List.of(
                            "start",
                            "--directory=" + directory.resolve("data"),
                            "--cluster.zookeeper=127.0.0.1:" + zooKeeperPort,
                            "--pg.port=0",
                            "--web.port=-1",
                            "--scu.age=50ms",
                            "--scu.rows=2000",
                            "--authority.interval=100ms"));
            command.add(1, "-Xmx256m");
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var reader = new Thread(this::read, "lines of a node");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (var out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith("jdbc:")) {
                        leads.complete(line.strip());
                    }
                }
            } catch (IOException e) {
                leads.completeExceptionally(e);
            }
        }

        String url() throws Exception {
            return leads.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        void signal(String name) throws Exception {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            assertThat(kill.waitFor()).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @BeforeEach
    void start() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            zooKeeperPort = socket.getLocalPort();
        }
        zooKeeper = EmbeddedZooKeeper.startUnlessThere(zooKeeperPort, directory.resolve("zookeeper"));
        assertThat(zooKeeper).isNotNull();
    }

    @AfterEach
    void stop() {
        zooKeeper.close();
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "me", "");
    }

    private static int write(Connection connection, int from, int count) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO rows_ VALUES (?, ?)")) {
            for (int i = from; i < from + count; i++) {
                insert.setLong(1, i);
                insert.setString(2, "row " + i);
                insert.executeUpdate();
            }
        }
        return from + count;
    }

    private static long count(Connection connection, long below) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM rows_ WHERE id < " + below)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    @Test
    void whatAKilledLeaderAcknowledgedIsThereAtTheNextOne() throws Exception {
        try (Node first = new Node(directory, zooKeeperPort)) {
            int written = 0;
            try (Connection connection = connect(first.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE rows_ (id int8 PRIMARY KEY, said text)");
                written = write(connection, 0, 300);
                try (Node second = new Node(directory, zooKeeperPort)) {
                    written = write(connection, written, 100);
                    assertThat(second.leads).isNotDone();
                    first.process.destroyForcibly();
                    try (Connection next = connect(second.url())) {
                        assertThat(count(next, written)).isEqualTo(written);
                        written = write(next, written, 50);
                        assertThat(count(next, written)).isEqualTo(written);
                    }
                }
            }
        }
    }

    @Test
    void aLeaderThatSleptAcknowledgesNothingMore() throws Exception {
        try (Node first = new Node(directory, zooKeeperPort);
                Connection old = connect(first.url());
                Statement statement = old.createStatement()) {
            statement.execute("CREATE TABLE rows_ (id int8 PRIMARY KEY, said text)");
            int written = write(old, 0, 100);
            try (Node second = new Node(directory, zooKeeperPort)) {
                first.signal("STOP");
                try (Connection next = connect(second.url())) {
                    assertThat(count(next, written)).isEqualTo(written);
                    int late = written + 1_000;
                    first.signal("CONT");
                    boolean acknowledged;
                    try {
                        write(old, late, 1);
                        acknowledged = true;
                    } catch (SQLException e) {
                        acknowledged = false;
                    }
                    assertThat(acknowledged).as("a former leader's word").isFalse();
                    written = write(next, written, 50);
                    assertThat(count(next, written)).isEqualTo(written);
                    assertThat(count(next, Long.MAX_VALUE)).isEqualTo(written);
                }
            }
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    /** Writes until others have done so many tasks. */
    private static int writeUntilHelped(Connection connection, int from, long tasks) throws SQLException {
        int written = from;
        try (Statement statement = connection.createStatement()) {
            while (number(statement, "SELECT sum(helped) FROM lazybase.stages") < tasks) {
                written = write(connection, written, 20);
            }
        }
        return written;
    }

    @Test
    void whatAKilledOrStoppedHelperDidNotFinishIsDoneElsewhere() throws Exception {
        try (Node leader = new Node(directory, zooKeeperPort);
                Connection connection = connect(leader.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE rows_ (id int8 PRIMARY KEY, said text)");
            statement.execute("CREATE INDEX rows_by_said ON rows_ (said)");
            statement.execute("SET lazybase.monotonic = off");
            int written = 0;
            for (int round = 0; round < 6; round++) {
                try (Node helper = new Node(directory, zooKeeperPort)) {
                    long before = number(statement, "SELECT sum(helped) FROM lazybase.stages");
                    written = writeUntilHelped(connection, written, before + 20);
                    helper.signal(round % 3 == 2 ? "STOP" : "KILL");
                    written = write(connection, written, 200);
                    assertThat(count(connection, written)).isEqualTo(written);
                    // The authority has caught up: nothing waits for who does not come back.
                    long since = written;
                    String stale = "SELECT /*+ freshness('any') */ count(*) FROM rows_ WHERE id < " + since;
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                            .until(() -> number(statement, stale) == since);
                    assertThat(number(statement, "SELECT count(*) FROM rows_ WHERE said >= 'row'"))
                            .isEqualTo(written);
                }
            }
        }
    }
}
