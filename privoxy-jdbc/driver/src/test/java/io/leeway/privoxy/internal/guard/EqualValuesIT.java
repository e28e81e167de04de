package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Values that the database takes for equal and that look different do not tell in which hidden order their rows stand: the
 * seventh attacker's N3 and its relatives.
 */
class EqualValuesIT extends Cases {

    private static final String SHOWN =
            "CREATE VIEW tt AS SELECT id, v, name FROM t;\nCREATE VIEW pp AS SELECT id, price, any_scale, score, n, made,"
                    + " at_time, name FROM p;\n";

    /** The rows of t stand in another order than their names, which a column tells that no view shows. */
    private Connection shown(On where) throws SQLException {
        String any = where == On.POSTGRESQL ? "NUMERIC" : "NUMERIC(12, 4)";
        on(where, SHOWN, new String[] {
            "CREATE TABLE t (id VARCHAR(10) PRIMARY KEY, v INT NOT NULL, name VARCHAR(20), secret INT NOT NULL)",
            "CREATE INDEX hid ON t (secret, v)",
            "INSERT INTO t VALUES ('a', 1, 'Ann', 1), ('c', 3, 'Bob', 2), ('b', 2, 'Cy', 3)",
            "CREATE TABLE p (id INT PRIMARY KEY, price NUMERIC(10, 2), any_scale " + any
                    + ", score DOUBLE PRECISION, n INT, made DATE, at_time TIMESTAMP, name VARCHAR(20),"
                    + " secret INT NOT NULL)",
            "INSERT INTO p VALUES (2, 1.50, 2.5, 0.5, 7, '2026-01-02', '2026-01-02 03:04:05', 'Bob', 1),"
                    + " (1, 1.50, 2.5, 0.5, 8, '2026-01-02', '2026-01-02 03:04:05', 'Ann', 2)"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static List<String> twoForms(On where) {
        return switch (where) {
            case POSTGRESQL ->
                List.of(
                        "CASE v WHEN 2 THEN 1.00 ELSE 1.000 END",
                        "CASE v WHEN 2 THEN interval '1 day' ELSE interval '24 hours' END",
                        "CASE v WHEN 2 THEN 0.0::float8 ELSE -0.0::float8 END",
                        "CASE v WHEN 2 THEN '{\"a\":1.0}'::jsonb ELSE '{\"a\":1.00}'::jsonb END",
                        "CASE v WHEN 2 THEN '1.00' ELSE 1.000 END",
                        "CASE v WHEN 2 THEN 'a'::char(3) ELSE 'a'::char(5) END",
                        "round(1.0, v)",
                        "1.0 * (v - 2.5) * 0.0::float8",
                        "(v * 30000.0) / (v * 20000.0 + (v - 2) * 0.1 * 0)",
                        "ARRAY[CASE v WHEN 2 THEN 1.00 ELSE 1.000 END]",
                        "lower(numrange(CASE v WHEN 2 THEN 1.00 ELSE 1.000 END, 2))",
                        "COALESCE(NULLIF(1.00, v - 1.00), 1)",
                        "GREATEST(CASE v WHEN 2 THEN 1.00 END, 1.000)");
            case MARIADB ->
                List.of(
                        "CASE v WHEN 2 THEN 'a' ELSE 'A' END",
                        "IF(v = 2, 'a', 'a ')",
                        "SUBSTR('xaA', v, 1)",
                        "ELT(v, 'x', 'a', 'A')",
                        "CONCAT(CASE v WHEN 2 THEN 'a' ELSE 'ab' END, CASE v WHEN 2 THEN 'B' ELSE '' END)",
                        "CASE v WHEN 2 THEN LOWER(LEFT(id, 0)) ELSE CONCAT(UPPER(LEFT(id, 0)), ' ') END",
                        "SUBSTR(CONCAT(v, 'aA'), v, 1)",
                        "(v - 2.5) * 0e0");
            case H2 -> List.of("CASE v WHEN 2 THEN 1.00 ELSE 1.000 END", "ROUND(1.0, v)");
        };
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void nothingIsShownOfEqualValuesThatLookDifferent(On where) throws SQLException {
        Connection connection = shown(where);
        for (String x : twoForms(where)) {
            boolean isSortable = !x.startsWith("ARRAY");
            String rows = " FROM t WHERE v > 1";
            assertRefused(connection, "SELECT DISTINCT " + x + rows);
            assertRefused(connection, "SELECT " + x + ", COUNT(*)" + rows + " GROUP BY " + x);
            assertRefused(connection, "SELECT " + x + " AS x, COUNT(*)" + rows + " GROUP BY 1 ORDER BY 1");
            assertRefused(connection, "SELECT DISTINCT q.x FROM (SELECT " + x + " AS x" + rows + ") q");
            assertRefused(connection, "SELECT COUNT(*) FROM (SELECT DISTINCT " + x + " AS x" + rows + ") q");
            assertRefused(connection, "SELECT " + x + rows + " UNION SELECT NULL");
            assertRefused(connection, "SELECT " + x + rows + " INTERSECT SELECT " + x + rows);
            if (isSortable && !x.contains("jsonb")) {
                assertRefused(connection, "SELECT MIN(" + x + ")" + rows);
                assertRefused(connection, "SELECT MAX(" + x + ") OVER ()" + rows);
            }
        }
    }

    @Test
    void noListOrAggregateOfAnOrderTellsWhichOfEqualValuesCameFirst() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        for (String x : twoForms(On.POSTGRESQL)) {
            String rows = " FROM t WHERE v > 1";
            assertRefused(connection, "SELECT array_agg(x ORDER BY x) FROM (SELECT " + x + " AS x" + rows + ") z");
            assertRefused(connection, "SELECT array_agg(DISTINCT x) FROM (SELECT " + x + " AS x" + rows + ") z");
            assertRefused(connection, "SELECT mode() WITHIN GROUP (ORDER BY " + x + ")" + rows);
            assertRefused(connection, "SELECT percentile_disc(0) WITHIN GROUP (ORDER BY " + x + ")" + rows);
            assertRefused(connection, "SELECT string_agg(id, '' ORDER BY " + x + ")" + rows);
            assertRefused(connection, "SELECT row_number() OVER (ORDER BY " + x + ")" + rows);
            assertRefused(connection, "SELECT " + x + rows + " UNION ALL SELECT " + x + rows + " ORDER BY 1");
        }
        assertRefused(connection, "SELECT SUM(DISTINCT CASE v WHEN 2 THEN 1.00 ELSE 1.000 END) FROM t WHERE v > 1");
        assertThat(rows(
                        connection,
                        "SELECT array_agg(x ORDER BY x, id) FROM (SELECT id, CASE v WHEN 2 THEN 1.00 ELSE 1.000 END AS x"
                                + " FROM t WHERE v > 1) z"))
                .containsExactly("{1.00,1.000}");
    }

    @Test
    void rowsThatAreEqualByTheirOrderAreSortedByHowTheyLook() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        String inner = "(SELECT CASE v WHEN 2 THEN 1.00 ELSE 1.000 END AS x FROM t WHERE v > 1) z";
        for (String sql : List.of(
                "SELECT x FROM " + inner + " ORDER BY x",
                "SELECT z.x FROM " + inner + " ORDER BY 1",
                "SELECT * FROM " + inner,
                "SELECT x FROM (SELECT z.x FROM " + inner + ") y ORDER BY x")) {
            assertThat(rows(connection, sql)).as(sql).containsExactly("1.00", "1.000");
        }
        assertThat(rows(connection, "SELECT x FROM " + inner + " ORDER BY x LIMIT 1"))
                .containsExactly("1.00");
        assertThat(rows(connection, "SELECT CASE v WHEN 2 THEN 1.00 ELSE 1.000 END FROM t WHERE v > 1 ORDER BY 1"))
                .containsExactly("1.00", "1.000");
        assertRefused(connection, "SELECT x + 0.0 FROM " + inner + " ORDER BY 1");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void ordinaryQueriesAreAsBefore(On where) throws SQLException {
        Connection connection = shown(where);
        var softly = new SoftAssertions();
        for (String sql : List.of(
                "SELECT DISTINCT price FROM p",
                "SELECT DISTINCT any_scale, score, n, made, at_time, name FROM p",
                "SELECT price, COUNT(*) FROM p GROUP BY price ORDER BY COUNT(*) DESC",
                "SELECT name, MIN(price), MAX(score), MAX(any_scale), MIN(name), MAX(made) FROM p GROUP BY name",
                "SELECT MAX(price * n), MIN(price + 1), MAX(CASE WHEN n > 7 THEN price ELSE 0.00 END) FROM p",
                "SELECT MAX(n / 2), MIN(n + 1), MAX(CASE WHEN n > 7 THEN 1 ELSE 0 END) FROM p",
                "SELECT id, score FROM p ORDER BY score",
                "SELECT id, COALESCE(price, 0) FROM p ORDER BY 2",
                "SELECT DISTINCT id, COALESCE(price, 0) FROM p",
                "SELECT SUM(price), SUM(COALESCE(price, 0)), COUNT(DISTINCT price) FROM p",
                "SELECT name, SUM(price * n) AS s FROM p GROUP BY name ORDER BY s DESC LIMIT 1",
                "SELECT q.name, q.s FROM (SELECT name, SUM(price) AS s FROM p GROUP BY name) q ORDER BY q.s DESC",
                "SELECT q.name, q.s FROM (SELECT name, COALESCE(SUM(price), 0) AS s FROM p GROUP BY name) q ORDER BY q.s",
                "SELECT DISTINCT UPPER(name), LOWER(name), CONCAT(name, ' (', n, ')') FROM p",
                "SELECT DISTINCT CASE WHEN n > 7 THEN 'many' WHEN n > 5 THEN 'some' ELSE 'few' END FROM p",
                "SELECT CASE WHEN n > 7 THEN 'yes' ELSE 'no' END AS c, COUNT(*) FROM p GROUP BY c",
                "SELECT DISTINCT COALESCE(name, ''), COALESCE(n, 0), COALESCE(made, DATE '2026-01-01') FROM p",
                "SELECT DISTINCT SUBSTRING(name, 1, 1), LENGTH(name), EXTRACT(YEAR FROM made) FROM p",
                "SELECT EXTRACT(MONTH FROM at_time), COUNT(*) FROM p GROUP BY EXTRACT(MONTH FROM at_time)",
                "SELECT name, price FROM p UNION SELECT name, price FROM p ORDER BY 2, 1",
                "SELECT name, price, 1 FROM p UNION ALL SELECT name, price, 2 FROM p",
                "SELECT name, 'a' FROM p UNION SELECT id, 'b' FROM t",
                "SELECT name, n FROM p EXCEPT SELECT name, v FROM t",
                "SELECT p.name, MAX(t.v) FROM p LEFT JOIN t ON t.name = p.name GROUP BY p.name",
                "SELECT MAX(q.c) FROM (SELECT name, COUNT(*) AS c FROM p GROUP BY name) q",
                "SELECT DISTINCT CAST(n AS CHAR(10)), CAST(price AS DECIMAL(12, 4)), CAST(name AS CHAR(20)) FROM p"
                        .replace("CHAR", where == On.MARIADB ? "CHAR" : "VARCHAR"),
                "SELECT DISTINCT n > 7, name LIKE 'A%', n IS NULL FROM p",
                "SELECT name, ROW_NUMBER() OVER (PARTITION BY price ORDER BY id) FROM p",
                "SELECT MAX(n) OVER (PARTITION BY price), MIN(score) OVER () FROM p",
                "SELECT DISTINCT (SELECT MAX(t.v) FROM t WHERE t.name = p.name) FROM p",
                "WITH RECURSIVE r(i) AS (SELECT 1 UNION SELECT i + 1 FROM r WHERE i < 3) SELECT i FROM r ORDER BY i")) {
            assertAnswered(connection, sql, softly);
        }
        softly.assertAll();
    }

    @Test
    void ordinaryQueriesOfOneDatabaseAreAsBefore() throws SQLException {
        var softly = new SoftAssertions();
        Connection postgres = shown(On.POSTGRESQL);
        for (String sql : List.of(
                "SELECT date_trunc('month', at_time) AS m, COUNT(*), AVG(price) FROM p GROUP BY 1 ORDER BY 3",
                "SELECT to_char(made, 'YYYY-MM'), SUM(price) FROM p GROUP BY 1",
                "SELECT DISTINCT round(price / n, 2), (price / n)::numeric(10, 3), (price / n)::text FROM p",
                "SELECT DISTINCT made + 1, at_time + interval '1 day', made::timestamptz, name || '!' FROM p",
                "SELECT string_agg(name, ',' ORDER BY name), array_agg(n ORDER BY n), array_agg(DISTINCT name) FROM p",
                "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY price), mode() WITHIN GROUP (ORDER BY name) FROM p",
                "SELECT MAX(score + 0), MAX(abs(score)), MAX(score * 2.5) FROM p",
                "SELECT DISTINCT ON (price) price, name FROM p ORDER BY price, id",
                "SELECT DISTINCT g FROM generate_series(1, 3) g, t",
                "SELECT DISTINCT u FROM unnest(ARRAY['a', 'b']) u, t",
                "SELECT name FROM p WHERE price IN (SELECT DISTINCT price FROM p)")) {
            assertAnswered(postgres, sql, softly);
        }
        Connection h2 = shown(On.H2);
        for (String sql : List.of(
                "SELECT MIN(DATEADD('DAY', 1, made)), MAX(DATE_TRUNC('MONTH', at_time)) FROM p",
                "SELECT DISTINCT FORMATDATETIME(made, 'yyyy'), REPLACE(name, 'a', 'b'), name || '!' FROM p",
                "SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY name), MAX(score) FROM p")) {
            assertAnswered(h2, sql, softly);
        }
        Connection maria = shown(On.MARIADB);
        for (String sql : List.of(
                "SELECT DATE_FORMAT(made, '%Y-%m') AS m, COUNT(*) FROM p GROUP BY m",
                "SELECT DATE(at_time), SUM(price) FROM p GROUP BY DATE(at_time)",
                "SELECT GROUP_CONCAT(name ORDER BY name), GROUP_CONCAT(DISTINCT name ORDER BY name) FROM p",
                "SELECT DISTINCT IFNULL(name, '-'), IF(n > 7, 'yes', 'no'), LEFT(name, 1), TRIM(name) FROM p",
                "SELECT DISTINCT BINARY CASE v WHEN 2 THEN 'a' ELSE 'A' END FROM t",
                "SELECT MAX(price / n), MIN(COALESCE(price, 0)) FROM p")) {
            assertAnswered(maria, sql, softly);
        }
        softly.assertAll();
    }

    /** PostgreSQL has no order for these. */
    @Test
    void documentsAreSortedByTheirKeysOrAsText() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        for (String sql : List.of(
                "SELECT to_json(x) FROM (SELECT id, v FROM t) x",
                "SELECT row_to_json(x) FROM (SELECT id, v FROM t WHERE v > 0) x LIMIT 3",
                "SELECT to_json(x.id) FROM (SELECT id FROM t) x",
                "SELECT x.j FROM (SELECT to_json(v) AS j FROM t) x",
                "SELECT x.j, x.c FROM (SELECT id, to_json(id) AS j, COUNT(*) AS c FROM t GROUP BY id) x")) {
            assertThat(rows(connection, sql)).as(sql).hasSize(3).isSorted();
        }
        assertRefused(connection, "SELECT to_json(x.v) FROM (SELECT v FROM t GROUP BY v) x");
    }

    private static void assertAnswered(Connection connection, String sql, SoftAssertions softly) {
        softly.assertThatCode(() -> assertThat(rows(connection, sql)).isNotEmpty())
                .as(sql)
                .doesNotThrowAnyException();
    }
}
