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
import org.junit.jupiter.api.Test;

/** Ways past the policy that a fourth attacker found: each was open once. */
class FourthAttackIT extends Cases {

    private static final On[] ALL = On.values();

    // --- clauses that nobody read ------------------------------------------------------------------------------------

    @Test
    void whatAnInnerQuerySortsByIsRead() throws SQLException {
        for (On where : ALL) {
            on(where);
            Connection connection = connect();
            request(1);
            List<String> texts = new ArrayList<>(List.of(
                    "(SELECT id FROM users) ORDER BY salary DESC",
                    "((SELECT id FROM users)) ORDER BY email",
                    "(SELECT id FROM users) ORDER BY users.salary",
                    "(SELECT id FROM users LIMIT 10) ORDER BY salary DESC",
                    "SELECT id FROM users WHERE id = ((SELECT id FROM users) ORDER BY salary DESC LIMIT 1)",
                    "SELECT id FROM (SELECT id FROM users ORDER BY salary DESC) q",
                    "WITH q AS (SELECT id FROM users ORDER BY salary DESC) SELECT id FROM q"));
            if (where == On.POSTGRESQL) {
                texts.addAll(List.of(
                        "SELECT id, count(*) FROM (SELECT id FROM users ORDER BY generate_series(1, salary)) q GROUP BY id",
                        "SELECT count(*) FROM (SELECT 1 AS x ORDER BY generate_series(1, (SELECT salary FROM users WHERE id ="
                                + " 2))) q",
                        "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 ORDER BY generate_series(1, (SELECT"
                                + " count(*)::int FROM users WHERE email LIKE 'SEC%')))",
                        "SELECT id FROM users u WHERE 1 IN (SELECT 1 ORDER BY generate_series(200, u.salary))",
                        "VALUES (1), (2) ORDER BY column1 * (1 - 2 * (SELECT count(*) FROM users WHERE email LIKE 'SEC%'))",
                        "VALUES (1), (2), (3) ORDER BY (SELECT email FROM users WHERE id = column1)",
                        "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 GROUP BY generate_series(1, (SELECT"
                                + " count(*)::int FROM users WHERE email LIKE 'SEC%')))",
                        "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT DISTINCT ON (generate_series(1, (SELECT"
                                + " count(*)::int FROM users WHERE email LIKE 'SEC%'))) 1)",
                        "SELECT x FROM (SELECT 1 AS x WINDOW w AS (ORDER BY generate_series(1, (SELECT salary FROM users"
                                + " WHERE id = 2)))) q",
                        "SELECT string_agg(name, ',') FROM (SELECT name, id FROM users ORDER BY salary DESC) q"));
            }
            texts.forEach(sql -> assertRefused(connection, sql));
            assertThat(rows(connection, "(SELECT id FROM users) ORDER BY 1 DESC"))
                    .containsExactly("3", "2", "1");
            assertThat(rows(connection, "(SELECT id, name FROM users) ORDER BY id LIMIT 1"))
                    .containsExactly("1,Ada");
            assertThat(rows(connection, "SELECT id FROM (SELECT id, name FROM users ORDER BY name) q"))
                    .containsExactly("1", "2", "3");
        }
    }

    @Test
    void anAggregateThatMakesOneRowOfNoneIsNoFact() throws SQLException {
        String rows = "SELECT 1 AS one FROM members WHERE user_id = 1 AND event_id = 8 ";
        for (On where : ALL) {
            for (String sql : List.of(
                    "SELECT id FROM users WHERE id = 1 AND EXISTS (" + rows + "ORDER BY count(*))",
                    "SELECT id FROM users JOIN (" + rows + "ORDER BY count(*)) q ON q.one = 1 WHERE id = 1",
                    "SELECT q.one FROM (" + rows + "ORDER BY count(*)) q",
                    "WITH q AS (" + rows + "ORDER BY count(*)) SELECT one FROM q",
                    "SELECT id FROM users WHERE id = 1 AND 1 IN (" + rows + "ORDER BY count(*))",
                    "SELECT id FROM users WHERE id = 1 AND 1 = (" + rows + "ORDER BY count(*))",
                    "SELECT EXISTS (SELECT 1 FROM notes n ORDER BY count(m.user_id)) AS x FROM members m WHERE m.user_id = 1"
                            + " AND m.event_id = 8",
                    "SELECT EXISTS (SELECT 1 FROM notes GROUP BY count(m.user_id)) FROM members m WHERE m.user_id = 1 AND"
                            + " m.event_id = 8",
                    "SELECT DISTINCT ON (count(*)) 1 FROM members WHERE user_id = 1 AND event_id = 8",
                    rows + "WINDOW w AS (ORDER BY count(*))",
                    rows + "WINDOW w AS (PARTITION BY count(*))")) {
                on(where);
                Connection connection = connect();
                request(1);
                try {
                    rows(connection, sql);
                } catch (SQLException refused) {
                    // So much the better.
                }
                assertRefused(connection, "SELECT * FROM events WHERE id = 8");
            }
        }
    }

