package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.traffic.TrafficRecorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A small application on H2: a calendar with a policy, whose traffic can be recorded; and the command line. */
final class Site implements AutoCloseable {

    static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;

            -- Everybody's name.
            CREATE VIEW user_names AS SELECT id, name FROM users;

            -- The events that I attend.
            CREATE VIEW my_events AS
              SELECT e.*, a.* FROM events e JOIN attendances a ON e.id = a.event_id WHERE a.user_id = ?MyUId;
            """;

    static final List<String> TABLES = List.of(
            "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL, email VARCHAR(90))",
            "CREATE TABLE events (id BIGINT PRIMARY KEY, title VARCHAR(200) NOT NULL, starts TIMESTAMP)",
            "CREATE TABLE attendances (user_id BIGINT NOT NULL REFERENCES users (id),"
                    + " event_id BIGINT NOT NULL REFERENCES events (id), note VARCHAR(50),"
                    + " PRIMARY KEY (user_id, event_id))",
            "CREATE TABLE secrets (id BIGINT PRIMARY KEY, text VARCHAR(50))");

    static final List<String> ROWS = List.of(
            "INSERT INTO users VALUES (1, 'Ada', 'ada@example.org'), (2, 'Bob', NULL), (3, 'Cy', NULL)",
            "INSERT INTO events VALUES (50, 'Lunch', TIMESTAMP '2026-01-31 12:00:00'), (60, 'Board', NULL)",
            "INSERT INTO attendances VALUES (2, 50, 'late'), (3, 50, NULL), (3, 60, NULL)",
            "INSERT INTO secrets VALUES (1, 'hidden')");

    final Path folder;
    final Path policy;
    final Path recording;
    private final String name = "site-" + UUID.randomUUID();
    private final Connection keeper;
    final Map<String, String> environment = new HashMap<>();

    Site(Path folder) throws SQLException, IOException {
        this.folder = folder;
        this.policy = Files.writeString(folder.resolve("policy.sql"), POLICY);
        this.recording = folder.resolve("traffic.jsonl");
        this.keeper = DriverManager.getConnection(url());
        for (String sql : TABLES) {
            plainly(sql);
        }
        for (String sql : ROWS) {
            plainly(sql);
        }
    }

    String url() {
        return "jdbc:h2:mem:" + name;
    }

    void plainly(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A checked connection that is recorded; more options each behind a semicolon. */
    Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:privoxy:h2:mem:" + name + ";privoxyPolicy=" + policy + ";privoxyRecord=" + recording + options);
    }

    /** Runs statements in one request; those refused are passed over. How many were refused. */
    int request(Connection connection, long user, String... statements) throws SQLException {
        int refused = 0;
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", user));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                try {
                    boolean hasRows = statement.execute(sql);
                    if (hasRows) {
                        rows(statement);
                    }
                } catch (SQLException refusal) {
                    if (!refusal.getMessage().contains("PRIVOXY-")) {
                        throw refusal;
                    }
                    refused++;
                }
            }
        }
        return refused;
    }

    private static void rows(Statement statement) throws SQLException {
        try (var rows = statement.getResultSet()) {
            while (rows.next()) {
                rows.getObject(1);
            }
        }
    }

    /** Waits until all that was recorded is in the file. */
    void flush() {
        if (!TrafficRecorder.flush(recording, Duration.ofSeconds(60))) {
            throw new AssertionError("the recording is not written");
        }
    }

    /** A file in the folder. */
    String file(String file, String text) throws IOException {
        return file(folder, file, text);
    }

    static String file(Path folder, String file, String text) throws IOException {
        return Files.writeString(folder.resolve(file), text).toString();
    }

    /** What a command did. */
    record Ran(int code, String out, String err) {

        /** With the folder's name taken out, which differs from run to run. */
        String outIn(Path folder) {
            return out.replace(folder + "/", "");
        }
    }

    /** Runs a command with the schema of this database. */
    Ran live(String command, String... words) {
        var all = new ArrayList<>(List.of(command, "--url", url()));
        all.addAll(List.of(words));
        return run(all.toArray(String[]::new));
    }

    /** Runs a command. */
    Ran run(String... words) {
        return run(environment, words);
    }

    static Ran run(Map<String, String> environment, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code = CommandLine.run(
                words,
                new Console(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment::get,
                        false));
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
    }
}
