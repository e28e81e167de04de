package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.sql.Dialect;
import org.junit.jupiter.api.Test;

/** Sub-queries in every clause. */
class NormalizerSubqueryTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);

    private void asks(String sql, String... obligations) {
        assertThat(postgres.obligations(sql)).as(sql).containsExactly(obligations);
    }

    @Test
    void existenceJoins() {
        asks(
                "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id AND p.public)",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id AND b.public = true");
        asks(
                "SELECT id FROM users WHERE id IN (SELECT author_id FROM posts WHERE public = false)",
                "SELECT a.id FROM users a, posts b WHERE b.public = false AND a.id = b.author_id");
        asks(
                "SELECT id FROM users WHERE age > ANY (SELECT score FROM posts)",
                "SELECT a.id FROM users a, posts b WHERE b.score < a.age");
        asks(
                "SELECT id FROM users WHERE (id, 3) IN (SELECT user_id, group_id FROM members)",
                "SELECT a.id FROM users a, members b WHERE a.id = b.user_id AND 3 = b.group_id");
    }

    @Test
    void rowsOfASemiJoinAreNotCounted() {
        asks(
                "SELECT count(*) FROM users WHERE id IN (SELECT author_id FROM posts)",
                "SELECT a.id FROM users a, posts b WHERE a.id = b.author_id");
    }

    @Test
    void whatDoesNotMatterForExistenceIsPassedOver() {
        asks(
                "SELECT id FROM users WHERE EXISTS (SELECT DISTINCT title FROM posts ORDER BY title LIMIT 5)",
                "SELECT a.id FROM users a, posts b");
        asks(
                "SELECT id FROM users WHERE id IN (SELECT DISTINCT author_id FROM posts)",
                "SELECT a.id FROM users a, posts b WHERE a.id = b.author_id");
        asks("SELECT id FROM users WHERE EXISTS (SELECT count(*) FROM posts)", "SELECT a.id FROM users a");
        asks("SELECT id FROM users WHERE EXISTS (SELECT 1 FROM posts LIMIT 0)");
    }

    @Test
    void alternativesOfASubqueryAreAlternatives() {
        asks(
                "SELECT id FROM users WHERE id IN (SELECT user_id FROM members UNION SELECT author_id FROM posts)",
                "SELECT a.id FROM users a, members b WHERE a.id = b.user_id"
                        + " UNION SELECT a.id FROM users a, posts b WHERE a.id = b.author_id");
    }

    @Test
    void absenceAsksWhoHasARow() {
        asks(
                "SELECT name FROM users u WHERE NOT EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id)",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id");
        asks(
                "SELECT name FROM users u WHERE age = 3 AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id)",
                "SELECT a.id, a.name FROM users a WHERE a.age = 3",
                "SELECT a.id FROM users a, posts b WHERE a.age = 3 AND b.author_id = a.id");
    }

    @Test
    void notInMindsNull() {
        asks(
                "SELECT id FROM users WHERE age NOT IN (SELECT boss_id FROM users)",
                "SELECT a.id FROM users a",
                "SELECT a.id FROM users a, users b WHERE a.age = b.boss_id"
                        + " UNION SELECT a.id FROM users a WHERE a.age IS NULL"
                        + " UNION SELECT a.id FROM users a, users b WHERE b.boss_id IS NULL");
        asks(
                "SELECT id FROM users WHERE id <> ALL (SELECT author_id FROM posts)",
                "SELECT a.id FROM users a",
                "SELECT a.id FROM users a, posts b WHERE a.id = b.author_id");
    }

    @Test
    void absenceInOneAlternativeLeavesTheOthersAlone() {
        asks(
                "SELECT DISTINCT name FROM users u"
                        + " WHERE age = 3 OR NOT EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id)",
                "SELECT a.name FROM users a WHERE a.age = 3",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void absenceInsideExistenceIsAskedForItsRows() {
        asks(
                "SELECT u.name FROM users u WHERE u.id = 1 AND EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id"
                        + " AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = m.group_id))",
                "SELECT a.name FROM users a, members b WHERE a.id = 1 AND b.user_id = a.id",
                "SELECT b.group_id FROM users a, members b WHERE a.id = 1 AND b.user_id = a.id",
                "SELECT b.group_id FROM users a, members b, posts c"
                        + " WHERE a.id = 1 AND b.user_id = a.id AND c.id = b.group_id");
    }

    @Test
    void aValueIsAskedForEachRow() {
        asks(
                "SELECT name, (SELECT count(*) FROM posts p WHERE p.author_id = u.id) FROM users u WHERE age = 3",
                "SELECT a.id, a.name FROM users a WHERE a.age = 3",
                "SELECT a.id, b.id FROM users a, posts b WHERE a.age = 3 AND b.author_id = a.id");
        asks(
                "SELECT name FROM users u WHERE 3 < (SELECT sum(score) FROM posts p WHERE p.author_id = u.id)",
                "SELECT a.id, a.name FROM users a",
                "SELECT a.id, b.id, b.score FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void aValueOfAUniqueRowJoins() {
        asks(
                "SELECT name FROM users WHERE id = (SELECT author_id FROM posts WHERE id = 7)",
                "SELECT a.name FROM users a, posts b WHERE b.id = 7 AND a.id = b.author_id");
        asks(
                "SELECT u.id FROM users u WHERE u.age > (SELECT b.age FROM users b WHERE b.id = u.boss_id)",
                "SELECT a.id FROM users a, users b WHERE b.id = a.boss_id AND b.age < a.age");
    }

    @Test
    void aSecondRowWouldBeAnErrorAndTellsSomething() {
        asks(
                "SELECT id FROM users WHERE id = (SELECT author_id FROM posts WHERE title = 'x')",
                "SELECT a.id FROM users a",
                "SELECT a.id, b.id, b.author_id FROM users a, posts b WHERE b.title = 'x'");
    }

    @Test
    void subqueriesAreFoundInEveryClause() {
        String inner = "(SELECT max(score) FROM posts)";
        for (String sql : new String[] {
            "SELECT " + inner,
            "SELECT id FROM users ORDER BY " + inner,
            "SELECT age FROM users GROUP BY age HAVING count(*) > " + inner,
            "SELECT age, count(*) FROM users GROUP BY age, " + inner,
            "SELECT count(*) FILTER (WHERE age > " + inner + ") FROM users",
            "SELECT rank() OVER (ORDER BY " + inner + ") FROM users",
            "SELECT CASE WHEN age > " + inner + " THEN 1 END FROM users",
            "SELECT coalesce(age, " + inner + ") FROM users",
            "SELECT u.id FROM users u LEFT JOIN members m ON m.user_id = " + inner,
            "SELECT u.id FROM users u JOIN members m ON m.user_id = " + inner,
            "SELECT DISTINCT ON (" + inner + ") id FROM users",
            "SELECT id FROM users WHERE age IN (1, " + inner + ")",
            "SELECT id FROM users WHERE age BETWEEN 1 AND " + inner,
            "SELECT ARRAY(SELECT score FROM posts) FROM users",
            "SELECT id FROM users WHERE (age = 3) = EXISTS (SELECT score FROM posts WHERE score > 3)",
            "VALUES (" + inner + ")",
            "SELECT * FROM (SELECT " + inner + " AS m) s",
        }) {
            assertThat(postgres.obligations(sql)).as(sql).anyMatch(line -> line.contains("posts"));
        }
    }

    @Test
    void aSubqueryThatReadsAnOptionalPartIsAskedWithAndWithoutIt() {
        asks(
                "SELECT (SELECT p.title FROM posts p WHERE p.id = c.post_id) FROM users u"
                        + " LEFT JOIN comments c ON c.author_id = u.id WHERE u.id = 1",
                "SELECT b.id FROM users a, comments b WHERE a.id = 1 AND b.author_id = a.id",
                "SELECT b.id, c.title FROM users a, comments b, posts c"
                        + " WHERE a.id = 1 AND b.author_id = a.id AND c.id = b.post_id",
                "SELECT () FROM users a WHERE a.id = 1",
                "SELECT () FROM users a, comments b WHERE a.id = 1 AND b.author_id = a.id");
    }

    @Test
    void anAggregateOfAnOuterQueryIsRefusedHoweverDeep() {
        for (String sql : new String[] {
            "SELECT (SELECT max(u.age) FROM posts) FROM users u",
            "SELECT EXISTS (SELECT max(u.age) FROM posts) FROM users u",
            "SELECT EXISTS (SELECT (SELECT max(u.age)) FROM posts) FROM users u",
            "SELECT EXISTS (SELECT 1 FROM (SELECT (SELECT max(u.age)) AS m FROM posts) s) FROM users u",
            "SELECT (SELECT max(u.age) FROM posts LIMIT 0) FROM users u",
        }) {
            assertThatThrownBy(() -> postgres.plan(sql))
                    .as(sql)
                    .hasMessageContaining("aggregate over columns of an outer");
        }
    }

    @Test
    void nestingIsBounded() {
        String sql = "SELECT id FROM users WHERE id IN (".repeat(60) + "1" + ")".repeat(60);

        assertThatThrownBy(() -> postgres.plan(sql)).hasMessageContaining("nested more than");
    }
}
