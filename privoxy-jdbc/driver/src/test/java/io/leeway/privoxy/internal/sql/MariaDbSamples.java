package io.leeway.privoxy.internal.sql;

import java.util.List;

/** Texts in MariaDB's SQL that it accepts over the tables of {@link #TABLES}. */
final class MariaDbSamples {

    static final List<String> TABLES = List.of(
            "CREATE TABLE x (a int PRIMARY KEY, b int, c int, s varchar(9), t varchar(9), p boolean, q boolean, d date,"
                    + " j text, FULLTEXT (s), INDEX bi (b))",
            """
            INSERT INTO x VALUES
              (1, 2, 3, 'x', '1', true, false, '2020-01-31', '{"k": [1, {"m": "v"}], "n": 5}'),
              (3, NULL, 0, '1', 'a', false, NULL, '2021-02-28', '["a", "b"]'),
              (7, 0, -1, NULL, 'X', true, true, NULL, NULL),
              (0, 5, 2, '', '0', NULL, false, '1999-12-31', '{"k": null}')""",
            "CREATE TABLE t1 (id int, v int)",
            "CREATE TABLE t2 (id int, v int)",
            "CREATE TABLE t3 (id int, v int)",
            "CREATE TABLE t4 (id int, v int)",
            "INSERT INTO t1 VALUES (1, 1), (2, 1), (1, NULL), (3, 2)",
            "INSERT INTO t2 VALUES (1, 2), (2, 1), (2, NULL), (3, 2)",
            "INSERT INTO t3 VALUES (1, 3), (2, 1), (3, NULL), (3, 2)",
            "INSERT INTO t4 VALUES (1, 4), (2, 1), (4, NULL), (3, 2)",
            "CREATE SEQUENCE sq");

