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
 * What is of one form is so under one equality only: another collation, another column or another type beside it may take
 * for equal what looks different. The ninth attacker's R1 to R5 and R12.
 */
class OneFormIT extends Cases {

    private static final String SHOWN =
            "CREATE VIEW tt AS SELECT id, v, d, ts, tx, nm, a1, a2, b1, b2, c1, c2, w1 FROM t;\n";

    /** In each row the columns of a pair are equal and look different; rows 2 and 3 stand in an order that is hidden. */
    private Connection shown(On where) throws SQLException {
        String pairs = switch (where) {
            case POSTGRESQL ->
                "nm TEXT COLLATE ci, a1 CHAR(3), a2 CHAR(5), b1 NUMERIC, b2 NUMERIC, c1 INTERVAL, c2 INTERVAL,"
                        + " w1 NUMERIC(10, 2)";
            case MARIADB ->
                "nm VARCHAR(10) COLLATE utf8mb4_nopad_bin, a1 VARCHAR(5), a2 VARCHAR(5), b1 VARBINARY(10),"
                        + " b2 VARCHAR(10) COLLATE utf8mb4_bin, c1 VARCHAR(5), c2 VARCHAR(5), w1 INT";
            case H2 ->
                "nm VARCHAR_IGNORECASE(10), a1 VARCHAR_IGNORECASE(5), a2 VARCHAR_IGNORECASE(5),"
                        + " b1 TIMESTAMP WITH TIME ZONE, b2 TIMESTAMP WITH TIME ZONE, c1 INT, c2 INT, w1 INT";
        };
        String values = switch (where) {
            case POSTGRESQL -> "'', 'a', 'a', 1.0, 1.00, '1 day', '24 hours', 1";
            case MARIADB -> "'', 'a', 'A', 'a', 'a', 'a', 'a ', 1";
            case H2 -> "'', 'a', 'A', '2020-01-01 10:00:00+00', '2020-01-01 11:00:00+01', 1, 1, 1";
        };
        String table = "CREATE TABLE t (id INT NOT NULL UNIQUE, v INT, d DATE, ts TIMESTAMP, tx VARCHAR(10), " + pairs
                + ", secret INT NOT NULL, PRIMARY KEY (secret, id))";
        String row = "INSERT INTO t VALUES (%d, %d, '2020-05-01', '2020-05-01 00:00:00', '', " + values + ", %d)";
        String collation = "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
        on(where, SHOWN, new String[] {
            where == On.POSTGRESQL ? collation : "CREATE TABLE other (id INT)",
            where == On.POSTGRESQL ? collation.replace("ci", "ucs_basic") : "CREATE TABLE another (id INT)",
            table,
            row.formatted(3, 3, 1),
            row.formatted(2, 2, 2),
            row.formatted(1, 1, 3)
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static List<String> twoForms(On where) {
        return switch (where) {
            case POSTGRESQL ->
                List.of(
                        "CAST(CASE v WHEN 2 THEN 'a' ELSE 'A' END AS text) || nm",
                        "CAST(CASE v WHEN 2 THEN 'a' ELSE 'A' END AS text) || ('' COLLATE ci)",
                        "CAST(CASE v WHEN 2 THEN 'a' ELSE 'A' END || nm AS text)",
                        "CAST((CASE v WHEN 2 THEN 'a' ELSE 'A' END) COLLATE ci AS text)",
                        "concat(CASE v WHEN 2 THEN 'a' ELSE 'A' END, nm)",
                        "concat(CASE v WHEN 2 THEN 'a' ELSE 'A' END, '' COLLATE ci)",
                        "rpad(CASE v WHEN 2 THEN 'a' ELSE 'A' END, 3, 'x' || nm)",
                        "substr(CASE v WHEN 2 THEN 'a' ELSE 'A' END || nm, 1, 1)",
                        "NULLIF(CASE v WHEN 2 THEN 'a' ELSE 'A' END, nm)",
                        "quote_literal(CASE v WHEN 2 THEN 'a' ELSE 'A' END || nm)",
                        "to_char(d, CASE v WHEN 2 THEN '\"a\"' ELSE '\"A\"' END || nm)",
                        "CASE v WHEN 2 THEN 'a' ELSE 'A' END COLLATE public.ucs_basic",
                        "CASE v WHEN 2 THEN 'a'::text ELSE upper('a'::text) || nm END",
                        "CASE v WHEN 2 THEN 'a'::text ELSE upper('a') || (SELECT max(nm) FROM t) END",
                        "array_to_string(ARRAY[CASE v WHEN 2 THEN 'a' ELSE 'A' END], nm)",
                        "json_build_object('a', CASE v WHEN 2 THEN 'a' ELSE 'A' END) ->> 'a' || nm",
                        "CASE v WHEN 2 THEN a1 ELSE a2 END",
                        "CASE v WHEN 2 THEN b1 ELSE b2 END",
                        "CASE v WHEN 2 THEN c1 ELSE c2 END",
                        "COALESCE(CASE v WHEN 2 THEN a1 END, a2)",
                        "CASE v WHEN 2 THEN extract(epoch from d) ELSE extract(epoch from ts) END",
                        "CASE v WHEN 2 THEN extract(epoch from d) ELSE extract(second from ts) + 1588291200 END");
            case MARIADB ->
                List.of(
                        "CASE v WHEN 2 THEN HEX('k') ELSE LOWER(HEX('k')) END",
                        "CASE v WHEN 2 THEN MD5('a') ELSE UPPER(MD5('a')) END",
                        "CASE v WHEN 2 THEN SHA1('a') ELSE HEX(UNHEX(SHA1('a'))) END",
                        "CASE v WHEN 2 THEN MONTHNAME(d) ELSE 'MAY' END",
                        "CASE v WHEN 2 THEN MONTHNAME(d) ELSE UPPER(MONTHNAME(d)) END",
                        "COALESCE(CASE v WHEN 2 THEN DAYNAME(d) END, 'FRIDAY')",
                        "CASE v WHEN 2 THEN DATE_FORMAT(d, 'a') ELSE DATE_FORMAT(d, 'A') END",
                        "CASE v WHEN 2 THEN DATE_FORMAT(d, '%M') ELSE DATE_FORMAT(d, '%M ') END",
                        "CASE v WHEN 2 THEN TIME_FORMAT(ts, '%p') ELSE 'am' END",
                        "CASE v WHEN 2 THEN UPPER('a') ELSE 'a' END",
                        "CASE v WHEN 2 THEN CAST('ab' AS CHAR(1)) ELSE 'A' END",
                        "CASE v WHEN 2 THEN LEFT(ts, 11) ELSE LEFT(ts, 10) END",
                        "CAST(BINARY CASE v WHEN 2 THEN 'a' ELSE 'A' END AS CHAR)",
                        "CAST(CAST(CASE v WHEN 2 THEN 'a' ELSE 'A' END AS BINARY) AS CHAR)",
                        "CAST(CASE v WHEN 2 THEN 'a' ELSE 'A' END COLLATE utf8mb4_nopad_bin AS CHAR)",
                        "CAST(UNHEX(CASE v WHEN 2 THEN '61' ELSE '41' END) AS CHAR)",
                        "CASE v WHEN 2 THEN _utf8mb4 x'61' ELSE _utf8mb4 x'41' END",
                        "CASE v WHEN 2 THEN x'61' WHEN 3 THEN x'41' ELSE CAST(1 AS CHAR) END",
                        "CONCAT(HEX(CASE v WHEN 2 THEN '' ELSE 'k' END), LOWER(HEX(CASE v WHEN 2 THEN 'k' ELSE '' END)))",
                        "CONCAT_WS('', IF(v = 2, 'a', NULL), IF(v = 2, NULL, 'A'))",
                        "CASE v WHEN 2 THEN INET6_NTOA(INET6_ATON('::ab')) ELSE '::AB' END",
                        "CONCAT(UPPER(LEFT(CASE v WHEN 2 THEN HEX('') ELSE HEX('k') END, 2)), LOWER(HEX(CASE v WHEN 2 THEN 'k'"
                                + " ELSE '' END)))",
                        "CONCAT(IF(v = 2, 11, 1), IF(v = 2, 'x', 1), IF(v = 2, 1, 'X'), IF(v = 2, 2, 12))",
                        "CAST(LEFT(b2, 1) AS CHAR)",
                        "CAST(CONCAT(a1, b2) AS CHAR)",
                        "CAST(b1 AS CHAR)",
                        "CAST(nm AS CHAR)",
                        "CAST(b2 AS CHAR)",
                        "JSON_UNQUOTE(nm)",
                        "JSON_UNQUOTE(JSON_EXTRACT(CONCAT('[\"', nm, '\"]'), '$[0]'))",
                        "CONCAT(CAST(b1 AS CHAR), a1)",
                        "CASE v WHEN 2 THEN a1 ELSE a2 END",
                        "CASE v WHEN 2 THEN c1 ELSE c2 END");
            case H2 ->
                List.of(
                        "CASE v WHEN 2 THEN a1 ELSE a2 END",
                        "CASE v WHEN 2 THEN b1 ELSE b2 END",
                        "DATEADD(DAY, 1, CASE v WHEN 2 THEN b1 ELSE b2 END)",
                        "COALESCE(CASE v WHEN 2 THEN a1 END, a2)");
        };
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void nothingIsShownOfWhatAnotherEqualityTakesTogether(On where) throws SQLException {
        Connection connection = shown(where);
        for (String x : twoForms(where)) {
            String rows = " FROM t WHERE v > 1";
            assertRefused(connection, "SELECT DISTINCT " + x + rows);
            assertRefused(connection, "SELECT " + x + ", COUNT(*)" + rows + " GROUP BY " + x);
            assertRefused(connection, "SELECT " + x + rows + " UNION SELECT NULL");
            assertRefused(connection, "SELECT " + x + rows + " UNION ALL SELECT " + x + rows + " ORDER BY 1");
            assertRefused(connection, "SELECT DISTINCT q.x FROM (SELECT " + x + " AS x" + rows + ") q");
            assertRefused(connection, "SELECT MIN(" + x + ")" + rows);
        }
    }

    @Test
    void neitherListsNorRangesNorSeriesTell() throws SQLException {
        Connection postgres = shown(On.POSTGRESQL);
        for (String sql : List.of(
                "SELECT DISTINCT x FROM (SELECT generate_series(1, 2, CASE v WHEN 2 THEN 1.0 ELSE 1.00 END) AS x FROM t"
                        + " WHERE v > 1) z WHERE x = 2",
                "SELECT range_agg(numrange(CASE v WHEN 2 THEN 1.0 ELSE 1.00 END, 2)) FROM t WHERE v > 1",
                "SELECT range_intersect_agg(numrange(CASE v WHEN 2 THEN 1.0 ELSE 1.00 END, 2)) FROM t WHERE v > 1",
                "SELECT DISTINCT string_to_array(CASE v WHEN 2 THEN 'a' ELSE 'A' END, nm) FROM t WHERE v > 1",
                "SELECT string_agg(DISTINCT (CASE v WHEN 2 THEN 'a' ELSE 'A' END || nm)::text, ',') FROM t WHERE v > 1",
                "SELECT mode() WITHIN GROUP (ORDER BY CASE v WHEN 2 THEN a1 ELSE a2 END) FROM t WHERE v > 1",
                "SELECT b1 FROM t WHERE v > 1 UNION SELECT b2 FROM t WHERE v > 1",
                "SELECT a1 FROM t WHERE v > 1 UNION ALL SELECT a2 FROM t WHERE v > 1",
                "SELECT substr(nm, 1, 5) FROM t WHERE v > 1 UNION ALL SELECT 'z' ORDER BY 1",
                "SELECT string_agg(substr(nm, 1, 5), ',' ORDER BY substr(nm, 1, 5)) FROM t WHERE v > 1")) {
            assertRefused(postgres, sql);
        }
        Connection maria = shown(On.MARIADB);
        for (String sql : List.of(
                "SELECT CAST(b1 AS CHAR) FROM t WHERE v > 1 UNION ALL SELECT 'z' ORDER BY 1",
                "SELECT GROUP_CONCAT(CAST(b1 AS CHAR) ORDER BY CAST(b1 AS CHAR)) FROM t WHERE v > 1")) {
            assertRefused(maria, sql);
        }
    }

    /** The key by how a value looks is of an equality that tells all of them apart. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatIsSortedByHowItLooksIsNotSortedByACollation(On where) throws SQLException {
        Connection connection = shown(where);
        String x = switch (where) {
            case POSTGRESQL -> "CASE v WHEN 2 THEN 'a' ELSE 'A' END || ('' COLLATE ci)";
            case MARIADB -> "CASE v WHEN 2 THEN 'a' ELSE 'A' END";
            case H2 -> "CASE v WHEN 2 THEN a1 ELSE a2 END";
        };
        assertThat(rows(
                        connection,
                        "SELECT q.x FROM (SELECT " + x + " AS x FROM t WHERE v > 1) q ORDER BY q.x LIMIT 1"))
                .containsExactly("A");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void ordinaryQueriesAreAsBefore(On where) throws SQLException {
        Connection connection = shown(where);
        List<String> common = List.of(
                "SELECT DISTINCT nm, a1, a2, b1, b2, c1, c2 FROM t",
                "SELECT a1, COUNT(*), MIN(a2), MAX(b1) FROM t GROUP BY a1 ORDER BY a1",
                "SELECT DISTINCT LOWER(tx), UPPER(tx), COALESCE(d, DATE '2020-01-01'), COALESCE(v, 0), COALESCE(tx, '') FROM t",
                where == On.POSTGRESQL || where == On.H2
                        ? "SELECT b1 FROM t UNION ALL SELECT b2 FROM t ORDER BY 1"
                        : "SELECT a1 FROM t UNION ALL SELECT a2 FROM t ORDER BY 1",
                "SELECT tx FROM t UNION SELECT tx FROM t");
        List<String> own = switch (where) {
            case POSTGRESQL ->
                List.of(
                        "SELECT DISTINCT tx || 'x', concat(tx, b1, c1), a1::text, to_char(d, 'Month'), md5(tx) FROM t",
                        "SELECT DISTINCT CASE v WHEN 2 THEN tx ELSE upper(tx) || 'x' END, lower(nm) FROM t",
                        "SELECT DISTINCT tx || (SELECT max(tx) FROM t), (CASE WHEN nm = 'a' THEN 'b' ELSE tx END) || '' FROM t",
                        "SELECT MAX(extract(epoch from ts)), MIN(extract(epoch from d)) FROM t",
                        "SELECT DISTINCT tx COLLATE \"C\", tx COLLATE pg_catalog.\"C\" FROM t",
                        "SELECT DISTINCT g FROM t, generate_series(d, d + 1, interval '1 day') g",
                        "SELECT range_agg(int4range(v, v + 1)), range_agg(daterange(d, d + 1)) FROM t");
            case MARIADB ->
                List.of(
                        "SELECT DISTINCT MONTHNAME(d), HEX(v), MD5(tx), DATE_FORMAT(d, '%M %Y'), LEFT(d, 7) FROM t",
                        "SELECT DISTINCT CONCAT(MONTHNAME(d), ' ', YEAR(d)), CONCAT(tx, ' ', a1), CONCAT_WS(' ', tx, a1) FROM t",
                        "SELECT DISTINCT CAST(v AS CHAR), CAST(d AS CHAR), CAST(tx AS CHAR), LEFT(tx, 1), TRIM(tx) FROM t",
                        "SELECT DISTINCT COALESCE(d, '2020-01-01'), CONCAT(COALESCE(tx, ''), ' ', LEFT(a1, 1)), IFNULL(tx, '-') FROM t",
                        "SELECT DISTINCT CASE WHEN v > 1 THEN d ELSE 'none' END, DATE_ADD(d, INTERVAL 1 DAY) FROM t",
                        "SELECT DATE_FORMAT(d, '%Y-%m') AS m, COUNT(*) FROM t GROUP BY m ORDER BY m",
                        "SELECT tx FROM t UNION SELECT a1 FROM t",
                        "SELECT nm, MAX(b1) FROM t GROUP BY nm");
            case H2 -> List.of("SELECT DISTINCT tx || 'x', LOWER(tx), FORMATDATETIME(d, 'MMMM') FROM t");
        };
        var softly = new SoftAssertions();
        for (List<String> statements : List.of(common, own)) {
            for (String sql : statements) {
                softly.assertThatCode(() -> assertThat(rows(connection, sql)).isNotEmpty())
                        .as(sql)
                        .doesNotThrowAnyException();
            }
        }
        softly.assertAll();
    }
}
