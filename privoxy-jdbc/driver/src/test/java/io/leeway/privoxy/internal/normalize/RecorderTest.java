package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.sql.Dialect;
import org.junit.jupiter.api.Test;

/** What the rows of a result say. */
class RecorderTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);

    private void tells(String sql, String... parts) {
        assertThat(postgres.recording(sql)).as(sql).containsExactly(parts);
    }

    @Test
    void aRowSaysThatThereIsSuchARow() {
        tells(
                "SELECT title, id FROM posts WHERE author_id = ?",
                "SELECT a.title, a.id FROM posts a WHERE a.author_id = $0 [0, 1]",
                "complete");
        tells(
                "SELECT 1 AS one FROM posts WHERE id = ? LIMIT 1",
                "SELECT () FROM posts a WHERE a.id = $0 []",
                "complete");
    }

    @Test
    void expressionsSayNothingButThatThereIsARow() {
        tells("SELECT lower(title) FROM posts WHERE id = 3", "SELECT () FROM posts a WHERE a.id = 3 []", "complete");
    }

    @Test
    void aJoinSaysThatThereIsAPair() {
        tells(
                "SELECT p.title, u.name FROM posts p JOIN users u ON u.id = p.author_id WHERE u.id = 1",
                "SELECT a.title, b.name FROM posts a, users b WHERE b.id = a.author_id AND b.id = 1 [0, 1]",
                "complete");
    }

    @Test
    void anOuterJoinSaysMoreWhereTheRightSideIsThere() {
        tells(
                "SELECT u.name, p.id, p.title FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "SELECT a.name FROM users a [0]",
                "SELECT a.name, b.id, b.title FROM users a, posts b WHERE b.author_id = a.id [0, 1, 2] guard 1",
                "complete");
        tells(
                "SELECT u.name, p.score FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "SELECT a.name FROM users a [0]",
                "complete");
    }

    @Test
    void aPartThatJoinsWhereAnotherIsAbsentIsNotTheWholeAnswer() {
        tells(
                "SELECT p.id AS pid, q.id AS qid FROM users u LEFT JOIN posts p ON p.author_id = u.id"
                        + " LEFT JOIN posts q ON p.id IS NULL",
                "SELECT () FROM users a []",
                "SELECT b.id FROM users a, posts b WHERE b.author_id = a.id [0] guard 0",
                "SELECT b.id FROM users a, posts b [1] guard 1");
    }

    @Test
    void aLimitMakesItIncomplete() {
        tells("SELECT id FROM posts LIMIT 10", "SELECT a.id FROM posts a [0]");
        tells("SELECT id FROM posts FOR UPDATE SKIP LOCKED", "SELECT a.id FROM posts a [0]");
    }

    @Test
    void onlyWhatAllAlternativesHaveIsCertain() {
        tells(
                "SELECT id FROM posts WHERE public AND (score = 1 OR author_id = 2)",
                "SELECT a.id FROM posts a WHERE a.public = true [0]");
        tells("SELECT id FROM posts WHERE author_id IN (1, 2)", "SELECT a.id FROM posts a [0]");
    }

    @Test
    void whatMayChangeItsMeaningIsLeftOut() {
        tells(
                "SELECT id FROM posts WHERE made > now() AND public",
                "SELECT a.id FROM posts a WHERE a.public = true [0]");
        tells("SELECT id FROM posts WHERE made::text = 'x'", "SELECT a.id FROM posts a [0]");
        tells(
                "SELECT id FROM posts WHERE lower(title) = 'x'",
                "SELECT a.id FROM posts a WHERE fn:lower(text)(a.title) = 'x' [0]",
                "complete");
    }

    @Test
    void hiddenConditionsAreLeftOutAndExistenceKept() {
        tells(
                "SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM posts WHERE author_id = u.id)",
                "SELECT a.id FROM users a [0]");
        tells(
                "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM posts WHERE author_id = u.id)",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id [0]",
                "complete");
    }

    @Test
    void groupsSayThatTheyHaveARow() {
        tells(
                "SELECT author_id, count(*) FROM posts GROUP BY author_id",
                "SELECT a.author_id FROM posts a [0]",
                "complete");
        tells(
                "SELECT u.id, u.name, count(p.id) FROM users u JOIN posts p ON p.author_id = u.id GROUP BY u.id",
                "SELECT a.id, a.name FROM users a, posts b WHERE b.author_id = a.id [0, 1]",
                "complete");
        tells(
                "SELECT author_id FROM posts GROUP BY author_id HAVING count(*) > 1",
                "SELECT a.author_id FROM posts a [0]");
        tells("SELECT count(*) FROM posts");
        tells("SELECT title FROM posts GROUP BY ROLLUP (title)");
    }

    @Test
    void unionsSayNothing() {
        tells("SELECT id FROM posts UNION SELECT id FROM comments");
        tells("SELECT id FROM posts EXCEPT SELECT id FROM comments");
    }

    @Test
    void valuesThatAreEqualButNotTheSameAreNotAllShown() {
        tells("SELECT DISTINCT mail FROM users", "SELECT a.mail FROM users a [0]");
        tells("SELECT mail FROM users", "SELECT a.mail FROM users a [0]", "complete");
    }
}
