package io.leeway.privoxy.internal.sql;

import java.util.List;

/** Texts in PostgreSQL's SQL that it accepts over the tables of {@link #TABLES}. */
final class PostgresSamples {

    static final List<String> TABLES = List.of(
            "CREATE TABLE x (a int, b int, c int, s text, t text, p boolean, q boolean, d date,"
                    + " r int[], j jsonb, PRIMARY KEY (a))",
            """
            INSERT INTO x VALUES
              (1, 2, 3, 'x', '1', true, false, '2020-01-31', '{1,2,3}', '{"k": [1, {"m": "v"}], "n": 5}'),
              (3, NULL, 0, '1', 'a', false, NULL, '2021-02-28', '{4,5}', '["a", "b"]'),
              (7, 0, -1, NULL, 'X', true, true, NULL, NULL, NULL),
              (0, 5, 2, '', '0', NULL, false, '1999-12-31', '{}', '{"k": null}')""",
            "CREATE TABLE t1 (id int, v int)",
            "CREATE TABLE t2 (id int, v int)",
            "CREATE TABLE t3 (id int, v int)",
            "CREATE TABLE t4 (id int, v int)",
            "INSERT INTO t1 VALUES (1, 1), (2, 1), (1, NULL), (3, 2)",
            "INSERT INTO t2 VALUES (1, 2), (2, 1), (2, NULL), (3, 2)",
            "INSERT INTO t3 VALUES (1, 3), (2, 1), (3, NULL), (3, 2)",
            "INSERT INTO t4 VALUES (1, 4), (2, 1), (4, NULL), (3, 2)");

