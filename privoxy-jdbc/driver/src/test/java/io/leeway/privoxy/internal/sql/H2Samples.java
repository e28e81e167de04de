package io.leeway.privoxy.internal.sql;

import java.util.List;

/** Texts in H2's SQL that it accepts over the tables of {@link #TABLES}. */
final class H2Samples {

    static final List<String> TABLES = List.of(
            "CREATE TABLE x (a int PRIMARY KEY, b int, c int, s varchar(9), t varchar(9), p boolean, q boolean, d date,"
                    + " r int ARRAY, j json)",
            """
            INSERT INTO x VALUES
              (1, 2, 3, 'x', '1', true, false, '2020-01-31', ARRAY[1, 2, 3], JSON '{"k": [1, {"m": "v"}], "n": 5}'),
              (3, NULL, 0, '1', 'a', false, NULL, '2021-02-28', ARRAY[4, 5], JSON '["a", "b"]'),
              (7, 0, -1, NULL, 'X', true, true, NULL, NULL, NULL),
              (0, 5, 2, '', '0', NULL, false, '1999-12-31', ARRAY[9], JSON '{"k": null}')""",
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
            "SELECT a + b * c - 1, -a * 2, 7 - 2 - 1, 100 / 7 / 2, a % 3 * 2, a - -1, - - a, + a FROM x",
            // operands of OR are tried in an order that depends on how || is nested, and one of these fails
            "SELECT b = CASE WHEN t THEN 7 ELSE 2 END OR '' || b + '1' || b FROM x",
            "SELECT NOT p AND q OR p, NOT a = b, NOT p IS NULL, NOT NOT p FROM x",
            "SELECT a = 1 IS TRUE, a < b = p, (a < b) IS NOT DISTINCT FROM q, a IS DISTINCT FROM b FROM x",
            "SELECT a BETWEEN 1 AND 3 AND p, a NOT BETWEEN SYMMETRIC 3 AND 1, a BETWEEN 0 AND 2 + 1, a BETWEEN ASYMMETRIC 0 AND 1 FROM x",
            "SELECT s LIKE '%' || 'x', s NOT LIKE 'a|%' ESCAPE '|', s ILIKE 'X', s REGEXP 'x|y', s || t || 'z' = 'x1z' FROM x",
            "SELECT a IN (1, 2) = p, a NOT IN (SELECT id FROM t1), (a, b) IN ((1, 2), (3, 4)), a || b + c * 2 FROM x",
            "SELECT a::varchar || 'x', -1::int, - 1::int, a + '1'::int, p IS UNKNOWN FROM x WHERE a::varchar <> ''",
            "SELECT a = ANY (SELECT id FROM t1), a <> ALL (SELECT id FROM t1), EXISTS (SELECT 1) AND p FROM x",
            "SELECT 'a' || CASE WHEN p THEN 'b' END || 'c', a = b AND p, a <> b, a != b FROM x",
            // literals and lexical rules
            "SELECT 'it''s', 'back\\slash', '\\', $$a'b$$, N'n', X'1F20', 'a' 'b', 'a' /* c */ 'b'",
            "SELECT 1.5, .5, 5., 1e3, 1.5E-2, 007, 99999999999, 1 /* a /* nested */ comment */ + 2 -- 'end\n + 3, 4 // end\n + 1",
            "SELECT x.a AS \"select\", x.\"A\" \"A b\", \"X\".b, X.A FROM x",
            "SELECT true, FALSE, null, TRUE AND NULL",
            "SELECT DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00', TIME '10:00:00',"
                    + " TIMESTAMP WITH TIME ZONE '2020-01-01 10:00:00+01', TIME WITHOUT TIME ZONE '10:00',"
                    + " INTERVAL '1' DAY, INTERVAL '1 2' DAY TO HOUR, JSON '[1]', UUID '123e4567-e89b-12d3-a456-426614174000'",
            "SELECT CAST('12' AS int), CAST(a AS double precision), CAST('a' AS varchar(3)), CAST(1 AS numeric(3, 1)),"
                    + " CONVERT('1', int), CAST(a AS character varying), CAST(ARRAY[1] AS int ARRAY[2]) FROM x",
            // arrays, rows
            "SELECT r[1], (ARRAY[1, 2, 3])[2], ARRAY[ARRAY[1, 2], ARRAY[3, 4]][2][1], ARRAY(SELECT id FROM t1 ORDER BY id) FROM x",
            "SELECT ROW(a, b) = ROW(1, 2), (a, b) < (2, 3), (a, b) = (1, 2) FROM x",
            // functions
            "SELECT EXTRACT(YEAR FROM d), DATEADD(DAY, 1, d), DATEDIFF(DAY, d, DATE '2021-01-01'), DATE_TRUNC(MONTH, d), YEAR(d), MONTH(d) FROM x",
            "SELECT TRIM(BOTH 'x' FROM s), TRIM(s), TRIM(LEADING FROM s), TRIM(TRAILING 'x' FROM 'axx'), TRIM(s, 'x') FROM x",
            "SELECT SUBSTRING(t FROM 1 FOR 1), SUBSTRING(t, 1, 1), SUBSTR(t, 1), POSITION('1' IN t), POSITION('1', t), LEFT(t, 1), RIGHT(t, 1) FROM x",
            "SELECT COALESCE(b, c, 1), NULLIF(a, 1), GREATEST(a, b, c), LEAST(a, 2), NVL(b, 9) FROM x",
            "SELECT CASE a WHEN 1 THEN 'one' WHEN 3 THEN 'three' END, CASE WHEN p THEN 1 ELSE 0 END + 1, DECODE(a, 1, 'x', 'y'), CASEWHEN(p, 1, 2) FROM x",
            "SELECT COUNT(*), COUNT(DISTINCT b), SUM(a) FILTER (WHERE p), LISTAGG(t, ',') WITHIN GROUP (ORDER BY a DESC), STRING_AGG(t, ';' ORDER BY a),"
                    + " PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a), ARRAY_AGG(a ORDER BY a), GROUP_CONCAT(DISTINCT t ORDER BY t SEPARATOR '-') FROM x",
            "SELECT a, RANK() OVER (ORDER BY a), SUM(a) OVER w, LAG(a, 1) IGNORE NULLS OVER (ORDER BY a),"
                    + " SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM x"
                    + " WINDOW w AS (PARTITION BY p)",
            "SELECT CURRENT_USER = USER, CURRENT_SCHEMA, CURRENT_DATE = CURRENT_DATE, ROWNUM FROM t1",
            "SELECT NEXT VALUE FOR sq > 0, CURRENT VALUE FOR sq > 0",
            "SELECT date, time, name FROM (SELECT 1 AS date, 2 AS time, 5 AS name) y",
            // joins
            "SELECT * FROM t1 JOIN t2 ON t1.id = t2.id LEFT JOIN t3 ON t3.id = t2.v",
            "SELECT * FROM t1 LEFT JOIN t2 LEFT JOIN t3 ON t2.id = t3.id ON t1.id = t2.v",
            "SELECT * FROM t1, t2 JOIN t3 ON t2.id = t3.v WHERE t1.id = t2.id",
            "SELECT * FROM t1 JOIN t2 USING (id, v)",
            "SELECT * FROM t1 LEFT JOIN t2 USING (id)",
            "SELECT t1.id, t1.v FROM t1 NATURAL JOIN t2",
            "SELECT * FROM t1 CROSS JOIN t2 JOIN t3 ON t1.id = t3.id",
            "SELECT * FROM (t1 JOIN (t2 CROSS JOIN t3) ON t1.id = t2.id)",
            "SELECT y.n FROM (SELECT id AS n FROM t1) y JOIN (SELECT 3 AS n) z ON y.n = z.n",
            "SELECT y.m, y.n FROM t1 AS y (m, n) WHERE m = 1",
            "SELECT * FROM SYSTEM_RANGE(1, 3) g",
            "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS y (n, w) ORDER BY n",
            "SELECT * FROM ((SELECT 1 AS n) UNION (SELECT 2)) y, ((SELECT 3)) z",
            "SELECT 1 FROM DUAL WHERE 1 = 1",
            "WITH dual AS (SELECT id FROM t1) SELECT 1 FROM dual",
            // set operations and what stands behind them
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3",
            "SELECT 1 EXCEPT SELECT 1 UNION ALL SELECT 1",
            "SELECT 1 MINUS SELECT 2",
            "(SELECT id FROM t1 ORDER BY id LIMIT 1) UNION ALL SELECT id FROM t2 ORDER BY 1 DESC LIMIT 2",
            "SELECT id FROM t1 UNION (SELECT 5 UNION ALL SELECT 5) ORDER BY id OFFSET 1",
            "VALUES (1, 2), (3, 4) ORDER BY 1 DESC LIMIT 1",
            "VALUES 1, 2",
            "TABLE t1",
            "SELECT ((SELECT 1)), (SELECT 1) + 1, ((SELECT 2) UNION (SELECT 2))",
            "SELECT id, v FROM t1 ORDER BY id DESC NULLS LAST, v NULLS FIRST OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
            "SELECT id FROM t1 ORDER BY id FETCH FIRST ROW WITH TIES",
            "SELECT id FROM t1 ORDER BY id LIMIT 1 + 1",
            "SELECT id FROM t1 WHERE v IS NOT NULL FOR UPDATE",
            // WITH, DISTINCT ON, grouping
            "WITH y AS (SELECT id FROM t1), z (n) AS (SELECT id + 1 FROM y) SELECT * FROM y, z WHERE y.id = z.n",
            "WITH t1 AS (SELECT 9 AS id) SELECT id FROM t1 UNION SELECT id FROM (WITH t2 AS (SELECT id FROM t1) SELECT * FROM t2) y",
            "WITH RECURSIVE y(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM y WHERE n < 5) SELECT n FROM y",
            "SELECT DISTINCT ON (id) id FROM t1",
            "SELECT DISTINCT id FROM t1",
            "SELECT ALL id FROM t1",
            "SELECT p, count(*) FROM x GROUP BY p HAVING count(*) > 1 OR p",
            "SELECT a, ROW_NUMBER() OVER (ORDER BY a) AS n FROM x QUALIFY n > 1",
            "SELECT * EXCEPT (b, c, j) FROM x",
            "SELECT x.* EXCEPT (x.b, j), t1.* FROM x, t1",
            "SELECT 1 AS one FROM t1 LIMIT 1",
            "SELECT PUBLIC.x.a, x.b FROM PUBLIC.x",
            "CALL 1 + 2");

