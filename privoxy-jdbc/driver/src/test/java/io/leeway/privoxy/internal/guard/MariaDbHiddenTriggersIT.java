package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trigger and a cascade that the account of the application is not shown, on MariaDB. */
class MariaDbHiddenTriggersIT {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_memberships AS SELECT * FROM members WHERE user_id = ?MyUId;
            CREATE VIEW texts_of_my_groups AS
              SELECT t.* FROM texts t JOIN members m ON m.group_id = t.group_id WHERE m.user_id = ?MyUId;
            CREATE VIEW groups_of_all AS SELECT * FROM teams;
            CREATE VIEW leavings AS SELECT * FROM leavers;
            """;
    private static final String MEMBERSHIP = "SELECT user_id, group_id FROM members WHERE user_id = 1 AND group_id = 7";
    private static final String TEXT = "SELECT text FROM texts WHERE group_id = 7";

    private CheckedDatabase database;

    @BeforeEach
    void open(@TempDir Path directory) throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.mariadb(),
                directory,
                POLICY,
                "CREATE TABLE teams (id BIGINT NOT NULL PRIMARY KEY)",
                "CREATE TABLE members (user_id BIGINT NOT NULL, group_id BIGINT NOT NULL,"
                        + " PRIMARY KEY (user_id, group_id),"
                        + " FOREIGN KEY (group_id) REFERENCES teams (id) ON DELETE CASCADE)",
                "CREATE TABLE texts (id BIGINT NOT NULL PRIMARY KEY, group_id BIGINT NOT NULL, text VARCHAR(50))",
                "CREATE TABLE leavers (id BIGINT NOT NULL PRIMARY KEY)",
                "CREATE TRIGGER leaves AFTER INSERT ON leavers FOR EACH ROW"
                        + " DELETE FROM members WHERE user_id = NEW.id",
                "INSERT INTO teams VALUES (7)",
                "INSERT INTO members VALUES (1, 7)",
                "INSERT INTO texts VALUES (70, 7, 'seven')",
                "CREATE USER hidden_triggers@'%' IDENTIFIED BY 'hidden'");
    }

    @AfterEach
    void close() throws SQLException {
        database.execute("DROP USER hidden_triggers@'%'");
        database.close();
    }

    @Test
    void whatATriggerTookAwayIsNotReliedOn() throws SQLException {
        grant("SELECT ON *", "INSERT ON *");

        assertForgottenAfter("INSERT INTO leavers VALUES (1)");
    }

    @Test
    void neitherIsWhatACascadeTookAway() throws SQLException {
        grant("SELECT ON members", "SELECT ON texts", "SELECT, DELETE ON teams");

        assertForgottenAfter("DELETE FROM teams WHERE id = 7");
    }

    @Test
    void whoSeesTriggersKeepsWhatOtherWritesLeave() throws SQLException {
        grant("SELECT, INSERT, DELETE, TRIGGER ON *");

        try (Connection connection = connect();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            assertThat(CheckedDatabase.rows(connection, MEMBERSHIP)).containsExactly("1,7");
            CheckedDatabase.run(connection, "INSERT INTO texts VALUES (71, 9, 'nine')");
            assertThat(CheckedDatabase.rows(connection, TEXT)).containsExactly("seven");
            assertThat(request.isOpen()).isTrue();
        }
        assertForgottenAfter("INSERT INTO leavers VALUES (1)");
    }

    private void assertForgottenAfter(String write) throws SQLException {
        try (Connection connection = connect();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
            assertThat(CheckedDatabase.rows(connection, MEMBERSHIP)).containsExactly("1,7");
            assertThat(CheckedDatabase.rows(connection, TEXT)).containsExactly("seven");

            CheckedDatabase.run(connection, write);

            assertThat(CheckedDatabase.rows(connection, MEMBERSHIP)).isEmpty();
            assertThatThrownBy(() -> CheckedDatabase.rows(connection, TEXT))
                    .isInstanceOf(PolicyViolationException.class);
            assertThat(request.isOpen()).isTrue();
        }
    }

    private Connection connect() throws SQLException {
        return database.connect("user", "hidden_triggers", "password", "hidden");
    }

    private void grant(String... privileges) throws SQLException {
        for (String privilege : privileges) {
            database.execute("GRANT " + privilege + " TO hidden_triggers@'%'");
        }
    }
}
