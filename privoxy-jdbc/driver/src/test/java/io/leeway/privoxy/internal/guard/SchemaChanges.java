package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.db.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Migrations through the checked URL, and a schema that changes under an open connection; for each database. */
abstract class SchemaChanges {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW user_names AS SELECT id, name FROM users;
            CREATE VIEW my_posts AS SELECT * FROM posts WHERE author_id = ?MyUId;
            """;
    private static final String[] MIGRATION = {
        "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL, email VARCHAR(50))",
        "CREATE TABLE posts (id BIGINT NOT NULL, author_id BIGINT NOT NULL, text VARCHAR(50), PRIMARY KEY (id))",
        "CREATE INDEX posts_by_author ON posts (author_id)",
        "ALTER TABLE posts ADD COLUMN likes INT DEFAULT 0 NOT NULL",
        "ALTER TABLE posts ADD CONSTRAINT posts_author FOREIGN KEY (author_id) REFERENCES users (id)",
        "INSERT INTO users (id, name, email) VALUES (1, 'Ada', 'ada@x'), (2, 'Bob', 'bob@x')",
        "INSERT INTO posts (id, author_id, text) VALUES (10, 1, 'one'), (11, 2, 'two')"
    };

    @TempDir
    Path directory;

    abstract DatabaseServer server();

    @Test
    void anEmptyDatabaseIsMigratedThroughTheSameUrl() throws SQLException {
        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                CheckedDatabase database = new CheckedDatabase(server(), directory, POLICY);
                Connection connection = database.connect();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            assertThat(request.isOpen()).isTrue();
            assertThat(log.messages(Level.WARNING))
                    .anySatisfy(message -> assertThat(message)
                            .contains("policy.sql:2:", "policy.sql:3:")
                            .containsIgnoringCase("table users, which does not exist")
                            .containsIgnoringCase("table posts, which does not exist"));

            run(connection, MIGRATION);

            assertThat(rows(connection, "SELECT name FROM users WHERE id = 2")).containsExactly("Bob");
            assertThat(rows(connection, "SELECT text, likes FROM posts WHERE author_id = 1"))
                    .containsExactly("one,0");
            assertRefused(connection, "SELECT email FROM users WHERE id = 2");
            assertRefused(connection, "SELECT text FROM posts WHERE author_id = 2");
        }
    }

    @Test
    void viewsComeAliveWhenSomebodyElseMakesTheirTables() throws SQLException {
        try (CheckedDatabase database = new CheckedDatabase(server(), directory, POLICY);
                Connection connection = database.connect()) {
            database.execute(MIGRATION);

            assertThat(rows(connection, "SELECT name FROM users WHERE id = 2")).containsExactly("Bob");
        }
    }

    @Test
    void aPreparedStatementIsReadAgainAfterAChange() throws SQLException {
        try (CheckedDatabase database = new CheckedDatabase(server(), directory, POLICY, MIGRATION);
                Connection connection = database.connect();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1));
                PreparedStatement names = connection.prepareStatement("SELECT name FROM users WHERE id = 2")) {
            assertThat(request.isOpen()).isTrue();
            names.executeQuery().close();

            run(connection, "ALTER TABLE posts DROP CONSTRAINT posts_author", "DROP TABLE users");

            assertThatThrownBy(names::executeQuery).isInstanceOf(UnsupportedQueryException.class);
            assertThat(rows(connection, "SELECT text FROM posts WHERE author_id = 1"))
                    .containsExactly("one");
        }
    }

    @Test
    void aKeyThatWasDroppedIsNotReliedOn() throws SQLException {
        String policy = "CREATE VIEW ids AS SELECT id FROM notes; CREATE VIEW texts AS SELECT id, text FROM notes;"
                + " CREATE VIEW kinds AS SELECT id, kind FROM notes;";
        String both = "SELECT text, kind FROM notes WHERE id = 1";
        try (CheckedDatabase database = new CheckedDatabase(
                        server(),
                        directory,
                        policy,
                        "CREATE TABLE notes (id BIGINT NOT NULL, text VARCHAR(50), kind VARCHAR(50),"
                                + " CONSTRAINT notes_id UNIQUE (id))",
                        "INSERT INTO notes VALUES (1, 'one', 'a')");
                Connection connection = database.connect()) {
            assertThat(rows(connection, both)).containsExactly("one,a");

            run(connection, "ALTER TABLE notes DROP CONSTRAINT notes_id");

            assertRefused(connection, both);
        }
    }

    @Test
    void aViewOfAColumnThatIsGoneHasNoEffectAndTheOthersHave() throws SQLException {
        String policy =
                "CREATE VIEW texts AS SELECT id, text FROM notes; CREATE VIEW kinds AS SELECT id, kind FROM notes;";
        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                CheckedDatabase database = new CheckedDatabase(
                        server(),
                        directory,
                        policy,
                        "CREATE TABLE notes (id BIGINT PRIMARY KEY, text VARCHAR(50), kind VARCHAR(50))",
                        "INSERT INTO notes VALUES (1, 'one', 'a')");
                Connection connection = database.connect()) {
            assertThat(rows(connection, "SELECT id, kind FROM notes")).containsExactly("1,a");

            run(connection, "ALTER TABLE notes DROP COLUMN kind", "ALTER TABLE notes ADD COLUMN secret INT");

            assertThat(rows(connection, "SELECT id, text FROM notes")).containsExactly("1,one");
            assertRefused(connection, "SELECT id, secret FROM notes");
            assertRefused(connection, "SELECT * FROM notes");
            assertThat(log.messages(Level.WARNING))
                    .anySatisfy(message ->
                            assertThat(message).contains("policy.sql:1:").containsIgnoringCase("column kind"));
        }
    }

    @Test
    void aColumnThatMayBeNullNowIsNotTakenToBeNotNull() throws SQLException {
        String policy = "CREATE VIEW known AS SELECT id FROM notes WHERE owner IS NOT NULL;";
        try (CheckedDatabase database = new CheckedDatabase(
                        server(),
                        directory,
                        policy,
                        "CREATE TABLE notes (id BIGINT PRIMARY KEY, owner BIGINT NOT NULL)",
                        "INSERT INTO notes VALUES (1, 7)");
                Connection connection = database.connect()) {
            assertThat(rows(connection, "SELECT id FROM notes")).containsExactly("1");

            run(connection, nullable("notes", "owner", "BIGINT"));

            assertRefused(connection, "SELECT id FROM notes");
        }
    }

    @Test
    void statementsThatReadWhileTheyChangeTheSchemaAreRefusedOrChecked() throws SQLException {
        try (CheckedDatabase database = new CheckedDatabase(server(), directory, POLICY, MIGRATION);
                Connection connection = database.connect()) {
            assertRefused(connection, "CREATE TABLE copied AS SELECT * FROM users");
            assertRefused(connection, "CREATE TABLE copied AS SELECT id, email FROM users");
            run(connection, "CREATE TABLE copied AS SELECT id, name FROM users");
            for (String sql : readingDefinitions()) {
                assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(UnsupportedQueryException.class);
            }
        }
    }

    @Test
    void commentsPassAndRenamingDoesNot() throws SQLException {
        try (CheckedDatabase database = new CheckedDatabase(server(), directory, POLICY, MIGRATION);
                Connection connection = database.connect()) {
            run(connection, harmless());

            // Posts renamed to users would be shown as users.
            assertThatThrownBy(() -> run(connection, "ALTER TABLE posts RENAME TO articles"))
                    .isInstanceOf(UnsupportedQueryException.class);
        }
    }

    /** Statements that define something which reads tables later. */
    abstract String[] readingDefinitions();

    abstract String[] harmless();

    /** The statement after which a column of this type may be NULL. */
    String nullable(String table, String column, String type) {
        return "ALTER TABLE " + table + " ALTER COLUMN " + column + " DROP NOT NULL";
    }

    static void assertRefused(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(PolicyViolationException.class);
    }
}
