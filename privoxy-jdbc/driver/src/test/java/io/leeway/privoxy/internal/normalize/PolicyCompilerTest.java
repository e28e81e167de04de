package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.policy.ViewCompiler.Compiled;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Views must be exact. */
class PolicyCompilerTest {

    private static final Map<String, ColumnType> CONTEXT = Map.of("MyUId", Fixture.type("bigint"));

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);

    private void means(String sql, String query) {
        assertThat(postgres.printedView(sql)).as(sql).isEqualTo(query);
    }

    private void refuses(String sql, String reason) {
        assertThatThrownBy(() -> postgres.printedView(sql)).as(sql).hasMessageContaining(reason);
    }

    @Test
    void joinsAndConditionsAreExact() {
        means(
                "SELECT p.*, c.text FROM posts p JOIN comments c ON c.post_id = p.id"
                        + " WHERE c.author_id = ?MyUId AND NOT (p.score < 3 OR p.title IS NULL)",
                "SELECT a.id, a.author_id, a.title, a.public, a.score, a.made, b.text FROM posts a, comments b"
                        + " WHERE b.post_id = a.id AND b.author_id = ?MyUId AND 3 <= a.score");
        means(
                "SELECT id FROM posts WHERE public OR author_id = ?MyUId",
                "SELECT a.id FROM posts a WHERE a.public = true"
                        + " UNION SELECT a.id FROM posts a WHERE a.author_id = ?MyUId");
        means("SELECT id FROM users WHERE name IN ('a', 'b')", "SELECT a.id FROM users a WHERE a.name IN ('a', 'b')");
    }

    @Test
    void existenceIsExact() {
        means(
                "SELECT title FROM posts WHERE id IN (SELECT group_id FROM members WHERE user_id = ?MyUId)",
                "SELECT a.title FROM posts a, members b WHERE b.user_id = ?MyUId AND a.id = b.group_id");
    }

    @Test
    void unionsAndDistinctAreSets() {
        means(
                "SELECT DISTINCT author_id FROM posts UNION ALL SELECT author_id FROM comments",
                "SELECT a.author_id FROM posts a UNION SELECT a.author_id FROM comments a");
    }

    @Test
    void functionsStandForThemselves() {
        means(
                "SELECT id, lower(title) FROM posts WHERE title LIKE 'a%'",
                "SELECT a.id, fn:lower(text)(a.title) FROM posts a WHERE fn:like(text,STRING)(a.title, 'a%') = true");
    }

    @Test
    void anOuterJoinThatIsInnerPasses() {
        means(
                "SELECT u.id FROM users u LEFT JOIN posts p ON p.author_id = u.id WHERE p.public",
                "SELECT a.id FROM users a, posts b WHERE b.public = true AND b.author_id = a.id");
    }

    @Test
    void whatIsNotExactIsRefused() {
        refuses(
                "SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM posts WHERE author_id = u.id)",
                "absence of rows");
        refuses("SELECT id FROM users WHERE id NOT IN (SELECT author_id FROM posts)", "absence of rows");
        refuses("SELECT count(*) FROM posts", "aggregates");
        refuses("SELECT author_id FROM posts GROUP BY author_id", "GROUP BY");
        refuses("SELECT id FROM posts LIMIT 3", "LIMIT");
        refuses("SELECT id FROM posts ORDER BY id", "ORDER BY");
        refuses("SELECT id FROM posts EXCEPT SELECT id FROM comments", "EXCEPT");
        refuses(
                "SELECT u.id, p.id FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "not exactly a union of joins");
        refuses("SELECT u.id FROM users u LEFT JOIN posts p ON p.author_id = u.id WHERE p.id IS NULL", "not exactly");
        refuses("SELECT (SELECT max(id) FROM posts) FROM users", "sub-query");
        refuses("SELECT id FROM (SELECT DISTINCT id FROM posts) p", "query in FROM");
        refuses("SELECT rank() OVER () FROM posts", "window");
        refuses("DELETE FROM posts", "anything but one SELECT");
        refuses("SELECT relname FROM pg_class", "without tables");
        refuses("SELECT id FROM posts; SELECT id FROM posts", "anything but one SELECT");
    }

    @Test
    void anUndeclaredParameterIsRefusedWithItsPlace() {
        refuses("SELECT id FROM posts WHERE author_id = ?Nobody", "?Nobody at line 1, column 40");
    }

    @Test
    void columnsAndTablesAreNamed() {
        Compiled compiled = postgres.view("SELECT id, title AS t, lower(title), 1 + 1 FROM posts", CONTEXT);

        assertThat(compiled.columns()).containsExactly("id", "t", "lower", "column4");
        assertThat(compiled.tables()).containsExactly("s.posts");
    }

    @Test
    void aViewThatIsNeverTrueIsEmpty() {
        means("SELECT id FROM posts WHERE false", "NOTHING");
    }
}