    static final List<String> QUERIES = List.of(
            // precedence and associativity
            "SELECT a + b * c - 1, -a ^ 2, 2 ^ 3 ^ 2, 7 - 2 - 1, 100 / 7 / 2, a % 3 * 2, 7 DIV 2 * 2, 7 MOD 4 * 2 FROM x",
            "SELECT NOT p AND q OR p, NOT a = b, ! a = b, NOT p IS NULL, ! p IS NULL, NOT NOT a, !!a = 1 FROM x"
                    .replace("!!a", "! ! a"),
            "SELECT a = b = c, a < b < c, a = 1 IS TRUE, a <=> b, a <=> b IS NULL, 3 > 2 > 1, 5 = 5 = 1 FROM x",
            "SELECT a BETWEEN 1 AND 3 AND p, a NOT BETWEEN 3 AND 1 + 2, a BETWEEN 0 AND 2 = p, NOT a BETWEEN 1 AND 2 FROM x",
            "SELECT s LIKE 'x' LIKE '1', s LIKE 'a' NOT LIKE 'b', s NOT LIKE 'a|%' ESCAPE '|', s REGEXP '^x' = 1, s RLIKE t FROM x",
            "SELECT a IN (1, 2) = p, a NOT IN (SELECT id FROM t1), (a, b) IN ((1, 2), (3, 4)), a IN (1) IN (1) FROM x",
            "SELECT p XOR q AND p, p OR q XOR p, a || b, a && b || c, p AND q OR p AND NOT q FROM x",
            "SELECT a & 3 | 4, a ^ 1 & 3, a << 1 + 1, ~ a & 3, a | 2 ^ 1, - - a, - + a, a - -1 FROM x",
            "SELECT s COLLATE utf8mb4_bin = t, BINARY s = t, BINARY s LIKE t, s = t COLLATE utf8mb4_bin FROM x",
            "SELECT d + INTERVAL 1 DAY, d + INTERVAL 1 + 1 DAY, d - INTERVAL '1 2' DAY_HOUR, INTERVAL(2, 1, 3) FROM x",
            "SELECT a IS NULL = 1, a IS NOT NULL + 1 FROM x".replace(" + 1", ""),
            // literals and lexical rules
            "SELECT 'it''s', \"say \"\"it\"\"\", 'a\\tb\\'c\\\\', 'a' 'b' \"c\", N'n', _utf8mb4'x', _latin1 0x41, x'41', X'4142', b'1', 0x41, 0b11",
            "SELECT 1.5, .5, 5., 1e3, 1.5E-2, 007, 1 -- end\n + 3, 2 # end\n + 3, /* comment ' */ 4 */* x */ 5",
            "SELECT x.a AS `select`, x.`a` `A b`, `x`.b 'lit', s AS \"q\" FROM x",
            "SELECT true, FALSE, null, \\N IS NULL".replace(", \\N IS NULL", ""),
            "SELECT 'a\\%b', 'a\\_b', '\\Z' = CHAR(26), 'a\\qb', '\\0' = CHAR(0)",
            "SELECT DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00', TIME '10:00:00', {d '2020-01-01'}, {fn LENGTH('abc')}",
            "SELECT CAST('12' AS SIGNED), CAST(a AS CHAR), CAST(a AS DECIMAL(5, 2)), CONVERT(a, CHAR(3)), CONVERT(s USING latin1),"
                    + " CAST(s AS BINARY), CAST(1 AS DOUBLE), CAST('2020-01-01' AS DATE), CAST('a' AS CHAR(2) CHARACTER SET utf8mb4) FROM x",
            "SELECT x.a+1, x . a, a.b FROM x, x AS a WHERE x.a=1",
            "SELECT 1a, 2b3 FROM (SELECT 5 AS 1a, 6 AS `2b3`) y",
            // functions
            "SELECT EXTRACT(YEAR FROM d), EXTRACT(DAY_HOUR FROM d), TIMESTAMPDIFF(DAY, d, '2021-01-01'), DATE_ADD(d, INTERVAL 2 MONTH),"
                    + " TIMESTAMPADD(WEEK, 1, d), ADDDATE(d, 3), GET_FORMAT(DATE, 'EUR') FROM x",
            "SELECT TRIM(BOTH 'x' FROM s), TRIM(s), TRIM(LEADING FROM s), TRIM(TRAILING 'x' FROM 'axx'), TRIM('x' FROM 'xa') FROM x",
            "SELECT SUBSTRING(t FROM 1 FOR 1), SUBSTRING(t, 1, 1), SUBSTR(t, 1), MID(t, 1, 1), POSITION('1' IN t), LEFT(t, 1), RIGHT(t, 1) FROM x",
            "SELECT IF(p, a, b), IFNULL(b, 9), COALESCE(b, c, 1), NULLIF(a, 1), GREATEST(a, 2), REPEAT(t, 2), REPLACE(t, '1', '2'), INSERT(t, 1, 1, 'z') FROM x",
            "SELECT CASE a WHEN 1 THEN 'one' WHEN 3 THEN 'three' END, CASE WHEN p THEN 1 ELSE 0 END + 1, CHAR(65, 66), CHAR(65 USING utf8mb4), MOD(a, 2), DEFAULT(b) FROM x",
            "SELECT COUNT(*), COUNT(DISTINCT b, c), SUM(a), GROUP_CONCAT(DISTINCT t ORDER BY a DESC SEPARATOR ';'), GROUP_CONCAT(a ORDER BY a LIMIT 2) FROM x",
            "SELECT a, RANK() OVER (ORDER BY a), SUM(a) OVER w, LAG(a, 1) OVER (ORDER BY a),"
                    + " SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM x WINDOW w AS (PARTITION BY p)",
            "SELECT JSON_VALUE(j, '$.n'), JSON_EXTRACT(j, '$.k') FROM x",
            "SELECT MATCH (s) AGAINST ('x' IN BOOLEAN MODE), MATCH (s) AGAINST ('x') FROM x",
            "SELECT CURRENT_USER() = CURRENT_USER, CURRENT_DATE = CURRENT_DATE(), NOW(0) = LOCALTIME, UTC_DATE() = UTC_DATE",
            "SELECT NEXT VALUE FOR sq > 0, DATABASE() IS NULL, VERSION() = @@version, @nobody IS NULL, @@session.sql_mode = ''",
            "SELECT date, time, value, year, name, `rank` FROM (SELECT 1 AS date, 2 AS time, 3 AS value, 4 AS year, 5 AS name, 6 AS `rank`) y",
            // joins
            "SELECT * FROM t1 JOIN t2 ON t1.id = t2.id LEFT JOIN t3 ON t3.id = t2.v",
            "SELECT * FROM t1 LEFT JOIN t2 LEFT JOIN t3 ON t2.id = t3.id ON t1.id = t2.v",
            "SELECT * FROM t1, t2 JOIN t3 ON t2.id = t3.v WHERE t1.id = t2.id",
            "SELECT * FROM t1 JOIN t2 USING (id, v) JOIN t3 USING (id)",
            "SELECT id, t1.v FROM t1 NATURAL JOIN t2",
            "SELECT * FROM t1 NATURAL LEFT JOIN t2 y",
            "SELECT * FROM t1 RIGHT JOIN t2 USING (id, v)",
            "SELECT * FROM t1 JOIN t2 JOIN t3 ON t1.id = t3.id",
            "SELECT * FROM t1 STRAIGHT_JOIN t2 ON t1.id = t2.id INNER JOIN t3",
            "SELECT * FROM t1 CROSS JOIN t2 ON t1.id = t2.id",
            "SELECT * FROM (t1, t2) JOIN t3 ON t3.id = t1.id",
            "SELECT * FROM (t1 JOIN (t2 CROSS JOIN t3) ON t1.id = t2.id)",
            "SELECT * FROM x JOIN t1 ON t1.id = a".replace(" FORCE KEY ()", ""),
            "SELECT * FROM {oj t1 LEFT JOIN t2 ON t1.id = t2.id}",
            "SELECT y.n FROM (SELECT id AS n FROM t1) y JOIN (SELECT 3 AS n) z ON y.n = z.n",
            "SELECT * FROM ((SELECT 1 AS n) UNION (SELECT 2)) y, ((SELECT 3)) z",
            "SELECT 1 FROM DUAL WHERE 1 = 1",
            // set operations and what stands behind them
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3",
            "SELECT 1 EXCEPT SELECT 1 UNION ALL SELECT 1",
            "(SELECT id FROM t1 ORDER BY id LIMIT 1) UNION ALL SELECT id FROM t2 ORDER BY 1 DESC LIMIT 2",
            "SELECT id FROM t1 UNION (SELECT 5 UNION ALL SELECT 5) ORDER BY id LIMIT 1, 5",
            "VALUES (1, 2), (3, 4)",
            "SELECT ((SELECT 1)), (SELECT 1) + 1, ((SELECT 2) UNION (SELECT 2))",
            "SELECT id, v FROM t1 ORDER BY id DESC, v ASC LIMIT 2 OFFSET 1",
            "SELECT id, v FROM t1 ORDER BY id, v OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
            "SELECT id FROM t1 ORDER BY id FETCH FIRST ROW WITH TIES",
            "SELECT id FROM t1 WHERE v IS NOT NULL FOR UPDATE",
            "SELECT id FROM t1 ORDER BY id LIMIT 1 LOCK IN SHARE MODE",
            "SELECT id FROM t1 FOR UPDATE SKIP LOCKED",
            "SELECT SQL_NO_CACHE HIGH_PRIORITY id FROM t1"
                    .replace("SQL_NO_CACHE HIGH_PRIORITY", "HIGH_PRIORITY SQL_NO_CACHE"),
            // WITH, grouping
            "WITH y AS (SELECT id FROM t1), z (n) AS (SELECT id + 1 FROM y) SELECT * FROM y, z WHERE y.id = z.n",
            "WITH t1 AS (SELECT 9 AS id) SELECT id FROM t1 UNION SELECT id FROM (WITH t2 AS (SELECT id FROM t1) SELECT * FROM t2) y",
            "WITH RECURSIVE y AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM y WHERE n < 5) SELECT n FROM y",
            "SELECT DISTINCT id FROM t1",
            "SELECT DISTINCTROW id FROM t1",
            "SELECT ALL id FROM t1",
            "SELECT p, count(*) FROM x GROUP BY p HAVING count(*) > 1 OR p",
            "SELECT p, q, SUM(a) FROM x GROUP BY p, q WITH ROLLUP",
            "SELECT p, COUNT(*) FROM x GROUP BY p DESC",
            "SELECT EXISTS (SELECT 1 FROM t1 WHERE id = 9), EXISTS (SELECT 1) AND true, a = ANY (SELECT id FROM t1), a > ALL (SELECT v FROM t2) FROM x",
            "SELECT 1 AS one FROM t1 LIMIT 1",
            "SELECT t1.*, 1 FROM t1",
            "SELECT *, 1 FROM t1",
            "SELECT t1.id FROM t1 WHERE (id, v) = (1, 1) OR ROW(id, v) = ROW(3, 2)");

