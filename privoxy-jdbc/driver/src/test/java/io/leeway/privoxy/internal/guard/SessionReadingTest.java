package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text is read as H2 reads it under its settings, or refused. */
class SessionReadingTest {

    @TempDir
    Path directory;

    private CheckedDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                "CREATE VIEW names AS SELECT id, name FROM users;",
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50), secret VARCHAR(50))");
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";MODE=MySQL",
                ";MODE=PostgreSQL",
                ";MODE=MSSQLServer",
                ";DATABASE_TO_UPPER=FALSE",
                ";DATABASE_TO_LOWER=TRUE;DATABASE_TO_UPPER=FALSE",
                ";CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                ";NON_KEYWORDS=ROWNUM"
            })
    void aSettingThatChangesTheReadingIsRefusedAtConnect(String settings) {
        String other = "jdbc:privoxy:h2:mem:reading_" + Integer.toHexString(settings.hashCode()) + settings
                + ";privoxyPolicy=" + database.policyFile();

        assertThatThrownBy(() -> DriverManager.getConnection(other, "sa", ""))
                .isInstanceOf(PrivoxyFailureException.class)
                .hasMessageContaining("PRIVOXY-1104");
    }

    @Test
    void strictModeIsRead() throws SQLException {
        String strict = "jdbc:privoxy:h2:mem:reading_strict;MODE=STRICT;privoxyPolicy=" + database.policyFile();
        try (Connection connection = DriverManager.getConnection(strict, "sa", "")) {
            run(connection, "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50))");
            run(connection, "SELECT name FROM users WHERE id = 1");
        }
    }

    @Test
    void aSettingMadeByTextIsRefused() throws SQLException {
        try (Connection connection = database.connect()) {
            for (String sql : new String[] {"SET MODE MySQL", "SET NON_KEYWORDS ROWNUM", "SET IGNORECASE TRUE"}) {
                assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(UnsupportedQueryException.class);
            }
        }
    }

    @Test
    void aBraceIsAnEscapeOnlyWhereTheDriverTranslatesIt() throws SQLException {
        String sql = "SELECT {fn UCASE('a')}";
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(sql)) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("A");
            }
            statement.setEscapeProcessing(false);

            assertThatThrownBy(() -> statement.executeQuery(sql))
                    .isInstanceOf(UnsupportedQueryException.class)
                    .hasMessageContaining("escape processing is off");
        }
    }
}