    static final List<String> WRITES = List.of(
            "INSERT INTO t1 VALUES (5, 6), (7, DEFAULT)",
            "INSERT INTO t1 (id) SELECT a FROM x WHERE p",
            "INSERT INTO t1 DEFAULT VALUES",
            "INSERT INTO t1 (v, id) (SELECT 8, 9)",
            "INSERT INTO t1 TABLE t2",
            "INSERT INTO t1 VALUES 1, 2".replace("1, 2", "(1, 2)"),
            "MERGE INTO x (a, b) KEY (a) VALUES (1, 50), (8, 9)",
            "MERGE INTO x (a, b) VALUES (1, 50)",
            "UPDATE t1 SET v = v + 1 WHERE id = 1",
            "UPDATE t1 AS y SET y.v = 7, id = 3 WHERE y.id = 1",
            "UPDATE t1 SET (id, v) = (SELECT 4, 5) WHERE id = 2",
            "UPDATE t1 SET v = DEFAULT",
            "DELETE FROM t1 WHERE v IS NULL",
            "DELETE FROM t1 y WHERE y.id = 1 FETCH FIRST 1 ROWS ONLY",
            "MERGE INTO t1 y USING t2 z ON y.id = z.v AND z.v = 2 AND z.id = 3 WHEN MATCHED AND y.v = 2 THEN UPDATE SET v = z.id"
                    + " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (z.id, 77)",
            "MERGE INTO t1 USING (SELECT 9 AS n) z ON id = n WHEN NOT MATCHED THEN INSERT VALUES (n, 1) WHEN MATCHED THEN DELETE");

    private H2Samples() {}
}
