package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL compares geometry by area or length, about, and NaN with nothing: no equality, so that nothing follows from it. The
 * ninth attacker's R16.
 */
class IncomparableIT extends Cases {

    private static final List<String> COLUMNS = List.of("bx", "ci", "ls", "ln", "pa", "dom");

    private Connection connection;

    @BeforeEach
    void shown() throws SQLException {
        on(On.POSTGRESQL, """
            CREATE VIEW ids AS SELECT id FROM t;
            CREATE VIEW equal AS SELECT id, secret FROM t WHERE ci = ci;
            CREATE VIEW small AS SELECT id, secret FROM t WHERE bx = box '((0,0),(1,1))';
            CREATE VIEW same AS SELECT id, n FROM t WHERE jb = jb;
            """, new String[] {
            "CREATE DOMAIN boxes AS BOX",
            "CREATE TABLE t (id INT PRIMARY KEY, bx BOX NOT NULL, ci CIRCLE NOT NULL, ls LSEG NOT NULL, ln LINE NOT"
                    + " NULL, pa PATH NOT NULL, dom boxes NOT NULL, jb JSONB NOT NULL, bs BOX[] NOT NULL, secret TEXT, n"
                    + " INT)",
            "INSERT INTO t VALUES (1, '((0,0),(1,1))', '<(0,0),1>', '((0,0),(1,1))', '{1,1,1}', '((0,0),(1,1))',"
                    + " '((0,0),(1,1))', '1', '{(0,0),(1,1)}', 'shown', 1)",
            "INSERT INTO t VALUES (2, '((0,0),(NaN,1))', '<(0,0),NaN>', '((0,0),(NaN,1))', '{1,NaN,1}',"
                    + " '((0,0),(NaN,1))', '((0,0),(NaN,1))', '1', '{(0,0),(NaN,1)}', 'SECRET', 2)"
        });
        connection = connect();
        request(1);
    }

    @Test
    void nothingFollowsFromComparisonsOfGeometry() {
        var softly = new SoftAssertions();
        for (String column : COLUMNS) {
            for (String condition : List.of(
                    "NOT (# = #)",
                    "(# = #) IS NOT TRUE",
                    "(# = #) IS FALSE",
                    "(# >= #) IS NOT TRUE",
                    "NOT (# <= #)",
                    "NOT (# <> #) AND NOT (# = #)",
                    "# <> #",
                    "NOT (# IS NOT DISTINCT FROM #)",
                    "# IS DISTINCT FROM #",
                    "NOT (# IN (#))",
                    "# NOT IN (#, #)",
                    "NOT (# = ANY (ARRAY[#]))",
                    "NULLIF(#, #) IS NOT NULL",
                    "CASE # WHEN # THEN 1 ELSE 2 END = 2",
                    "NOT ((#, 1) = (#, 1))",
                    "(#, 1) NOT IN ((#, 1))",
                    "NOT (COALESCE(#, #) = #)",
                    "# NOT IN (SELECT x.# FROM t x WHERE x.id = t.id)",
                    "NOT (# = ANY (SELECT x.# FROM t x WHERE x.id = t.id))",
                    "(# = (SELECT x.# FROM t x WHERE x.id = t.id)) IS NOT TRUE",
                    "NOT EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.# = t.#)",
                    "# NOT BETWEEN # AND #",
                    "NOT (bs[1] = bs[1])",
                    "NOT (box(point(0, 0), #) = box(point(0, 0), #))")) {
                refuses(softly, "SELECT id, secret FROM t WHERE " + condition.replace("#", column));
            }
        }
        softly.assertAll();
    }

    @Test
    void aComparisonThatIsNoEqualityIsNotTheNegationOfItsOpposite() throws SQLException {
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT id, secret FROM t WHERE ci = ci"))
                .containsExactly("1,shown");
        refuses(softly, "SELECT id, secret FROM t WHERE NOT (ci <> ci)");
        refuses(softly, "SELECT id, secret FROM t WHERE ci IS NOT DISTINCT FROM ci OR NOT (ci <> ci)");
        // Of the same area, and another one.
        refuses(softly, "SELECT id, secret FROM t WHERE bx = box '((0,0),(0.5,2))'");
        softly.assertAll();
    }

    @Test
    void whatIsAnEqualityIsStillOne() throws SQLException {
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT id, secret FROM t WHERE bx = box '((0,0),(1,1))'"))
                .containsExactly("1,shown");
        softly.assertThat(rows(connection, "SELECT id, n FROM t WHERE jb = jb ORDER BY id"))
                .containsExactly("1,1", "2,2");
        softly.assertThat(rows(connection, "SELECT id, n FROM t ORDER BY id")).containsExactly("1,1", "2,2");
        softly.assertAll();
    }

    /** What the database itself refuses is no case. */
    private void refuses(SoftAssertions softly, String sql) {
        try {
            try (Connection plain = database.plain()) {
                CheckedDatabase.rows(plain, sql);
            }
        } catch (SQLException none) {
            return;
        }
        softly.assertThatThrownBy(() -> assertThat(rows(connection, sql)).isNull())
                .as(sql)
                .isInstanceOf(PrivoxyException.class);
    }

    @Test
    void whatIsTriedIsMostlyUnderstoodByTheDatabase() throws SQLException {
        try (Connection plain = database.plain()) {
            assertThat(CheckedDatabase.rows(plain, "SELECT id FROM t WHERE NOT (bx = bx)"))
                    .containsExactly("2");
            assertThatThrownBy(() -> CheckedDatabase.rows(plain, "SELECT id FROM t WHERE bs = bs"))
                    .isInstanceOf(SQLException.class);
        }
    }
}
