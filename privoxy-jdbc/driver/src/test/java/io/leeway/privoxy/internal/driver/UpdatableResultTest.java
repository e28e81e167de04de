package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.Parameters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UpdatableResultTest {

    private CheckedH2 database;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
        statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void aChangedRowIsDecidedOnAsAnUpdateByKey() throws SQLException {
        try (ResultSet rows = posts()) {
            rows.next();
            rows.updateString("text", "changed");
            rows.updateLong(2, 3);
            rows.updateRow();
        }

        assertThat(database.guard.checked)
                .contains("UPDATE \"PUBLIC\".\"POSTS\" SET \"AUTHOR\" = ?, \"TEXT\" = ? WHERE \"ID\" = ?");
        assertThat(database.guard.parameters.subList(0, 3)).containsExactly(3L, "changed", 10L);
        assertThat(text(10)).isEqualTo("changed");
    }

    @Test
    void anInsertedRowIsDecidedOnAsAnInsert() throws SQLException {
        try (ResultSet rows = posts()) {
            rows.next();
            rows.moveToInsertRow();
            rows.updateObject("id", 20L);
            rows.updateNull("text");
            rows.insertRow();
        }

        assertThat(database.guard.checked)
                .contains("INSERT INTO \"PUBLIC\".\"POSTS\" (\"ID\", \"TEXT\") VALUES (?, ?)");
        assertThat(database.guard.parameters.subList(0, 3)).containsExactly(20L, null, Parameters.UNKNOWN);
    }

    @Test
    void aDeletedRowIsDecidedOnAsADelete() throws SQLException {
        try (ResultSet rows = posts()) {
            rows.last();
            rows.deleteRow();
        }

        assertThat(database.guard.checked).contains("DELETE FROM \"PUBLIC\".\"POSTS\" WHERE \"ID\" = ?");
        assertThat(database.guard.parameters.get(0)).isEqualTo(12L);
    }

    @Test
    void aRefreshedRowIsDecidedOnAsAQuery() throws SQLException {
        try (ResultSet rows = posts()) {
            rows.next();
            rows.refreshRow();
        }

        assertThat(database.guard.checked)
                .contains("SELECT \"ID\", \"AUTHOR\", \"TEXT\" FROM \"PUBLIC\".\"POSTS\" WHERE \"ID\" = ?");
    }

    @Test
    void aRefusedChangeIsNotMade() throws SQLException {
        database.run("CREATE TABLE forbidden (id BIGINT PRIMARY KEY, text VARCHAR(20))");
        database.run("INSERT INTO forbidden VALUES (1, 'old')");
        try (ResultSet rows = statement.executeQuery("SELECT id, text FROM FORBIDDEN")) {
            rows.next();
            rows.updateString(2, "new");
            database.guard.clear();
            database.guard.refuse("\"FORBIDDEN\"");
            assertThatThrownBy(rows::updateRow).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(rows::deleteRow).isInstanceOf(PolicyViolationException.class);
            assertThatThrownBy(rows::refreshRow).isInstanceOf(PolicyViolationException.class);
        }
    }

    @Test
    void aKeyThatWasChangedIsNotKnown() throws SQLException {
        try (ResultSet rows = posts()) {
            rows.next();
            rows.updateLong("id", 77);
            rows.updateRow();
        }

        assertThat(database.guard.parameters.subList(0, 2)).containsExactly(77L, Parameters.UNKNOWN);
    }

    @Test
    void withoutTableOrKeyTheChangeIsRefused() throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT author, text FROM posts")) {
            rows.next();
            assertThatThrownBy(rows::deleteRow).isInstanceOf(UnsupportedQueryException.class);
        }
        try (ResultSet rows = statement.executeQuery("SELECT 1 AS one FROM posts")) {
            rows.next();
            assertThatThrownBy(rows::deleteRow).isInstanceOf(UnsupportedQueryException.class);
        }
        database.run("CREATE TABLE keyless (a INT)");
        database.run("INSERT INTO keyless VALUES (1)");
        try (ResultSet rows = statement.executeQuery("SELECT a FROM keyless")) {
            rows.next();
            assertThatThrownBy(rows::deleteRow).isInstanceOf(UnsupportedQueryException.class);
        }
    }

    @Test
    void aResultThatIsNotUpdatableIsNotChanged() throws SQLException {
        try (Statement readOnly = connection.createStatement();
                ResultSet rows = readOnly.executeQuery("SELECT id, author, text FROM posts")) {
            rows.next();
            assertThatThrownBy(rows::deleteRow).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> rows.updateString(3, "x")).isInstanceOf(SQLException.class);
        }
        assertThat(text(10)).isEqualTo("one");
    }

    private ResultSet posts() throws SQLException {
        return statement.executeQuery("SELECT id, author, text FROM posts ORDER BY id");
    }

    private String text(int id) throws SQLException {
        try (Connection plain = database.plain();
                Statement query = plain.createStatement();
                ResultSet rows = query.executeQuery("SELECT text FROM posts WHERE id = " + id)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