    @Test
    void anAggregateWithoutGroupsHasAsManyRowsAsItsSetsSay() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String sql : List.of(
                "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT generate_series(1, count(*)) FROM users WHERE email"
                        + " LIKE 'SEC%')",
                "SELECT EXISTS (SELECT unnest(array_agg(email)) FROM users WHERE email LIKE 'SEC%')",
                "SELECT NOT EXISTS (SELECT json_array_elements(json_agg(email)) FROM users WHERE email LIKE 'SEC%')",
                "SELECT id FROM users u WHERE EXISTS (SELECT generate_series(1, count(*)) FROM users v WHERE v.id = u.id AND"
                        + " v.email LIKE 'SEC%' LIMIT 1)")) {
            assertRefused(connection, sql);
        }
        assertThat(rows(connection, "SELECT EXISTS (SELECT count(*) FROM users WHERE email LIKE 'SEC%')"))
                .containsExactly("true");
    }

    // --- types -------------------------------------------------------------------------------------------------------

    @Test
    void anEscapeOfNullIsNotNull() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        for (String escape : List.of("NULL", "(NULL)", "lower(NULL)")) {
            assertRefused(connection, "SELECT * FROM users WHERE email LIKE 'SEC%' ESCAPE " + escape);
            assertRefused(connection, "SELECT email LIKE 'SEC%' ESCAPE " + escape + " FROM users");
        }
        assertThat(rows(connection, "SELECT name FROM users WHERE name LIKE 'B%' ESCAPE '!'"))
                .containsExactly("Bob");
    }

    @Test
    void whatIsNullOrEmptyStillDecidesTheTypeOfTheRest() throws SQLException {
        long mine = 9007199254740993L;
        for (On where : ALL) {
            on(where, "CREATE CONTEXT MyUId BIGINT; CREATE VIEW own AS SELECT * FROM t WHERE id = ?MyUId;");
            elsewhere(
                    "CREATE TABLE t (id BIGINT PRIMARY KEY, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (" + mine + ", 'mine'), (" + (mine - 1) + ", 'SECRET')");
            Connection connection = connect();
            request(mine);
            String real = where == On.MARIADB ? "CAST(1 AS DOUBLE)" : "CAST(1 AS DOUBLE PRECISION)";
            for (String condition : List.of(
                    "id = COALESCE(sqrt(NULL), %1$s)",
                    "id = COALESCE(%1$s, sqrt(NULL))",
                    "id = COALESCE(NULL * %2$s, %1$s)",
                    "id IN (%1$s, sqrt(NULL))",
                    "id IN (SELECT %1$s UNION ALL SELECT %2$s WHERE FALSE)",
                    "id IN (SELECT %1$s UNION ALL SELECT %2$s)",
                    "id IN (SELECT %1$s UNION ALL (SELECT %2$s LIMIT 0))",
                    "id IN (VALUES (%1$s), (sqrt(NULL)))",
                    "id = ANY (VALUES (%1$s), (%2$s))")) {
                assertNotTheOther(connection, "SELECT * FROM t WHERE " + condition.formatted(mine, real));
            }
            assertNotTheOther(
                    connection,
                    "SELECT t.* FROM t, (SELECT %s AS i) w LEFT JOIN (SELECT %s AS f) v ON FALSE WHERE t.id = COALESCE(v.f, w.i)"
                            .formatted(mine, real));
            assertThat(rows(connection, "SELECT secret FROM t WHERE id = COALESCE(NULL, " + mine + ")"))
                    .as("%s", where)
                    .containsExactly("mine");
        }
        on(On.POSTGRESQL, "CREATE VIEW later AS SELECT * FROM t WHERE at > TIMESTAMP '2020-01-01 12:00:00';");
        elsewhere(
                "CREATE TABLE t (at TIMESTAMP PRIMARY KEY, secret VARCHAR(20))",
                "INSERT INTO t VALUES ('2020-01-01 08:00:00', 'SECRET')");
        Connection times = connect();
        request(1);
        assertNotTheOther(times, "SELECT * FROM t WHERE at > COALESCE(CAST(NULL AS DATE), '2020-01-01 12:00:00')");
    }

    @Test
    void aListOfConstantsIsNoListOfChar() throws SQLException {
        on(On.H2, "CREATE VIEW v AS SELECT * FROM t WHERE h <> 'bob';");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, h CHAR(5) NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'bob', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertNotTheOther(connection, "SELECT * FROM t WHERE h NOT IN ('bob', 'bob')");
    }

    @Test
    void aStringIsOfItsColumnsTypeOnlyBesideIt() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW c AS SELECT * FROM t WHERE role <> 'admin  ';");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, role CHAR(7) NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'admin', 'SECRET')");
        Connection padded = connect();
        request(1);
        for (String condition : List.of(
                "role <> (SELECT 'admin  ')",
                "role <> ALL (ARRAY['admin  '])",
                "NOT (role = ANY (ARRAY['admin  ']))",
                "role <> COALESCE(NULL::text, 'admin  ')",
                "role <> COALESCE('admin  ')",
                "role <> ALL (VALUES ('admin  '))")) {
            assertNotTheOther(padded, "SELECT * FROM t WHERE " + condition);
        }
        assertNotTheOther(padded, "SELECT t.* FROM t JOIN (SELECT 'admin  ' AS x) v ON t.role <> v.x");
    }

    @Test
    void aConnectionHasAllLetters() throws SQLException {
        for (String setting : List.of(
                "SET character_set_connection = latin1",
                "SET collation_connection = latin1_bin",
                "SET character_set_connection = ascii")) {
            on(On.MARIADB, "CREATE VIEW n AS SELECT * FROM t WHERE role <> '\u0430\u0434\u043c';");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, role VARCHAR(20) CHARACTER SET utf8mb4 NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (1, '\u0430\u0434\u043c', 'SECRET')");
            Connection connection = connect();
            request(1);
            run(connection, setting);
            assertRefused(connection, "SELECT * FROM t WHERE role <> '\u0430\u0434\u043c'");
        }
    }

    @Test
    void theSessionDoesNotChooseWhatAFunctionOfAViewGives() throws SQLException {
        on(On.MARIADB, "CREATE VIEW v AS SELECT * FROM t WHERE char_length(code) > 3;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, code CHAR(5) NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'abc', 'SECRET'), (2, 'abcde', 'open')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'");
        assertThat(rows(connection, "SELECT secret FROM t WHERE char_length(code) > 3"))
                .containsExactly("open");
    }

    @Test
    void whatIsLookedForInAUnionIsOfItsType() throws SQLException {
        on(On.H2, "CREATE VIEW v AS SELECT t.* FROM t JOIN s ON t.c = s.d; CREATE VIEW w AS SELECT * FROM s;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR_IGNORECASE(9) NOT NULL, secret VARCHAR(20))",
                "CREATE TABLE s (d CHAR(5) PRIMARY KEY)",
                "INSERT INTO t VALUES (1, 'true', 'SECRET')",
                "INSERT INTO s VALUES ('true')");
        Connection connection = connect();
        request(1);
        for (String all : List.of("", "ALL ")) {
            assertNotTheOther(
                    connection, "SELECT t.* FROM t WHERE t.c = ANY (SELECT d FROM s UNION " + all + "SELECT d FROM s)");
        }
    }

    @Test
    void aCharacterIsAText() throws SQLException {
        on(On.H2, "CREATE VIEW v AS SELECT * FROM t WHERE c = 'a';");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(5) NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'a', 'mine'), (2, 'a ', 'SECRET')");
        Connection connection = connect();
        request(1);
        try (PreparedStatement query =
                connection.prepareStatement("SELECT secret FROM t WHERE c IN ('a', (?)) ORDER BY id")) {
            query.setObject(1, 'a');
            try (ResultSet result = query.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getString(1)).isEqualTo("mine");
                assertThat(result.next()).isFalse();
            }
        }
    }

    @Test
    void aNegativeNumberIsNoOid() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM t WHERE c <> 4294967295;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, c OID NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 4294967295, 'SECRET')");
        Connection connection = connect();
        request(1);
        assertNotTheOther(connection, "SELECT * FROM t WHERE c = CAST(-1 AS INT)");
    }

    @Test
    void aParameterIsNoCitext() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW n AS SELECT * FROM t WHERE role <> 'admin';");
        elsewhere(
                "CREATE EXTENSION citext",
                "CREATE TABLE t (id INT PRIMARY KEY, role CITEXT NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'Admin', 'SECRET'), (2, 'guest', 'mine')");
        Connection connection = connect();
        request(1);
        for (String condition : List.of(
                "role <> (SELECT 'admin')",
                "role <> ALL (ARRAY['admin'])",
                "NOT (role = ANY (ARRAY['admin']))",
                "role <> COALESCE(NULL::text, 'admin')")) {
            assertNotTheOther(connection, "SELECT * FROM t WHERE " + condition);
        }
        for (String condition : List.of("role <> ?", "role <> (SELECT ?)", "role <> ALL (ARRAY[?])")) {
            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM t WHERE " + condition)) {
                query.setString(1, "admin");
                assertThatThrownBy(() -> query.executeQuery().close()).isInstanceOf(PrivoxyException.class);
            }
        }
        assertThat(rows(connection, "SELECT secret FROM t WHERE role <> 'admin'"))
                .containsExactly("mine");
    }

    @Test
    void aCastToTextIsComparedAsTheDatabaseComparesText() throws SQLException {
        on(On.H2, "CREATE VIEW v AS SELECT id FROM t;");
        elsewhere(
                "DROP ALL OBJECTS",
                "SET COLLATION ENGLISH STRENGTH PRIMARY",
                "CREATE TABLE t (id INT PRIMARY KEY, code VARCHAR(10), secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 'adm', 'SECRET')");
        Connection connection = connect();
        request(1);
        for (String condition : List.of(
                "CAST(code AS VARCHAR) = 'adm' AND CAST(code AS VARCHAR) = 'ADM'",
                "lower(CAST(code AS VARCHAR)) = 'adm' AND lower(CAST(code AS VARCHAR)) = 'ADM'",
                "CAST(id AS VARCHAR) || 'a' = '1a' AND CAST(id AS VARCHAR) || 'a' = '1A'")) {
            assertNotTheOther(connection, "SELECT * FROM t WHERE " + condition);
        }
    }

    @Test
    void havingAloneGroupsNothingInMariaDb() throws SQLException {
        on(On.MARIADB, "CREATE VIEW t AS SELECT title FROM posts; CREATE VIEW p AS SELECT public FROM posts;");
        Connection connection = connect();
        request(1);
        for (String sql : List.of(
                "SELECT public FROM posts HAVING TRUE",
                "SELECT 1 FROM posts HAVING TRUE",
                "SELECT count(*) FROM (SELECT public FROM posts HAVING TRUE) q")) {
            assertRefused(connection, sql);
        }
    }

    // --- schemas -----------------------------------------------------------------------------------------------------

    /** Found by the fuzzer: a key that one account had taken away was believed for another one's requests. */
    @Test
    void whatOneAccountChangesInTheSchemaTheOthersKnowAtOnce() throws SQLException {
        on(On.H2);
        elsewhere(
                "CREATE USER other PASSWORD 'p' ADMIN",
                "DELETE FROM posts WHERE id = 2",
                "CREATE UNIQUE INDEX uq ON posts (author_id)");
        Connection other = connect("user", "OTHER", "password", "p");
        Connection connection = connect();
        request(3);
        assertThat(rows(other, "SELECT id FROM posts WHERE public = TRUE")).hasSize(2);
        run(connection, "DROP INDEX uq");
        elsewhere("INSERT INTO posts VALUES (2, 2, 'SECRET', FALSE)");
        request(3);
        assertThat(rows(other, "SELECT * FROM posts WHERE public = TRUE")).hasSize(2);
        assertRefused(other, "SELECT * FROM posts WHERE author_id = 2");
    }

    private static void assertNotTheOther(Connection connection, String sql) {
        List<String> found;
        try {
            found = rows(connection, sql);
        } catch (SQLException refused) {
            return;
        }
        assertThat(found).as(sql).noneMatch(row -> row.contains("SECRET"));
    }
}
