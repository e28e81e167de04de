package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Columns that change without being named: what a request read of them must not be relied on after a write. User 2's
 * post 1 has base 5, so twice 10, and level 7; the views show what has the same number as a post of the user.
 */
abstract class MovingColumns {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_posts AS SELECT * FROM posts WHERE owner_id = ?MyUId;
            CREATE VIEW lines_of_mine AS
              SELECT l.* FROM text_lines l JOIN posts p ON p.twice = l.twice WHERE p.owner_id = ?MyUId;
            CREATE VIEW levels_of_mine AS
              SELECT l.* FROM levels l JOIN posts p ON p.level = l.level WHERE p.owner_id = ?MyUId;
            """;
    private static final String POST = "SELECT id, owner_id, twice, level FROM posts WHERE owner_id = 2 AND id = 1";
    private static final String LINE = "SELECT text FROM text_lines WHERE twice = 10";
    private static final String LEVEL = "SELECT text FROM levels WHERE level = 7";

    private CheckedDatabase database;
    private Connection connection;
    private PrivoxyRequest request;

    abstract DatabaseServer server();

    /** An INSERT of post 1 with base 50, which is an UPDATE as the post is there. */
    abstract String upsert();

    @BeforeEach
    void open(@TempDir Path directory) throws SQLException {
        database = new CheckedDatabase(
                server(),
                directory,
                POLICY + morePolicy(),
                "CREATE TABLE posts (id BIGINT NOT NULL PRIMARY KEY, owner_id BIGINT NOT NULL, base BIGINT NOT NULL,"
                        + " text VARCHAR(50), level BIGINT DEFAULT (3 + 4) NOT NULL,"
                        + " twice BIGINT GENERATED ALWAYS AS (base * 2)" + stored() + ")",
                "CREATE TABLE text_lines (id BIGINT NOT NULL PRIMARY KEY, twice BIGINT NOT NULL, text VARCHAR(50))",
                "CREATE TABLE levels (id BIGINT NOT NULL PRIMARY KEY, level BIGINT NOT NULL, text VARCHAR(50))",
                "INSERT INTO posts (id, owner_id, base, text) VALUES (1, 2, 5, 'a'), (2, 2, 6, 'b')",
                "INSERT INTO text_lines VALUES (100, 10, 'ten')",
                "INSERT INTO levels VALUES (200, 7, 'seven')");
        database.execute(more());
        connection = database.connect();
        request = Privoxy.begin(Map.of("MyUId", 2L));
    }

    String stored() {
        return " STORED";
    }

    String morePolicy() {
        return "";
    }

    String[] more() {
        return new String[0];
    }

    @AfterEach
    void close() throws SQLException {
        request.close();
        connection.close();
        database.close();
    }

    @Test
    void aGeneratedColumnMovesWithWhatItIsMadeOf() throws SQLException {
        load();

        run("UPDATE posts SET base = 50 WHERE id = 1");

        refused(LINE);
        assertThat(rows(POST)).containsExactly("1,2,100,7");
        refused(LINE);
        allowed(LEVEL);
    }

    @Test
    void thePostsThatWereNotWrittenStayKnown() throws SQLException {
        load();
        assertThat(rows("SELECT id, owner_id FROM posts WHERE owner_id = 2 AND id = 2"))
                .containsExactly("2,2");

        run("UPDATE posts SET base = 60 WHERE id = 2");

        allowed(LINE);
        allowed(LEVEL);
    }

    @Test
    void aColumnThatIsSetToItsDefault() throws SQLException {
        database.execute("UPDATE posts SET level = 8 WHERE id = 1", "INSERT INTO levels VALUES (201, 8, 'eight')");
        assertThat(rows(POST)).containsExactly("1,2,10,8");
        assertThat(rows("SELECT text FROM levels WHERE level = 8")).containsExactly("eight");

        run("UPDATE posts SET level = DEFAULT WHERE id = 1");

        refused("SELECT text FROM levels WHERE level = 8");
        refused(LEVEL);
        assertThat(rows(POST)).containsExactly("1,2,10,7");
        allowed(LEVEL);
    }

    @Test
    void anInsertThatIsAnUpdate() throws SQLException {
        load();

        run(upsert());

        refused(LINE);
        assertThat(rows(POST)).containsExactly("1,2,100,7");
    }

    /** Post 1, and what may be seen because of it. */
    final void load() throws SQLException {
        refused(LINE);
        refused(LEVEL);
        assertThat(rows(POST)).containsExactly("1,2,10,7");
        allowed(LINE);
        allowed(LEVEL);
    }

    final void allowed(String sql) throws SQLException {
        assertThat(rows(sql)).hasSize(1);
    }

    final void refused(String sql) {
        assertThatThrownBy(() -> rows(sql)).as(sql).isInstanceOf(PolicyViolationException.class);
    }

    final List<String> rows(String sql) throws SQLException {
        return CheckedDatabase.rows(connection, sql);
    }

    final void run(String... statements) throws SQLException {
        CheckedDatabase.run(connection, statements);
    }
}
