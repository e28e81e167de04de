package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows of one moment and a schema of another: nothing follows from both together. */
class SchemaMomentsIT extends Cases {

    private static final String PUBLIC = "SELECT * FROM posts WHERE public = TRUE";
    private static final String OF_BOB = "SELECT * FROM posts WHERE author_id = 2";
    private static final String NAMES = "SELECT id, name FROM users WHERE id = 1";

    // --- facts of before, keys of afterwards -------------------------------------------------------------------------

    @Test
    void rowsThatWereReadUnderAnotherSchemaAreNotBelievedWithItsKeys() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection changing = connect();
            Connection reading = connect();
            request(1);
            assertThat(rows(reading, PUBLIC)).hasSize(2);
            assertRefused(reading, OF_BOB);
            bySomebodyElse(
                    changing, "DELETE FROM posts WHERE public = TRUE", "CREATE UNIQUE INDEX uq ON posts (author_id)");
            assertRefused(reading, OF_BOB);
            assertThat(rows(reading, PUBLIC)).isEmpty();
            elsewhere("INSERT INTO posts VALUES (5, 3, 'five', TRUE)");
            assertThat(rows(reading, PUBLIC)).hasSize(1);
            // The row is open by its primary key alone; another key may be another row's.
            assertThat(rows(reading, "SELECT * FROM posts WHERE id = 5")).hasSize(1);
            assertRefused(reading, "SELECT * FROM posts WHERE author_id = 3");
        }
    }

    // --- transactions that read what was committed when they began ---------------------------------------------------

    @Test
    void aTransactionOfThePastIsDecidedOnWithTheSchemaOfThen() throws SQLException {
        on(On.POSTGRESQL);
        Connection changing = connect();
        for (int level : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            Connection reading = connect();
            request(1);
            reading.setTransactionIsolation(level);
            reading.setAutoCommit(false);
            assertThat(rows(reading, NAMES)).containsExactly("1,Ada");
            bySomebodyElse(
                    changing, "DELETE FROM posts WHERE public = TRUE", "CREATE UNIQUE INDEX uq ON posts (author_id)");
            assertThat(rows(reading, PUBLIC)).hasSize(2);
            assertRefused(reading, OF_BOB);
            assertThat(rows(reading, "SELECT * FROM posts WHERE author_id = 1")).hasSize(1);
            reading.commit();
            assertThat(rows(reading, PUBLIC)).isEmpty();
            reading.commit();
            bySomebodyElse(changing, "DROP INDEX uq");
            elsewhere("INSERT INTO posts VALUES (1, 1, 'mine', TRUE), (3, 2, 'public', TRUE)");
        }
    }

    @Test
    void theSameWhenTheIsolationIsChosenByText() throws SQLException {
        on(On.POSTGRESQL);
        Connection changing = connect();
        Connection reading = connect();
        request(1);
        run(reading, "BEGIN ISOLATION LEVEL REPEATABLE READ");
        assertThat(rows(reading, NAMES)).containsExactly("1,Ada");
        bySomebodyElse(
                changing, "DELETE FROM posts WHERE public = TRUE", "CREATE UNIQUE INDEX uq ON posts (author_id)");
        assertThat(rows(reading, PUBLIC)).hasSize(2);
        assertRefused(reading, OF_BOB);
        run(reading, "COMMIT");
        assertThat(rows(reading, PUBLIC)).isEmpty();
    }

    @Test
    void aTransactionOfThePastEndsWhereTheSchemaOfThenIsGone() throws SQLException {
        for (On where : List.of(On.MARIADB, On.H2)) {
            on(where);
            Connection changing = connect();
            Connection reading = connect();
            request(1);
            reading.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reading.setAutoCommit(false);
            assertThat(rows(reading, NAMES)).containsExactly("1,Ada");
            bySomebodyElse(
                    changing, "DELETE FROM posts WHERE public = TRUE", "CREATE UNIQUE INDEX uq ON posts (author_id)");
            assertThatThrownBy(() -> rows(reading, PUBLIC))
                    .isInstanceOf(PrivoxyException.class)
                    .hasMessageContaining("since this transaction began");
            assertRefused(reading, OF_BOB);
            reading.rollback();
            assertThat(rows(reading, PUBLIC)).isEmpty();
            assertThat(rows(reading, NAMES)).containsExactly("1,Ada");
            reading.commit();
        }
    }

    @Test
    void aTransactionThatChangesTheSchemaGoesOnInTheNewOne() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        Connection changing = connect();
        request(1);
        connection.setAutoCommit(false);
        run(
                connection,
                "ALTER TABLE notes ADD COLUMN title VARCHAR(20) DEFAULT '' NOT NULL",
                "CREATE INDEX notes_author ON notes (author)",
                "INSERT INTO notes(id, author, title) VALUES (11, 1, 'of Ada')");
        assertThat(rows(connection, NAMES)).containsExactly("1,Ada");
        // What it has begun by then reads the rows of its own beginning, as any other.
        bySomebodyElse(
                changing, "DELETE FROM posts WHERE public = TRUE", "CREATE UNIQUE INDEX uq ON posts (author_id)");
        assertThatThrownBy(() -> rows(connection, PUBLIC))
                .isInstanceOf(PrivoxyException.class)
                .hasMessageContaining("since this transaction began");
        connection.rollback();
    }

    @Test
    void ownTemporaryTablesDoNotEndATransaction() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            request(1);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            assertThat(rows(connection, NAMES)).containsExactly("1,Ada");
            run(connection, "CREATE " + (where == On.H2 ? "LOCAL " : "") + "TEMPORARY TABLE own (i INT)");
            assertThat(rows(connection, NAMES)).containsExactly("1,Ada");
            connection.commit();
            assertThat(rows(connection, NAMES)).containsExactly("1,Ada");
            connection.rollback();
        }
    }

    @Test
    void theSchemaThatATransactionOfThePastReadsIsNotGivenToOthers() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere("DELETE FROM posts WHERE id = 2", "CREATE UNIQUE INDEX uq ON posts (author_id)");
        Connection past = connect();
        Connection changing = connect();
        Connection reading = connect();
        request(1);
        past.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        past.setAutoCommit(false);
        assertThat(rows(past, NAMES)).containsExactly("1,Ada");
        bySomebodyElse(changing, "DROP INDEX uq");
        elsewhere("INSERT INTO posts VALUES (2, 2, 'SECRET', FALSE)");
        // It is the first to look after the change, and sees what was there before.
        assertThat(rows(past, "SELECT name, id FROM users WHERE id = 1")).containsExactly("Ada,1");
        assertThat(rows(reading, PUBLIC)).hasSize(2);
        assertRefused(reading, OF_BOB);
        run(past, "CREATE TABLE fresh (i INT)");
        assertThat(rows(past, NAMES)).containsExactly("1,Ada");
        assertRefused(past, "SELECT * FROM fresh");
        assertRefused(reading, OF_BOB);
        past.commit();
        assertRefused(reading, OF_BOB);
        assertThat(rows(reading, PUBLIC)).hasSize(2);
        assertRefused(past, OF_BOB);
    }

    @Test
    void aNameThatMeantNothingThenMeansSomethingToOthers() throws SQLException {
        on(On.POSTGRESQL);
        Connection past = connect();
        Connection reading = connect();
        request(1);
        past.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        past.setAutoCommit(false);
        assertThat(rows(past, NAMES)).containsExactly("1,Ada");
        elsewhere("CREATE TABLE zz (v VARCHAR(20))", "INSERT INTO zz VALUES ('SECRET')");
        String sql = "SELECT * FROM zz WHERE 'x' <> v";
        assertThatThrownBy(() -> rows(past, sql)).isInstanceOf(SQLException.class);
        assertRefused(reading, sql);
        past.rollback();
        assertRefused(past, sql);
    }

    // --- constraints that are not committed --------------------------------------------------------------------------

    @Test
    void aForeignKeyThatIsNotCommittedIsNobodyElses() throws SQLException {
        on(On.POSTGRESQL, "CREATE CONTEXT MyUId BIGINT; CREATE VIEW n AS SELECT * FROM notes;");
        elsewhere(
                "INSERT INTO notes VALUES (1, 1, 'n'), (2, 99, 'x')",
                "ALTER TABLE notes ALTER COLUMN author SET NOT NULL");
        String joined = "SELECT n.id FROM notes n JOIN users u ON u.id = n.author";
        Connection changing = connect("options", "-c lock_timeout=3000");
        Connection reading = connect("options", "-c lock_timeout=3000");
        request(1);
        assertRefused(reading, joined);
        changing.setAutoCommit(false);
        bySomebodyElse(
                changing,
                "DELETE FROM notes",
                "ALTER TABLE notes ADD CONSTRAINT fka FOREIGN KEY (author) REFERENCES users (id)",
                "SELECT id FROM notes");
        assertRefused(reading, joined);
        changing.rollback();
        assertRefused(reading, joined);
    }

    @Test
    void aUniqueIndexThatIsNotCommittedIsNobodyElses() throws SQLException {
        on(
                On.POSTGRESQL,
                "CREATE CONTEXT MyUId BIGINT; CREATE VIEW nm AS SELECT id, name FROM users;"
                        + "CREATE VIEW me AS SELECT * FROM users WHERE id = ?MyUId;");
        elsewhere("INSERT INTO users VALUES (4, 'Ada', 'SECRET4@x', 400)");
        String ada = "SELECT * FROM users WHERE name = 'Ada'";
        Connection changing = connect("options", "-c lock_timeout=3000");
        Connection reading = connect("options", "-c lock_timeout=3000");
        request(1);
        assertThat(rows(reading, "SELECT * FROM users WHERE id = 1")).hasSize(1);
        assertRefused(reading, ada);
        changing.setAutoCommit(false);
        bySomebodyElse(changing, "DELETE FROM users WHERE id = 4", "CREATE UNIQUE INDEX un ON users (name)", NAMES);
        assertRefused(reading, ada);
        changing.rollback();
        assertRefused(reading, ada);
    }

    /** In a request of another user, which does not have what this thread's request has read forgotten. */
    private void bySomebodyElse(Connection connection, String... statements) throws SQLException {
        PrivoxyRequest other = opened(Privoxy.open(Map.of("MyUId", 3L)));
        try (PrivoxyRequest.Joined joined = other.join();
                Statement statement = connection.createStatement()) {
            assertThat(joined).isNotNull();
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
