package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.client.BulkClient;
import io.leeway.lazybase.client.BulkRows;
import io.leeway.lazybase.client.BulkToken;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bulk client: all kinds of updates, one commit, a token by which it is read. */
class BulkClientTest {

    @TempDir
    static Path directory;

    private static LazyBaseServer server;
    private static String url;

    @BeforeAll
    static void start() {
        server = LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "50ms",
                "lazybase.authority.interval", "100ms",
                "lazybase.freshness", "any")));
        url = server.jdbcUrl() + "?user=me";
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void tables() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS tweets, counts, sizes, files");
            statement.execute("CREATE TABLE tweets (id bigint PRIMARY KEY, said text, raw bytea, at timestamp)");
            statement.execute("CREATE TABLE counts (word text PRIMARY KEY, n bigint)");
            statement.execute("CREATE TABLE files (host text, path text,"
                    + " id bigint GENERATED ALWAYS AS IDENTITY UNIQUE, PRIMARY KEY (host, path))");
            statement.execute("CREATE TABLE sizes (file bigint REFERENCES files (id), at int, bytes bigint,"
                    + " PRIMARY KEY (file, at))");
        }
    }

    private static List<String> read(BulkToken token, String sql) throws SQLException {
        var rows = new ArrayList<String>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            BulkClient.atLeast(connection, token);
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    var row = new ArrayList<String>();
                    for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                        row.add(String.valueOf(result.getString(c)));
                    }
                    rows.add(String.join("|", row));
                }
            }
        }
        return rows;
    }

    @Test
    void everyKindOfUpdateIsReadByTheTokenOfItsCommit() throws SQLException {
        try (BulkClient client = BulkClient.connect(url)) {
            client.put("tweets", "id", "said", "raw", "at")
                    .row(1, "tab\tline\nback\\slash", new byte[] {0, -1}, LocalDateTime.of(2026, 1, 31, 12, 0))
                    .row(2, null, null, null)
                    .row(3, "", null, null);
            client.patch("tweets", "id", "said").row(2, "patched");
            client.delete("tweets", "id").row(3);
            client.put("tweets").row(4, "all", null, null);
            BulkRows counts = client.add("counts", List.of("word"), List.of("n"));
            counts.row("a", 2).row("a", 3).row("b", 1);
            BulkToken token = client.commit();

            assertThat(read(token, "SELECT id, said, raw, at FROM tweets ORDER BY id"))
                    .containsExactly(
                            "1|tab\tline\nback\\slash|\\x00ff|2026-01-31 12:00:00",
                            "2|patched|null|null",
                            "4|all|null|null");
            assertThat(read(token, "SELECT word, n FROM counts ORDER BY word")).containsExactly("a|5", "b|1");
            assertThat(counts.rows()).isEqualTo(3);
        }
    }

    @Test
    void naturalKeysBecomeIdsThatJoin() throws SQLException {
        try (BulkClient client = BulkClient.connect(url)) {
            BulkRows sizes = client.put("sizes", "file.host", "file.path", "at", "bytes");
            for (int i = 0; i < 100; i++) {
                sizes.row("host " + i % 2, "/path/" + i % 10, i, 1000 + i);
            }
            BulkToken token = client.commit();
            String join = "SELECT f.host, count(*), sum(s.bytes), min(f.id), max(f.id) FROM sizes s JOIN files f"
                    + " ON f.id = s.file GROUP BY f.host ORDER BY f.host";
            assertThat(read(token, join)).containsExactly("host 0|50|52450|1|9", "host 1|50|52500|2|10");
            sizes.row("host 0", "/path/0", 500, 1).row("new", "key", 500, 1);
            token = client.commit();
            assertThat(read(token, "SELECT host, id FROM files WHERE id > 9 OR host = 'new' ORDER BY id"))
                    .containsExactly("host 1|10", "new|11");
            client.delete("sizes", "file.host", "file.path", "at").row("new", "key", 500);
            token = client.commit();
            assertThat(read(token, "SELECT count(*) FROM sizes WHERE at = 500")).containsExactly("1");
            client.put("sizes", "file.host", "at").row("x", 1);
            assertThatThrownBy(client::commit).hasMessageContaining("every part of the key");
        }
    }

    @Test
    void idsAreGivenByThePipelineAlone() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(
                            "INSERT INTO files (host, path) VALUES ('a', 'b'), ('a', 'b') ON CONFLICT DO NOTHING"))
                    .isEqualTo(2);
            statement.execute("INSERT INTO files VALUES ('a', 'c')");
            try (ResultSet keys = connection.getMetaData().getImportedKeys(null, "public", "sizes")) {
                assertThat(keys.next()).isTrue();
                assertThat(keys.getString("PKTABLE_NAME") + "." + keys.getString("PKCOLUMN_NAME"))
                        .isEqualTo("files.id");
                assertThat(keys.getString("FKCOLUMN_NAME")).isEqualTo("file");
            }
            try (ResultSet rows = statement.executeQuery(
                    "SELECT /*+ freshness('0 s') */ string_agg(path, ','), max(id) FROM files WHERE host = 'a'")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(2)).isEqualTo(2);
            }
            for (String refused : List.of(
                    "INSERT INTO files (host, path, id) VALUES ('a', 'b', 7)",
                    "UPDATE files SET id = 7 WHERE host = 'a' AND path = 'b'",
                    "DELETE FROM files WHERE host = 'a'",
                    "TRUNCATE files",
                    "DROP TABLE files",
                    "ALTER TABLE files RENAME COLUMN host TO server",
                    "CREATE TABLE x (a bigint REFERENCES counts (n) PRIMARY KEY)",
                    "CREATE TABLE x (a bigint PRIMARY KEY, b bigint GENERATED ALWAYS AS IDENTITY, c text)")) {
                assertThatThrownBy(() -> statement.execute(refused)).as(refused).isInstanceOf(SQLException.class);
            }
            statement.execute("DROP TABLE sizes, files");
        }
    }

    @Test
    void whatIsRolledBackOrRefusedLeavesNothing() throws SQLException {
        try (BulkClient client = BulkClient.connect(url)) {
            client.put("counts", "word", "n").row("x", 1);
            client.rollback();
            client.put("counts", "word", "n").row("y", 1);
            client.put("tweets", "id").row("no number");
            assertThatThrownBy(client::commit).isInstanceOf(SQLException.class).hasMessageContaining("id");
            assertThatThrownBy(() -> client.put("counts", "word", "n").row("z"))
                    .isInstanceOf(IllegalArgumentException.class);
            client.put("counts", "word", "n").row("z", 1);
            assertThat(read(client.commit(), "SELECT word FROM counts")).containsExactly("z");
            assertThat(new BulkToken("17.4").text()).isEqualTo("17.4");
            assertThatThrownBy(() -> new BulkToken("'; DROP")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
