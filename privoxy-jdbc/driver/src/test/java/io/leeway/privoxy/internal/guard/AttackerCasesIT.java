package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Ways past the policy that somebody found who looked for them: each was open once. */
class AttackerCasesIT extends Cases {

    private static final String EMAIL_OR_TEXT = "SELECT id, \"email\" AS q FROM users";

    // --- statements that outlive the settings under which they were prepared -----------------------------------------

    @Test
    void aPlaceOfAParameterDoesNotOutliveTheModeInWhichItWasFound() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        String sql = "SELECT id, 'a\\' AS b, ' || ? || ' AS c -- '\nFROM users WHERE id = 1";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            run(connection, "SET sql_mode='NO_BACKSLASH_ESCAPES'");
            statement.setString(1, ", (SELECT email FROM users WHERE id=2), ");
            assertRefused(statement);
        }
    }

    @Test
    void aDriversCacheDoesNotCarryAStatementIntoAnotherMode() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        request(1);
        run(connection, "SET sql_mode='ANSI_QUOTES'");
        try (PreparedStatement statement = connection.prepareStatement(EMAIL_OR_TEXT)) {
            statement.getMetaData();
            assertRefused(statement);
        }
        run(connection, "SET sql_mode=''");
        try (PreparedStatement statement = connection.prepareStatement(EMAIL_OR_TEXT);
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(2)).isEqualTo("email");
        }
    }

    @Test
    void aStatementThatTheServerKeepsIsFoundAgainInTheSameMode() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        request(1);
        for (int i = 0; i < 3; i++) {
            try (PreparedStatement statement = connection.prepareStatement("SELECT name FROM users WHERE id = ?")) {
                statement.setInt(1, 2);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("Bob");
                }
            }
        }
    }

    @Test
    void aStatementDoesNotOutliveTheSchemaInWhichItsNamesWereFound() throws SQLException {
        on(On.H2);
        elsewhere(
                "CREATE SCHEMA s",
                "CREATE TABLE s.notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))",
                "INSERT INTO s.notes VALUES (1, 2, 'SECRET')");
        Connection connection = connect();
        request(1);
        connection.setSchema("S");
        try (PreparedStatement read = connection.prepareStatement("SELECT id, text FROM notes");
                PreparedStatement write = connection.prepareStatement("UPDATE notes SET author = 5 WHERE id = 1")) {
            connection.setSchema("PUBLIC");
            assertRefused(read);
            assertThatThrownBy(write::executeUpdate).isInstanceOf(PrivoxyException.class);
            assertThatThrownBy(read::getMetaData).isInstanceOf(PrivoxyException.class);
        }
        try (PreparedStatement read = connection.prepareStatement("SELECT id, text FROM notes");
                ResultSet rows = read.executeQuery()) {
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aStatementOfTheServersDoesNotOutliveTheCatalogue() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        String own = connection.getCatalog();
        String other = own + "_s";
        elsewhere("CREATE DATABASE " + other, "CREATE TABLE " + other + ".notes AS SELECT 1 AS id, 'SECRET' AS text");
        opened(() -> elsewhere("DROP DATABASE " + other));
        request(1);
        connection.setCatalog(other);
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, text FROM notes")) {
            statement.getMetaData();
            connection.setCatalog(own);
            assertRefused(statement);
        }
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, text FROM notes")) {
            connection.setCatalog(other);
            assertThatThrownBy(statement::getMetaData).isInstanceOf(PrivoxyException.class);
        }
    }

    private static void assertRefused(PreparedStatement statement) {
        assertThatThrownBy(() -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        assertThat(rows.next()).isFalse();
                    }
                })
                .isInstanceOf(SQLException.class)
                .isInstanceOf(PrivoxyException.class);
    }
}
