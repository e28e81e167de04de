package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text is read as MariaDB reads it under the session's sql_mode, or refused. */
class MariaDbSessionReadingIT {

    @TempDir
    Path directory;

    private CheckedDatabase database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.mariadb(),
                directory,
                "CREATE VIEW names AS SELECT id, name FROM users;",
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO users VALUES (1, 'Ada', 'hidden')");
        connection = database.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void doubleQuotesAreAStringOrAName() throws SQLException {
        String sql = "SELECT \"secret\" FROM users WHERE id = 1";
        assertThat(rows(connection, sql)).containsExactly("secret");

        run(connection, "SET sql_mode = 'ANSI_QUOTES'");

        assertRefused(sql);
    }

    @Test
    void aBackslashEscapesTheQuoteOrDoesNot() throws SQLException {
        String sql = "SELECT '\\', secret, ' -- '\nFROM users WHERE id = 1";
        assertThat(rows(connection, sql)).hasSize(1);

        run(connection, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'");

        assertRefused(sql);
    }

    @Test
    void twoPipesAreOrOrConcatenation() throws SQLException {
        String sql = "SELECT id FROM users WHERE name = 'A' || 'da'";
        assertThat(rows(connection, sql)).isEmpty();

        run(connection, "SET sql_mode = 'PIPES_AS_CONCAT'");

        assertThat(rows(connection, sql)).containsExactly("1");
        assertRefused("SELECT name || secret FROM users");
    }

    @Test
    void modesWithAnotherGrammarAreRefused() throws SQLException {
        for (String mode : new String[] {"ORACLE", "MSSQL", "EMPTY_STRING_IS_NULL"}) {
            run(connection, "SET sql_mode = '" + mode + "'");
            assertThatThrownBy(() -> rows(connection, "SELECT name FROM users"))
                    .as(mode)
                    .isInstanceOf(UnsupportedQueryException.class);
            connection.close();
            connection = database.connect();
        }
    }

    @Test
    void braces() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            assertThatThrownBy(() -> statement.executeQuery("SELECT {x secret} FROM users"))
                    .isInstanceOf(UnsupportedQueryException.class);
        }
    }

    private void assertRefused(String sql) {
        assertThatThrownBy(() -> rows(connection, sql)).as(sql).isInstanceOf(PolicyViolationException.class);
    }
}
