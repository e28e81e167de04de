package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.sql.Dialect;
import org.junit.jupiter.api.Test;

/** Outer joins, queries in FROM, WITH and set operations. */
class NormalizerJoinTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);

    private void asks(String sql, String... obligations) {
        assertThat(postgres.obligations(sql)).as(sql).containsExactly(obligations);
    }

    // --- outer joins -------------------------------------------------------------------------------------------------

    @Test
    void anOuterJoinIsItsLeftRowsAndItsPairs() {
        asks(
                "SELECT u.name, p.title FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id, b.title FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aChainOfOuterJoinsIsOneQuestionForEachLevel() {
        asks(
                "SELECT c.text, p.title, u.name, b.name FROM comments c LEFT JOIN posts p ON p.id = c.post_id"
                        + " LEFT JOIN users u ON u.id = p.author_id LEFT JOIN users b ON b.id = u.boss_id WHERE c.id = 3",
                "SELECT a.text FROM comments a WHERE a.id = 3",
                "SELECT b.title FROM comments a, posts b WHERE a.id = 3 AND b.id = a.post_id",
                "SELECT c.name FROM comments a, posts b, users c"
                        + " WHERE a.id = 3 AND b.id = a.post_id AND c.id = b.author_id",
                "SELECT d.name FROM comments a, posts b, users c, users d"
                        + " WHERE a.id = 3 AND b.id = a.post_id AND c.id = b.author_id AND d.id = c.boss_id");
    }

    @Test
    void levelsThatDoNotDependOnEachOtherAreAskedSeparately() {
        asks(
                "SELECT u.name, p.title, m.since FROM users u LEFT JOIN posts p ON p.author_id = u.id"
                        + " LEFT JOIN members m ON m.user_id = u.id WHERE u.id = 1",
                "SELECT a.name FROM users a WHERE a.id = 1",
                "SELECT b.id, b.title FROM users a, posts b WHERE a.id = 1 AND b.author_id = a.id",
                "SELECT b.group_id, b.since FROM users a, members b WHERE a.id = 1 AND b.user_id = a.id");
    }

    @Test
    void twentyOuterJoinsStayTwentyOneQuestions() {
        var sql = new StringBuilder("SELECT * FROM users t0");
        for (int i = 1; i <= 20; i++) {
            sql.append(" LEFT JOIN users t")
                    .append(i)
                    .append(" ON t")
                    .append(i)
                    .append(".id = t")
                    .append(i - 1)
                    .append(".boss_id");
        }

        assertThat(postgres.obligations(sql.toString())).hasSize(21);
    }

    @Test
    void aPartThatMakesNoDifferenceIsLeftOut() {
        asks(
                "SELECT c.text FROM comments c LEFT JOIN posts p ON p.id = c.post_id WHERE c.id = 3",
                "SELECT a.text FROM comments a WHERE a.id = 3");
        asks(
                "SELECT DISTINCT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "SELECT a.name FROM users a");
        asks(
                "SELECT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aConstantOfAPartShowsWhetherItIsThere() {
        asks(
                "SELECT DISTINCT u.name, s.one FROM users u"
                        + " LEFT JOIN (SELECT author_id, 1 AS one FROM posts) s ON s.author_id = u.id",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aConditionThatFailsOnNullsMakesTheJoinInner() {
        asks(
                "SELECT u.name, p.title FROM users u LEFT JOIN posts p ON p.author_id = u.id WHERE p.score > 3",
                "SELECT b.id, a.name, b.title FROM users a, posts b WHERE 3 < b.score AND b.author_id = a.id");
    }

    @Test
    void rowsWithoutMatchAskWhoHasOne() {
        asks(
                "SELECT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id AND p.public WHERE p.id IS NULL",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id AND b.public = true");
    }

    @Test
    void aConditionThatMayHoldEitherWayAsksBoth() {
        asks(
                "SELECT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id WHERE p.public OR u.age = 3",
                "SELECT b.id, a.name FROM users a, posts b WHERE b.public = true AND b.author_id = a.id"
                        + " UNION SELECT b.id, a.name FROM users a, posts b WHERE a.age = 3 AND b.author_id = a.id",
                "SELECT a.id, a.name FROM users a WHERE a.age = 3",
                "SELECT a.id FROM users a, posts b WHERE a.age = 3 AND b.author_id = a.id");
    }

    @Test
    void distinctRowsOfTheLeftSideAreAUnionExactly() {
        asks(
                "SELECT DISTINCT u.* FROM users u LEFT JOIN posts p ON p.author_id = u.id WHERE p.public OR u.age = 3",
                "SELECT a.id, a.name, a.mail, a.code, a.age, a.boss_id FROM users a WHERE a.age = 3"
                        + " UNION SELECT a.id, a.name, a.mail, a.code, a.age, a.boss_id FROM users a, posts b"
                        + " WHERE b.public = true AND b.author_id = a.id");
    }

    @Test
    void twoPartsThatMustBothBeAbsentAreNotTakenToBeThere() {
        asks(
                "SELECT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id LEFT JOIN comments c ON c.author_id = u.id"
                        + " WHERE p.id IS NULL AND c.id IS NULL",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id",
                "SELECT a.id FROM users a, comments b WHERE b.author_id = a.id");
    }

    @Test
    void aRightJoinIsALeftJoinMirrored() {
        asks(
                "SELECT u.name, p.title FROM posts p RIGHT JOIN users u ON p.author_id = u.id",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id, b.title FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aFullJoinHasTheRowsOfBothSides() {
        asks(
                "SELECT u.name, p.title FROM users u FULL JOIN posts p ON p.author_id = u.id",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id, b.title FROM users a, posts b WHERE b.author_id = a.id",
                "SELECT a.id, a.title FROM posts a",
                "SELECT a.id FROM posts a, users b WHERE a.author_id = b.id");
    }

    @Test
    void aNestedOuterJoinIsThereOnlyWithWhatItIsIn() {
        asks(
                "SELECT u.id, p.id, c.id FROM users u LEFT JOIN (posts p LEFT JOIN comments c ON c.post_id = p.id)"
                        + " ON p.author_id = u.id",
                "SELECT a.id FROM users a",
                "SELECT a.id, b.id FROM users a, posts b WHERE b.author_id = a.id",
                "SELECT a.id, b.id, c.id FROM users a, posts b, comments c"
                        + " WHERE b.author_id = a.id AND c.post_id = b.id");
    }

    // --- queries in FROM ---------------------------------------------------------------------------------------------

    @Test
    void aQueryThatJoinsAndFiltersIsPutInPlace() {
        asks(
                "SELECT t FROM (SELECT id, title AS t FROM posts WHERE public) s WHERE s.id = 7",
                "SELECT a.title FROM posts a WHERE a.public = true AND a.id = 7");
        asks(
                "WITH s(i, t) AS (SELECT id, title FROM posts WHERE public) SELECT t FROM s WHERE i = 7",
                "SELECT a.title FROM posts a WHERE a.public = true AND a.id = 7");
        asks(
                "SELECT u.name FROM users u, LATERAL (SELECT id FROM posts p WHERE p.author_id = u.id) l",
                "SELECT b.id, a.name FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void anotherQueryIsAskedAsAWhole() {
        asks(
                "SELECT count(*) FROM (SELECT title FROM posts WHERE public LIMIT 10) t",
                "SELECT a.id, a.title FROM posts a WHERE a.public = true");
        asks(
                "SELECT u.name, c.n FROM users u"
                        + " JOIN (SELECT author_id, count(*) AS n FROM posts GROUP BY author_id) c ON c.author_id = u.id"
                        + " WHERE c.n > 3",
                "SELECT a.id, a.author_id FROM posts a",
                "SELECT b.author_id, a.name FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aGroupWithoutKeyInFromRestrictsNothing() {
        asks(
                "SELECT u.name FROM users u JOIN (SELECT max(score) AS best FROM posts) m ON u.age = m.best",
                "SELECT a.score FROM posts a",
                "SELECT a.id, a.name, a.age FROM users a");
    }

    @Test
    void aLateralQueryIsAskedForEachRow() {
        asks(
                "SELECT u.name, l.title FROM users u"
                        + " CROSS JOIN LATERAL (SELECT title FROM posts p WHERE p.author_id = u.id ORDER BY score LIMIT 1) l",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id, b.title, b.score FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aRecursiveQueryReadsItsTables() {
        asks(
                "WITH RECURSIVE t(id) AS (SELECT id FROM users WHERE boss_id IS NULL"
                        + " UNION SELECT u.id FROM users u JOIN t ON u.boss_id = t.id WHERE u.age > 3) SELECT * FROM t",
                "SELECT a.id FROM users a WHERE a.boss_id IS NULL",
                "SELECT a.id, a.boss_id FROM users a WHERE 3 < a.age");
    }

    @Test
    void aNameOfWithHidesATable() {
        asks("WITH posts AS (SELECT id FROM comments) SELECT * FROM posts", "SELECT a.id FROM comments a");
        asks(
                "WITH posts AS (SELECT id FROM posts WHERE public) SELECT * FROM posts",
                "SELECT a.id FROM posts a WHERE a.public = true");
    }

    @Test
    void rowsOfAFunctionRestrictNothing() {
        asks(
                "SELECT u.name FROM users u JOIN unnest(ARRAY[1, 2]) AS x ON u.id = x",
                "SELECT a.id, a.name FROM users a");
        assertThatThrownBy(() -> postgres.plan("SELECT * FROM dblink('x', 'SELECT 1') AS t"))
                .hasMessageContaining("dblink");
    }

    // --- set operations ----------------------------------------------------------------------------------------------

    @Test
    void aUnionOfSimpleQueriesIsOneQuestion() {
        asks(
                "SELECT id FROM posts WHERE public UNION SELECT id FROM comments",
                "SELECT a.id FROM posts a WHERE a.public = true UNION SELECT a.id FROM comments a");
        asks(
                "SELECT 1, id FROM posts UNION SELECT 2, id FROM comments",
                "SELECT 1, a.id FROM posts a UNION SELECT 2, a.id FROM comments a");
    }

    @Test
    void aUnionOfOtherTypesAsksItsSides() {
        asks(
                "SELECT id FROM posts UNION SELECT score FROM posts",
                "SELECT a.id FROM posts a",
                "SELECT a.score FROM posts a");
    }

    @Test
    void unionAllCountsRows() {
        asks(
                "SELECT title FROM posts UNION ALL SELECT text FROM comments",
                "SELECT a.id, a.title FROM posts a",
                "SELECT a.id, a.text FROM comments a");
        asks(
                "SELECT title FROM posts UNION ALL SELECT text FROM comments UNION SELECT name FROM users",
                "SELECT a.title FROM posts a UNION SELECT a.text FROM comments a UNION SELECT a.name FROM users a");
    }

    @Test
    void differenceAndIntersectionReadBothSides() {
        asks(
                "SELECT author_id FROM posts EXCEPT SELECT author_id FROM comments",
                "SELECT a.author_id FROM posts a",
                "SELECT a.author_id FROM comments a");
        asks(
                "SELECT author_id FROM posts INTERSECT ALL SELECT author_id FROM comments",
                "SELECT a.id, a.author_id FROM posts a",
                "SELECT a.id, a.author_id FROM comments a");
    }

    @Test
    void aLimitedSideCountsItsRows() {
        asks(
                "(SELECT title FROM posts ORDER BY title LIMIT 2) UNION SELECT text FROM comments",
                "SELECT a.id, a.title FROM posts a",
                "SELECT a.text FROM comments a");
    }
}
