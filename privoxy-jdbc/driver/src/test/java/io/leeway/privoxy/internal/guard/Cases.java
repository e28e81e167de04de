package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of the contract share: people with secrets, events that members see, posts of which some are public. */
abstract class Cases {

    static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW names AS SELECT id, name FROM users;
            CREATE VIEW me AS SELECT * FROM users WHERE id = ?MyUId;
            CREATE VIEW public_posts AS SELECT * FROM posts WHERE public = TRUE;
            CREATE VIEW my_posts AS SELECT * FROM posts WHERE author_id = ?MyUId;
            CREATE VIEW my_memberships AS SELECT * FROM members WHERE user_id = ?MyUId;
            CREATE VIEW my_events AS
              SELECT e.* FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = ?MyUId;
            CREATE VIEW all_notes AS SELECT * FROM notes;
            """;

    private static final String[] TABLES = {
        "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL, email VARCHAR(50) NOT NULL UNIQUE,"
                + " salary INT NOT NULL)",
        "CREATE TABLE posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL REFERENCES users (id),"
                + " title VARCHAR(50) NOT NULL, public BOOLEAN NOT NULL)",
        "CREATE TABLE events (id BIGINT PRIMARY KEY, title VARCHAR(50) NOT NULL)",
        "CREATE TABLE members (user_id BIGINT NOT NULL, event_id BIGINT NOT NULL, role VARCHAR(20) NOT NULL,"
                + " PRIMARY KEY (user_id, event_id))",
        "CREATE TABLE notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))",
        "INSERT INTO users VALUES (1, 'Ada', 'ada@x', 100), (2, 'Bob', 'SECRET@x', 200), (3, 'Cy', 'cy@x', 300)",
        "INSERT INTO posts VALUES (1, 1, 'mine', TRUE), (2, 2, 'SECRET', FALSE), (3, 2, 'public', TRUE)",
        "INSERT INTO events VALUES (7, 'seven'), (8, 'SECRET')",
        "INSERT INTO members VALUES (1, 7, 'guest'), (2, 8, 'owner')"
    };

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    CheckedDatabase database;

    /** The databases that a case is tried on. */
    enum On {
        POSTGRESQL,
        MARIADB,
        H2;

        DatabaseServer server() {
            return switch (this) {
                case POSTGRESQL -> TestDatabases.postgres();
                case MARIADB -> TestDatabases.mariadb();
                case H2 -> TestDatabases.h2();
            };
        }
    }

    /** A database of its own for the test. */
    void on(On where) throws SQLException {
        on(where, POLICY);
    }

    void on(On where, String policy) throws SQLException {
        on(where, policy, TABLES);
    }

    void on(On where, String policy, String[] tables) throws SQLException {
        database = opened(new CheckedDatabase(where.server(), directory, policy, tables));
    }

    Connection connect(String... options) throws SQLException {
        return opened(database.connect(options));
    }

    PrivoxyRequest request(long user) {
        return opened(Privoxy.begin(Map.of("MyUId", user)));
    }

    static String[] tables() {
        return TABLES.clone();
    }

    <T extends AutoCloseable> T opened(T resource) {
        open.add(0, resource);
        return resource;
    }

    /**
     * As long as the foreign key {@code fk} is there, each post has its author among the users; all may see the numbers of both,
     * and of {@code z}, which has no rows.
     *
     * @param views and tables that a test needs beside them
     */
    void keyed(On where, String views, String... more) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW p AS SELECT id FROM posts;
                CREATE VIEW u AS SELECT id FROM users;
                CREATE VIEW zz AS SELECT id FROM z;
                """ + views, new String[] {
            "CREATE TABLE users (id INT PRIMARY KEY)",
            "CREATE TABLE posts (id INT PRIMARY KEY, author INT NOT NULL,"
                    + " CONSTRAINT fk FOREIGN KEY (author) REFERENCES users (id))",
            "CREATE TABLE z (id INT PRIMARY KEY)",
            "INSERT INTO users VALUES (1), (2), (3)",
            "INSERT INTO posts VALUES (10, 1), (20, 2), (30, 3)"
        });
        elsewhere(more);
    }

    /** Somebody else, past the policy. */
    void elsewhere(String... statements) throws SQLException {
        database.execute(statements);
    }

    static List<String> rows(Connection connection, String sql) throws SQLException {
        return CheckedDatabase.rows(connection, sql);
    }

    static void run(Connection connection, String... statements) throws SQLException {
        CheckedDatabase.run(connection, statements);
    }

    static void assertRefused(Connection connection, String sql) {
        assertThatThrownBy(() -> assertThat(rows(connection, sql)).as(sql).isEmpty())
                .as(sql)
                .isInstanceOf(SQLException.class)
                .isInstanceOf(PrivoxyException.class);
    }

    static void assertRefusedWrite(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(PrivoxyException.class);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }
}