    static final List<String> WRITES = List.of(
            "INSERT INTO t1 VALUES (5, 6), (7, DEFAULT) RETURNING *",
            "INSERT INTO t1 VALUE (5, 6)",
            "INSERT t1 (id) SELECT a FROM x WHERE p",
            "INSERT INTO t1 () VALUES ()",
            "INSERT INTO t1 SET id = 5, v = id + 1 RETURNING id AS n, v",
            "INSERT INTO t1 (t1.v, id) (SELECT 8, 9)",
            "INSERT IGNORE INTO x (a) VALUES (1), (9)",
            "INSERT INTO x (a, b) VALUES (1, 50), (8, 9) ON DUPLICATE KEY UPDATE b = VALUES(b) + x.b, c = VALUE(a)",
            "INSERT INTO x (a, b) SELECT id, v FROM t1 WHERE id = 3 ON DUPLICATE KEY UPDATE b = VALUES(b), x.c = 7, s = DEFAULT",
            "REPLACE INTO x (a, b) VALUES (1, 2)",
            "REPLACE x SET a = 3, b = 4 RETURNING a, b",
            "UPDATE t1 SET v = v + 1 WHERE id = 1",
            "UPDATE t1 SET id = id + 1, v = id",
            "UPDATE t1 y, t2 z SET y.v = z.v, z.id = 9 WHERE y.id = z.id AND z.v = 2",
            "UPDATE t1 y LEFT JOIN t2 z ON y.id = z.v SET y.v = z.id",
            "UPDATE LOW_PRIORITY t1 SET v = DEFAULT ORDER BY id DESC LIMIT 1",
            "DELETE FROM t1 WHERE v IS NULL RETURNING id",
            "DELETE FROM t1 ORDER BY id DESC LIMIT 1",
            "DELETE y FROM t1 AS y JOIN t2 z ON y.id = z.id WHERE z.v = 2",
            "DELETE FROM y, z USING t1 AS y JOIN t2 z ON y.id = z.id WHERE z.v = 2",
            "DELETE t1, t2.* FROM t1, t2 WHERE t1.id = t2.v");

    private MariaDbSamples() {}
}
