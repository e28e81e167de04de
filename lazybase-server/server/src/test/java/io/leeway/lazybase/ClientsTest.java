package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
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
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What clients do beside plain statements: pools, encryption, cancelling, binary COPY. */
class ClientsTest {

    private static final int CANCEL = 80877102;

    @TempDir
    static Path directory;

    private static LazyBaseServer server;

    @BeforeAll
    static void start() throws Exception {
        TlsFiles.make(directory);
        server = LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.resolve("data").toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.tls.certificate", directory.resolve("server.crt").toString(),
                "lazybase.tls.key", directory.resolve("server.key").toString())));
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE tweets (id int8 PRIMARY KEY, author int4 NOT NULL, said varchar(140), cost numeric(10,2))",
                    "CREATE INDEX tweets_by_author ON tweets (author)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Connection connect(String... settings) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "me");
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty(settings[i], settings[i + 1]);
        }
        return DriverManager.getConnection(server.jdbcUrl(), properties);
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    @Test
    void aPoolLendsConnectionsAndChecksThem() throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername("me");
        config.setMaximumPoolSize(2);
        config.setConnectionInitSql("SET lazybase.freshness = 'any'");
        try (var pool = new HikariDataSource(config)) {
            for (int i = 0; i < 5; i++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.isValid(60)).isTrue();
                    connection.setAutoCommit(false);
                    connection.setReadOnly(true);
                    assertThat(number(connection, "SELECT " + i)).isEqualTo(i);
                }
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.isReadOnly()).isFalse();
            }
        }
    }

    @Test
    void encryptedConnectionsAreChecked() throws SQLException {
        try (Connection connection = connect(
                        "sslmode",
                        "verify-full",
                        "sslrootcert",
                        directory.resolve("server.crt").toString());
                Connection plain = connect("sslmode", "disable")) {
            assertThat(number(connection, "SELECT 7")).isEqualTo(7);
            assertThat(number(plain, "SELECT 8")).isEqualTo(8);
        }
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongQueryIsCancelledAndTheConnectionGoesOn() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            run(connection, "CREATE TABLE many (k int4 PRIMARY KEY)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO many VALUES (?)")) {
                for (int i = 0; i < 20_000; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            String endless = "SELECT count(*) FROM many a, many b, many c WHERE a.k + b.k + c.k = -1";
            var query = CompletableFuture.runAsync(() -> {
                try {
                    statement.executeQuery(endless).close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e.getSQLState(), e);
                }
            });
            // A request that comes before the query runs has no effect, as with PostgreSQL, so it is repeated.
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                connection.unwrap(BaseConnection.class).cancelQuery();
                return query.isDone();
            });
            assertThat(query).isCompletedExceptionally();
            assertThatThrownBy(query::join)
                    .hasRootCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("57014");
            assertThat(number(connection, "SELECT count(*) FROM many")).isEqualTo(20_000);
        }
    }

    @Test
    void aWrongSecretCancelsNothingAndIsHungUpOn() throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(60_000);
            var out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(16);
            out.writeInt(CANCEL);
            out.writeInt(1);
            out.writeInt(0);
            out.flush();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void theServerEndsAConnectionThatSaysGoodbyeOrBreaksTheProtocol() throws IOException {
        for (byte[] message : List.of(new byte[] {'X', 0, 0, 0, 4}, new byte[] {'!', 0, 0, 0, 4})) {
            try (Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                socket.setSoTimeout(60_000);
                var out = new DataOutputStream(socket.getOutputStream());
                byte[] start = "user\0me\0\0".getBytes(StandardCharsets.US_ASCII);
                out.writeInt(8 + start.length);
                out.writeInt(3 << 16);
                out.write(start);
                out.write(message);
                out.flush();
                var in = new DataInputStream(socket.getInputStream());
                assertThat(in.readAllBytes()).startsWith((byte) 'R');
            }
        }
    }

    @Test
    void binaryCopiesComeBackAsTheyWentIn() throws SQLException, IOException {
        try (Connection connection = connect()) {
            run(
                    connection,
                    "CREATE TABLE boxes (k int8 PRIMARY KEY, b bool, d float8, n numeric(12,3), t text, y bytea, u uuid,"
                            + " da date, ts timestamp)",
                    "CREATE TABLE boxes_again (k int8 PRIMARY KEY, b bool, d float8, n numeric(12,3), t text, y bytea,"
                            + " u uuid, da date, ts timestamp)",
                    "INSERT INTO boxes VALUES (1, true, 1.5, -12345.678, 'grüße', '\\x00ff',"
                            + " '00112233-4455-6677-8899-aabbccddeeff', '1999-12-31', '2024-02-29 12:00:00.125'),"
                            + " (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
            var copies = new CopyManager((BaseConnection) connection);
            var out = new ByteArrayOutputStream();
            copies.copyOut("COPY boxes TO STDOUT WITH (FORMAT binary)", out);
            byte[] bytes = out.toByteArray();
            assertThat(bytes).startsWith("PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(copies.copyIn(
                            "COPY boxes_again FROM STDIN WITH (FORMAT binary)", new ByteArrayInputStream(bytes), 7))
                    .isEqualTo(2);
            var again = new ByteArrayOutputStream();
            copies.copyOut("COPY boxes_again TO STDOUT WITH (FORMAT binary)", again);
            assertThat(again.toByteArray()).isEqualTo(bytes);

            byte[] torn = java.util.Arrays.copyOf(bytes, bytes.length - 9);
            assertThatThrownBy(() -> copies.copyIn(
                            "COPY boxes_again FROM STDIN WITH (FORMAT binary)", new ByteArrayInputStream(torn)))
                    .isInstanceOf(SQLException.class);
            assertThat(number(connection, "SELECT count(*) FROM boxes_again")).isEqualTo(2);
        }
    }

    @Test
    void theFreshestAnswerThatFitsIntoATimeIsRead() throws SQLException {
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE budgets (k int4 PRIMARY KEY)", "INSERT INTO budgets VALUES (1)");
            PGConnection pg = connection.unwrap(PGConnection.class);
            run(connection, "SET lazybase.monotonic = off");
            // Nothing is predicted to take an hour, and nothing to take no time.
            assertThat(number(connection, "SELECT /*+ freshness('freshest within 1 h') */ count(*) FROM budgets"))
                    .isEqualTo(1);
            assertThat(number(connection, "SELECT /*+ freshness('freshest within 0 ms') */ count(*) FROM budgets"))
                    .isBetween(0L, 1L);
            assertThat(pg.getParameterStatus("lazybase.stages")).isEqualTo("authority");
            run(connection, "INSERT INTO budgets VALUES (2)");
            String token = pg.getParameterStatus("lazybase.commit_token");
            assertThat(number(
                            connection,
                            "SELECT /*+ freshness('freshest within 0 ms'), at_least('" + token
                                    + "') */ count(*) FROM budgets"))
                    .isEqualTo(2);
        }
    }
}
