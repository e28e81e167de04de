package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Ways past the policy that a fifth attacker found, and their relatives. Most are about the order of rows: statements are
 * run in two worlds that differ in nothing but a hidden column and the order that it gives the rows, and must say the same.
 */
class FifthAttackIT extends Cases {

    private static final String CODES = POLICY + """
            CREATE VIEW codes AS SELECT code, label, grp FROM k;
            CREATE VIEW all_j AS SELECT * FROM j;
            """;

    private static final int[][] ORDERS = {{0, 1, 2, 3, 4, 5}, {4, 2, 5, 0, 3, 1}};

    private static String[] world(On where, int world) {
        String text = where == On.MARIADB ? "VARCHAR(10) COLLATE utf8mb4_bin" : "VARCHAR(10)";
        List<String> texts = new ArrayList<>(List.of(
                "CREATE TABLE k (code " + text + " PRIMARY KEY, label VARCHAR(20) NOT NULL, grp INT NOT NULL,"
                        + " secret INT NOT NULL)",
                "CREATE TABLE j (id INT PRIMARY KEY, code " + text + ", x INT)",
                "CREATE UNIQUE INDEX ksec ON k (secret)",
                "INSERT INTO notes VALUES (1, 1, 'one')"));
        if (where != On.H2) {
            texts.add("CREATE INDEX ksg ON k (grp, secret)");
        }
        for (int i = 0; i < 6; i++) {
            int code = ORDERS[world][i];
            texts.add("INSERT INTO k VALUES ('" + (char) ('a' + code) + "', 'L', " + code % 2 + ", " + i * 10 + ")");
        }
        texts.add("INSERT INTO j VALUES (1, 'c', 5), (2, 'zz', 5), (3, NULL, 7)");
        return texts.toArray(String[]::new);
    }

    /** What each statement answers, or that it is refused. */
    private List<String> answers(On where, int world, List<String> statements) throws Exception {
        on(where, CODES);
        elsewhere(world(where, world));
        List<String> answers = new ArrayList<>();
        try (Connection connection = connect()) {
            request(1);
            for (String text : statements) {
                answers.add(answer(connection, text));
            }
        }
        close();
        return answers;
    }

