package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.guard.SessionState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionStatesTest {

    private CheckedH2 database;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        database.run("CREATE SCHEMA other");
        database.run("CREATE SCHEMA \"a,\"\"b\"");
        connection = database.connect();
        statement = connection.createStatement();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void theGuardIsToldWhereNamesAreLookedUp() throws SQLException {
        assertThat(state().searchPath()).containsExactly("PUBLIC");
        assertThat(state().settings()).contains("mode=REGULAR");

        statement.execute("SET SCHEMA_SEARCH_PATH \"a,\"\"b\", PUBLIC, OTHER");
        assertThat(state().searchPath()).containsExactly("PUBLIC", "a,\"b", "OTHER");

        statement.execute("SET SCHEMA OTHER");
        assertThat(state().searchPath()).containsExactly("OTHER", "a,\"b", "PUBLIC");
    }

    @Test
    void settingTheSchemaByMethodIsNoticed() throws SQLException {
        connection.setSchema("OTHER");

        assertThat(state().searchPath()).containsExactly("OTHER");
    }

    @Test
    void aPreparedStatementEndsWithTheStateUnderWhichTheDriverPreparedIt() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people")) {
            prepared.executeQuery().close();
            prepared.executeQuery().close();
            assertThat(database.guard.prepared).hasSize(1);

            statement.execute("SET SCHEMA_SEARCH_PATH OTHER");
            assertThatThrownBy(prepared::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("prepare it again");
        }
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people")) {
            prepared.executeQuery().close();
        }

        assertThat(database.guard.prepared)
                .filteredOn("SELECT id FROM people"::equals)
                .hasSize(2);
        assertThat(lastState().searchPath()).containsExactly("PUBLIC", "OTHER");
    }

    @Test
    void aCommandThatChangesNothingKeepsWhatWasRead() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people")) {
            statement.execute("SET @x = 5");
            prepared.executeQuery().close();
        }

        assertThat(database.guard.prepared)
                .filteredOn("SELECT id FROM people"::equals)
                .hasSize(1);
    }

    @Test
    void preparedAndPlainTextAndTextWithoutEscapesAreToldApart() throws SQLException {
        assertThat(state().settings()).containsExactly("jdbc.parameters=off", "mode=REGULAR");
        statement.setEscapeProcessing(false);
        assertThat(state().settings()).containsExactly("jdbc.escapes=off", "jdbc.parameters=off", "mode=REGULAR");
        connection.prepareStatement("SELECT id FROM people").close();
        assertThat(lastState().settings()).containsExactly("mode=REGULAR");
    }

    @Test
    void equalStatesOfDifferentConnectionsAreEqual() throws SQLException {
        SessionState mine = state();
        try (Connection other = database.connect();
                Statement query = other.createStatement()) {
            query.executeQuery("SELECT id FROM people").close();
        }

        assertThat(lastState()).isEqualTo(mine).isNotSameAs(mine);
    }

    @Test
    void openingAConnectionLeavesNoTransactionBehind() throws SQLException {
        try (Connection raw = database.plain()) {
            raw.setAutoCommit(false);
            var source = new CheckedSource(new Targets(database.guard), properties());
            Connection checked = source.check(raw, "");
            checked.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

            assertThat(checked.getAutoCommit()).isFalse();
        }
    }

    private static Properties properties() {
        var properties = new Properties();
        properties.setProperty("privoxyPolicy", "p");
        return properties;
    }

    private SessionState state() throws SQLException {
        statement.executeQuery("SELECT id FROM PUBLIC.people").close();
        return lastState();
    }

    private SessionState lastState() {
        List<SessionState> sessions = database.guard.sessions;
        return sessions.get(sessions.size() - 1);
    }
}
