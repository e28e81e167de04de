package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The read part of statements that write. */
class NormalizerWriteTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);
    private final Fixture mariadb = Fixture.social(Dialect.MARIADB);
    private final Fixture h2 = Fixture.social(Dialect.H2);

    private void asks(String sql, String... obligations) {
        assertThat(postgres.obligations(sql)).as(sql).containsExactly(obligations);
    }

    @Test
    void insertOfOwnValuesReadsNothing() {
        asks("INSERT INTO posts (id, title) VALUES (?, ?)");
        asks("INSERT INTO posts (id, title) VALUES (?, upper(?)) RETURNING id, title, made");
        asks("INSERT INTO logs DEFAULT VALUES");
    }

    @Test
    void valuesMayReadBySubqueries() {
        asks(
                "INSERT INTO logs VALUES ('x', (SELECT title FROM posts WHERE id = 3))",
                "SELECT a.title FROM posts a WHERE a.id = 3");
    }

    @Test
    void anInsertTellsWhatItIs() {
        StatementPlan plan = postgres.plan("INSERT INTO posts (id) VALUES (1)");

        assertThat(plan.kind()).isEqualTo(StatementPlan.Kind.WRITE);
        assertThat(plan.writes()).containsExactly("s.posts");
        assertThat(plan.recording().parts()).isEmpty();
    }

    @Test
    void aConflictTellsWhetherTheKeyWasThere() {
        asks(
                "INSERT INTO members (user_id, group_id) VALUES (1, 2), (3, 4) ON CONFLICT DO NOTHING",
                "SELECT () FROM members a WHERE a.user_id = 1 AND a.group_id = 2",
                "SELECT () FROM members a WHERE a.user_id = 3 AND a.group_id = 4");
        asks(
                "INSERT INTO users (id, name, mail) VALUES (?, ?, ?) ON CONFLICT (mail) DO NOTHING",
                "SELECT () FROM users a WHERE key:ci(a.mail) = key:ci($2)");
        asks(
                "INSERT INTO users (name, mail) VALUES (?, ?) ON CONFLICT DO NOTHING",
                "SELECT a.id FROM users a",
                "SELECT () FROM users a WHERE key:ci(a.mail) = key:ci($1)",
                "SELECT a.code FROM users a");
    }

    @Test
    void anUpdateOnConflictReadsTheOldRow() {
        asks(
                "INSERT INTO users (id, age) VALUES (1, 2) ON CONFLICT (id)"
                        + " DO UPDATE SET age = users.age + excluded.age WHERE users.boss_id = 3 RETURNING name",
                "SELECT a.name, a.age, fn:=(bigint,INTEGER)(a.boss_id, 3) FROM users a WHERE a.id = 1");
    }

    @Test
    void aKeyThatIsGivenInPartLeavesTheRestOpen() {
        asks(
                "INSERT INTO members (group_id) VALUES (2) ON CONFLICT DO NOTHING",
                "SELECT a.user_id FROM members a WHERE a.group_id = 2");
    }

    @Test
    void aKeyThatIsComputedMayBeAny() {
        for (String key : new String[] {"(SELECT 1)", "1 + 0.4", "1.4 + ?", "abs(?)", "CAST(? AS int)"}) {
            asks(
                    "INSERT INTO members (user_id, group_id) VALUES (" + key + ", 2) ON CONFLICT DO NOTHING",
                    "SELECT a.user_id FROM members a WHERE a.group_id = 2");
        }
    }

    @Test
    void otherConflictClausesAreRefused() {
        for (String sql : new String[] {
            "INSERT INTO users (id) SELECT id FROM posts ON CONFLICT DO NOTHING",
            "INSERT INTO users (id) VALUES (1) ON CONFLICT (lower(name)) DO NOTHING",
            "INSERT INTO users (id) VALUES (1) ON CONFLICT (age) DO NOTHING",
        }) {
            assertThatThrownBy(() -> postgres.plan(sql)).as(sql).hasMessageMatching("(?i).*conflict.*");
        }
    }

    @Test
    void mariaDbAndH2TellConflictsInTheirWays() {
        assertThat(mariadb.obligations("INSERT IGNORE INTO members (user_id, group_id) VALUES (1, 2)"))
                .containsExactly("SELECT () FROM members a WHERE a.user_id = 1 AND a.group_id = 2");
        assertThat(mariadb.obligations("REPLACE INTO members VALUES (1, 2, NULL)"))
                .containsExactly("SELECT a.since FROM members a WHERE a.user_id = 1 AND a.group_id = 2");
        assertThat(mariadb.obligations("INSERT INTO members (user_id, group_id, since) VALUES (1, 2, ?)"
                        + " ON DUPLICATE KEY UPDATE since = VALUES(since)"))
                .containsExactly("SELECT a.since FROM members a WHERE a.user_id = 1 AND a.group_id = 2");
        assertThat(h2.obligations("MERGE INTO members (user_id, group_id) KEY (user_id) VALUES (1, 2)"))
                .containsExactly("SELECT () FROM MEMBERS a WHERE a.USER_ID = 1");
    }

    @Test
    void updateAndDeleteTellHowManyRowsMatch() {
        asks("UPDATE posts SET title = ? WHERE id = 3", "SELECT () FROM posts a WHERE a.id = 3");
        asks("UPDATE posts SET title = ? WHERE score > 3", "SELECT a.id FROM posts a WHERE 3 < a.score");
        asks("DELETE FROM posts WHERE author_id = 3", "SELECT a.id FROM posts a WHERE a.author_id = 3");
        asks("DELETE FROM posts", "SELECT a.id FROM posts a");
    }

    @Test
    void assignedValuesAreReadAndReturnedOnesShown() {
        asks(
                "UPDATE posts SET title = upper(title) WHERE id = 3 RETURNING score",
                "SELECT a.score, fn:upper(text)(a.title) FROM posts a WHERE a.id = 3");
        asks(
                "UPDATE posts SET title = (SELECT name FROM users WHERE id = 7) WHERE id = 3",
                "SELECT () FROM posts a WHERE a.id = 3",
                "SELECT b.name FROM posts a, users b WHERE a.id = 3 AND b.id = 7");
        asks("DELETE FROM members RETURNING *", "SELECT a.user_id, a.group_id, a.since FROM members a");
    }

    @Test
    void furtherTablesDecideWhichRowsMatch() {
        asks(
                "UPDATE posts SET title = u.name FROM users u WHERE u.id = posts.author_id",
                "SELECT b.name, a.id FROM posts a, users b WHERE b.id = a.author_id");
        asks(
                "DELETE FROM posts USING users u WHERE u.id = posts.author_id AND u.age = 3",
                "SELECT a.id FROM posts a, users b WHERE b.id = a.author_id AND b.age = 3");
        assertThat(postgres.plan("DELETE FROM posts USING users u WHERE u.id = 3")
                        .writes())
                .containsExactly("s.posts");
        assertThat(mariadb.plan("UPDATE posts p JOIN users u ON u.id = p.author_id SET p.title = 'x'")
                        .writes())
                .containsExactlyInAnyOrder("s.posts", "s.users");
    }

    @Test
    void absenceIsAskedInWritesToo() {
        asks(
                "DELETE FROM users WHERE NOT EXISTS (SELECT 1 FROM posts WHERE author_id = users.id)",
                "SELECT a.id FROM users a",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id");
    }

    @Test
    void mergeTellsWhichRowsHaveAMatch() {
        asks(
                "MERGE INTO users t USING posts s ON s.author_id = t.id"
                        + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING",
                "SELECT a.id FROM posts a",
                "SELECT a.id, b.id FROM posts a, users b WHERE a.author_id = b.id");
    }

    @Test
    void aStatementInWithIsCheckedAndMakesTheWholeAWrite() {
        StatementPlan plan =
                postgres.plan("WITH d AS (DELETE FROM posts WHERE id = 3 RETURNING title) SELECT title FROM d");

        assertThat(plan.kind()).isEqualTo(StatementPlan.Kind.WRITE);
        assertThat(plan.writes()).containsExactly("s.posts");
        assertThat(postgres.print(plan)).containsExactly("SELECT a.title FROM posts a WHERE a.id = 3");
        assertThatThrownBy(() -> postgres.plan("WITH users AS (SELECT 1) DELETE FROM users"))
                .hasMessageContaining("a name of WITH");
    }

    @Test
    void onlyColumnsOfExactEqualityTellRowsApart() {
        assertThat(postgres.plan("DELETE FROM users WHERE id = ? AND age = ?").changes())
                .containsExactly(new Change.Removed("s.users", Map.of(0, 0, 4, 1)));
        assertThat(postgres.plan("UPDATE users SET age = 3 WHERE mail = ? OR id = ?")
                        .changes())
                .containsExactly(new Change.Updated("s.users", Set.of(4), Map.of()));
        assertThat(postgres.plan("DELETE FROM users WHERE mail = ?").changes())
                .containsExactly(new Change.Any("s.users"));
        assertThat(postgres.plan("DELETE FROM users WHERE id > ?").changes())
                .containsExactly(new Change.Any("s.users"));
    }
}
