package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** privoxyFunctions: what is named there may be called, and its arguments are revealed to it; nothing else is. */
class AllowedFunctionsTest {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW scores AS SELECT id, score FROM posts;
            CREATE VIEW mine AS SELECT p.*, m.* FROM posts p JOIN members m ON m.post_id = p.id
                WHERE m.user_id = ?MyUId;
            CREATE VIEW memberships AS SELECT * FROM members;
            """;

    @TempDir
    Path directory;

    private CheckedDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                POLICY,
                "CREATE TABLE posts (id BIGINT PRIMARY KEY, score BIGINT NOT NULL, secret BIGINT NOT NULL)",
                "CREATE TABLE members (user_id BIGINT, post_id BIGINT, PRIMARY KEY (user_id, post_id))",
                "INSERT INTO posts VALUES (1, -5, 7)",
                "INSERT INTO members VALUES (2, 1)",
                "CREATE SCHEMA app",
                "CREATE ALIAS magnitude FOR 'java.lang.Math.abs(long)'",
                "CREATE ALIAS \"Magnitude\" FOR 'java.lang.Math.abs(long)'",
                "CREATE ALIAS app.magnitude FOR 'java.lang.Math.abs(long)'");
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void aFunctionThatIsNotNamedIsRefused() throws SQLException {
        try (Connection connection = database.connect()) {
            assertUnsupported(connection, "SELECT magnitude(score) FROM posts");
            assertUnsupported(connection, "CALL magnitude(-1)");
        }
    }

    @Test
    void aNamedFunctionSeesWhatThePolicyShows() throws SQLException {
        try (Connection connection = database.connect("privoxyFunctions", "magnitude")) {
            assertThat(rows(connection, "SELECT magnitude(score) FROM posts")).containsExactly("5");
            assertThat(rows(connection, "SELECT id FROM posts WHERE magnitude(score) > 3"))
                    .containsExactly("1");
            assertRefused(connection, "SELECT magnitude(secret) FROM posts");
            assertRefused(connection, "SELECT id FROM posts WHERE magnitude(secret) > 3");
            assertRefused(connection, "SELECT magnitude((SELECT MAX(secret) FROM posts))");
            assertRefused(connection, "SELECT id FROM posts ORDER BY magnitude(secret)");
        }
    }

    @Test
    void theNameIsTheOneThatTheDatabaseResolves() throws SQLException {
        try (Connection connection = database.connect("privoxyFunctions", "app.magnitude")) {
            assertThat(rows(connection, "SELECT APP.Magnitude(-2)")).containsExactly("2");
            assertUnsupported(connection, "SELECT magnitude(-2)");
            assertUnsupported(connection, "SELECT \"Magnitude\"(-2)");
        }
        try (Connection connection = database.connect("privoxyFunctions", "\"Magnitude\"")) {
            assertThat(rows(connection, "SELECT \"Magnitude\"(-2)")).containsExactly("2");
            assertUnsupported(connection, "SELECT magnitude(-2)");
        }
    }

    @Test
    void aProcedureMayBeCalledButReadsNoTableInItsArguments() throws SQLException {
        try (Connection connection = database.connect("privoxyFunctions", "magnitude");
                CallableStatement call = connection.prepareCall("{? = call magnitude(?)}")) {
            call.registerOutParameter(1, Types.BIGINT);
            call.setLong(2, -3);
            call.execute();
            assertThat(call.getLong(1)).isEqualTo(3);
            run(connection, "CALL magnitude(-1)");
            assertRefused(connection, "CALL magnitude((SELECT MAX(secret) FROM posts))");
        }
    }

    @Test
    void whatWasReadBeforeIsForgotten() throws SQLException {
        try (Connection connection = database.connect("privoxyFunctions", "magnitude");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
            assertThat(request.isOpen()).isTrue();
            rows(connection, "SELECT user_id, post_id FROM members WHERE user_id = 2");
            assertThat(rows(connection, "SELECT secret FROM posts WHERE id = 1"))
                    .containsExactly("7");

            rows(connection, "SELECT magnitude(-1)");

            assertRefused(connection, "SELECT secret FROM posts WHERE id = 1");
        }
    }

    @Test
    void aNameThatCannotBeReadFailsAtConnect() {
        assertThatThrownBy(() -> database.connect("privoxyFunctions", "app.\"open"))
                .isInstanceOf(PrivoxyFailureException.class)
                .hasMessageContaining("PRIVOXY-1001")
                .hasMessageContaining("privoxyFunctions");
    }

    private static void assertUnsupported(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(UnsupportedQueryException.class);
    }

    private static void assertRefused(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(PolicyViolationException.class);
    }
}
