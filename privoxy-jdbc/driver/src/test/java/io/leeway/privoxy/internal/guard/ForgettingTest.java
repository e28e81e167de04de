package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request may still do after it has written: through the driver, on H2. */
class ForgettingTest {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_notes AS SELECT * FROM notes WHERE user_id = ?MyUId;
            CREATE VIEW my_stars AS SELECT * FROM stars WHERE user_id = ?MyUId;
            CREATE VIEW my_lines AS
              SELECT l.* FROM lines l JOIN notes n ON n.id = l.note_id WHERE n.user_id = ?MyUId;
            """;

    private CheckedDatabase database;
    private Connection connection;
    private PrivoxyRequest request;

    @BeforeEach
    void open(@TempDir Path directory) throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                POLICY,
                "CREATE TABLE notes (id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, text VARCHAR(200),"
                        + " twice BIGINT GENERATED ALWAYS AS (user_id * 2))",
                "CREATE TABLE lines (id BIGINT PRIMARY KEY, note_id BIGINT NOT NULL, text VARCHAR(200),"
                        + " FOREIGN KEY (note_id) REFERENCES notes (id))",
                "CREATE TABLE stars (id BIGINT PRIMARY KEY, line_id BIGINT NOT NULL, user_id BIGINT NOT NULL,"
                        + " FOREIGN KEY (line_id) REFERENCES lines (id) ON DELETE CASCADE)",
                "INSERT INTO notes (id, user_id, text) VALUES (1, 2, 'a'), (2, 2, 'b'), (3, 2, 'c'), (9, 7, 'z')",
                "INSERT INTO lines VALUES (11, 1, 'x'), (12, 2, 'y'), (99, 9, 'z')",
                "INSERT INTO stars VALUES (21, 11, 2), (22, 12, 2)");
        connection = database.connect();
        request = Privoxy.begin(Map.of("MyUId", 2L));
    }

    @AfterEach
    void close() throws SQLException {
        request.close();
        connection.close();
        database.close();
    }

    @Test
    void rowsThatWereLoadedAreUpdatedOneByOne() throws SQLException {
        load();

        for (long id = 1; id <= 3; id++) {
            update(id);
        }

        assertThat(rows("SELECT id, text FROM notes WHERE user_id = 2")).containsExactly("1,new", "2,new", "3,new");
    }

    @Test
    void rowsLoadedOneByOneToo() throws SQLException {
        for (long id = 1; id <= 3; id++) {
            rows("SELECT id, user_id, text FROM notes WHERE user_id = 2 AND id = " + id);
        }

        for (long id = 1; id <= 3; id++) {
            update(id);
        }
    }

    @Test
    void ofTheRowThatWasUpdatedNothingIsKnownAnyMore() throws SQLException {
        load();
        update(1);

        assertThatThrownBy(() -> update(1)).isInstanceOf(PolicyViolationException.class);
        assertThatThrownBy(() -> update(9)).isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void deletesAndInsertsLeaveTheOtherRows() throws SQLException {
        load();

        run("DELETE FROM notes WHERE id = 3", "INSERT INTO notes (id, user_id, text) VALUES (4, 2, 'd')");

        update(2);
        assertThatThrownBy(() -> update(3)).isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void columnsThatNobodyLooksAtMayChange() throws SQLException {
        load();

        run("UPDATE notes SET text = 'all' WHERE user_id = 2");

        update(1);
    }

    @Test
    void anUpdateOfManyRowsForgetsThemAll() throws SQLException {
        load();

        run("UPDATE notes SET user_id = 2 WHERE user_id = 2");

        assertThatThrownBy(() -> update(1)).isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void cascadesAreForgottenToo() throws SQLException {
        rows("SELECT id, line_id FROM stars WHERE user_id = 2");
        run("UPDATE stars SET line_id = 12 WHERE id = 22");
        rows("SELECT l.id FROM lines l JOIN notes n ON n.id = l.note_id WHERE n.user_id = 2");

        run("DELETE FROM lines WHERE id = 12");

        assertThatThrownBy(() -> run("UPDATE stars SET line_id = 11 WHERE id = 21"))
                .isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void aRollbackForgetsWhatWasReadAfterAnInsert() throws SQLException {
        connection.setAutoCommit(false);
        load();
        run("INSERT INTO notes (id, user_id, text) VALUES (4, 2, 'd')");
        rows("SELECT id, user_id FROM notes WHERE user_id = 2 AND id = 4");
        update(4);
        connection.rollback();

        update(1);
        assertThatThrownBy(() -> update(4)).isInstanceOf(PolicyViolationException.class);
        connection.setAutoCommit(true);
    }

    private void load() throws SQLException {
        assertThat(rows("SELECT id, user_id, text FROM notes WHERE user_id = 2"))
                .hasSize(3);
    }

    /** As an object-relational mapper does it: all columns, for one row. */
    private void update(long id) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE notes SET text = ?, user_id = ? WHERE id = ?")) {
            statement.setString(1, "new");
            statement.setLong(2, 2);
            statement.setLong(3, id);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        return CheckedDatabase.rows(connection, sql);
    }

    private void run(String... statements) throws SQLException {
        CheckedDatabase.run(connection, statements);
    }
}
