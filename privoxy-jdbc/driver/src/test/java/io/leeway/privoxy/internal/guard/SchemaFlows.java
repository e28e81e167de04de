package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the schema that carry hidden values into shown columns, or tell them by an error; for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SchemaFlows {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW names AS SELECT id, name FROM users;
            CREATE VIEW me AS SELECT * FROM users WHERE id = ?MyUId;
            CREATE VIEW public_posts AS SELECT * FROM posts WHERE public = TRUE;
            CREATE VIEW my_posts AS SELECT * FROM posts WHERE author_id = ?MyUId;
            """;

    @TempDir
    static Path directory;

    private CheckedDatabase database;
    private Connection connection;

    abstract DatabaseServer server();

    /** Texts that carry values over, in this database's own words. */
    abstract List<String> flows();

    /** Changes that ordinary migrations make. */
    abstract List<String> migrations();

    @BeforeAll
    void create() throws SQLException {
        database = new CheckedDatabase(
                server(),
                directory,
                POLICY,
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(100) NOT NULL, email VARCHAR(100) NOT NULL,"
                        + " salary INT NOT NULL, note VARCHAR(20))",
                "CREATE TABLE posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, title VARCHAR(100) NOT NULL,"
                        + " public BOOLEAN NOT NULL)",
                "CREATE TABLE others (id BIGINT PRIMARY KEY, x VARCHAR(20), n SMALLINT)",
                "INSERT INTO users VALUES (1, 'Ada', 'SECRET1@x', 10, NULL), (2, 'Bob', 'SECRET2@x', 20, NULL)",
                "INSERT INTO posts VALUES (10, 1, 'one', FALSE), (11, 2, 'SECRET', FALSE)",
                "INSERT INTO others VALUES (1, 'x', 1)");
        connection = database.connect();
    }

    @AfterAll
    void drop() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void whatCarriesHiddenValuesIntoShownColumnsIsRefused() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            assertThat(request.isOpen()).isTrue();
            for (String sql : flows()) {
                assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(UnsupportedQueryException.class);
            }
            assertThat(rows(connection, "SELECT id, name FROM users ORDER BY id"))
                    .containsExactly("1,Ada", "2,Bob");
        }
    }

    @Test
    void aConditionsColumnIsNotMadeAnew() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            assertThat(request.isOpen()).isTrue();
            assertThatThrownBy(
                            () -> run(connection, "ALTER TABLE others ADD COLUMN public BOOLEAN DEFAULT TRUE NOT NULL"))
                    .isInstanceOf(UnsupportedQueryException.class);
            assertThatThrownBy(() -> run(connection, "ALTER TABLE others ADD author_id BIGINT DEFAULT 1"))
                    .isInstanceOf(UnsupportedQueryException.class);
        }
    }

    @Test
    void ordinaryMigrationsPass() throws SQLException {
        for (String sql : migrations()) {
            run(connection, sql);
        }
        assertThat(rows(connection, "SELECT id, name FROM users ORDER BY id")).containsExactly("1,Ada", "2,Bob");
    }
}
