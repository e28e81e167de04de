package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.xa.PGXADataSource;

class PostgresDriverIT {

    private static CheckedServer server;

    private Connection connection;
    private Statement statement;

    @BeforeAll
    static void create() throws SQLException {
        server = new CheckedServer(
                TestDatabases.postgres(),
                "CREATE SCHEMA \"a,b\"",
                "CREATE TABLE posts (id BIGINT PRIMARY KEY, author BIGINT, tags TEXT[], text TEXT DEFAULT 'hidden default')",
                "INSERT INTO posts VALUES (10, 1, '{x,y}', 'one'), (11, 2, NULL, 'two')",
                "CREATE TABLE \"a,b\".posts (id BIGINT PRIMARY KEY, text TEXT)",
                "INSERT INTO \"a,b\".posts VALUES (1, 'elsewhere')",
                "CREATE FUNCTION all_posts() RETURNS refcursor LANGUAGE plpgsql AS"
                        + " 'DECLARE c refcursor; BEGIN OPEN c FOR SELECT id FROM posts; RETURN c; END'");
    }

    @AfterAll
    static void drop() throws SQLException {
        server.close();
    }

    @BeforeEach
    void connect() throws SQLException {
        connection = server.connect();
        statement = connection.createStatement();
        server.guard.clear();
        server.guard.recording(1);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void theGuardIsToldTheSearchPathAndTheReadingOfStrings() throws SQLException {
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "public");
        assertThat(server.state().settings()).contains("jdbc.parameters=off", "standard_conforming_strings=on");

        statement.execute("SET search_path = \"a,b\", missing, public");
        statement.execute("SET standard_conforming_strings = off");
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "a,b", "public");
        assertThat(server.state().settings()).contains("standard_conforming_strings=off");
    }

    @Test
    void aSettingThatARollbackTakesBackIsReadAnew() throws SQLException {
        connection.setAutoCommit(false);
        statement.execute("SET search_path = \"a,b\"");
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "a,b");

        connection.rollback();
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "public");

        statement.execute("SET LOCAL search_path = \"a,b\"");
        connection.commit();
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "public");

        connection.setSchema("a,b");
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly("pg_catalog", "a,b");
    }

    @Test
    void aSettingWithWhichNullEqualsNullIsRefused() throws SQLException {
        statement.execute("SET transform_null_equals = on");

        assertThatThrownBy(() -> statement.executeQuery("SELECT id FROM posts WHERE text = NULL"))
                .hasMessageContaining("PRIVOXY-1104")
                .hasMessageContaining("transform_null_equals");
    }

    @Test
    void aRefusalDoesNotAbortTheTransaction() throws SQLException {
        connection.setAutoCommit(false);
        read("SELECT id FROM posts");

        assertThatThrownBy(() -> statement.executeQuery("SELECT id AS forbidden FROM posts"))
                .isInstanceOf(PolicyViolationException.class);

        read("SELECT id FROM posts");
        connection.rollback();
    }

    @Test
    void openingAConnectionLeavesTheTransactionUnbegun() throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(true);

        assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        connection.rollback();
    }

    @Test
    void statementsOfArraysAndMetadataLeadBackHere() throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT tags FROM posts WHERE id = 10")) {
            rows.next();
            Array array = rows.getArray(1);
            assertThat((Object[]) array.getArray()).containsExactly("x", "y");
            assertCheckedStatement(array.getResultSet());
            assertCheckedStatement(array.getResultSet(1, 1));
            assertThat(rows.getObject(1)).isInstanceOf(CheckedArray.class);
        }
        assertCheckedStatement(
                connection.createArrayOf("text", new Object[] {"a"}).getResultSet());
        assertCheckedStatement(connection.getMetaData().getTables(null, "public", "posts", null));
        assertCheckedStatement(connection.getMetaData().getIndexInfo(null, "public", "posts", false, false));
    }

    @Test
    void anArrayOfTheConnectionIsBoundAndShown() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT id FROM posts WHERE id = ANY (?)")) {
            prepared.setArray(1, connection.createArrayOf("bigint", new Object[] {10L, 11L}));
            assertThat(count(prepared.executeQuery())).isEqualTo(2);
            assertThat((Object[]) server.guard.parameters.get(0)).containsExactly(10L, 11L);

            prepared.setObject(1, new long[] {11});
            assertThat(count(prepared.executeQuery())).isEqualTo(1);
            assertThat((Object[]) server.guard.parameters.get(0)).containsExactly(11L);
        }
    }

    @Test
    void largeObjectsAreNoWayAround() throws SQLException {
        connection.setAutoCommit(false);
        try (ResultSet rows = statement.executeQuery("SELECT 4711 AS locator")) {
            rows.next();
            assertThatThrownBy(() -> rows.getBlob(1)).isInstanceOf(UnsupportedQueryException.class);
            assertThatThrownBy(() -> rows.getClob("locator")).isInstanceOf(UnsupportedQueryException.class);
            assertThatThrownBy(() -> rows.getObject(1, Blob.class)).isInstanceOf(UnsupportedQueryException.class);
        }
        connection.rollback();
    }

    @Test
    void aCursorThatAFunctionOpenedIsNoWayAround() throws SQLException {
        connection.setAutoCommit(false);
        server.guard.recording();
        try (ResultSet rows = statement.executeQuery("SELECT all_posts()")) {
            rows.next();
            assertThatThrownBy(() -> rows.getObject(1)).isInstanceOf(UnsupportedQueryException.class);
        }
        connection.rollback();
    }

    @Test
    void generatedKeysAreDecidedOnAsWhatTheDriverReallySends() throws SQLException {
        statement.executeUpdate("INSERT INTO posts (id) VALUES (20);", Statement.RETURN_GENERATED_KEYS);
        try (ResultSet keys = statement.getGeneratedKeys()) {
            assertThat(keys.getMetaData().getColumnCount()).isEqualTo(4);
        }
        statement.executeUpdate("UPDATE posts SET author = 3 WHERE id = 20", new String[] {"text"});
        try (ResultSet keys = statement.getGeneratedKeys()) {
            keys.next();
            assertThat(keys.getString(1)).isEqualTo("hidden default");
        }
        statement.executeUpdate("DELETE FROM posts WHERE id = 20");

        assertThat(server.guard.checked)
                .containsExactly(
                        "INSERT INTO posts (id) VALUES (20)\nRETURNING *",
                        "UPDATE posts SET author = 3 WHERE id = 20\nRETURNING \"text\"",
                        "DELETE FROM posts WHERE id = 20");
    }

    @Test
    void aChangedRowIsDecidedOnWithItsOwnSchema() throws SQLException {
        try (Statement updatable =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = updatable.executeQuery("SELECT id, text FROM \"a,b\".posts")) {
            rows.next();
            rows.updateString("text", "changed");
            rows.updateRow();
            rows.refreshRow();
        }

        assertThat(server.guard.checked)
                .contains(
                        "UPDATE \"a,b\".\"posts\" SET \"text\" = ? WHERE \"id\" = ?",
                        "SELECT \"id\", \"text\" FROM \"a,b\".\"posts\" WHERE \"id\" = ?");
        assertThat(server.guard.parameters.get(0)).isEqualTo(1L);
    }

    @Test
    void rowsOfAStreamedResultAreToldOneByOne() throws SQLException {
        connection.setAutoCommit(false);
        statement.setFetchSize(1);
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1));
                ResultSet rows = statement.executeQuery("SELECT id FROM posts WHERE id < 12 ORDER BY id")) {
            assertThat(request.isOpen()).isTrue();
            rows.next();
            assertThat(server.guard.recorded).containsExactly(10L);
            rows.next();
            rows.next();
            assertThat(server.guard.recorded).containsExactly(10L, 11L);
            assertThat(server.guard.exhausted).hasSize(1);
        }
        connection.rollback();
    }

    @Test
    void copyAndListenNeedTheRealConnectionWhichIsGivenOnlyIfAllowed() throws SQLException {
        assertThat(connection.isWrapperFor(PGConnection.class)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(PGConnection.class)).isInstanceOf(PolicyViolationException.class);
        try (Connection allowed = server.connect("privoxyUnwrap", "org.postgresql.PGConnection")) {
            assertThat(allowed.unwrap(PGConnection.class).getBackendPID()).isPositive();
        }
    }

    @Test
    void aBranchOfADistributedTransactionIsChecked() throws Exception {
        var real = new PGXADataSource();
        real.setUrl(server.database.jdbcUrl());
        real.setUser(server.database.user());
        real.setPassword(server.database.password());
        var options = new Properties();
        options.setProperty("privoxyPolicy", "policy.sql");
        XAConnection xa = new CheckedSource(server.targets, options).check(real.getXAConnection(), "");
        XAResource resource = xa.getXAResource();
        var branch = new PooledConnectionTest.Branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection();
                Statement query = handle.createStatement()) {
            assertThatThrownBy(() -> query.executeQuery("SELECT id AS forbidden FROM posts"))
                    .isInstanceOf(PolicyViolationException.class);
            assertThat(count(query.executeQuery("SELECT id FROM posts WHERE id IN (10, 11)")))
                    .isEqualTo(2);
        }
        resource.end(branch, XAResource.TMSUCCESS);
        resource.commit(branch, true);
        xa.close();
    }

    private void assertCheckedStatement(ResultSet rows) throws SQLException {
        try (rows) {
            assertThat(rows.getStatement()).isInstanceOf(CheckedStatement.class);
            assertThat(rows.getStatement().getConnection()).isSameAs(connection);
        }
    }

    private void read(String sql) throws SQLException {
        count(statement.executeQuery(sql));
    }

    private static int count(ResultSet rows) throws SQLException {
        try (rows) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }
}
