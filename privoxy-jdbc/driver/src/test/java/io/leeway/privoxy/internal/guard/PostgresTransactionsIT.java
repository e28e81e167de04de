package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver reads on the application's connection leaves its transactions as they were. */
class PostgresTransactionsIT {

    @TempDir
    Path directory;

    private CheckedDatabase database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.postgres(),
                directory,
                "CREATE VIEW all_notes AS SELECT * FROM notes;",
                "CREATE TABLE notes (id BIGINT PRIMARY KEY, text TEXT)",
                "CREATE TABLE later (id BIGINT PRIMARY KEY)",
                "CREATE SCHEMA other",
                "CREATE TABLE other.notes (id BIGINT PRIMARY KEY, text TEXT)",
                "INSERT INTO other.notes VALUES (1, 'hidden')");
        connection = database.connect();
        connection.setAutoCommit(false);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.rollback();
        connection.close();
        database.close();
    }

    @Test
    void lookingUpATableBeginsNoTransaction() throws SQLException {
        connection.prepareStatement("SELECT id FROM notes").close();
        assertRefused("SELECT id FROM later");

        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

        assertThat(rows(connection, "SHOW transaction_isolation")).containsExactly("serializable");
    }

    @Test
    void readingTheSessionsSettingsBeginsNoTransaction() throws SQLException {
        run(connection, "SET search_path = other, public");
        connection.commit();
        connection.prepareStatement("SELECT 1").close();

        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

        assertRefused("SELECT id FROM notes");
    }

    @Test
    void lookingUpATableEndsNoTransaction() throws SQLException {
        run(connection, "INSERT INTO notes VALUES (1, 'one')");
        assertRefused("SELECT id FROM later");
        assertThat(rows(connection, "SELECT text FROM notes")).containsExactly("one");

        connection.rollback();

        assertThat(rows(connection, "SELECT text FROM notes")).isEmpty();
    }

    @Test
    void aSettingMadeInTheTransactionIsNotLostByALookUp() throws SQLException {
        connection.setSchema("other");

        assertRefused("SELECT text FROM notes");
        assertThat(connection.getSchema()).isEqualTo("other");
    }

    @Test
    void inAFailedTransactionTheErrorIsTheDatabasesOwn() throws SQLException {
        fail();

        SQLException error = catchThrowableOfType(SQLException.class, () -> rows(connection, "SELECT id FROM later"));

        assertThat(error.getSQLState()).isEqualTo("25P02");
        run(connection, "ROLLBACK");
        assertThat(rows(connection, "SELECT id FROM notes")).isEmpty();
    }

    @Test
    void aFailedTransactionInWhichASettingWasMadeCanBeEndedByTextButByNothingElse() throws SQLException {
        run(connection, "SET search_path = other, public");
        fail();

        assertThatThrownBy(() -> run(connection, "ROLLBACK; SELECT text FROM notes"))
                .isInstanceOf(UnsupportedQueryException.class);
        run(connection, "ROLLBACK");
        assertThat(rows(connection, "SELECT id FROM notes")).isEmpty();
    }

    private void fail() {
        assertThatThrownBy(() -> run(connection, "INSERT INTO notes VALUES (1, 'a'), (1, 'b')"))
                .isInstanceOf(SQLException.class);
    }

    private void assertRefused(String sql) {
        assertThatThrownBy(() -> run(connection, sql)).isInstanceOf(PolicyViolationException.class);
    }
}