    private static String answer(Connection connection, String texts) {
        var answer = new StringBuilder();
        for (String text : texts.split(" ;; ")) {
            try (Statement statement = connection.createStatement()) {
                if (statement.execute(text)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                                answer.append(i == 1 ? "[" : ",").append(rows.getString(i));
                            }
                            answer.append(']');
                        }
                    }
                }
            } catch (SQLException failed) {
                boolean isRefused = failed instanceof PrivoxyException;
                answer.append(isRefused ? "refused: " + failed.getMessage() : "failed: " + failed.getSQLState());
            }
        }
        return answer.toString();
    }

    /** That statements say the same in both worlds. */
    private void assertTellNothing(On where, List<String> statements) throws Exception {
        List<String> first = answers(where, 0, statements);
        List<String> second = answers(where, 1, statements);
        for (int i = 0; i < statements.size(); i++) {
            assertThat(second.get(i)).as("%s %s", where, statements.get(i)).isEqualTo(first.get(i));
        }
    }

    /** The same, and that they are answered. */
    private void assertAnswered(On where, List<String> statements) throws Exception {
        assertTellNothing(where, statements);
        List<String> answers = answers(where, 0, statements);
        for (int i = 0; i < statements.size(); i++) {
            assertThat(answers.get(i))
                    .as("%s %s", where, statements.get(i))
                    .doesNotContain("refused")
                    .doesNotContain("failed");
        }
    }

    // --- K1: outer joins ---------------------------------------------------------------------------------------------

    @Test
    void theKeyOfAnOptionalSideIsNoneOfTheOther() throws Exception {
        for (On where : On.values()) {
            assertAnswered(
                    where,
                    List.of(
                            "SELECT k.code FROM k LEFT JOIN j ON j.code = k.code",
                            "SELECT k.code, j.id FROM k LEFT JOIN j ON j.code = k.code",
                            "SELECT k.code, j.id FROM k LEFT JOIN j ON j.code = k.code ORDER BY j.id",
                            "SELECT k.code, j.id FROM k LEFT JOIN j ON j.code = k.code ORDER BY j.id LIMIT 2",
                            "SELECT k.code FROM j RIGHT JOIN k ON j.code = k.code",
                            "SELECT k.code FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1",
                            "SELECT k.code FROM k LEFT JOIN j USING (code)",
                            "SELECT k.code FROM k LEFT JOIN (j JOIN notes n ON n.id = j.id) ON j.code = k.code",
                            "SELECT k.code FROM k LEFT JOIN j ON j.code = k.code LEFT JOIN notes n ON n.id = j.id ORDER BY n.id",
                            "SELECT k.code FROM k LEFT JOIN notes n ON n.id = 1 LEFT JOIN j ON j.id = n.id AND j.code = k.code",
                            "SELECT q.code FROM (SELECT k.code FROM k LEFT JOIN j ON j.code = k.code LIMIT 1) q",
                            "SELECT k.code FROM k LEFT JOIN j ON j.code = k.code WHERE j.id IS NULL",
                            "SELECT k.code FROM k LEFT JOIN j ON j.code = k.code WHERE COALESCE(j.x, 7) = 7 LIMIT 1"));
            assertTellNothing(
                    where,
                    List.of(
                            "SELECT k.code, ROW_NUMBER() OVER (ORDER BY j.id) FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1",
                            "SELECT LAG(k.code) OVER (ORDER BY j.id) FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1",
                            "SELECT GROUP_CONCAT(k.code ORDER BY j.id) FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1",
                            "SELECT string_agg(k.code, ',' ORDER BY j.id) FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1",
                            "INSERT INTO notes SELECT 60, 1, k.code FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1 LIMIT 1"
                                    + " ;; SELECT * FROM notes WHERE id = 60",
                            "UPDATE notes SET text = (SELECT k.code FROM k LEFT JOIN j ON j.code = k.code LIMIT 1) WHERE id = 1"
                                    + " ;; SELECT * FROM notes WHERE id = 1"));
        }
        assertTellNothing(
                On.POSTGRESQL,
                List.of(
                        "SELECT DISTINCT ON (j.id) k.code FROM k LEFT JOIN j ON j.code = k.code AND j.id = 1 ORDER BY j.id",
                        "SELECT k.code FROM k LEFT JOIN LATERAL (SELECT k.code AS c FROM j WHERE j.code = k.code) q ON TRUE"
                                + " ORDER BY q.c",
                        "SELECT j.id, q.code FROM j LEFT JOIN LATERAL (SELECT code FROM k WHERE k.grp <> j.id LIMIT 3) q ON TRUE"));
    }

    // --- K2, K6: numbers and names of columns ------------------------------------------------------------------------

    @Test
    void aColumnThatIsNamedTwiceIsOne() throws Exception {
        for (On where : On.values()) {
            assertAnswered(
                    where,
                    List.of(
                            "(SELECT label, code FROM k) ORDER BY 1, 1",
                            "(SELECT label, code FROM k) ORDER BY 1, 1 LIMIT 1",
                            "(SELECT label, code FROM k) ORDER BY label, label",
                            "SELECT label, code FROM k UNION ALL SELECT label, code FROM k WHERE code = 'q' ORDER BY 1, 1",
                            "SELECT label, code FROM k UNION SELECT label, code FROM k WHERE code = 'q' ORDER BY 1, 1",
                            "SELECT 1 AS o, code FROM k UNION ALL SELECT 2, code FROM k WHERE code = 'q' ORDER BY o, o"));
            assertTellNothing(
                    where,
                    List.of(
                            "SELECT code FROM k WHERE code = (SELECT q.code FROM ((SELECT label, code FROM k) ORDER BY 1, 1"
                                    + " LIMIT 1) q)",
                            "(SELECT code FROM k) ORDER BY NULL",
                            "(SELECT code FROM k) ORDER BY 'x'",
                            "(SELECT code FROM k) ORDER BY 1.5",
                            "(SELECT code FROM k) ORDER BY DATE '2020-01-01'",
                            "SELECT code FROM k UNION ALL SELECT code FROM k WHERE code = 'q' ORDER BY 'x'",
                            "SELECT grp, code FROM k ORDER BY (2)",
                            "SELECT grp, code FROM k ORDER BY ((2))",
                            "(SELECT grp, code FROM k) ORDER BY (1), (2)",
                            "SELECT grp, count(*) FROM k GROUP BY (1)",
                            "SELECT k.code, j.id FROM k FULL JOIN j ON j.code = k.code ORDER BY 2, 2"));
        }
    }

    // --- K3: lists of rows -------------------------------------------------------------------------------------------

    @Test
    void aListOfRowsIsInOrder() throws Exception {
        assertAnswered(
                On.POSTGRESQL,
                List.of(
                        "SELECT ARRAY(SELECT code FROM k)",
                        "SELECT (ARRAY(SELECT code FROM k))[1]",
                        "SELECT code FROM k WHERE code = (ARRAY(SELECT code FROM k))[1]",
                        "SELECT array_to_string(ARRAY(SELECT code FROM k), ',')",
                        "SELECT id, ARRAY(SELECT code FROM k WHERE k.grp = j.id) FROM j",
                        "SELECT code FROM k WHERE array_position(ARRAY(SELECT code FROM k), code) = 1",
                        "SELECT * FROM unnest(ARRAY(SELECT code FROM k)) WITH ORDINALITY",
                        "SELECT 'a' = (ARRAY(SELECT code FROM k))[1]"));
        assertTellNothing(
                On.POSTGRESQL,
                List.of(
                        "INSERT INTO notes VALUES (1, 1, 'x') ON CONFLICT (id) DO UPDATE SET text = (SELECT ARRAY(SELECT code"
                                + " FROM k))[1] ;; SELECT * FROM notes"));
        assertTellNothing(
                On.H2,
                List.of(
                        "SELECT ARRAY(SELECT label || code FROM k)",
                        "SELECT ARRAY(SELECT label || code FROM k)[1]",
                        "SELECT CAST(ARRAY(SELECT label || code FROM k) AS VARCHAR)",
                        "SELECT JSON_ARRAY((SELECT label || code FROM k))",
                        "SELECT code FROM k WHERE label || code = ARRAY(SELECT label || code FROM k)[1]",
                        "SELECT * FROM UNNEST(ARRAY(SELECT label || code FROM k)) WITH ORDINALITY"));
    }

    // --- K4: one of several rows is written --------------------------------------------------------------------------

    @Test
    void aRowIsWrittenFromOneOtherOrNone() throws Exception {
        assertTellNothing(
                On.POSTGRESQL,
                List.of(
                        "UPDATE notes SET text = k.code FROM k WHERE notes.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes SET text = q.code FROM (SELECT code FROM k) q WHERE notes.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes SET text = q.c FROM (SELECT grp, max(code) AS c FROM k GROUP BY grp, label) q WHERE"
                                + " notes.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes SET text = (SELECT k.code) FROM k WHERE notes.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes SET text = k.code FROM k WHERE notes.id = 1 AND k.grp = 1 RETURNING notes.text",
                        "WITH u AS (UPDATE notes SET text = k.code FROM k RETURNING text) SELECT * FROM u",
                        "MERGE INTO notes n USING (SELECT code FROM k) q ON FALSE WHEN NOT MATCHED THEN INSERT VALUES"
                                + " (ascii(q.code), 1, q.code) RETURNING q.code",
                        "DELETE FROM notes USING k WHERE notes.id = 1 AND k.grp = 1 RETURNING k.code"));
        assertTellNothing(
                On.MARIADB,
                List.of(
                        "UPDATE notes n JOIN k ON k.grp = n.id SET n.text = k.code WHERE n.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes n, k SET n.text = k.code WHERE n.id = 1 ;; SELECT * FROM notes",
                        "UPDATE notes n LEFT JOIN k ON k.grp = n.id SET n.text = k.code ;; SELECT * FROM notes"));
        assertAnswered(
                On.POSTGRESQL,
                List.of(
                        "UPDATE notes SET text = k.label FROM k WHERE k.code = 'c' AND notes.id = 1",
                        "UPDATE notes SET text = k.label FROM j JOIN k ON k.code = j.code WHERE j.id = notes.id",
                        "UPDATE notes SET text = v.b FROM (VALUES (1, 'x'), (2, 'y')) v(a, b) WHERE v.a = notes.id",
                        "UPDATE notes SET text = q.c FROM (SELECT grp, max(code) AS c FROM k GROUP BY grp) q WHERE"
                                + " q.grp = notes.id",
                        "UPDATE notes SET author = q.n FROM (SELECT count(*) AS n FROM k) q WHERE notes.id = 1",
                        "UPDATE notes SET text = 'x' FROM k WHERE k.grp = notes.id",
                        "DELETE FROM notes USING k WHERE k.grp = notes.id AND notes.id = 1 RETURNING notes.id"));
        assertAnswered(
                On.MARIADB,
                List.of(
                        "UPDATE notes n JOIN j ON j.id = n.id SET n.text = j.code",
                        "UPDATE notes n JOIN (SELECT grp, max(code) AS c FROM k GROUP BY grp) q ON q.grp = n.id SET n.text ="
                                + " q.c"));
    }

    @Test
    void severalRowsAreNotReturnedInTheOrderInWhichTheyAreFound() throws Exception {
        on(On.POSTGRESQL, CODES);
        elsewhere(world(On.POSTGRESQL, 1));
        Connection connection = connect();
        request(1);
        assertRefused(connection, "UPDATE k SET label = 'z' WHERE grp = 1 RETURNING code");
        assertRefused(connection, "DELETE FROM k WHERE grp = 1 RETURNING code");
        assertRefused(
                connection,
                "MERGE INTO notes n USING k ON n.id = k.grp WHEN NOT MATCHED THEN INSERT VALUES (ascii(k.code), 1, 'x')"
                        + " RETURNING n.id");
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() ->
                            statement.executeUpdate("UPDATE k SET label = 'z' WHERE grp = 1", new String[] {"code"}))
                    .isInstanceOf(PrivoxyException.class);
        }
        assertThat(rows(
                        connection,
                        "WITH u AS (UPDATE k SET label = 'z' WHERE grp = 1 RETURNING code) SELECT code FROM u"))
                .containsExactly("b", "d", "f");
        assertThat(rows(connection, "UPDATE k SET label = 'z' WHERE code = 'c' RETURNING code, label"))
                .containsExactly("c,z");
        assertThat(rows(connection, "DELETE FROM k USING j WHERE k.code = 'c' AND j.x = 5 RETURNING k.code"))
                .containsExactly("c");
        run(connection, "UPDATE k SET label = 'y' WHERE grp = 1", "DELETE FROM k WHERE grp = 1");
        on(On.MARIADB, CODES);
        elsewhere(world(On.MARIADB, 1));
        Connection other = connect();
        request(1);
        assertRefused(other, "DELETE FROM k WHERE grp = 1 RETURNING code");
        assertThat(rows(other, "DELETE FROM k WHERE grp = 1 ORDER BY code DESC RETURNING code"))
                .containsExactly("f", "d", "b");
    }

    // --- K5, K7, K8: groups ------------------------------------------------------------------------------------------

    @Test
    void nothingIsTakenFromTheFirstRowOfAGroup() throws Exception {
        assertTellNothing(
                On.MARIADB,
                List.of(
                        "SELECT code, count(*) FROM k",
                        "SELECT q.*, count(*) FROM (SELECT code, grp FROM k) q",
                        "SELECT q.* FROM (SELECT code, grp FROM k) q GROUP BY grp",
                        "SELECT q.* FROM (SELECT code, grp FROM k) q GROUP BY 'x'",
                        "SELECT q.*, count(*) FROM (SELECT DISTINCT code, grp FROM k) q",
                        "SELECT q.code FROM (SELECT code, grp FROM k LIMIT 9) q GROUP BY grp",
                        "SELECT (SELECT k.code), count(*) FROM k",
                        "SELECT (SELECT k.code) FROM k GROUP BY grp",
                        "SELECT grp, EXISTS (SELECT 1 FROM j WHERE k.code = 'a') FROM k GROUP BY grp",
                        "SELECT grp, 'a' IN (SELECT k.code) FROM k GROUP BY grp",
                        "SELECT grp FROM k GROUP BY grp ORDER BY (SELECT k.code) = 'a'",
                        "SELECT grp FROM k GROUP BY grp ORDER BY code",
                        "SELECT grp FROM k GROUP BY grp HAVING (SELECT k.code) = 'a'",
                        "SELECT grp, RANK() OVER (ORDER BY code) FROM k GROUP BY grp",
                        "SELECT grp, RANK() OVER w FROM k GROUP BY grp WINDOW w AS (ORDER BY code)",
                        "SELECT * FROM (SELECT q.*, count(*) FROM (SELECT code FROM k) q) z",
                        "SELECT DISTINCT q.* FROM (SELECT code, grp FROM k) q GROUP BY grp",
                        "SELECT * FROM (SELECT code FROM k) q HAVING count(*) > 0",
                        "SELECT * FROM (SELECT code FROM k) q HAVING max(code) > ''",
                        "WITH q AS (SELECT code FROM k) SELECT q.*, count(*) FROM q",
                        "SELECT q.code FROM (SELECT code FROM k) q LEFT JOIN notes ON FALSE GROUP BY notes.id",
                        "INSERT INTO notes SELECT 70, 1, z.code FROM (SELECT q.*, count(*) FROM (SELECT code FROM k) q) z ;;"
                                + " SELECT * FROM notes WHERE id = 70",
                        "SELECT DISTINCT grp FROM k ORDER BY code = 'b', code = 'e'",
                        "SELECT DISTINCT grp FROM k WHERE code <> 'zz' ORDER BY code = 'a'",
                        "SELECT DISTINCT grp FROM k ORDER BY (SELECT k.code) = 'a'"));
        assertAnswered(
                On.MARIADB,
                List.of(
                        "SELECT code, label, max(grp) FROM k GROUP BY code",
                        "SELECT k.*, count(*) FROM (SELECT code, label, grp FROM k) k GROUP BY code",
                        "SELECT lower(label), count(*) FROM k GROUP BY lower(label)",
                        "SELECT lower(label) AS l, count(*) AS n FROM k GROUP BY l HAVING n > 1 ORDER BY n",
                        "SELECT j.id, j.x, count(*) FROM k LEFT JOIN j ON j.code = k.code GROUP BY j.id",
                        "SELECT q.code, count(*) FROM (SELECT DISTINCT code FROM k) q GROUP BY q.code",
                        "SELECT q.g + 1, count(*) FROM (SELECT grp AS g, count(*) AS n FROM k GROUP BY grp) q GROUP BY q.g",
                        "SELECT grp, (SELECT max(code) FROM k) FROM k GROUP BY grp",
                        "SELECT grp, (SELECT count(*) FROM j WHERE j.id = k.grp) FROM k GROUP BY grp",
                        "SELECT max(code) AS code FROM k GROUP BY grp ORDER BY code",
                        "SELECT grp, RANK() OVER (ORDER BY count(*)) FROM k GROUP BY grp",
                        "SELECT DISTINCT code, label FROM k ORDER BY grp",
                        "SELECT DISTINCT grp AS g FROM k ORDER BY g DESC"));
    }

    @Test
    void aggregatesOfNamedWindowsAreLookedAt() throws Exception {
        assertTellNothing(
                On.POSTGRESQL,
                List.of(
                        "SELECT grp, rank() OVER w FROM k GROUP BY grp WINDOW w AS (ORDER BY (array_agg(code))[1] = 'a')",
                        "SELECT grp, count(*) OVER w FROM k GROUP BY grp WINDOW w AS (PARTITION BY (array_agg(code))[1] = 'a')",
                        "SELECT grp, dense_rank() OVER w FROM k GROUP BY grp WINDOW w AS (ORDER BY string_agg(code, ',') LIKE"
                                + " 'a%')",
                        "SELECT DISTINCT ON ((array_agg(code))[1]) 1 FROM k GROUP BY grp ORDER BY (array_agg(code))[1]"));
        assertTellNothing(
                On.H2,
                List.of(
                        "SELECT grp, rank() OVER w FROM k GROUP BY grp WINDOW w AS (ORDER BY (array_agg(code))[1] = 'a')",
                        "SELECT grp, count(*) OVER w FROM k GROUP BY grp WINDOW w AS (PARTITION BY listagg(code) LIKE 'a%')"));
        assertTellNothing(
                On.MARIADB,
                List.of(
                        "SELECT grp, rank() OVER w FROM k GROUP BY grp WINDOW w AS (ORDER BY group_concat(code) LIKE 'a%')"));
    }

    // --- K9: rounded sums --------------------------------------------------------------------------------------------

    @Test
    void sumsThatAreRoundedTellNoOrder() throws Exception {
        String weights = "CASE code WHEN 'a' THEN 1e20 WHEN 'c' THEN -1e20 ELSE 1e0 END";
        for (On where : On.values()) {
            String real = where == On.MARIADB ? "(" + weights + ")" : "CAST(" + weights + " AS DOUBLE PRECISION)";
            List<String> calls = new ArrayList<>(
                    List.of("sum(%s)", "avg(%s)", "stddev_pop(%s)", "var_samp(%s)", "sum(%s) OVER ()", "sum(2 * %s)"));
            if (where != On.MARIADB) {
                calls.addAll(List.of("corr(grp, %s)", "regr_slope(grp, %s)", "covar_pop(grp, %s)"));
            }
            assertTellNothing(
                    where,
                    calls.stream()
                            .map(call -> "SELECT " + call.formatted(real) + " FROM k")
                            .toList());
            assertTellNothing(
                    where, List.of("SELECT sum(q.w) FROM (SELECT DISTINCT code, " + real + " AS w FROM k) q"));
            assertAnswered(
                    where,
                    List.of(
                            "SELECT sum(grp), avg(grp) FROM k",
                            "SELECT sum(grp * 2 + 1) FROM k",
                            "SELECT sum(CASE WHEN code = 'a' THEN 1 ELSE 0 END) FROM k",
                            "SELECT sum(CAST(code = 'a' AS INT)) FROM k"
                                    .replace("AS INT", where == On.MARIADB ? "AS SIGNED" : "AS INT"),
                            "SELECT sum(q.n) FROM (SELECT grp, count(*) AS n FROM k GROUP BY grp) q",
                            "SELECT sum(q.n) FROM (SELECT grp AS n FROM k UNION ALL SELECT x FROM j) q",
                            "SELECT sum(coalesce(grp, 0)) FROM k GROUP BY label",
                            "SELECT sum(count(*)) OVER () FROM k GROUP BY grp",
                            "SELECT sum(grp) OVER (ORDER BY code) FROM k"));
        }
        assertAnswered(
                On.POSTGRESQL, List.of("SELECT sum(grp::float8 ORDER BY code) FROM k", "SELECT stddev(grp) FROM k"));
    }

    // --- K10: texts of nobody ----------------------------------------------------------------------------------------

    @Test
    void textsThatAreNoColumnsAreComparedAsTheDatabaseDoes() throws SQLException {
        on(On.H2, "CREATE VIEW n AS SELECT id FROM t;");
        elsewhere(
                "DROP ALL OBJECTS",
                "SET COLLATION ENGLISH STRENGTH PRIMARY",
                "CREATE TABLE t (id INT PRIMARY KEY, code VARCHAR(10), secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'adm', 'SECRET')");
        Connection connection = connect();
        request(1);
        for (String condition : List.of(
                "CAST('abc' AS VARCHAR) = 'ABC'",
                "CAST('abc' AS VARCHAR) = CAST('ABC' AS VARCHAR)",
                "CAST('abc' AS VARCHAR) IN ('ABC')",
                "CAST('abc' AS VARCHAR) IN ('ABC', 'x')",
                "NOT (CAST('abc' AS VARCHAR) <> 'ABC')",
                "lower(CAST('abc' AS VARCHAR)) = 'ABC'",
                "CAST('a' AS VARCHAR) || 'b' = 'AB'",
                "'ABC' = ANY (SELECT CAST('abc' AS VARCHAR))",
                "CAST('abc' AS VARCHAR) BETWEEN 'ABC' AND 'ABC'",
                "EXISTS (SELECT 1 WHERE CAST('abc' AS VARCHAR) = 'ABC')",
                "CASE CAST('abc' AS VARCHAR) WHEN 'ABC' THEN TRUE END")) {
            assertRefused(connection, "SELECT * FROM t WHERE " + condition);
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT * FROM t WHERE CAST(? AS VARCHAR) = ?")) {
            query.setString(1, "abc");
            query.setString(2, "ABC");
            assertThat(answer(query)).contains("refused");
        }
    }

    private static String answer(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            return rows.next() ? rows.getString(3) : "";
        } catch (SQLException failed) {
            return failed instanceof PrivoxyException ? "refused" : "failed";
        }
    }

    // --- K11: settings -----------------------------------------------------------------------------------------------

    @Test
    void theSessionDoesNotChooseHowTextsAreSearched() throws SQLException {
        for (String condition : List.of(
                "NOT to_tsvector(body) @@ to_tsquery('secrets')",
                "NOT body @@ 'secrets'",
                "NOT to_tsvector(body) @@ plainto_tsquery('secrets')")) {
            on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM t WHERE " + condition + ";");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, body TEXT NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (1, 'a secret', 'SECRET'), (2, 'open', 'mine')");
            Connection connection = connect();
            request(1);
            assertRefusedWrite(connection, "SET default_text_search_config = 'simple'");
            assertRefusedWrite(connection, "SET quote_all_identifiers = on");
            assertThat(rows(connection, "SELECT secret FROM t WHERE " + condition))
                    .containsExactly("mine");
        }
    }

    @Test
    void whatAViewAsksForIsNotSet() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM t WHERE v = current_setting('application_name');");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, v TEXT NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'other', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "SET application_name = 'other'");
        assertRefusedWrite(connection, "SET statement_timeout = 60000");
        run(connection, "RESET statement_timeout");
        on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM t WHERE v = current_schema();");
        elsewhere(
                "CREATE SCHEMA other",
                "CREATE TABLE public.t (id INT PRIMARY KEY, v TEXT NOT NULL, secret VARCHAR(20))",
                "INSERT INTO public.t VALUES (1, 'other', 'SECRET')");
        Connection schema = connect();
        request(1);
        assertRefusedWrite(schema, "SET search_path = other, public");
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM t WHERE id = @@wait_timeout;");
        elsewhere("CREATE TABLE t (id INT PRIMARY KEY, secret VARCHAR(20))", "INSERT INTO t VALUES (1, 'SECRET')");
        Connection timeout = connect();
        request(1);
        assertRefusedWrite(timeout, "SET wait_timeout = 1");
        on(On.POSTGRESQL);
        Connection other = connect();
        run(other, "SET application_name = 'x'", "SET statement_timeout = 60000");
    }

    // --- what the fuzzer and the two engines found beside it
    // ----------------------------------------------------------

    @Test
    void anAggregateThatSortsMakesOneRowOfNone() throws Exception {
        String none = " FROM members WHERE user_id = 1 AND event_id = 8 ";
        List<String> inner = List.of(
                "SELECT user_id AS one" + none + "ORDER BY count(*)",
                "SELECT event_id AS one" + none + "ORDER BY count(*)",
                "SELECT max(user_id) AS one" + none + "ORDER BY count(*)",
                "SELECT user_id AS one" + none + "ORDER BY 1, max(role)",
                "SELECT user_id AS one" + none + "ORDER BY count(*) LIMIT 1",
                "SELECT DISTINCT user_id AS one" + none + "ORDER BY count(*)",
                "SELECT user_id AS one" + none + "ORDER BY (SELECT count(members.role))",
                "SELECT user_id AS one" + none + "HAVING count(*) >= 0",
                "SELECT user_id AS one" + none + "HAVING TRUE",
                "SELECT user_id AS one" + none + "WINDOW w AS (ORDER BY count(*))");
        List<String> outer = List.of(
                "SELECT u.id FROM users u JOIN (%s) q ON TRUE WHERE u.id = 1",
                "SELECT u.id FROM users u, (%s) q WHERE u.id = 1",
                "SELECT u.id FROM users u JOIN (SELECT * FROM (%s) r) q ON TRUE WHERE u.id = 1",
                "SELECT u.id FROM users u LEFT JOIN (%s) q ON TRUE WHERE u.id = 1",
                "SELECT u.id FROM users u WHERE u.id = 1 AND EXISTS (%s)",
                "SELECT q.one FROM (%s) q",
                "SELECT 1 FROM ((%s)) q",
                "WITH q AS (%s) SELECT u.id FROM users u JOIN q ON TRUE WHERE u.id = 1",
                "%s");
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            for (String one : outer) {
                for (String other : inner) {
                    try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
                        answer(connection, String.format(one, other));
                        assertRefused(connection, "SELECT * FROM events WHERE id = 8");
                        assertThat(request.isOpen()).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void theFirstRowsOfTheirKindAreOrderedWhereverTheyAreTaken() throws Exception {
        String first = "SELECT DISTINCT ON (label) code FROM k ORDER BY label";
        for (On where : List.of(On.POSTGRESQL, On.H2)) {
            assertTellNothing(
                    where,
                    List.of(
                            "SELECT q.code FROM (" + first + ") q",
                            "(" + first + ") UNION ALL (SELECT code FROM k WHERE code = 'q')",
                            "SELECT ARRAY(" + first + ")",
                            "SELECT code FROM k WHERE code = (" + first + ")",
                            "SELECT code FROM k WHERE code IN (" + first + ")",
                            "SELECT code FROM k WHERE EXISTS (SELECT 1 FROM (" + first + ") q WHERE q.code = k.code)",
                            "WITH q AS (" + first + ") SELECT * FROM q",
                            "INSERT INTO notes SELECT 61, 1, z.code FROM (" + first
                                    + ") z ;; SELECT * FROM notes WHERE id = 61"));
        }
    }

    @Test
    void anOrderBehindParenthesesDoesNotTakeThePlaceOfTheOneInside() throws Exception {
        assertTellNothing(
                On.H2,
                List.of(
                        "SELECT * FROM ((SELECT grp, code FROM k LIMIT 2) ORDER BY 'x') z",
                        "SELECT * FROM ((SELECT grp, code FROM k LIMIT 2) ORDER BY 1) z",
                        "(SELECT grp, code FROM k LIMIT 2) ORDER BY 1",
                        "SELECT * FROM (((SELECT grp, code FROM k FETCH FIRST 2 ROWS ONLY)) ORDER BY 1) z"));
    }

    @Test
    void aCastOfWhatItsTypeDoesNotHaveIsAnotherValue() throws Exception {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM t WHERE c > 9223372036854775808;");
        elsewhere("CREATE TABLE t (id INT PRIMARY KEY, c BIGINT)", "INSERT INTO t VALUES (1, 5)");
        Connection connection = connect();
        request(1);
        for (String value : List.of(
                "CAST(9223372036854775808 AS SIGNED)",
                "CAST(18446744073709551615 AS SIGNED)",
                "CONVERT(9223372036854775808, SIGNED)",
                "CAST(-9223372036854775809 AS SIGNED)")) {
            assertRefused(connection, "SELECT * FROM t WHERE c > " + value);
        }
    }
}
