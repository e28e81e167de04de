package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.JdbcRowSet;
import javax.sql.rowset.RowSetProvider;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ways around the check that were found open in other products, and those that JDBC offers; each test is one way. */
class NoWayAroundTest {

    private static final String HIDDEN = "SELECT id AS forbidden FROM posts WHERE id = 12";

    private CheckedH2 database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void executeQueryWithText() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery(HIDDEN)).isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void prepareStatementWithGeneratedKeysOrTypes() throws SQLException {
        try (PreparedStatement keys = connection.prepareStatement(HIDDEN, Statement.RETURN_GENERATED_KEYS);
                PreparedStatement types =
                        connection.prepareStatement(HIDDEN, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
                PreparedStatement call = connection.prepareCall(HIDDEN)) {
            assertThatThrownBy(keys::executeQuery).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(types::executeQuery).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(call::executeQuery).isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void unwrapOfTheConnection() throws SQLException {
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        assertThat(connection.isWrapperFor(Connection.class)).isTrue();
        assertThat(connection.isWrapperFor(JdbcConnection.class)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(JdbcConnection.class))
                .isInstanceOf(PolicyViolationException.class)
                .hasMessageContaining("PRIVOXY-1204")
                .hasMessageContaining("org.h2.jdbc.JdbcConnection")
                .hasMessageContaining("privoxyUnwrap");
    }

    @Test
    void unwrapOfEverythingElse() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people");
                ResultSet rows = prepared.executeQuery()) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(prepared.unwrap(PreparedStatement.class)).isSameAs(prepared);
            assertThat(rows.unwrap(ResultSet.class)).isSameAs(rows);
            assertThat(metaData.unwrap(DatabaseMetaData.class)).isSameAs(metaData);
            Class<?> real = org.h2.jdbc.JdbcStatement.class;
            assertThat(prepared.isWrapperFor(real)).isFalse();
            assertThatThrownBy(() -> prepared.unwrap(real)).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(() -> rows.unwrap(org.h2.jdbc.JdbcResultSet.class))
                    .isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(() -> metaData.unwrap(org.h2.jdbc.JdbcDatabaseMetaData.class))
                    .isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void unwrapMayBeAllowedTypeByType() throws SQLException {
        try (Connection allowed = database.connect(";privoxyUnwrap=org.h2.jdbc.JdbcConnection")) {
            assertThat(allowed.isWrapperFor(JdbcConnection.class)).isTrue();
            assertThat(allowed.unwrap(JdbcConnection.class)).isInstanceOf(JdbcConnection.class);
            assertThatThrownBy(() -> allowed.unwrap(org.h2.jdbc.JdbcStatement.class))
                    .isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void backReferences() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people");
                ResultSet rows = prepared.executeQuery();
                Statement statement = connection.createStatement()) {
            assertThat(prepared.getConnection()).isSameAs(connection);
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(rows.getStatement()).isSameAs(prepared);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            statement.executeUpdate("INSERT INTO people (id) VALUES (7)", Statement.RETURN_GENERATED_KEYS);
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertThat(keys.getStatement()).isSameAs(statement);
            }
        }
    }

    @Test
    void statementsOfMetadataAndArrays() throws SQLException {
        try (ResultSet tables = connection.getMetaData().getTables(null, null, "%", null)) {
            assertThat(tables.getStatement())
                    .satisfiesAnyOf(
                            none -> assertThat(none).isNull(),
                            own -> assertThat(own).isInstanceOf(CheckedStatement.class));
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ARRAY[1, 2] FROM people")) {
            rows.next();
            assertThat(rows.getArray(1)).isInstanceOf(CheckedArray.class);
            assertThat(rows.getObject(1)).isInstanceOf(CheckedArray.class);
            assertThat(rows.getObject(1, java.sql.Array.class)).isInstanceOf(CheckedArray.class);
            assertThat(rows.getArray(1).getResultSet()).isInstanceOf(CheckedResultSet.class);
        }
    }

    @Test
    void theUrlOfTheMetadataLeadsBackHere() throws SQLException {
        assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:privoxy:h2:mem:" + database.name);
        assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("H2");
    }

    @Test
    void statisticsOfIndexes() throws SQLException {
        try (ResultSet index = connection.getMetaData().getIndexInfo(null, null, "PEOPLE", false, false)) {
            assertThat(index.next()).isTrue();
            assertThat(index.getLong("CARDINALITY")).isZero();
            assertThat(index.getInt(11)).isZero();
            assertThat(index.getObject("pages")).isEqualTo(0L);
            assertThat(index.getObject(12, Integer.class)).isZero();
            assertThat(index.getString("TABLE_NAME")).isEqualTo("PEOPLE");
            assertThat(index.getBoolean("NON_UNIQUE")).isFalse();
        }
    }

    @Test
    void aCursorAsAValue() throws SQLException {
        ResultSet raw = database.plain().createStatement().executeQuery("SELECT id FROM posts");
        assertThatThrownBy(() -> CellValues.leadingBack((CheckedConnection) connection, raw))
                .hasMessageContaining("PRIVOXY-1302");
        assertThat(raw.isClosed()).isTrue();
    }

    @Test
    void aJdbcRowSetOverTheConnection() throws SQLException {
        try (JdbcRowSet rows = RowSetProvider.newFactory().createJdbcRowSet()) {
            rows.setUrl("jdbc:privoxy:h2:mem:" + database.name);
            assertThatThrownBy(() -> {
                        rows.setCommand(HIDDEN);
                        rows.execute();
                    })
                    .as("without a policy it does not even connect")
                    .hasStackTraceContaining("PRIVOXY-1001");
        }
    }

    @Test
    void aCachedRowSetOverTheConnection() throws SQLException {
        try (CachedRowSet rows = RowSetProvider.newFactory().createCachedRowSet()) {
            rows.setCommand(HIDDEN);
            assertThatThrownBy(() -> rows.execute(connection)).isInstanceOf(PolicyViolationException.class);
            rows.setCommand("SELECT id, name FROM people ORDER BY id");
            rows.execute(connection);
            assertThat(rows.size()).isEqualTo(3);
        }
        assertThat(database.guard.checked).containsExactly(HIDDEN, "SELECT id, name FROM people ORDER BY id");
    }

    @Test
    void aTextThatIsPermittedForOneRequestOnly() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people")) {
            prepared.executeQuery().close();
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
                assertThat(request.isOpen()).isTrue();
                prepared.executeQuery().close();
            }
        }
        assertThat(database.guard.checked).hasSize(2);
        assertThat(database.guard.requests.get(0).hasContext()).isFalse();
        assertThat(database.guard.requests.get(1).hasContext()).isTrue();
    }
}
