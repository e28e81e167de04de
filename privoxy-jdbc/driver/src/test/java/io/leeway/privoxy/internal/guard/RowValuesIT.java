package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows as values, and on H2 lists: IS NULL of a row looks at its fields, and a comparison of H2's is unknown where there is
 * a NULL inside. The ninth attacker's R14 and R15 and their relatives.
 */
class RowValuesIT extends Cases {

    private static final String NULL_ONLY =
            "CREATE VIEW nn AS SELECT id, secret FROM c WHERE k IS NULL;\nCREATE VIEW ids AS SELECT id FROM c;\n";
    private static final String NOT_NULL =
            "CREATE VIEW nn AS SELECT id, secret FROM c WHERE k IS NOT NULL;\nCREATE VIEW ids AS SELECT id FROM c;\n";

    /** Row 1 is shown, of a row of each other kind the secret is hidden. */
    private Connection rows(On where, String policy) throws SQLException {
        String row = where == On.POSTGRESQL ? "comp" : "ROW(a INT, b INT)";
        var tables = new ArrayList<String>();
        if (where == On.POSTGRESQL) {
            tables.add("CREATE TYPE comp AS (a INT, b INT)");
        }
        tables.add("CREATE TABLE c (id INT PRIMARY KEY, k " + row + ", kn " + row + " NOT NULL, secret VARCHAR(20))");
        tables.add("INSERT INTO c VALUES (1, NULL, ROW(1, 1), 'one'), (2, ROW(1, NULL), ROW(NULL, NULL), 'two'),"
                + " (3, ROW(NULL, NULL), ROW(1, NULL), 'three'), (4, ROW(1, 1), ROW(1, 1), 'four')");
        on(where, policy, tables.toArray(String[]::new));
        Connection connection = connect();
        request(1);
        return connection;
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "H2"})
    void isNullLooksAtTheFieldsOfARow(On where) throws SQLException {
        Connection connection = rows(where, NULL_ONLY);
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT id, secret FROM c WHERE k IS NULL"))
                .containsExactlyInAnyOrder("1,one", "3,three");
        softly.assertThat(rows(connection, "SELECT id FROM c ORDER BY id")).containsExactly("1", "2", "3", "4");
        for (String condition : List.of(
                "NOT (k IS NOT NULL)",
                "(k IS NOT NULL) IS NOT TRUE",
                "(k IS NOT NULL) = FALSE",
                "kn IS NULL",
                "NOT (kn IS NOT NULL)",
                "(kn IS NULL) IS TRUE",
                "COALESCE(kn, kn) IS NULL",
                "COALESCE(k, k) IS NULL AND id > 1",
                "NOT (COALESCE(k, k) IS NOT NULL)",
                "NOT (CASE WHEN id > 0 THEN k END IS NOT NULL)",
                "NULLIF(kn, k) IS NULL",
                "(SELECT x.kn FROM c x WHERE x.id = c.id) IS NULL",
                "id IN (SELECT x.id FROM (SELECT id, kn AS y FROM c) x WHERE x.y IS NULL)",
                "k IS DISTINCT FROM k OR kn IS NULL",
                "k IS NOT DISTINCT FROM NULL AND id > 0 OR kn IS NULL",
                "NOT (k IS DISTINCT FROM k) AND k IS NOT NULL")) {
            refuses(softly, connection, where, "SELECT id, secret FROM c WHERE " + condition);
        }
        softly.assertAll();
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "H2"})
    void whatIsEqualToItselfMayBeNeitherNullNorNot(On where) throws SQLException {
        Connection connection = rows(where, NOT_NULL);
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT id, secret FROM c WHERE k IS NOT NULL"))
                .containsExactly("4,four");
        for (String condition : List.of(
                "k = k",
                "NOT (k <> k)",
                "k >= k",
                "k IN (k)",
                "k BETWEEN k AND k",
                "NOT (k IS NULL)",
                "k IS DISTINCT FROM NULL",
                "NOT (k IS NOT DISTINCT FROM NULL)",
                "(k = k) IS NOT NULL",
                "(k = k) IS NULL",
                "(k = k) IS NOT TRUE",
                "(k <> k) IS NOT FALSE",
                "k = (SELECT x.k FROM c x WHERE x.id = c.id)",
                "k IN (SELECT x.k FROM c x WHERE x.id = c.id)",
                "k = ANY (SELECT x.k FROM c x WHERE x.id = c.id)",
                "(k, id) = (k, id)",
                "(k, id) IN (SELECT x.k, x.id FROM c x)",
                "EXISTS (SELECT 1 FROM c x WHERE x.id = c.id AND x.k = c.k)")) {
            refuses(softly, connection, where, "SELECT id, secret FROM c WHERE " + condition);
        }
        refuses(softly, connection, where, "SELECT x.id, x.secret FROM c x JOIN c y ON x.id = y.id AND x.k = y.k");
        refuses(softly, connection, where, "SELECT id, x.secret FROM c x JOIN c y USING (id, k)");
        softly.assertAll();
    }

    @Test
    void domainsAndRowTypesOfTablesAreRows() throws SQLException {
        String policy = "";
        for (String column : List.of("d", "dd", "t", "nest")) {
            policy += "CREATE VIEW v_" + column + " AS SELECT id, secret FROM c WHERE " + column + " IS NULL;\n";
        }
        on(On.POSTGRESQL, policy + "CREATE VIEW ids AS SELECT id FROM c;\n", new String[] {
            "CREATE TYPE comp AS (a INT, b INT)",
            "CREATE DOMAIN dom AS comp",
            "CREATE DOMAIN domdom AS dom",
            "CREATE TABLE pair (a INT, b INT)",
            "CREATE TYPE outercomp AS (a comp, b INT)",
            "CREATE TABLE c (id INT PRIMARY KEY, d dom NOT NULL, dd domdom NOT NULL, t pair NOT NULL,"
                    + " nest outercomp NOT NULL, ar comp[] NOT NULL, secret TEXT)",
            "INSERT INTO c VALUES (1, '(1,)', '(1,)', '(1,)', '(,1)', ARRAY['(,)'::comp], 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        var softly = new SoftAssertions();
        for (String column : List.of("d", "dd", "t", "nest")) {
            softly.assertThat(rows(connection, "SELECT id, secret FROM c WHERE " + column + " IS NULL"))
                    .isEmpty();
            refuses(
                    softly,
                    connection,
                    On.POSTGRESQL,
                    "SELECT id, secret FROM c WHERE NOT (" + column + " IS NOT NULL)");
            refuses(softly, connection, On.POSTGRESQL, "SELECT id, secret FROM c WHERE " + column + " = " + column);
        }
        for (String condition : List.of(
                "ar[1] IS NULL",
                "NOT (ar[1] IS NOT NULL)",
                "NOT (CAST(ROW(id, NULL) AS comp) IS NOT NULL)",
                "(ROW(id, NULL))::comp IS NULL",
                "'(,)'::comp IS NULL",
                "ar = ar")) {
            refuses(softly, connection, On.POSTGRESQL, "SELECT id, secret FROM c WHERE " + condition);
        }
        // Nobody looks into a list for whether it is NULL.
        softly.assertThat(rows(connection, "SELECT id FROM c WHERE ar IS NOT NULL AND ar = ar"))
                .containsExactly("1");
        softly.assertThat(rows(connection, "SELECT id FROM c WHERE ar IS NULL")).isEmpty();
        softly.assertAll();
    }

    @Test
    void wholeRowsAreRows() throws SQLException {
        on(On.POSTGRESQL, """
                CREATE VIEW one_null AS SELECT a FROM one WHERE a IS NOT NULL;
                CREATE VIEW two_null AS SELECT id, a FROM two t WHERE t IS NOT NULL;
                """, new String[] {
            "CREATE TABLE one (a INT, CONSTRAINT u UNIQUE (a))",
            "CREATE TABLE two (id INT PRIMARY KEY, a TEXT)",
            "INSERT INTO one VALUES (1), (NULL)",
            "INSERT INTO two VALUES (1, 'shown'), (2, NULL)"
        });
        Connection connection = connect();
        request(1);
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT DISTINCT a FROM one WHERE a IS NOT NULL"))
                .containsExactly("1");
        softly.assertThat(rows(connection, "SELECT id, a FROM two t WHERE t IS NOT NULL"))
                .containsExactly("1,shown");
        refuses(softly, connection, On.POSTGRESQL, "SELECT DISTINCT a FROM one WHERE one = one");
        refuses(softly, connection, On.POSTGRESQL, "SELECT DISTINCT a FROM one o WHERE NOT (o IS NULL AND o <> o)");
        refuses(softly, connection, On.POSTGRESQL, "SELECT DISTINCT a FROM one o WHERE o IN (o)");
        refuses(softly, connection, On.POSTGRESQL, "SELECT id, a FROM two t WHERE NOT (t IS NULL)");
        refuses(softly, connection, On.POSTGRESQL, "SELECT id, a FROM two t WHERE t = t");
        refuses(softly, connection, On.POSTGRESQL, "SELECT id, a FROM two t WHERE t.* IS DISTINCT FROM NULL");
        softly.assertAll();
    }

    @Test
    void comparisonsOfListsWithNullsInThemAreUnknown() throws SQLException {
        String list = "(1, ARRAY[1], ROW(1, 1), ARRAY[ARRAY[1]], ARRAY[ROW(1)], 'shown'),"
                + " (2, ARRAY[NULL], ROW(1, NULL), ARRAY[ARRAY[NULL]], ARRAY[ROW(NULL)], 'SECRET')";
        on(On.H2, """
                CREATE VIEW eq AS SELECT id, secret FROM t WHERE a = ARRAY[1];
                CREATE VIEW ne AS SELECT id, secret FROM t WHERE a <> ARRAY[1];
                CREATE VIEW self AS SELECT id, secret FROM t WHERE a = a AND k = k AND aa = aa AND ar = ar;
                CREATE VIEW cols AS SELECT id, a, k, aa, ar FROM t;
                """, new String[] {
            "CREATE DOMAIN dom AS INT ARRAY",
            "CREATE TABLE t (id INT PRIMARY KEY, a INT ARRAY NOT NULL, k ROW(a INT, b INT) NOT NULL,"
                    + " aa INT ARRAY ARRAY NOT NULL, ar ROW(a INT) ARRAY NOT NULL, secret VARCHAR(20),"
                    + " d dom DEFAULT ARRAY[NULL] NOT NULL)",
            "INSERT INTO t (id, a, k, aa, ar, secret) VALUES " + list
        });
        Connection connection = connect();
        request(1);
        var softly = new SoftAssertions();
        softly.assertThat(rows(connection, "SELECT id, secret FROM t WHERE a = ARRAY[1]"))
                .containsExactly("1,shown");
        softly.assertThat(rows(connection, "SELECT id, secret FROM t WHERE a = a AND k = k AND aa = aa AND ar = ar"))
                .containsExactly("1,shown");
        softly.assertThat(rows(connection, "SELECT id FROM t WHERE a IS NULL")).isEmpty();
        softly.assertThat(rows(connection, "SELECT id FROM t WHERE (a = a) IS NULL"))
                .containsExactly("2");
        for (String column : List.of("a", "k", "aa", "ar", "d")) {
            for (String condition : List.of(
                    "(# = #) IS NULL",
                    "(# = #) IS NOT TRUE",
                    "(# = #) IS UNKNOWN",
                    "(# <> #) IS NOT FALSE",
                    "(# >= #) IS NULL",
                    "(# <= #) IS NOT TRUE",
                    "(# BETWEEN # AND #) IS NULL",
                    "(# IN (#)) IS NULL",
                    "(# IN (#, #)) IS NOT TRUE",
                    "((#, 1) = (#, 1)) IS NULL",
                    "(COALESCE(#, #) = #) IS NOT TRUE",
                    "(CASE WHEN id > 0 THEN # END = CASE WHEN id > 0 THEN # END) IS NULL",
                    "NULLIF(#, #) IS NOT NULL",
                    "# IS NOT DISTINCT FROM #",
                    "NOT (# IS DISTINCT FROM #)",
                    "# IN (SELECT x.# FROM t x)",
                    "(#, id) IN (SELECT x.#, x.id FROM t x)",
                    "# = ANY (SELECT x.# FROM t x WHERE x.id = t.id)",
                    "(# = (SELECT x.# FROM t x WHERE x.id = t.id)) IS NULL",
                    "(# = ALL (SELECT x.# FROM t x WHERE x.id = t.id)) IS NOT TRUE")) {
                refuses(softly, connection, On.H2, "SELECT id, secret FROM t WHERE " + condition.replace("#", column));
            }
        }
        softly.assertAll();
    }

    @Test
    void aParameterMayBeAList() throws SQLException {
        on(On.H2, "CREATE VIEW eq AS SELECT id FROM t;\n", new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 1, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        var softly = new SoftAssertions();
        for (String sql : List.of(
                "SELECT id, secret FROM t WHERE (id = ?) IS NULL",
                "SELECT id, secret FROM t WHERE (? = n) IS NOT TRUE AND (? = n) IS NOT FALSE",
                "SELECT id, secret FROM t WHERE (? = ?) IS UNKNOWN",
                "SELECT id, secret FROM t WHERE (id IN (?)) IS NULL",
                "SELECT id, secret FROM t WHERE (id = 1 AND id >= ?) IS NULL")) {
            for (Object value :
                    List.of(new Object[] {null}, new Integer[] {null}, new Object[] {new Object[] {null}})) {
                softly.assertThatThrownBy(() -> {
                            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                                for (int i = 1;
                                        i <= statement.getParameterMetaData().getParameterCount();
                                        i++) {
                                    statement.setObject(i, value);
                                }
                                try (ResultSet result = statement.executeQuery()) {
                                    assertThat(result.next()).isFalse();
                                    throw new SQLException("no row");
                                }
                            }
                        })
                        .as(sql)
                        .isInstanceOf(SQLException.class);
            }
        }
        softly.assertAll();
    }

    @Test
    void comparisonsWithParametersAreStillRead() throws SQLException {
        on(On.H2, "CREATE VIEW eq AS SELECT id, n FROM t WHERE n = 1;\n", new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 1, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id FROM t WHERE n = 1 AND NOT ((n = ?) IS NULL)")) {
            statement.setInt(1, 1);
            try (ResultSet result = statement.executeQuery()) {
                assertThat(result.next()).isTrue();
            }
        }
    }

    /** What the database itself refuses is no case. */
    private void refuses(SoftAssertions softly, Connection connection, On where, String sql) {
        softly.assertThatThrownBy(() -> assertThat(rows(connection, sql)).isNull())
                .as("%s: %s", where, sql)
                .isInstanceOf(PrivoxyException.class);
    }

    @Test
    void aRowIsNoConditionOfItsOwn() throws SQLException {
        Connection connection = rows(On.POSTGRESQL, NULL_ONLY);
        assertThatThrownBy(() -> rows(connection, "SELECT id, secret FROM c WHERE ROW(k, 1) IS NULL"))
                .isInstanceOf(PrivoxyException.class);
    }
}
