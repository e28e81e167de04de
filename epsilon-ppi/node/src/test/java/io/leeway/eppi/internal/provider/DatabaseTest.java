package io.leeway.eppi.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DatabaseTest {

    private static final byte[] KEY = new byte[32];

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    private static Database database(String url, String rows) {
        return new Database(
                Settings.of(Map.of(
                        "eppi.database.url", url,
                        "eppi.database.members", "SELECT ssn FROM visits",
                        "eppi.database.records", "SELECT reason FROM visits WHERE ssn = ? ORDER BY reason",
                        "eppi.database.timeout", "1s",
                        "eppi.access.rows", rows)),
                KEY);
    }

    private Connection filled(String... identities) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE visits (ssn VARCHAR(40), reason VARCHAR(40))");
            for (String each : identities) {
                statement.execute("INSERT INTO visits VALUES (" + each + ", 'of ' || COALESCE(" + each + ", ''))");
            }
        }
        return connection;
    }

    @Test
    void recordsUnderEverySpellingOfAPersonAreFound() throws SQLException {
        try (Connection open = filled("'12-34'", "'1234'", "'1234'", "'56'");
                Database database = database(url, "1000")) {
            Map<Token, List<String>> members = database.members();
            assertThat(members).hasSize(2);
            List<String> spellings = members.get(Token.of("12 34", KEY));
            assertThat(spellings).containsExactlyInAnyOrder("12-34", "1234");
            assertThat(database.records(spellings).rows())
                    .containsExactlyInAnyOrder(List.of("of 12-34"), List.of("of 1234"), List.of("of 1234"));
        }
        try (Connection open = filled("'12-34'", "'1234'", "'1234'");
                Database database = database(url, "2")) {
            assertThat(database.records(List.of("12-34", "1234")).rows()).hasSize(2);
        }
    }

    @Test
    void rowsThatAreNobodysAreLeftOut() throws SQLException {
        try (Connection open = filled("NULL", "''", "' - '", "'56'");
                Database database = database(url, "1000")) {
            assertThat(database.members()).containsOnlyKeys(Token.of("56", KEY));
        }
    }

    @Test
    void aDatabaseThatTakesConnectionsAndNeverAnswersIsGivenUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Database database = database("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x", "10")) {
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(database::members)
                    .withMessageContaining("did not answer in time")
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.DATABASE));
        }
    }
}
