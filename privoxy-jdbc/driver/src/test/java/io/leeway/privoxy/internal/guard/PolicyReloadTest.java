package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed policy comes into force on open connections; a broken one does not. */
class PolicyReloadTest {

    private static final String NAMES = "CREATE VIEW names AS SELECT id, name FROM users;";
    private static final String EMAILS = NAMES + "CREATE VIEW emails AS SELECT id, email FROM users;";
    private static final String NOTES = EMAILS + "CREATE VIEW texts AS SELECT id, text FROM notes;";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private CheckedDatabase database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                NAMES,
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50), email VARCHAR(50))",
                "CREATE TABLE notes (id BIGINT PRIMARY KEY, text VARCHAR(50))",
                "INSERT INTO users VALUES (1, 'Ada', 'ada@x')",
                "INSERT INTO notes VALUES (1, 'one')");
        connection = database.connect("privoxyReload", "1ms");
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void whatANewerVersionShowsIsShownAndWhatItDoesNotIsRefused() throws SQLException {
        try (PreparedStatement emails = connection.prepareStatement("SELECT email FROM users WHERE id = 1")) {
            assertThatThrownBy(emails::executeQuery).isInstanceOf(PolicyViolationException.class);

            database.policy(EMAILS);
            awaitShown("SELECT email FROM users WHERE id = 1", "ada@x");
            emails.executeQuery().close();

            database.policy(NAMES);
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThatThrownBy(emails::executeQuery).isInstanceOf(PolicyViolationException.class));
        }
    }

    @Test
    void aNewerVersionMayNameTablesThatNobodyHasAskedFor() {
        database.policy(NOTES);

        awaitShown("SELECT text FROM notes WHERE id = 1", "one");
    }

    @Test
    void aBrokenVersionChangesNothingAndIsWarnedOfWithFileLineAndColumn() throws SQLException {
        try (LogCapture log = LogCapture.of("io.leeway.privoxy")) {
            database.policy(EMAILS);
            awaitShown("SELECT email FROM users WHERE id = 1", "ada@x");

            database.policy(NAMES + "\nCREATE VIEW broken AS SELECT nothing FROM users;");
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(rows(connection, "SELECT email FROM users WHERE id = 1"))
                        .containsExactly("ada@x");
                assertThat(log.messages(Level.WARNING))
                        .anySatisfy(message -> assertThat(message)
                                .contains("policy.sql:2:30: error:", "stays in force")
                                .containsIgnoringCase("column nothing"));
            });
        }
    }

    private void awaitShown(String sql, String row) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            try {
                assertThat(rows(connection, sql)).containsExactly(row);
            } catch (PolicyViolationException notYet) {
                throw new AssertionError("not shown yet", notYet);
            }
        });
    }
}
