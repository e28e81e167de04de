package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.traffic.TrafficRecorder;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recording on a real PostgreSQL, and what the command line makes of it. */
class PostgresCommandIT {

    @TempDir
    private Path folder;

    private TestDatabase database;
    private Path policy;
    private Path recording;

    @BeforeEach
    void create() throws SQLException, IOException {
        database = TestDatabases.postgres().freshDatabase("cli");
        for (String sql : Site.TABLES) {
            database.execute(sql);
        }
        for (String sql : Site.ROWS) {
            database.execute(sql);
        }
        policy = Files.writeString(folder.resolve("policy.sql"), Site.POLICY);
        recording = folder.resolve("traffic.jsonl");
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void recordsChecksReportsAndSuggests() throws SQLException, IOException {
        record();

        Site.Ran check = run("check", "--policy", policy.toString(), recording.toString());
        assertThat(check.err()).isEmpty();
        assertThat(check.out()).contains("        3  allowed, as before", "        2  refused, as before");
        assertThat(check.code()).isZero();

        Site.Ran suggest = run("suggest", "--policy", policy.toString(), recording.toString());
        assertThat(suggest.out())
                .contains("CREATE VIEW suggested_1_users AS\n  SELECT u.email\n  FROM users u\n  WHERE u.id = ?MyUId;")
                .contains("SELECT s.*\n  FROM secrets s;");
        assertThat(suggest.code()).isZero();
        Files.writeString(policy, Site.POLICY + suggest.out());
        assertThat(run("check", "--policy", policy.toString(), recording.toString())
                        .out())
                .contains("        2  refused before, allowed now");

        Path page = folder.resolve("page.html");
        assertThat(run("report", "--output", page.toString(), "--policy", policy.toString(), recording.toString())
                        .code())
                .isZero();
        assertThat(page).content().contains("my_events", "suggested_1_users");
    }

    @Test
    void explainsOnTheLiveSchemaAndOnItsText() {
        String sql = "SELECT title FROM events WHERE id = 50";

        Site.Ran live = run("explain", "--policy", policy.toString(), "--context", "MyUId=2", sql);

        assertThat(live.out()).contains("events (", "my_events: ", "Database 1");
        String schema = folder.resolve("schema.txt").toString();
        assertThat(run("schema", "--output", schema).code()).isZero();
        assertThat(Site.run(
                        Map.of(),
                        "explain",
                        "--schema",
                        schema,
                        "--policy",
                        policy.toString(),
                        "--context",
                        "MyUId=2",
                        sql))
                .isEqualTo(live);
    }

    private void record() throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", policy.toString());
        properties.setProperty("privoxyRecord", recording.toString());
        properties.setProperty("privoxyMode", "audit");
        String url = "jdbc:privoxy:" + database.jdbcUrl().substring("jdbc:".length());
        try (Connection connection = DriverManager.getConnection(url, properties);
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            ask(connection, "SELECT name FROM users");
            ask(connection, "SELECT * FROM attendances WHERE user_id = ?", 2L);
            ask(connection, "SELECT title, starts FROM events WHERE id = ANY (?)", (Object)
                    connection.createArrayOf("bigint", new Long[] {50L}));
            ask(connection, "SELECT email FROM users WHERE id = ?", 2);
            ask(connection, "SELECT text FROM secrets WHERE id = ?", 1);
        }
        assertThat(TrafficRecorder.flush(recording, Duration.ofSeconds(60))).isTrue();
    }

    private static void ask(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                while (rows.next()) {
                    rows.getObject(1);
                }
            }
        }
    }

    private Site.Ran run(String command, String... words) {
        List<String> all = new ArrayList<>(List.of(command, "--url", database.jdbcUrl(), "--user", database.user()));
        all.addAll(List.of(words));
        return Site.run(Map.of("PRIVOXY_PASSWORD", database.password()), all.toArray(String[]::new));
    }
}
