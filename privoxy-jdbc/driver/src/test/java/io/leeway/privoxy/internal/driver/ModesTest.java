package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.LogCapture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModesTest {

    private CheckedH2 database;

    @BeforeEach
    void create() throws SQLException {
        database = new CheckedH2();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void enforceRefuses() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery("SELECT id AS forbidden FROM people"))
                    .isInstanceOf(SQLException.class)
                    .satisfies(refusal -> {
                        assertThat(((SQLException) refusal).getSQLState()).isEqualTo("42501");
                        assertThat(((SQLException) refusal).getErrorCode()).isEqualTo(1201);
                    });
        }
    }

    @Test
    void auditLetsPassWhatTheGuardCannotTakeInAndLogsItOnceWithoutData() throws SQLException {
        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                Connection connection = database.connect(";privoxyMode=audit");
                Statement statement = connection.createStatement()) {
            assertThat(rows(statement.executeQuery("SELECT id, 'BREAK', 4711 FROM people")))
                    .isEqualTo(3);
            assertThat(rows(statement.executeQuery("SELECT id, 'BREAK', 4711 FROM people")))
                    .isEqualTo(3);

            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("PRIVOXY-1501");
            assertThat(log.text()).doesNotContain("4711");
        }
    }

    @Test
    void auditRefusesWhatTheGuardRefusesBecauseItKnowsTheModesOfTheTables() throws SQLException {
        try (Connection connection = database.connect(";privoxyMode=audit;privoxyTables=people:enforce");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery("SELECT id AS forbidden FROM people"))
                    .hasMessageContaining("PRIVOXY-1201");
        }
    }

    @Test
    void auditSendsEvenWhatIsNotUnderstoodAndForgetsEverythingThen() throws SQLException {
        try (Connection connection = database.connect(";privoxyMode=audit");
                Statement statement = connection.createStatement();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            assertThat(request.isOpen()).isTrue();
            assertThat(rows(statement.executeQuery("SELECT id FROM people"))).isEqualTo(3);
            assertThat(database.guard.request().trace().entries()).hasSize(1);

            // H2 takes the word for an alias.
            assertThat(rows(statement.executeQuery("SELECT id FROM people TABLESAMPLE")))
                    .isEqualTo(3);

            assertThat(database.guard.request().trace().entries()).isEmpty();
        }
    }

    @Test
    void offDecidesNothingButKeepsContextCommandsBack() throws SQLException {
        String url = "jdbc:privoxy:h2:mem:" + database.name + ";privoxyMode=off";
        try (Connection connection = database.connections.open(url, new Properties());
                Statement statement = connection.createStatement()) {
            assertThat(rows(statement.executeQuery("SELECT id AS forbidden FROM people")))
                    .isEqualTo(3);
            assertThat(statement.execute(" set Privoxy.MyUId = 2")).isFalse();
            assertThat(statement.execute("RESET privoxy")).isFalse();
            statement.execute("SET @privoxy = 5");
            connection.setClientInfo("privoxy.MyUId", "2");
            assertThat(connection.isWrapperFor(org.h2.jdbc.JdbcConnection.class))
                    .isTrue();
            assertThat(connection.unwrap(org.h2.jdbc.JdbcConnection.class)).isNotNull();
        }
        assertThat(database.guard.opened).isEmpty();
        assertThat(database.guard.prepared).isEmpty();
    }

    @Test
    void oneGuardServesAllConnectionsWithTheSameOptions() throws SQLException {
        database.connect().close();
        database.connect().close();
        database.connect(";privoxyMode=audit").close();
        database.connect(";privoxyEffort=200").close();

        assertThat(database.guard.opened).hasSize(3);
    }

    @Test
    void aGuardThatCannotBeOpenedClosesTheRealConnectionAndIsTriedAgain() throws SQLException {
        var calls = new int[1];
        var targets = new Targets((config, metadata, dialect) -> {
            if (calls[0]++ == 0) {
                throw new IllegalStateException("secret");
            }
            return database.guard;
        });
        var connections = new Connections(targets);

        assertThatThrownBy(() -> connections.open(database.url(), new Properties()))
                .hasMessageContaining("PRIVOXY-1501")
                .hasMessageNotContaining("secret");
        try (Connection connection = connections.open(database.url(), new Properties())) {
            assertThat(connection.isValid(1)).isTrue();
        }
        assertThat(sessions()).as("this one's and the keeper's").isEqualTo(2);
    }

    private int sessions() throws SQLException {
        try (Connection plain = database.plain();
                Statement statement = plain.createStatement()) {
            return rows(statement.executeQuery("SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS"));
        }
    }

    private static int rows(ResultSet rows) throws SQLException {
        try (rows) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }
}
