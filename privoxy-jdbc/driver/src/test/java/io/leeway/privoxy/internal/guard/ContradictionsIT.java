package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements whose conditions contradict each other, the schema or an assertion by what privoxy knows, and that have an
 * answer all the same: everything that they name was shown. And such as have none, which applications write.
 */
class ContradictionsIT extends Cases {

    private static final String SALARIES = "CREATE VIEW pay AS SELECT * FROM salaries WHERE u = ?MyUId;\n";

    private Connection start(On where, String policy, String... tables) throws SQLException {
        String[] all = new String[tables.length + 2];
        all[0] = "CREATE TABLE salaries (id INT PRIMARY KEY, u INT NOT NULL, pay VARCHAR(20) NOT NULL)";
        all[1] = "INSERT INTO salaries VALUES (1, 2, 'SECRET'), (2, 1, 'mine')";
        System.arraycopy(tables, 0, all, 2, tables.length);
        on(where, "CREATE CONTEXT MyUId BIGINT;\n" + SALARIES + policy, all);
        request(1);
        return connect();
    }

    // --- of one value ------------------------------------------------------------------------------------------------

    /** To MariaDB the zero date of a column that takes no NULL is one, is none, and equals itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "z.d IS NULL AND z.d IS NOT NULL",
                "z.d IS NULL AND z.d = z.d",
                "z.d IS NULL AND z.d <= '2000-01-01'",
                "z.t IS NULL AND z.t IS NOT NULL",
                "z.d IN (SELECT b.d FROM z b WHERE b.d IS NULL)",
                "NOT (z.d IS NOT NULL) AND z.d = z.d",
                "z.d IS UNKNOWN AND z.d = z.d",
                "EXISTS (SELECT 1 FROM z b WHERE b.d = z.d AND b.d IS NULL)"
            })
    void aZeroDateIsNullAndIsNot(String condition) throws SQLException {
        Connection connection = start(
                On.MARIADB,
                "CREATE VIEW own AS SELECT * FROM z WHERE owner = ?MyUId;\n",
                "CREATE TABLE z (id INT PRIMARY KEY, owner INT NOT NULL, d DATE NOT NULL, t DATETIME NOT NULL)",
                "INSERT INTO z VALUES (7, 1, '0000-00-00', '0000-00-00'), (8, 2, '0000-00-00', '0000-00-00')");
        assertRefused(connection, "SELECT s.* FROM salaries s, z WHERE " + condition);
        assertRefused(connection, "SELECT z.* FROM z WHERE " + condition);
        assertRefused(connection, "SELECT s.* FROM salaries s WHERE EXISTS (SELECT 1 FROM z WHERE " + condition + ")");
        assertRefusedWrite(
                connection,
                "UPDATE salaries SET pay = 'gone' WHERE pay = 'SECRET' AND EXISTS (SELECT 1 FROM z WHERE " + condition
                        + ")");
        assertRefusedWrite(connection, "DELETE s FROM salaries s, z WHERE " + condition);
    }

    /** Nor is it what another test of NULL says of it. */
    @ParameterizedTest
    @ValueSource(strings = {"d <=> NULL", "(d > '2020-01-01') IS UNKNOWN", "(d > '2020-01-01') IS NULL"})
    void eachTestOfAZeroDateIsAQuestionOfItsOwn(String shown) throws SQLException {
        Connection connection = start(
                On.MARIADB,
                "CREATE VIEW act AS SELECT * FROM z WHERE " + shown + ";\n",
                "CREATE TABLE z (id INT PRIMARY KEY, d DATE NOT NULL, secret VARCHAR(20))",
                "INSERT INTO z VALUES (7, '0000-00-00', 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM z WHERE " + shown)).isEmpty();
        assertRefused(connection, "SELECT * FROM z WHERE d IS NULL");
        assertRefused(connection, "SELECT * FROM z WHERE NOT (d IS NOT NULL)");
    }

    /** A column that may be NULL has no such dates. */
    @Test
    void aDateThatMayBeNullIsTestedAsAnyOther() throws SQLException {
        Connection connection = start(
                On.MARIADB,
                """
                CREATE VIEW kept AS SELECT * FROM z WHERE gone IS NULL;
                CREATE VIEW begun AS SELECT id, since FROM z WHERE since IS NOT NULL;
                """,
                "CREATE TABLE z (id INT PRIMARY KEY, gone DATETIME, since DATE NOT NULL)",
                "INSERT INTO z VALUES (1, NULL, '2026-01-01'), (2, '2026-02-02', '2026-01-01')");
        assertThat(rows(connection, "SELECT id FROM z WHERE gone IS NULL AND id < 5"))
                .containsExactly("1");
        assertThat(rows(connection, "SELECT id, since FROM z WHERE since IS NOT NULL"))
                .hasSize(2);
    }

    // --- of an assertion ---------------------------------------------------------------------------------------------

    private static final String NEWS = """
            CREATE VIEW mine AS SELECT * FROM posts WHERE author = ?MyUId;
            CREATE VIEW open AS SELECT * FROM posts WHERE open = 1;
            CREATE ASSERTION news_are_open AS SELECT id FROM posts WHERE %s
              IS CONTAINED IN SELECT id FROM posts WHERE open = 1;
            """;

    private static final String POSTS =
            "CREATE TABLE posts (id INT PRIMARY KEY, author INT NOT NULL, kind VARCHAR(9) NOT NULL, open INT NOT NULL,"
                    + " body VARCHAR(20))";

    /** Whoever may write a row can break an assertion, which the database does not check. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H2|kind LIKE 'news%'|kind = 'news!' AND p.kind LIKE 'news%'",
                "POSTGRESQL|kind LIKE 'news%'|kind = 'news!' AND p.kind LIKE 'news%'",
                "MARIADB|kind LIKE 'news%'|kind = 'news!' AND p.kind LIKE 'news%'",
                "MARIADB|kind = 'NEWS!'|kind = 'news!'",
                "H2|kind = 'news!'|kind = 'news!'",
                "H2|kind = 'news!'|kind = 'news!' AND p.open = 0",
                "POSTGRESQL|kind = 'news!'|kind = 'news!' AND p.open < 1",
                "H2|kind LIKE 'news%'|kind LIKE 'news%' AND p.open = 0"
            })
    void aRowThatBreaksAnAssertionShowsNoOther(On where, String news, String condition) throws SQLException {
        Connection connection =
                start(where, NEWS.formatted(news), POSTS, "INSERT INTO posts VALUES (1, 2, 'news!', 0, 'SECRET')");
        assertRefused(connection, "SELECT s.* FROM salaries s");
        run(connection, "INSERT INTO posts VALUES (99, 1, 'news!', 0, 'x')");
        for (int i = 0; i < 2; i++) {
            String own = "p.id = 99 AND p.author = 1 AND p." + condition;
            assertRefused(connection, "SELECT s.* FROM salaries s, posts p WHERE " + own);
            assertRefused(connection, "SELECT q.* FROM posts q, posts p WHERE " + own);
            assertRefusedWrite(
                    connection,
                    "UPDATE salaries SET pay = 'gone' WHERE id = 1 AND pay = 'SECRET'"
                            + " AND EXISTS (SELECT 1 FROM posts p WHERE " + own + ")");
            assertThat(rows(connection, "SELECT id, open FROM posts WHERE id = 99 AND author = 1"))
                    .containsExactly("99,0");
        }
    }

    /** Where one of its cases is left: what is not news is shown, and that mine is news denies nothing of another's. */
    @ParameterizedTest
    @EnumSource(On.class)
    void norDoesItInOneCaseOfAProof(On where) throws SQLException {
        Connection connection = start(
                where,
                NEWS.formatted("kind LIKE 'news%'")
                        + "CREATE VIEW others AS SELECT * FROM posts WHERE kind NOT LIKE 'news%';\n",
                POSTS,
                "INSERT INTO posts VALUES (1, 2, 'news!', 0, 'SECRET'), (99, 1, 'news!', 0, 'x')");
        assertThat(rows(connection, "SELECT * FROM posts WHERE id = 99 AND author = 1"))
                .hasSize(1);
        assertRefused(connection, "SELECT * FROM posts WHERE kind = 'news!' AND open = 0");
        assertRefused(connection, "SELECT q.* FROM posts q WHERE q.kind = 'news!' AND q.id = 1");
    }

    /** Nor does it where others are compared with it, whether or not one case of that cannot be. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H2|SELECT id FROM posts WHERE kind = 'news' IS CONTAINED IN SELECT id FROM posts WHERE open = 1",
                "POSTGRESQL|SELECT id FROM posts WHERE kind = 'news' IS CONTAINED IN SELECT id FROM posts WHERE open = 1",
                "MARIADB|SELECT id FROM posts WHERE kind = 'news' IS CONTAINED IN SELECT id FROM posts WHERE open = 1",
                "H2|SELECT id FROM posts WHERE open > 1 IS EMPTY",
                "POSTGRESQL|SELECT id FROM posts WHERE open > 1 IS EMPTY",
                "MARIADB|SELECT id FROM posts WHERE open > 1 IS EMPTY"
            })
    void norIsWhatItSaysCarriedToOthers(On where, String assertion) throws SQLException {
        Connection connection =
                start(where, """
                CREATE VIEW mine AS SELECT * FROM posts WHERE author = ?MyUId;
                CREATE VIEW open AS SELECT * FROM posts WHERE open = 1;
                CREATE VIEW less AS SELECT * FROM salaries WHERE u <= ?MyUId;
                CREATE ASSERTION said AS
                """ + assertion + ";\n", POSTS, "INSERT INTO posts VALUES (1, 2, 'draft', 0, 'SECRET')");
        run(connection, "INSERT INTO posts VALUES (99, 1, 'news', 2, 'x')");
        String own = " p.id = 99 AND p.author = 1 AND p.kind = 'news' AND ";
        assertRefused(connection, "SELECT s.* FROM salaries s, posts p WHERE" + own + "p.open = s.u");
        assertRefused(connection, "SELECT q.* FROM posts q, posts p WHERE" + own + "p.open = q.author");
        run(connection, "UPDATE posts SET open = 100 WHERE id = 99 AND author = 1");
        for (int i = 0; i < 2; i++) {
            assertRefused(connection, "SELECT s.* FROM salaries s, posts p WHERE" + own + "p.open >= s.u AND s.u >= 1");
            assertRefusedWrite(
                    connection,
                    "UPDATE salaries SET pay = 'gone' WHERE u >= 1 AND EXISTS (SELECT 1 FROM posts p WHERE" + own
                            + "p.open >= salaries.u)");
            assertThat(rows(connection, "SELECT open FROM posts WHERE id = 99 AND author = 1"))
                    .containsExactly("100");
        }
    }

    /** What was proved of all values it may be asked with is not used with those by which two columns would differ. */
    @ParameterizedTest
    @EnumSource(On.class)
    void norDoesATemplateAcceptWhatItDenies(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW open AS SELECT * FROM posts WHERE open = 1;
                CREATE ASSERTION news_are_open AS SELECT id FROM posts WHERE kind = 'news!' AND open <> 1 IS EMPTY;
                """,
                POSTS,
                "INSERT INTO posts VALUES (1, 2, 'news!', 0, 'SECRET'), (2, 2, 'news!', 1, 'shown')");
        for (int i = 0; i < 2; i++) {
            assertThat(rows(connection, "SELECT id, body FROM posts WHERE kind = 'news!' AND open = 1"))
                    .containsExactly("2,shown");
            assertRefused(connection, "SELECT id, body FROM posts WHERE kind = 'news!' AND open = 0");
        }
    }

    /** The clock of a statement that waits, or of a transaction, is another one than its rows'. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatTheTimeMakesOfAnAssertionShowsNothing(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW sessions AS SELECT * FROM sess WHERE u = ?MyUId;
                CREATE ASSERTION past AS SELECT id FROM sess WHERE created > LOCALTIMESTAMP AND level > 1 IS EMPTY;
                CREATE ASSERTION never AS SELECT id FROM sess WHERE created > LOCALTIMESTAMP IS EMPTY;
                """,
                "CREATE TABLE sess (id INT PRIMARY KEY, u INT NOT NULL, level INT NOT NULL, created "
                        + (where == On.MARIADB ? "DATETIME" : "TIMESTAMP") + " NOT NULL)",
                "INSERT INTO sess VALUES (1, 1, 3, TIMESTAMP '2090-01-01 00:00:00')");
        assertRefused(connection, "SELECT s.* FROM salaries s, sess x WHERE x.created > LOCALTIMESTAMP");
        assertRefused(
                connection,
                "SELECT s.* FROM salaries s, sess x WHERE x.u = 1 AND x.created > LOCALTIMESTAMP AND x.level >= s.u"
                        + " AND s.u >= 1");
        assertRefusedWrite(
                connection,
                "UPDATE salaries SET pay = 'gone' WHERE pay = 'SECRET'"
                        + " AND EXISTS (SELECT 1 FROM sess x WHERE x.created > LOCALTIMESTAMP)");
        assertThat(rows(connection, "SELECT id FROM sess WHERE u = 1 AND created > LOCALTIMESTAMP"))
                .containsExactly("1");
    }

    // --- of what has no answer, as applications write it -------------------------------------------------------------

    /** What is true of no row, and conditions of which each alone is asked of what is shown. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, pay FROM salaries WHERE 1 = 0",
                "SELECT id, pay FROM salaries WHERE id = NULL",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id > 5 AND id < 3",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id = 5 AND id = 3",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id = 5 AND id IN (1, 2)",
                "SELECT id, pay FROM salaries WHERE u = 1 AND u = 2",
                "SELECT id, pay FROM salaries WHERE u = 1 AND u = 2 AND u = 3",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id BETWEEN 5 AND 3 AND pay BETWEEN 'z' AND 'a'",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id IN (1, 2) AND id IN (3, 4) AND id IN (5, 6)",
                "SELECT id, pay FROM salaries WHERE u = 1 AND id = 1 AND id = 2 AND id = 3"
            })
    void whatHasNoAnswerMayBeAsked(String sql) throws SQLException {
        assertThat(rows(start(On.POSTGRESQL, ""), sql)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aParameterMayBeNull(On where) throws SQLException {
        Connection connection = start(where, "");
        try (PreparedStatement statement = connection.prepareStatement("SELECT pay FROM salaries WHERE id = ?")) {
            statement.setNull(1, Types.INTEGER);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isFalse();
            }
        }
    }

    /** Which of hidden rows there are it does not tell. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM salaries WHERE pay = 'SECRET' AND pay = 'x'",
                "SELECT id FROM salaries WHERE id > 5 AND id < 3",
                "SELECT a.id FROM salaries a JOIN salaries b ON a.id = b.id WHERE a.pay <> b.pay"
            })
    void whatContradictsItselfOfHiddenRowsIsRefused(String sql) throws SQLException {
        assertRefused(start(On.H2, ""), sql);
    }
}