    static final List<String> QUERIES = List.of(
            // strings with a type, which has no length there unless it is said
            "SELECT regexp_match('ab', NCHAR '(a)(b)'), CHAR 'abc' || 'd', CHARACTER(2) 'abc', NATIONAL CHAR 'ab' FROM x",
            "SELECT BIT '101', length(BIT '0011'), BIT(2) '10', CHAR VARYING 'abc', CAST('abc' AS char) FROM x",
            // precedence and associativity
            "SELECT a + b * c - 1, -a ^ 2, 2 ^ 3 ^ 2, 7 - 2 - 1, 100 / 7 / 2, a % 3 * 2 FROM x",
            "SELECT NOT p AND q OR p, NOT a = b, NOT p IS NULL FROM x",
            "SELECT a = 1 IS TRUE, (a < b) = p, (a < b) IS NOT DISTINCT FROM q FROM x WHERE a <> 9",
            "SELECT a BETWEEN 1 AND 3 AND p, a NOT BETWEEN SYMMETRIC 3 AND 1, a BETWEEN 0 AND 2 + 1 FROM x",
            "SELECT s LIKE '%' || 'x', s NOT LIKE 'a|%' ESCAPE '|', s ILIKE 'X', s SIMILAR TO 'x|y' FROM x",
            "SELECT s ~ '^x' AND p, s !~* 'X', s ~~ 'x', t || s || 'z' FROM x",
            "SELECT a IN (1, 2) = p, a NOT IN (SELECT id FROM t1), (a, b) IN ((1, 2), (3, 4)) FROM x",
            "SELECT a & 3 | 4, a # 1, a << 1 + 1, ~ a, @ c, |/ 4.0 FROM x",
            "SELECT - - a, - + c, + - a, a - -1, a--1\n FROM x",
            "SELECT a::text || 'x', -1::int, - '1'::int, a::numeric(5, 2)::text, '{1,2}'::int[] FROM x",
            "SELECT d AT TIME ZONE 'UTC' < now(), s COLLATE \"C\" < t FROM x",
            "SELECT p ISNULL, b NOTNULL, b IS UNKNOWN FROM (SELECT p, q AS b FROM x) y",
            "SELECT a OPERATOR(pg_catalog.+) b * c, a OPERATOR(pg_catalog.<) 3 FROM x",
            "SELECT a = ANY (ARRAY[1, 3]), a <> ALL (SELECT id FROM t1), s LIKE ANY (ARRAY['x', '1']) FROM x",
            // literals and lexical rules
            "SELECT 'it''s', E'a\\tb\\'c\\x41\\101\\u0041', U&'\\0041\\+000042', $$a'b$$, $q$a$$b$q$, N'n', B'101', X'1F'",
            "SELECT 'a'\n'b', 'a' -- c\n 'b', E'\\\\', 'back\\slash', '\\'",
            "SELECT 1.5, .5, 5., 1e3, 1.5E-2, 007",
            "SELECT 1 /* a /* nested */ comment */ + 2 -- 'end\n + 3",
            "SELECT x.a AS \"select\", x.\"a\" \"A b\", \"x\".b U&\"\\0061\" FROM x",
            "SELECT true, FALSE, null, TRUE AND NULL",
            "SELECT DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00', TIME '10:00', TIMESTAMPTZ '2020-01-01 10:00Z',"
                    + " INTERVAL '1' DAY, INTERVAL '1 2' DAY TO HOUR, INTERVAL(3) '1.5', int '4', float8 '1.5', bool 't'",
            "SELECT CAST('12' AS int), CAST(a AS double precision), CAST('a' AS varchar(3)), CAST(1 AS numeric(3, 1)),"
                    + " CAST('10:00' AS time(0) with time zone), CAST('{1}' AS int[]), CAST('1 day' AS interval day) FROM x",
            // arrays, JSON, rows
            "SELECT r[1], r[1:2], r[:2], r[2:], r[:], (ARRAY[1, 2, 3])[2], (ARRAY[[1, 2], [3, 4]])[2][1] FROM x",
            "SELECT (string_to_array(s, ','))[1], (regexp_match('ab', '(a)(b)'))[2], (CASE WHEN p THEN r ELSE r END)[1] FROM x",
            "SELECT j -> 'k' -> 1 ->> 'm', j #> '{k,0}', j #>> '{k,1,m}', j @> '{\"n\": 5}', j ->> 'n' = '5' FROM x",
            "SELECT j ?? 'k', j ??| ARRAY['k', 'z'], j ??& ARRAY['k', 'n'], j - 'k' FROM x",
            "SELECT (x).a, (x.*) IS NULL, ROW(a, b) = ROW(1, 2), (a, b) < (2, 3), ROW(1) FROM x",
            "SELECT ARRAY(SELECT id FROM t1 ORDER BY id), ARRAY[]::int[], r || 9, 1 = ANY (r) FROM x",
            // functions
            "SELECT EXTRACT(YEAR FROM d), EXTRACT('month' FROM d), date_part('day', d), date_trunc('month', d) FROM x",
            "SELECT TRIM(BOTH 'x' FROM s), TRIM(s), TRIM(LEADING FROM s), TRIM(s, 'x'), TRIM(TRAILING 'x' FROM 'axx') FROM x",
            "SELECT SUBSTRING(t FROM 1 FOR 1), SUBSTRING(t FOR 1), SUBSTRING(t, 1, 1), SUBSTR(t, 1) FROM x",
            "SELECT POSITION('1' IN t), OVERLAY('abc' PLACING 'z' FROM 2 FOR 1), OVERLAY('abc' PLACING 'z' FROM 2) FROM x",
            "SELECT COALESCE(b, c, 1), NULLIF(a, 1), GREATEST(a, b, c), LEAST(a, 2) FROM x",
            "SELECT CASE a WHEN 1 THEN 'one' WHEN 3 THEN 'three' END, CASE WHEN p THEN 1 ELSE 0 END + 1 FROM x",
            "SELECT count(*), count(DISTINCT b), sum(a) FILTER (WHERE p), string_agg(t, ',' ORDER BY a DESC),"
                    + " percentile_cont(0.5) WITHIN GROUP (ORDER BY a), array_agg(a ORDER BY a) FROM x",
            "SELECT a, rank() OVER (ORDER BY a), sum(a) OVER w, lag(a, 1) OVER (w ORDER BY a),"
                    + " sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM x"
                    + " WINDOW w AS (PARTITION BY p)",
            "SELECT make_interval(days => 2), make_interval(days := 2, hours => 1), left(t, 1), right(t, 1) FROM x",
            "SELECT current_user = user, current_schema, current_date = CURRENT_DATE, localtimestamp(0) IS NULL",
            "SELECT date, time, value, year, name FROM (SELECT 1 AS date, 2 AS time, 3 AS value, 4 AS year, 5 AS name) y",
            // joins
            "SELECT * FROM t1 JOIN t2 ON t1.id = t2.id LEFT JOIN t3 ON t3.id = t2.v",
            "SELECT * FROM t1 LEFT JOIN t2 JOIN t3 ON t2.id = t3.id ON t1.id = t2.v",
            "SELECT * FROM t1, t2 JOIN t3 ON t2.id = t3.v WHERE t1.id = t2.id",
            "SELECT * FROM t1 JOIN t2 USING (id, v) JOIN t3 USING (id)",
            "SELECT id, t1.v FROM t1 NATURAL JOIN t2 NATURAL LEFT JOIN t3",
            "SELECT id FROM t1 FULL JOIN t2 USING (id) RIGHT JOIN t3 USING (id)",
            "SELECT * FROM t1 CROSS JOIN t2 JOIN t3 ON t1.id = t3.id",
            "SELECT * FROM (t1 JOIN (t2 CROSS JOIN t3) ON t1.id = t2.id)",
            "SELECT y.n, z.* FROM (SELECT id AS n FROM t1) y, LATERAL (SELECT v FROM t2 WHERE t2.id = y.n) z",
            "SELECT t1.id, l.v FROM t1 LEFT JOIN LATERAL (SELECT v FROM t2 WHERE t2.id = t1.id LIMIT 1) l ON true",
            "SELECT y.m, y.n FROM t1 AS y (m, n) WHERE m = 1",
            "SELECT * FROM generate_series(1, 3) AS g (n), unnest(ARRAY[1, 2]) WITH ORDINALITY u (e, o)",
            "SELECT * FROM ONLY t1 y, ONLY (t2), t3 *",
            "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS y (n, w) ORDER BY n",
            "SELECT * FROM ((SELECT 1 AS n) UNION (SELECT 2)) y, ((SELECT 3)) z",
            // set operations and what stands behind them
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 EXCEPT SELECT 3",
            "SELECT 1 EXCEPT SELECT 1 UNION ALL SELECT 1",
            "(SELECT id FROM t1 ORDER BY id LIMIT 1) UNION ALL SELECT id FROM t2 ORDER BY 1 DESC LIMIT 2",
            "SELECT id FROM t1 UNION (SELECT 5 UNION ALL SELECT 5) ORDER BY id OFFSET 1",
            "VALUES (1, 2), (3, 4) ORDER BY 1 DESC LIMIT 1",
            "TABLE t1 UNION TABLE t2 ORDER BY 1, 2",
            "SELECT ((SELECT 1)), (SELECT 1) + 1, ((SELECT 2) UNION (SELECT 2))",
            "SELECT id FROM t1 ORDER BY id DESC NULLS LAST, v NULLS FIRST OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
            "SELECT id FROM t1 ORDER BY id FETCH FIRST ROW WITH TIES",
            "SELECT id FROM t1 LIMIT ALL OFFSET 1",
            "SELECT id FROM t1 LIMIT 1 + 1",
            "SELECT id FROM t1 WHERE v IS NOT NULL FOR UPDATE",
            "SELECT y.id FROM t1 y, t2 FOR NO KEY UPDATE OF y NOWAIT FOR SHARE OF t2 SKIP LOCKED",
            "SELECT id FROM t1 FOR KEY SHARE LIMIT 1",
            // WITH, DISTINCT ON, grouping
            "WITH y AS (SELECT id FROM t1), z (n) AS (SELECT id + 1 FROM y) SELECT * FROM y, z WHERE y.id = z.n",
            "WITH t1 AS (SELECT 9 AS id) SELECT id FROM t1 UNION SELECT id FROM (WITH t2 AS (SELECT id FROM t1) SELECT * FROM t2) y",
            "WITH RECURSIVE y AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM y WHERE n < 5) SELECT n FROM y",
            "WITH y AS NOT MATERIALIZED (SELECT 1 AS n), z AS MATERIALIZED (SELECT 2 AS n) SELECT * FROM y, z",
            "SELECT DISTINCT ON (id) id, v FROM t1 ORDER BY id, v",
            "SELECT DISTINCT id FROM t1",
            "SELECT ALL id FROM t1",
            "SELECT p, count(*) FROM x GROUP BY p HAVING count(*) > 1 OR p",
            "SELECT p, q, count(*), GROUPING(p) FROM x GROUP BY GROUPING SETS ((p, q), p, ()), ()",
            "SELECT p, q, sum(a) FROM x GROUP BY ROLLUP (p, q)",
            "SELECT p, q, sum(a) FROM x GROUP BY DISTINCT CUBE (p, q)",
            "SELECT FROM t1",
            "SELECT EXISTS (SELECT FROM t1 WHERE id = 9), EXISTS (SELECT 1) AND true",
            "SELECT 1 AS one FROM t1 LIMIT 1",
            "SELECT x, y.id FROM x, t1 y WHERE x.a = y.id",
            "SELECT t1 FROM t1 ORDER BY t1",
            "SELECT t1.* FROM t1 WHERE (t1.id, t1.v) IS NOT NULL",
            "SELECT pg_catalog.lower(s), public.x.a FROM public.x");

