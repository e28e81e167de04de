package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What drivers read out of texts and put into them by themselves; for each database. */
abstract class DriverFeatures {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW users_shown AS SELECT id, name FROM users;
            CREATE VIEW my_salary AS SELECT * FROM salaries WHERE id = ?MyUId;
            """;

    @TempDir
    Path directory;

    private CheckedDatabase database;
    private Connection connection;
    private PrivoxyRequest request;

    abstract DatabaseServer server();

    @BeforeEach
    void create() throws SQLException {
        database = new CheckedDatabase(
                server(),
                directory,
                POLICY,
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(100))",
                "CREATE TABLE salaries (id BIGINT PRIMARY KEY, name VARCHAR(100))",
                "INSERT INTO users VALUES (1, 'Ada'), (2, 'Bob')",
                "INSERT INTO salaries VALUES (1, 'mine'), (2, 'SECRET')");
        connection = database.connect();
        request = Privoxy.begin(Map.of("MyUId", 1));
    }

    @AfterEach
    void drop() throws SQLException {
        request.close();
        connection.close();
        database.close();
    }

    @Test
    void anUpdatableResultIsOfTheTableThatWasChecked() throws SQLException {
        List<String> texts = List.of(
                "SELECT id, name /* from salaries */ FROM users WHERE id = 2",
                "SELECT id, name -- from salaries \n FROM users WHERE id = 2",
                "SELECT id, name AS \" from salaries \" FROM users WHERE id = 2",
                "SELECT id, name, ' from salaries ' AS x FROM users WHERE id = 2",
                "SELECT id, name, (SELECT 1 from salaries WHERE salaries.id = 1) AS x FROM users WHERE id = 2",
                "WITH s AS (SELECT id from salaries WHERE id = 1) SELECT id, name FROM users WHERE id = 2",
                "SELECT id, name FROM (SELECT * FROM users) from_ WHERE id = 2",
                "SELECT id AS name, name AS id FROM users WHERE id = 2");
        for (String sql : texts) {
            for (int i = 0; i < 4; i++) {
                change(sql, i);
            }
        }
        assertThat(salaries()).containsExactly("1,mine", "2,SECRET");
    }

    @Test
    void anOrdinaryUpdatableResultIsChanged() throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT id, name FROM users WHERE id = 2")) {
            rows.next();
            rows.updateString("name", "Bea");
            rows.updateRow();
            rows.refreshRow();
            assertThat(rows.getString(2)).isEqualTo("Bea");
        }
        assertThat(rows(connection, "SELECT id, name FROM users WHERE id = 2")).containsExactly("2,Bea");
    }

    @Test
    void aSavepointsNameIsNoSql() throws SQLException {
        connection.setAutoCommit(false);
        String name = "x\"; UPDATE users SET name = (SELECT name FROM salaries WHERE id = 2) WHERE id = 1; --";
        for (String each : List.of(name, name.replace('"', '`'), "a\\\"b", "a'b", "a b", "")) {
            Savepoint savepoint = connection.setSavepoint(each);
            assertThat(savepoint.getSavepointName()).isEqualTo(each);
            run(connection, "UPDATE users SET name = 'other' WHERE id = 2");
            connection.rollback(savepoint);
            connection.releaseSavepoint(connection.setSavepoint(each));
        }
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows(connection, "SELECT id, name FROM users ORDER BY id")).containsExactly("1,Ada", "2,Bob");
    }

    @Test
    void generatedKeysShowNoColumnThatWasNotChecked() throws SQLException {
        for (String column : List.of("name", "NAME", "\"name\"", "id, (SELECT name FROM salaries WHERE id = 2)")) {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE salaries SET name = name WHERE id > 0", new String[] {column});
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    while (keys.next()) {
                        assertThat(keys.getString(1)).doesNotContain("SECRET");
                    }
                }
            } catch (SQLException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }

    private void change(String sql, int how) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            switch (how) {
                case 0 -> rows.refreshRow();
                case 1 -> {
                    rows.updateString(2, "changed");
                    rows.updateRow();
                }
                case 2 -> rows.deleteRow();
                default -> {
                    rows.moveToInsertRow();
                    rows.updateLong(1, 77);
                    rows.updateString(2, "new");
                    rows.insertRow();
                }
            }
            assertThat(rows.getString(2)).as(sql).isNotEqualTo("SECRET");
        } catch (SQLException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
        database.execute("DELETE FROM users", "INSERT INTO users VALUES (1, 'Ada'), (2, 'Bob')");
    }

    private List<String> salaries() throws SQLException {
        try (Connection plain = database.plain()) {
            return rows(plain, "SELECT id, name FROM salaries ORDER BY id");
        }
    }
}
