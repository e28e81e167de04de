package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What PostgreSQL's own driver does with the server. */
class DoorTest {

    @TempDir
    static Path directory;

    private static LazyBaseServer server;

    @BeforeAll
    static void start() {
        server = start(directory, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LazyBaseServer start(Path directory, Map<String, String> more) {
        var options = new HashMap<String, String>(
                Map.of("lazybase.directory", directory.toString(), "lazybase.pg.port", "0", "lazybase.web.port", "-1"));
        options.putAll(more);
        return LazyBaseServer.start(LazyBaseOptions.of(options));
    }

    private static Connection connect(String... settings) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "me");
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty(settings[i], settings[i + 1]);
        }
        return DriverManager.getConnection(server.jdbcUrl(), properties);
    }

    private static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return rows(result);
        }
    }

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        var rows = new ArrayList<List<Object>>();
        while (result.next()) {
            var row = new ArrayList<Object>();
            for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                row.add(result.getObject(c));
            }
            rows.add(row);
        }
        return rows;
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void everyTypeComesBackAsItWentIn() throws SQLException {
        for (String binary : List.of("true", "false")) {
            try (Connection connection = connect("binaryTransfer", binary, "prepareThreshold", "-1")) {
                run(
                        connection,
                        "DROP TABLE IF EXISTS types",
                        "CREATE TABLE types (k int8 PRIMARY KEY, b bool, s int2, i int4, f float4, d float8,"
                                + " n numeric(12,3), t text, v varchar(5), y bytea, u uuid, da date, ti time,"
                                + " ts timestamp, tz timestamptz, j json)");
                UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
                try (PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO types VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?::json)")) {
                    insert.setLong(1, Long.MIN_VALUE);
                    insert.setBoolean(2, true);
                    insert.setShort(3, (short) -5);
                    insert.setInt(4, Integer.MAX_VALUE);
                    insert.setFloat(5, 1.25f);
                    insert.setDouble(6, -1e300);
                    insert.setBigDecimal(7, new BigDecimal("-12345.678"));
                    insert.setString(8, "grüße\n\t'\\");
                    insert.setString(9, "äöüßx");
                    insert.setBytes(10, new byte[] {0, 1, -1});
                    insert.setObject(11, uuid);
                    insert.setObject(12, java.time.LocalDate.of(1999, 12, 31));
                    insert.setObject(13, java.time.LocalTime.of(23, 59, 58));
                    insert.setTimestamp(14, Timestamp.valueOf("2024-02-29 12:00:00.125"));
                    insert.setObject(15, java.time.OffsetDateTime.parse("2024-02-29T12:00:00+02:00"));
                    insert.setString(16, "{\"a\": 1}");
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                    insert.setLong(1, 2);
                    for (int c = 2; c <= 16; c++) {
                        insert.setNull(c, java.sql.Types.NULL);
                    }
                    insert.executeUpdate();
                }
                for (int again = 0; again < 7; again++) {
                    try (PreparedStatement select = connection.prepareStatement("SELECT * FROM types WHERE k < ?")) {
                        select.setLong(1, 100);
                        try (ResultSet row = select.executeQuery()) {
                            assertThat(row.next()).isTrue();
                            assertThat(row.getLong(1)).isEqualTo(Long.MIN_VALUE);
                            assertThat(row.getBoolean(2)).isTrue();
                            assertThat(row.getShort(3)).isEqualTo((short) -5);
                            assertThat(row.getInt(4)).isEqualTo(Integer.MAX_VALUE);
                            assertThat(row.getFloat(5)).isEqualTo(1.25f);
                            assertThat(row.getDouble(6)).isEqualTo(-1e300);
                            assertThat(row.getBigDecimal(7)).isEqualTo(new BigDecimal("-12345.678"));
                            assertThat(row.getString(8)).isEqualTo("grüße\n\t'\\");
                            assertThat(row.getString(9)).isEqualTo("äöüßx");
                            assertThat(row.getBytes(10)).containsExactly(0, 1, -1);
                            assertThat(row.getObject(11)).isEqualTo(uuid);
                            assertThat(row.getObject(12, java.time.LocalDate.class))
                                    .hasToString("1999-12-31");
                            assertThat(row.getObject(13, java.time.LocalTime.class))
                                    .hasToString("23:59:58");
                            assertThat(row.getTimestamp(14)).isEqualTo(Timestamp.valueOf("2024-02-29 12:00:00.125"));
                            assertThat(row.getObject(15, java.time.OffsetDateTime.class)
                                            .toInstant())
                                    .hasToString("2024-02-29T10:00:00Z");
                            assertThat(row.getString(16)).isEqualTo("{\"a\": 1}");
                            assertThat(row.next()).isTrue();
                            for (int c = 2; c <= 16; c++) {
                                assertThat(row.getObject(c)).isNull();
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void updatesPutPatchAddAndDelete() throws SQLException {
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE updates (k int8 PRIMARY KEY, a int8, b text)",
                    "INSERT INTO updates VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 30, 'z')",
                    "INSERT INTO updates (k, b) VALUES (1, 'new') ON CONFLICT (k) DO UPDATE SET b = EXCLUDED.b",
                    "INSERT INTO updates (k, a) VALUES (2, 5) ON CONFLICT (k) DO UPDATE SET a = updates.a + EXCLUDED.a",
                    "UPDATE updates SET a = a + 1 WHERE k = 1",
                    "UPDATE updates SET a = a * 2 WHERE b = 'y'",
                    "DELETE FROM updates WHERE k = 3");

            assertThat(rows(connection, "SELECT * FROM updates ORDER BY k"))
                    .containsExactly(List.of(1L, 11L, "new"), List.of(2L, 50L, "y"));
        }
    }

    @Test
    void batchesAndTransactionsAreCommittedAsAWhole() throws SQLException {
        try (Connection connection = connect();
                Connection other = connect()) {
            run(connection, "CREATE TABLE batches (k int4 PRIMARY KEY, v text)");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO batches VALUES (?, ?)")) {
                for (int i = 0; i < 1_000; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "v" + i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            assertThat(rows(other, "SELECT count(*) FROM batches")).containsExactly(List.of(0L));
            connection.commit();
            assertThat(rows(other, "SELECT count(*) FROM batches")).containsExactly(List.of(1_000L));
            run(connection, "DELETE FROM batches WHERE k < 500");
            connection.rollback();
            assertThat(rows(other, "SELECT count(*) FROM batches")).containsExactly(List.of(1_000L));
        }
    }

    @Test
    void copyGoesInAndOutInTextAndCsv() throws SQLException, IOException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE copies (k int4 PRIMARY KEY, v text, n float8)");
            var copies = new CopyManager((BaseConnection) connection);
            assertThat(copies.copyIn(
                            "COPY copies FROM STDIN WITH (FORMAT csv)",
                            new StringReader("1,\"a \"\"quoted\"\",\nline\",1.5\n2,,\n3,\"\",3\n")))
                    .isEqualTo(3);
            assertThat(copies.copyIn("COPY copies FROM STDIN", new StringReader("4\ttab\\there\t\\N\n")))
                    .isEqualTo(1);
            var out = new StringWriter();
            copies.copyOut("COPY copies TO STDOUT", out);
            assertThat(out.toString())
                    .isEqualTo("1\ta \"quoted\",\\nline\t1.5\n2\t\\N\t\\N\n3\t\t3\n4\ttab\\there\t\\N\n");
            assertThatThrownBy(() -> copies.copyIn("COPY copies FROM STDIN", new StringReader("9\tx\t1\nx\ty\t2\n")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Line 2")
                    .hasMessageContaining("0 rows before it were committed")
                    .extracting("SQLState")
                    .isEqualTo("22P02");
            assertThat(rows(connection, "SELECT count(*) FROM copies")).containsExactly(List.of(4L));
        }
    }

    @Test
    void copyTakesAJsonObjectALine() throws SQLException, IOException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE jsons (k int4 PRIMARY KEY, v text, n float8, j json)");
            var copies = new CopyManager((BaseConnection) connection);
            assertThat(copies.copyIn(
                            "COPY jsons FROM STDIN WITH (FORMAT json)",
                            new StringReader("{\"n\": 1.5, \"k\": 1, \"v\": \"a\\n\\\"b\", \"j\": {\"x\": [1]}}\n"
                                    + "{\"k\": 2, \"other\": {}}\n{\"k\": \"3\", \"v\": null}")))
                    .isEqualTo(3);
            assertThat(rows(connection, "SELECT k, v, n FROM jsons WHERE v IS NOT NULL"))
                    .containsExactly(List.of(1, "a\n\"b", 1.5));
            assertThat(rows(connection, "SELECT count(*) FROM jsons WHERE v IS NULL"))
                    .containsExactly(List.of(2L));
            for (String bad : List.of("{\"k\": 9", "[9]", "{\"k\": 9} x", "{\"v\": \"no key\"}", "{\"k\": \"x\"}")) {
                assertThatThrownBy(() -> copies.copyIn(
                                "COPY jsons FROM STDIN WITH (FORMAT json)",
                                new StringReader("{\"k\": 8}\n" + bad + "\n")))
                        .as(bad)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Line 2");
            }
            assertThat(rows(connection, "SELECT count(*) FROM jsons")).containsExactly(List.of(3L));
        }
    }

    @Test
    void portalsGiveRowsInPieces() throws SQLException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE portals (k int4 PRIMARY KEY)");
            run(connection, "INSERT INTO portals VALUES " + values(2_500));
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(100);
                try (ResultSet result = statement.executeQuery("SELECT k FROM portals ORDER BY k")) {
                    int expected = 0;
                    while (result.next()) {
                        assertThat(result.getInt(1)).isEqualTo(expected++);
                    }
                    assertThat(expected).isEqualTo(2_500);
                }
            }
        }
    }

    private static String values(int count) {
        var values = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            values.add("(" + i + ")");
        }
        return String.join(",", values);
    }

    @Test
    void rowsThatAreNotSortedAreLeftOutByTheirBounds() throws SQLException {
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE bounded (k int4 PRIMARY KEY, n int8)",
                    "INSERT INTO bounded VALUES (1, 10), (2, 20), (3, 30)");
            assertThat(rows(connection, "SELECT k FROM bounded WHERE n > 1000")).isEmpty();
            assertThat(rows(connection, "SELECT lazybase_answer('rows_read')")).containsExactly(List.of("0"));
            assertThat(rows(connection, "SELECT k FROM bounded WHERE n > 25")).containsExactly(List.of(3));
            assertThat(rows(connection, "SELECT lazybase_answer('rows_read')")).containsExactly(List.of("3"));
        }
    }

    @Test
    void aQuerySaysHowFreshItMustBeAndTheAnswerHowFreshItIs() throws SQLException {
        try (Connection connection = connect("options", "-c lazybase.monotonic=off")) {
            run(connection, "CREATE TABLE fresh (k int4 PRIMARY KEY)", "INSERT INTO fresh VALUES (1)");
            PGConnection pg = connection.unwrap(PGConnection.class);

            assertThat(rows(connection, "SELECT count(*) FROM fresh")).containsExactly(List.of(1L));
            assertThat(pg.getParameterStatus("lazybase.answer_age")).isEqualTo("0 ms");
            assertThat(rows(connection, "SELECT lazybase_answer('age_ms')")).containsExactly(List.of("0"));
            rows(connection, "SELECT /*+ freshness('any') */ count(*) FROM fresh");
            assertThat(pg.getParameterStatus("lazybase.stages")).isEqualTo("authority");
            run(connection, "SET lazybase.freshness = 'any'", "SET lazybase.notice = on");
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT count(*) FROM fresh")) {
                assertThat(result.next()).isTrue();
                assertThat(statement.getWarnings().getMessage()).contains("read authority");
            }
            String token = pg.getParameterStatus("lazybase.commit_token");
            assertThat(rows(connection, "SELECT /*+ at_least('" + token + "') */ count(*) FROM fresh"))
                    .containsExactly(List.of(1L));
            assertThat(rows(connection, "EXPLAIN FRESHNESS SELECT count(*) FROM fresh")
                            .size())
                    .isGreaterThan(0);
            assertThatThrownBy(() -> run(connection, "SET lazybase.freshness = 'soon'"))
                    .hasMessageContaining("is not a freshness");
        }
    }

    @Test
    void aSessionNeverGoesBackInTime() throws SQLException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE back (k int4 PRIMARY KEY)", "INSERT INTO back VALUES (1)");
            assertThat(rows(connection, "SELECT /*+ freshness('any') */ count(*) FROM back"))
                    .containsExactly(List.of(1L));
        }
    }

    @Test
    void aSecondaryViewFollowsItsTable() throws SQLException {
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE viewed (k int4 PRIMARY KEY, v text, n int4)",
                    "INSERT INTO viewed VALUES (1, 'a', 1), (2, 'b', 2), (3, 'a', 3)",
                    "CREATE INDEX viewed_by_v ON viewed (v)",
                    "UPDATE viewed SET v = 'c' WHERE k = 1",
                    "DELETE FROM viewed WHERE k = 2");
            assertThat(rows(connection, "SELECT k FROM viewed WHERE v = 'a'")).containsExactly(List.of(3));
            assertThat(rows(connection, "SELECT k FROM viewed WHERE v = 'b'")).isEmpty();
            assertThat(rows(connection, "SELECT k FROM viewed WHERE v = 'c'")).containsExactly(List.of(1));
        }
    }

    @Test
    void tablesChangeWhileTheyAreInUse() throws SQLException {
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE changing (k int4 PRIMARY KEY, a text)",
                    "INSERT INTO changing VALUES (1, 'x')",
                    "ALTER TABLE changing ADD COLUMN b int4",
                    "INSERT INTO changing VALUES (2, 'y', 5)",
                    "ALTER TABLE changing RENAME COLUMN a TO aa",
                    "UPDATE changing SET b = 7 WHERE k = 1");
            assertThat(rows(connection, "SELECT k, aa, b FROM changing ORDER BY k"))
                    .containsExactly(List.of(1, "x", 7), List.of(2, "y", 5));
            run(connection, "ALTER TABLE changing DROP COLUMN aa");
            assertThat(rows(connection, "SELECT * FROM changing ORDER BY k"))
                    .containsExactly(List.of(1, 7), List.of(2, 5));
            assertThatThrownBy(() -> run(connection, "SELECT aa FROM changing"))
                    .extracting("SQLState")
                    .isEqualTo("42703");
        }
    }

    @Test
    void errorsHaveTheSqlStatesOfPostgres() throws SQLException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE errors (k int4 PRIMARY KEY, s int2 NOT NULL)");
            assertState(connection, "SELECT * FROM nowhere", "42P01");
            assertState(connection, "SELEC 1", "42601");
            assertState(connection, "CREATE TABLE errors (k int4 PRIMARY KEY)", "42P07");
            assertState(connection, "INSERT INTO errors VALUES (1, 70000)", "22003");
            assertState(connection, "INSERT INTO errors VALUES (1, 'x')", "22P02");
            assertState(connection, "INSERT INTO errors VALUES (1, NULL)", "23502");
            assertState(connection, "INSERT INTO errors VALUES (1, 1) RETURNING k", "0A000");
            assertState(connection, "SELECT 1 / 0", "22012");
            assertState(connection, "SELECT $1", "42601");
            connection.setAutoCommit(false);
            assertState(connection, "SELECT * FROM nowhere", "42P01");
            assertState(connection, "SELECT 1", "25P02");
            connection.rollback();
            assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
        }
    }

    private static void assertState(Connection connection, String sql, String state) {
        assertThatThrownBy(() -> run(connection, sql))
                .as(sql)
                .isInstanceOf(SQLException.class)
                .extracting("SQLState")
                .isEqualTo(state);
    }

    @Test
    void usersNeedTheirPasswordAndReadersOnlyRead(@TempDir Path other) throws Exception {
        var users = new io.leeway.lazybase.internal.pg.Users(other.resolve("users"));
        users.put("writer", io.leeway.lazybase.internal.pg.Users.Role.WRITE, "correct horse", new byte[16]);
        users.put("reader", io.leeway.lazybase.internal.pg.Users.Role.READ, "battery staple", new byte[16]);
        try (LazyBaseServer guarded = start(other, Map.of())) {
            try (Connection connection = DriverManager.getConnection(guarded.jdbcUrl(), "writer", "correct horse")) {
                run(connection, "CREATE TABLE t (k int4 PRIMARY KEY)", "INSERT INTO t VALUES (1)");
            }
            try (Connection connection = DriverManager.getConnection(guarded.jdbcUrl(), "reader", "battery staple")) {
                assertThat(rows(connection, "SELECT * FROM t")).containsExactly(List.of(1));
                assertState(connection, "INSERT INTO t VALUES (2)", "42501");
                assertState(connection, "DROP TABLE t", "42501");
            }
            for (String user : List.of("writer", "nobody")) {
                assertThatThrownBy(() -> DriverManager.getConnection(guarded.jdbcUrl(), user, "wrong password"))
                        .extracting("SQLState")
                        .isEqualTo("28P01");
            }
        }
    }

    @Test
    void whatWasCommittedIsThereAfterARestart(@TempDir Path other) throws SQLException {
        try (LazyBaseServer first = start(other, Map.of());
                Connection connection = DriverManager.getConnection(first.jdbcUrl(), "me", "")) {
            run(
                    connection,
                    "CREATE TABLE t (k int4 PRIMARY KEY, v text)",
                    "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
        }
        try (LazyBaseServer second = start(other, Map.of());
                Connection connection = DriverManager.getConnection(second.jdbcUrl(), "me", "")) {
            assertThat(rows(connection, "SELECT * FROM t ORDER BY k"))
                    .containsExactly(List.of(1, "one"), List.of(2, "two"));
            assertThatThrownBy(() -> start(other, Map.of())).hasMessageContaining("LAZYBASE-1002");
        }
    }
}