    static final List<String> WRITES = List.of(
            "INSERT INTO t1 VALUES (5, 6), (7, DEFAULT) RETURNING *",
            "INSERT INTO t1 (id) SELECT a FROM x WHERE p RETURNING id AS n, id + 1",
            "INSERT INTO t1 DEFAULT VALUES RETURNING id",
            "INSERT INTO t1 (v, id) (SELECT 8, 9)",
            "INSERT INTO t1 TABLE t2",
            "INSERT INTO x AS y (a, b) VALUES (1, 50) ON CONFLICT (a) DO UPDATE SET b = excluded.b + y.b, c = 7"
                    + " WHERE y.a = 1 RETURNING y.*",
            "INSERT INTO x (a) VALUES (1) ON CONFLICT DO NOTHING",
            "INSERT INTO x (a) VALUES (3) ON CONFLICT ON CONSTRAINT x_pkey DO UPDATE SET (b, c) = (1, 2)",
            "UPDATE t1 SET v = v + 1 WHERE id = 1 RETURNING id, v",
            "UPDATE t1 AS y SET v = z.v, id = 3 FROM t2 z JOIN t3 ON z.id = t3.id WHERE y.id = z.id AND z.v = 2",
            "UPDATE t1 SET (id, v) = (SELECT 4, 5) WHERE id = 2",
            "UPDATE t1 SET (id, v) = ROW (v, id)",
            "UPDATE ONLY t1 SET v = DEFAULT",
            "DELETE FROM t1 WHERE v IS NULL RETURNING t1",
            "DELETE FROM ONLY t1 y USING t2, t3 WHERE y.id = t2.id AND t2.v = t3.v",
            "WITH y AS (SELECT 1 AS n) DELETE FROM t1 USING y WHERE id = n RETURNING id",
            "WITH y AS (DELETE FROM t1 WHERE id = 1 RETURNING v) INSERT INTO t2 SELECT 9, v FROM y RETURNING *",
            "WITH y AS (UPDATE t1 SET v = 8 RETURNING id) SELECT sum(id) FROM y",
            "MERGE INTO t1 y USING t2 z ON y.id = z.id AND z.v = 2 WHEN MATCHED AND y.v = 1 THEN UPDATE SET v = z.id"
                    + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (z.id, 77)",
            "MERGE INTO t1 USING (SELECT 9 AS n) z ON id = n WHEN NOT MATCHED THEN INSERT VALUES (n, 1) WHEN MATCHED THEN DO NOTHING");

    private PostgresSamples() {}
}
