package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One query block: conditions, bag against set, limits, groups. */
class NormalizerSelectTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);
    private final Fixture mariadb = Fixture.social(Dialect.MARIADB);
    private final Fixture h2 = Fixture.social(Dialect.H2);

    private void asks(String sql, String... obligations) {
        assertThat(postgres.obligations(sql)).as(sql).containsExactly(obligations);
    }

    private void refuses(String sql, String construct) {
        assertThatThrownBy(() -> postgres.plan(sql)).as(sql).hasMessageContaining(construct);
    }

    // --- bag against set ---------------------------------------------------------------------------------------------

    @Test
    void aKeyIsAddedWhereRowsCouldRepeat() {
        asks("SELECT title FROM posts", "SELECT a.id, a.title FROM posts a");
        asks("SELECT user_id FROM members", "SELECT a.group_id, a.user_id FROM members a");
    }

    @Test
    void noKeyIsAddedWhereTheConditionsPinIt() {
        asks("SELECT title FROM posts WHERE id = 5", "SELECT a.title FROM posts a WHERE a.id = 5");
        asks(
                "SELECT e.title FROM posts e, members a WHERE e.id = a.group_id AND a.user_id = 2 AND e.id = 7",
                "SELECT a.title FROM posts a, members b WHERE a.id = b.group_id AND b.user_id = 2 AND a.id = 7");
    }

    @Test
    void noKeyIsAddedWhereTheOutputDeterminesIt() {
        asks("SELECT id, title FROM posts", "SELECT a.id, a.title FROM posts a");
        asks(
                "SELECT p.id, u.name FROM posts p JOIN users u ON u.id = p.author_id",
                "SELECT a.id, b.name FROM posts a, users b WHERE b.id = a.author_id");
    }

    @Test
    void aUniqueKeyThatMayBeNullCountsOnlyWhereNullIsExcluded() {
        asks("SELECT code, name FROM users", "SELECT a.id, a.code, a.name FROM users a");
        asks("SELECT name FROM users WHERE code = 'x'", "SELECT a.name FROM users a WHERE a.code = 'x'");
        asks("SELECT code FROM users WHERE code IS NOT NULL", "SELECT a.code FROM users a WHERE a.code IS NOT NULL");
    }

    @Test
    void aUniqueKeyWithoutRegardToCaseIsPinnedUpToCase() {
        asks(
                "SELECT name FROM users WHERE mail = 'a@b'",
                "SELECT a.name FROM users a WHERE key:ci(a.mail) = key:ci('a@b')");
    }

    @Test
    void aTableWithoutKeyGivesAllItsColumns() {
        asks("SELECT level FROM logs", "SELECT a.text, a.level FROM logs a");
    }

    @Test
    void disjunctsMustBeToldApartByWhatHoldsInAll() {
        asks(
                "SELECT title FROM posts WHERE id = 1 OR id = 2",
                "SELECT a.id, a.title FROM posts a WHERE a.id = 1 UNION SELECT a.id, a.title FROM posts a WHERE a.id = 2");
    }

    @Test
    void distinctNeedsNoKey() {
        asks("SELECT DISTINCT title FROM posts", "SELECT a.title FROM posts a");
        asks(
                "SELECT DISTINCT ON (author_id) author_id, title FROM posts ORDER BY author_id, made",
                "SELECT a.author_id, a.title, a.made FROM posts a");
    }

    @Test
    void everyRowOfACrossJoinCounts() {
        asks("SELECT users.id FROM users, posts", "SELECT b.id, a.id FROM users a, posts b");
    }

    // --- what else the result depends on -----------------------------------------------------------------------------

    @Test
    void sortColumnsAreRevealed() {
        asks("SELECT id FROM posts ORDER BY title", "SELECT a.id, a.title FROM posts a");
        asks("SELECT id AS x FROM posts ORDER BY x", "SELECT a.id FROM posts a");
    }

    @Test
    void aNameOfTheSelectListAndOfAColumnMeansBoth() {
        asks("SELECT id, score AS title FROM posts ORDER BY title", "SELECT a.id, a.score, a.title FROM posts a");
    }

    @Test
    void countsNeedTheKeysOfWhatIsCounted() {
        asks("SELECT count(*) FROM posts", "SELECT a.id FROM posts a");
        asks("SELECT sum(score) FROM posts", "SELECT a.id, a.score FROM posts a");
        asks("SELECT count(*) FILTER (WHERE public) FROM posts", "SELECT a.id, a.public FROM posts a");
    }

    @Test
    void aggregatesThatDuplicatesDoNotChangeNeedNone() {
        asks("SELECT max(score), min(title) FROM posts", "SELECT a.score, a.title FROM posts a");
        asks("SELECT count(DISTINCT author_id) FROM posts", "SELECT a.author_id FROM posts a");
        asks("SELECT author_id FROM posts GROUP BY author_id", "SELECT a.author_id FROM posts a");
    }

    @Test
    void groupsAndHavingReadTheirColumns() {
        asks("SELECT title FROM posts GROUP BY title HAVING max(score) > 3", "SELECT a.title, a.score FROM posts a");
        asks(
                "SELECT author_id, count(*) FROM posts GROUP BY author_id HAVING count(*) > 1",
                "SELECT a.id, a.author_id FROM posts a");
        asks(
                "SELECT count(*) FROM posts GROUP BY ROLLUP (title, author_id)",
                "SELECT a.id, a.title, a.author_id FROM posts a");
    }

    @Test
    void windowsReadTheirColumnsOfAllRows() {
        asks(
                "SELECT rank() OVER w FROM posts WINDOW w AS (PARTITION BY author_id ORDER BY score)",
                "SELECT a.id, a.author_id, a.score FROM posts a");
    }

    @Test
    void anExpressionIsRevealedAsWhatItIs() {
        asks("SELECT id, lower(title) FROM posts", "SELECT a.id, fn:lower(text)(a.title) FROM posts a");
    }

    // --- limits ------------------------------------------------------------------------------------------------------

    @Test
    void theFirstOfEqualRowsTellsOnlyThatThereIsOne() {
        asks("SELECT 1 AS one FROM posts WHERE author_id = ? LIMIT 1", "SELECT () FROM posts a WHERE a.author_id = $0");
        asks("SELECT 1 FROM posts FETCH FIRST 1 ROW ONLY", "SELECT () FROM posts a");
    }

    @Test
    void otherLimitsAreDropped() {
        asks("SELECT 1 FROM posts LIMIT 2", "SELECT a.id FROM posts a");
        asks("SELECT 1 FROM posts LIMIT 1 OFFSET 1", "SELECT a.id FROM posts a");
        asks("SELECT 1 FROM posts LIMIT ?", "SELECT a.id FROM posts a");
        asks("SELECT title FROM posts LIMIT 1", "SELECT a.id, a.title FROM posts a");
        asks("SELECT count(*) FROM posts LIMIT 1", "SELECT a.id FROM posts a");
    }

    @Test
    void noRowTellsNothing() {
        asks("SELECT title FROM posts LIMIT 0");
        asks("SELECT title FROM posts WHERE 1 = 0");
        asks("SELECT title FROM posts WHERE false AND author_id = 3");
    }

    // --- conditions --------------------------------------------------------------------------------------------------

    @Test
    void negationIsPushedToTheComparisons() {
        asks(
                "SELECT id FROM users WHERE NOT (name = 'a' AND age < 3)",
                "SELECT a.id FROM users a WHERE a.name <> 'a' UNION SELECT a.id FROM users a WHERE 3 <= a.age");
        asks(
                "SELECT id FROM users WHERE NOT (age IS NULL OR NOT age > boss_id)",
                "SELECT a.id FROM users a WHERE a.age IS NOT NULL AND a.boss_id < a.age");
    }

    @Test
    void truthTestsAreExactAboutTheThirdValue() {
        asks(
                "SELECT id FROM users WHERE (age = 3) IS NOT TRUE",
                "SELECT a.id FROM users a WHERE a.age <> 3 UNION SELECT a.id FROM users a WHERE a.age IS NULL");
        asks("SELECT id FROM users WHERE (age = 3) IS UNKNOWN", "SELECT a.id FROM users a WHERE a.age IS NULL");
        asks(
                "SELECT id FROM users WHERE age IS NOT DISTINCT FROM boss_id",
                "SELECT a.id FROM users a WHERE a.age = a.boss_id"
                        + " UNION SELECT a.id FROM users a WHERE a.age IS NULL AND a.boss_id IS NULL");
        asks(
                "SELECT id FROM users WHERE (age = 1 AND boss_id = 2) IS NULL",
                "SELECT a.id FROM users a WHERE a.age IS NULL AND a.boss_id = 2"
                        + " UNION SELECT a.id FROM users a WHERE a.age IS NULL AND a.boss_id IS NULL"
                        + " UNION SELECT a.id FROM users a WHERE a.age = 1 AND a.boss_id IS NULL");
    }

    @Test
    void rangesAndRowsAreExpanded() {
        asks(
                "SELECT id FROM users WHERE age NOT BETWEEN 1 AND 5",
                "SELECT a.id FROM users a WHERE a.age < 1 UNION SELECT a.id FROM users a WHERE 5 < a.age");
        asks(
                "SELECT id FROM users WHERE (age, id) > (3, 4)",
                "SELECT a.id FROM users a WHERE 3 < a.age UNION SELECT a.id FROM users a WHERE a.age = 3 AND 4 < a.id");
    }

    @Test
    void nothingComparesWithNull() {
        asks("SELECT id FROM users WHERE age = NULL");
        asks("SELECT id FROM users WHERE age NOT IN (1, NULL)");
        asks("SELECT id FROM users WHERE age IN (1, NULL)", "SELECT a.id FROM users a WHERE a.age = 1");
    }

    @Test
    void aListIsOneQuestionForEachValue() {
        asks("SELECT name FROM users WHERE id IN (?, ?)", "SELECT a.name FROM users a WHERE a.id = each($0, $1)");
        asks("SELECT name FROM users WHERE id IN (1, 2)", "SELECT a.name FROM users a WHERE a.id = each(1, 2)");
        asks("SELECT name FROM users WHERE id = ANY (?)", "SELECT a.name FROM users a WHERE a.id = elements($0)");
        asks(
                "SELECT name FROM users WHERE mail IN ('a', 'b')",
                "SELECT a.name FROM users a WHERE key:ci(a.mail) = key:ci(each('a', 'b'))");
    }

    @Test
    void aListAmongAlternativesIsOneCondition() {
        asks(
                "SELECT id FROM users WHERE id IN (?, ?) OR age = 3",
                "SELECT a.id FROM users a WHERE a.id IN ($0, $1) UNION SELECT a.id FROM users a WHERE a.age = 3");
        asks(
                "SELECT id FROM users WHERE NOT (id NOT IN (1, 2) AND age = 3)",
                "SELECT a.id FROM users a WHERE a.id IN (1, 2) UNION SELECT a.id FROM users a WHERE a.age <> 3");
        asks(
                "SELECT id FROM users WHERE mail IN ('a', 'b') OR age = 3",
                "SELECT a.id FROM users a WHERE key:ci(a.mail) = key:ci('a')"
                        + " UNION SELECT a.id FROM users a WHERE key:ci(a.mail) = key:ci('b')"
                        + " UNION SELECT a.id FROM users a WHERE a.age = 3");
    }

    @Test
    void truthValuesStandForThemselves() {
        asks("SELECT id FROM posts WHERE public", "SELECT a.id FROM posts a WHERE a.public = true");
        asks("SELECT id FROM posts WHERE NOT public", "SELECT a.id FROM posts a WHERE a.public = false");
        assertThat(mariadb.obligations("SELECT id FROM users WHERE age"))
                .containsExactly("SELECT a.id FROM users a WHERE a.age <> 0");
        assertThat(mariadb.obligations("SELECT id FROM users WHERE NOT age"))
                .containsExactly("SELECT a.id FROM users a WHERE a.age = 0");
    }

    @Test
    void comparisonsThatAreNotIdentityStayOpaque() {
        asks(
                "SELECT id FROM users WHERE mail = name",
                "SELECT a.id FROM users a WHERE cmp:=(citext/ci,text)(a.mail, a.name) = true");
        asks(
                "SELECT id FROM users WHERE name < 'm'",
                "SELECT a.id FROM users a WHERE cmp:<(text,STRING)(a.name, 'm') = true");
        assertThat(mariadb.obligations("SELECT id FROM users WHERE name = 0"))
                .containsExactly("SELECT a.id FROM users a WHERE cmp:=(text,INTEGER)(a.name, 0) = true");
        assertThat(mariadb.obligations("SELECT id FROM users WHERE age = '5abc'"))
                .containsExactly("SELECT a.id FROM users a WHERE cmp:=(bigint,STRING)(a.age, '5abc') = true");
        asks("SELECT id FROM users WHERE age = '5'", "SELECT a.id FROM users a WHERE a.age = 5");
    }

    @Test
    void otherOperatorsAreFunctionsOfWhatTheyRead() {
        asks(
                "SELECT id FROM users WHERE name LIKE 'a%' AND name NOT LIKE ?",
                "SELECT a.id FROM users a WHERE fn:like(text,STRING)(a.name, 'a%') = true"
                        + " AND fn:like(text,STRING)(a.name, $0) = false");
        asks(
                "SELECT id FROM posts WHERE made > now()",
                "SELECT a.id FROM posts a" + " WHERE session:cmp:<(now:now(),timestamp)(now:now()(), a.made) = true");
    }

    @Test
    void aConditionOfTooManyAlternativesIsRefusedWithItsPlace() {
        refuses(distinctTerms(9), "a condition of more than 128 alternatives at line 1, column");
    }

    private static String distinctTerms(int factors) {
        var sql = new StringBuilder("SELECT id FROM users WHERE true");
        for (int i = 0; i < factors; i++) {
            sql.append(" AND (age = ")
                    .append(i)
                    .append(" OR boss_id = ")
                    .append(i)
                    .append(')');
        }
        return sql.toString();
    }

    // --- slots -------------------------------------------------------------------------------------------------------

    @Test
    void slotsHaveTheTypeOfTheColumnThatTheyMeet() {
        assertThat(postgres.plan("SELECT id FROM users WHERE name = ? AND age > ? AND lower(name) || ? = 'x'")
                        .slots())
                .containsExactly(Fixture.type("text"), Fixture.type("bigint"), Arguments.UNTYPED);
        assertThat(postgres.readLifted("SELECT id FROM users WHERE age = 5 AND id = ?")
                        .plan()
                        .slots())
                .containsExactly(Fixture.type("bigint"), Fixture.type("bigint"));
    }

    @Test
    void aCastParameterHasTheTypeOfTheCast() {
        asks("SELECT name FROM users WHERE id = ?::bigint", "SELECT a.name FROM users a WHERE a.id = $0");
        asks(
                "SELECT name FROM users WHERE id = ?::numeric(3)",
                "SELECT a.id, a.name FROM users a"
                        + " WHERE cmp:=(bigint,session:cast []numeric[3]0(?))(a.id, session:cast []numeric[3]0(?)($0)) = true");
    }

    // --- names -------------------------------------------------------------------------------------------------------

    @Test
    void namesThatTheDatabaseWouldNotResolveAreRefused() {
        refuses("SELECT id FROM users, posts", "the ambiguous column id at line 1, column 8");
        refuses("SELECT nix FROM users", "the column nix, which no table in sight has");
        refuses("SELECT p.id FROM users u", "the column p.id, which no table in sight has");
        refuses("SELECT id FROM nothing", "the table nothing, which does not exist");
        refuses("SELECT id FROM users a JOIN posts a ON true", "the ambiguous");
    }

    @Test
    void storageIsNotPublic() {
        refuses("SELECT ctid FROM users", "the system column ctid");
        refuses("SELECT id FROM ONLY users", "ONLY");
        for (String name : List.of("_ROWID_", "users._ROWID_", "public . users . _rowid_", "(users)._ROWID_")) {
            assertThatThrownBy(() -> h2.plan("SELECT " + name + " FROM users"))
                    .hasMessageContaining("not supported: _ROWID_");
        }
    }

    @Test
    void aConditionOfAJoinSeesItsTwoSidesOnly() {
        refuses(
                "SELECT 1 FROM comments c WHERE EXISTS"
                        + " (SELECT 1 FROM users u JOIN posts p ON p.id = c.id, posts c)",
                "of a table that the join's condition does not see");
    }

    @Test
    void joinsByCommonColumnsFindThem() {
        asks(
                "SELECT * FROM posts JOIN comments USING (id, author_id)",
                "SELECT a.id, a.author_id, a.title, a.public, a.score, a.made, b.post_id, b.text"
                        + " FROM posts a, comments b WHERE a.id = b.id AND a.author_id = b.author_id");
        asks(
                "SELECT text FROM posts NATURAL JOIN comments",
                "SELECT a.id, b.text FROM posts a, comments b WHERE a.id = b.id AND a.author_id = b.author_id");
    }

    @Test
    void aWholeRowIsAllItsColumns() {
        assertThat(postgres.obligations("SELECT m FROM members m"))
                .containsExactly(
                        "SELECT a.user_id, a.group_id, session:row(bigint,bigint,date)(a.user_id, a.group_id, a.since)"
                                + " FROM members a");
        assertThatThrownBy(() -> mariadb.plan("SELECT m FROM members m")).hasMessageContaining("the column m");
    }

    @Test
    void aQueryWithoutTablesTellsNothing() {
        asks("SELECT 1");
        asks("SELECT ?, now(), current_user");
        asks("VALUES (1), (2)");
    }

    @Test
    void tableIsAllItsRows() {
        asks("TABLE members", "SELECT a.user_id, a.group_id, a.since FROM members a");
    }
}
