package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyErrorCode;
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

/** A refusal says in its first line what is not shown and what the nearest view lacks, and shows no data. */
class RefusalReasonTest {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE CONTEXT Role VARCHAR;
            CREATE VIEW user_names AS SELECT id, name FROM users;
            CREATE VIEW my_posts AS SELECT * FROM posts WHERE author_id = ?MyUId;
            CREATE VIEW staff AS SELECT * FROM audits WHERE ?Role = 'staff';
            """;

    @TempDir
    Path directory;

    private CheckedDatabase database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedDatabase(
                TestDatabases.h2(),
                directory,
                POLICY,
                "CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL, email VARCHAR(50))",
                "CREATE TABLE posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, text VARCHAR(50))",
                "CREATE TABLE audits (id BIGINT PRIMARY KEY, what VARCHAR(50))",
                "CREATE TABLE secrets (id BIGINT PRIMARY KEY, what VARCHAR(50))");
        connection = database.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void namesColumnsAndWhatTheNearestViewLacks() {
        PolicyViolationException refusal = refusal("SELECT text FROM posts WHERE id = 4711", Map.of("MyUId", 2));

        assertThat(refusal.refusal().reason())
                .isEqualTo("The policy does not show TEXT of POSTS beyond view my_posts, which lacks:"
                        + " it is not known that POSTS.AUTHOR_ID = ?MyUId.");
        assertThat(refusal.code()).isEqualTo(PrivoxyErrorCode.VIOLATION);
    }

    @Test
    void theMessagesFirstLineIsTheReasonAndNoLineHasData() {
        PolicyViolationException refusal =
                refusal("SELECT text FROM posts WHERE id = 4711 AND text <> 'secret'", Map.of("MyUId", 90210));

        String message = String.valueOf(refusal.getMessage());
        assertThat(message.lines().findFirst())
                .get()
                .asString()
                .startsWith("PRIVOXY-1201: The policy does not show TEXT of POSTS beyond view my_posts")
                .doesNotContain("SELECT");
        assertThat(message.lines().skip(1).findFirst())
                .get()
                .asString()
                .matches("Query [0-9a-f]+: SELECT text FROM posts WHERE id = \\? AND text <> \\?");
        assertThat(message).doesNotContain("4711", "secret", "90210");
    }

    @Test
    void namesAColumnThatNoViewShows() {
        assertThat(refusal("SELECT name, email FROM users", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .contains("EMAIL of USERS", "beyond view user_names", "column USERS.EMAIL is not shown");
    }

    @Test
    void namesATableThatNoViewShows() {
        assertThat(refusal("SELECT what FROM secrets WHERE id = 1", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .isEqualTo("The policy does not show WHAT of SECRETS.");
    }

    @Test
    void saysThatExistenceIsAsked() {
        assertThat(refusal("SELECT 1 FROM secrets WHERE id = 1", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .isEqualTo("The policy does not show whether there is a row of SECRETS.");
    }

    @Test
    void saysThatRowsAreCounted() {
        assertThat(refusal("SELECT COUNT(*) FROM secrets", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .isEqualTo("The policy does not show ID of SECRETS (what is counted or summed up).");
    }

    @Test
    void saysThatASubQueryIsNotShown() {
        assertThat(refusal("SELECT name FROM users WHERE id IN (SELECT author_id FROM posts)", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .contains("NAME, ID of USERS", "beyond view user_names, which lacks: rows of POSTS");
    }

    @Test
    void saysThatTheConditionReadsAColumnThatIsNotShown() {
        assertThat(refusal("SELECT id, name FROM users WHERE email = 'a@b.c'", Map.of("MyUId", 2))
                        .refusal()
                        .reason())
                .contains("column USERS.EMAIL, which the condition reads, is not shown");
    }

    @Test
    void withoutContextItNamesTheParameterThatIsMissing() {
        PolicyViolationException refusal = refusal("SELECT text FROM posts WHERE author_id = 2", Map.of());

        assertThat(refusal.code()).isEqualTo(PrivoxyErrorCode.NO_CONTEXT);
        assertThat(refusal.refusal().reason())
                .startsWith("No context: MyUId is missing, begin a request with it. The policy does not show");
    }

    @Test
    void withoutContextARefusalThatNoContextWouldChangeIsAnOrdinaryOne() {
        assertThat(refusal("SELECT what FROM secrets", Map.of()).code()).isEqualTo(PrivoxyErrorCode.VIOLATION);
    }

    @Test
    void aRequestThatLacksOneParameterIsToldWhichTheViewNeeds() {
        PolicyViolationException refusal = refusal("SELECT what FROM audits", Map.of("MyUId", 2));

        assertThat(refusal.code()).isEqualTo(PrivoxyErrorCode.VIOLATION);
        assertThat(refusal.refusal().reason()).contains("view staff", "the request has no parameter Role");
    }

    private PolicyViolationException refusal(String sql, Map<String, ?> context) {
        if (context.isEmpty()) {
            return caught(sql);
        }
        try (PrivoxyRequest request = Privoxy.begin(context)) {
            assertThat(request.isOpen()).isTrue();
            return caught(sql);
        }
    }

    private PolicyViolationException caught(String sql) {
        return catchThrowableOfType(PolicyViolationException.class, () -> CheckedDatabase.rows(connection, sql));
    }
}
