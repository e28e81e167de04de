package io.leeway.lazybase.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.LazyBaseServer;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.testkit.LogCapture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By the JDBC driver for Flight SQL. */
class FlightJdbcTest {

    private static final String PASSWORD = "changeit";

    private static LogCapture log;

    @TempDir
    Path directory;

    /** The driver logs what it throws. */
    @BeforeAll
    static void keepTheLogFromTheConsole() {
        log = LogCapture.of("org.apache.arrow");
    }

    @AfterAll
    static void giveTheLogBack() {
        log.close();
    }

    private static Connection connect(LazyBaseServer server, String... properties) throws SQLException {
        var given = new Properties();
        given.setProperty("useEncryption", "false");
        for (int i = 0; i < properties.length; i += 2) {
            given.setProperty(properties[i], properties[i + 1]);
        }
        String authority = server.flightUri().substring("grpc+tcp://".length());
        return DriverManager.getConnection("jdbc:arrow-flight-sql://" + authority, given);
    }

    private static List<String> column(ResultSet result, int column) throws SQLException {
        var values = new ArrayList<String>();
        while (result.next()) {
            values.add(result.getString(column));
        }
        return values;
    }

    @Test
    void statementsBatchesAndMetadataWorkAsWithAnyDriver() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k bigint PRIMARY KEY, said text, n int, at timestamp)");
            assertThat(statement.executeUpdate("INSERT INTO t VALUES (0, 'zero', 0, '2026-01-31 10:00:00')"))
                    .isEqualTo(1);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t (k, said, n) VALUES (?, ?, ?)")) {
                for (int i = 1; i <= 100; i++) {
                    insert.setLong(1, i);
                    insert.setString(2, "row " + i);
                    insert.setInt(3, i % 7);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            try (PreparedStatement select = connection.prepareStatement("SELECT said, n FROM t WHERE k = ?")) {
                for (int i : new int[] {7, 100}) {
                    select.setLong(1, i);
                    try (ResultSet row = select.executeQuery()) {
                        assertThat(row.next()).isTrue();
                        assertThat(row.getString("said")).isEqualTo("row " + i);
                        assertThat(row.getInt("n")).isEqualTo(i % 7);
                        assertThat(row.next()).isFalse();
                    }
                }
            }
            try (ResultSet row = statement.executeQuery("SELECT count(*), max(at) FROM t")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(101);
                assertThat(row.getString(2)).startsWith("2026-01-31 10:00:00");
            }
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "%", null)) {
                assertThat(column(tables, 3)).containsExactly("t");
            }
            try (ResultSet columns = connection.getMetaData().getColumns(null, null, "t", "%")) {
                assertThat(column(columns, 4)).containsExactly("k", "said", "n", "at");
            }
            try (ResultSet keys = connection.getMetaData().getPrimaryKeys(null, null, "t")) {
                assertThat(column(keys, 4)).containsExactly("k");
            }
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("LazyBase");
            assertThatThrownBy(() -> statement.executeQuery("SELEC 1")).hasMessageContaining("LAZYBASE-1101");
        }
    }

    @Test
    void freshnessIsAPropertyOfTheConnection() throws Exception {
        try (LazyBaseServer server = TestServer.start(directory, Map.of());
                Connection connection = connect(server, "lazybase.freshness", "5 s");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW lazybase.freshness")) {
            assertThat(column(row, 1)).containsExactly("5 s");
        }
    }

    @Test
    void encryptedConnectionsWithAPasswordAreLetIn() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        new Users(directory.resolve("data/users")).put("anna", Users.Role.WRITE, "secret", new byte[16]);
        Path trusted = certificate();
        Map<String, String> tls = Map.of(
                "lazybase.tls.certificate", directory.resolve("server.crt").toString(),
                "lazybase.tls.key", directory.resolve("server.key").toString());
        try (LazyBaseServer server = TestServer.start(directory, tls)) {
            String[] right = {
                "useEncryption",
                "true",
                "useSystemTrustStore",
                "false",
                "trustStore",
                trusted.toString(),
                "trustStorePassword",
                PASSWORD,
                "user",
                "anna",
                "password",
                "secret"
            };
            try (Connection connection = connect(server, right);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT 1 + 1")) {
                assertThat(column(row, 1)).containsExactly("2");
            }
            right[11] = "wrong";
            assertThatThrownBy(() -> connect(server, right)).isInstanceOf(SQLException.class);
            // Without a user the driver does not connect before the first statement.
            try (Connection plain = connect(server);
                    Statement statement = plain.createStatement()) {
                assertThatThrownBy(() -> statement.executeQuery("SELECT 1")).isInstanceOf(SQLException.class);
            }
        }
    }

    /** A certificate for the loopback address and its key in PEM; returns a store that trusts it. */
    private Path certificate() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "3650",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.txt").toFile())
                .start();
        assertThat(keytool.waitFor(120, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem("server.crt", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        pem(
                "server.key",
                "PRIVATE KEY",
                keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", keys.getCertificate("server"));
        Path trusted = directory.resolve("trusted.p12");
        try (var out = Files.newOutputStream(trusted)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return trusted;
    }

    private void pem(String name, String kind, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                directory.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
