package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ways past the policy that a third attacker found: each was open once. */
class ThirdAttackIT extends Cases {

    // --- names -------------------------------------------------------------------------------------------------------

    @Test
    void lettersThatJavaTakesForOneAreTwoToMariaDb() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        for (String name : List.of("ema\u0131l", "ema\u0130l", "`ema\u0131l`", "EMA\u0131L")) {
            assertRefused(connection, "SELECT (SELECT email FROM (SELECT 'x' AS " + name + ") q) AS r FROM users u");
            assertRefused(connection, "SELECT (SELECT " + name + " FROM (SELECT 'x' AS email) q) AS r FROM users u");
        }
        for (String name : List.of("\u017falary", "SALARY\u0301")) {
            assertRefused(connection, "SELECT (SELECT salary FROM (SELECT 'x' AS " + name + ") q) AS r FROM users u");
        }
        assertRefused(connection, "SELECT (SELECT u.email FROM (SELECT 'x' AS email) \u00fa) AS r FROM users u");
        assertRefused(connection, "SELECT id, name AS \u00e9 FROM users ORDER BY \u00c9");
        assertThat(rows(connection, "SELECT q.EMAIL FROM (SELECT 'x' AS email) q"))
                .containsExactly("x");
        assertThat(rows(connection, "SELECT gr\u00f6\u00dfe FROM (SELECT 'x' AS gr\u00f6\u00dfe) q"))
                .containsExactly("x");
    }

    @Test
    void ofColumnsThatDifferInCaseTheTypeIsNotGuessed() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere("CREATE TABLE two (\"x\" VARCHAR(5), \"X\" VARCHAR(50))");
        Connection connection = connect();
        request(1);
        assertRefusedChange(connection, "ALTER TABLE two ALTER COLUMN \"X\" TYPE VARCHAR(10)");
    }

    @Test
    void whatIsJoinedByNameIsWhatTheServerJoins() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        for (String sql : List.of(
                "SELECT posts.* FROM posts NATURAL JOIN (SELECT TRUE AS publ\u0131c) v",
                "SELECT * FROM users NATURAL JOIN (SELECT 1 AS \u0131d) v",
                "SELECT posts.* FROM posts NATURAL JOIN (SELECT 1 AS author_\u0131d) v",
                "WITH q(ema\u0131l) AS (SELECT 'x') SELECT (SELECT email FROM q) FROM users",
                "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM (SELECT 'SECx' AS ema\u0131l) q WHERE email LIKE 'S%')",
                "SELECT id FROM users NATURAL JOIN (SELECT 'SECRET@x' AS ` email`) v",
                "SELECT id FROM users NATURAL JOIN (SELECT 'SECRET@x' AS ' email') v",
                "SELECT id FROM users NATURAL JOIN (SELECT 'SECRET@x' AS `\temail`) v",
                "SELECT id FROM users NATURAL JOIN (SELECT 'email') v",
                "SELECT id FROM users NATURAL JOIN (WITH q(` email`) AS (SELECT 'SECRET@x') SELECT * FROM q) v",
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 400) SELECT id, v.n FROM users"
                        + " NATURAL JOIN (SELECT n AS ` salary`, n FROM r) v")) {
            assertRefused(connection, sql);
        }
        assertRefusedChange(
                connection,
                "UPDATE notes JOIN users u SET notes.text = (SELECT email FROM (SELECT 'x' AS ema\u0131l) q) WHERE u.id ="
                        + " 2 AND notes.id = 1");
        assertRefusedChange(
                connection,
                "INSERT INTO notes(id, text) SELECT id + 100, (SELECT email FROM (SELECT 'x' AS ema\u0131l) q) FROM users");
        assertThat(rows(connection, "SELECT id, name FROM users NATURAL JOIN (SELECT 2 AS id) v"))
                .containsExactly("2,Bob");
    }

    // --- values and types --------------------------------------------------------------------------------------------

    @Test
    void aFractionThatACastRoundsIsNotTheValueThatWasGiven() throws SQLException {
        for (On where : On.values()) {
            on(
                    where,
                    "CREATE VIEW cheap AS SELECT * FROM t WHERE n < 200; CREATE VIEW w AS SELECT * FROM d WHERE k = 1.4;");
            elsewhere(
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO t VALUES (1, 100, 'mine'), (2, 200, 'SECRET')",
                    "CREATE TABLE d (k NUMERIC(10, 2) PRIMARY KEY, secret VARCHAR(20))",
                    "INSERT INTO d VALUES (1, 'SECRET'), (1.4, 'mine')");
            Connection connection = connect();
            request(1);
            for (String type : where == On.MARIADB
                    ? List.of("SIGNED", "INTEGER")
                    : List.of("INT", "INTEGER", "BIGINT", "SMALLINT")) {
                for (String condition :
                        List.of("n = CAST(? AS %s)", "n IN (CAST(? AS %s), 1)", "n <= CAST(? AS %s) AND n > 150")) {
                    String sql = "SELECT * FROM t WHERE " + condition.formatted(type);
                    try (PreparedStatement query = connection.prepareStatement(sql)) {
                        for (Object value : new Object[] {new BigDecimal("199.6"), 199.6d, "199.6"}) {
                            query.setObject(1, value);
                            assertThatThrownBy(() -> query.executeQuery().close())
                                    .as("%s %s %s", where, sql, value)
                                    .isInstanceOf(SQLException.class);
                        }
                        query.setObject(1, 199);
                        query.executeQuery().close();
                    }
                    assertRefused(connection, sql.replace("?", "199.6"));
                }
                assertRefused(connection, "SELECT * FROM d WHERE k = CAST(1.4 AS " + type + ")");
            }
            assertThat(rows(connection, "SELECT secret FROM d WHERE k = 1.4")).containsExactly("mine");
        }
    }

    @Test
    void fractionsInArraysAreNotRoundedEither() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW cheap AS SELECT * FROM t WHERE n < 200;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 100, 'mine'), (2, 200, 'SECRET')");
        Connection connection = connect();
        request(1);
        for (String type : List.of("int", "bigint", "smallint")) {
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT * FROM t WHERE n = ANY (?::" + type + "[])")) {
                query.setArray(1, connection.createArrayOf("numeric", new Object[] {new BigDecimal("199.6")}));
                assertThatThrownBy(() -> query.executeQuery().close()).isInstanceOf(PrivoxyException.class);
                query.setArray(1, connection.createArrayOf("int8", new Object[] {199L, 100L}));
                query.executeQuery().close();
            }
        }
    }

    @Test
    void aParameterIsNotMadeToFitOtherRows() throws SQLException {
        on(On.H2, "CREATE VIEW cheap AS SELECT * FROM t WHERE n < 200;");
        elsewhere(
                "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, secret VARCHAR(20))",
                "INSERT INTO t VALUES (1, 100, 'mine'), (2, 200, 'SECRET')");
        Connection connection = connect();
        request(1);
        for (String in : List.of("SELECT ? UNION SELECT 1", "VALUES (?), (1)", "(SELECT ?) UNION ALL (SELECT 1)")) {
            assertThatThrownBy(() -> {
                        try (PreparedStatement query =
                                connection.prepareStatement("SELECT * FROM t WHERE n IN (" + in + ")")) {
                            query.setObject(1, new BigDecimal("199.6"));
                            query.executeQuery().close();
                        }
                    })
                    .as(in)
                    .isInstanceOf(PrivoxyException.class);
        }
    }

    @Test
    void typesAreThoseOfTheDatabase() throws SQLException {
        on(On.POSTGRESQL, "CREATE CONTEXT MyUId BIGINT; CREATE VIEW me AS SELECT * FROM users WHERE id = ?MyUId;");
        Connection connection = connect();
        request(3);
        for (String sql : List.of(
                "CREATE DOMAIN public.int8 AS numeric(3, -1)",
                "CREATE DOMAIN pg_temp.int8 AS numeric(3, -1)",
                "CREATE DOMAIN text AS varchar(3)",
                "CREATE TYPE uuid AS ENUM ('a')")) {
            assertRefusedChange(connection, sql);
        }
        run(connection, "CREATE DOMAIN short AS varchar(3)");
        elsewhere("CREATE DOMAIN public.int8 AS numeric(3, -1)");
        assertThat(rows(connection, "SELECT name FROM users WHERE id = 3::int8"))
                .containsExactly("Cy");
        run(connection, "SET search_path = public, pg_catalog");
        assertRefused(connection, "SELECT name FROM users WHERE id = 3::int8");
        assertRefusedChange(connection, "ALTER TABLE notes ALTER COLUMN author TYPE int8");
    }

    @Test
    void whatStrikesAtAPartitionStrikesAtItsTable() throws SQLException {
        String ids = "CREATE VIEW l AS SELECT id, label FROM s;";
        String[] tables = {
            "CREATE TABLE s (id INT PRIMARY KEY, label VARCHAR(20), secret VARCHAR(20)) PARTITION BY RANGE (id)",
            "CREATE TABLE s1 PARTITION OF s FOR VALUES FROM (0) TO (1000)",
            "INSERT INTO s VALUES (1, 'x', 'SECRET'), (2, 'y', 'mine')"
        };
        on(On.POSTGRESQL, ids);
        elsewhere(tables);
        elsewhere("CREATE UNIQUE INDEX ON s1 (secret)");
        Connection unique = connect();
        request(1);
        assertRefusedChange(unique, "INSERT INTO s VALUES (50, 'a', 'SECRET') ON CONFLICT DO NOTHING");

        on(On.POSTGRESQL, ids + "CREATE VIEW own AS SELECT * FROM s WHERE id <> 1;");
        elsewhere(tables);
        String insert = "INSERT INTO s(id, label) VALUES (101, 'y') ON CONFLICT (id) DO UPDATE SET label = s.secret";
        Connection triggered = connect();
        run(triggered, insert);
        elsewhere(
                "CREATE FUNCTION small() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NEW.id % 100; RETURN NEW;"
                        + " END'",
                "CREATE TRIGGER small BEFORE INSERT ON s1 FOR EACH ROW EXECUTE FUNCTION small()");
        run(triggered, "CREATE TABLE another (id INT)");
        assertRefusedChange(triggered, insert);

        on(On.POSTGRESQL, ids + "CREATE VIEW mine AS SELECT * FROM c WHERE sid = 1;");
        elsewhere(tables);
        elsewhere(
                "CREATE TABLE c (id INT PRIMARY KEY, sid INT DEFAULT 1 REFERENCES s1 (id) ON UPDATE CASCADE ON DELETE SET"
                        + " DEFAULT, secret VARCHAR(20))",
                "INSERT INTO c VALUES (1, 1, 'mine'), (2, 2, 'SECRET')");
        Connection referred = connect();
        assertRefusedChange(referred, "UPDATE s SET id = 99 WHERE id = 1");
        assertRefusedChange(referred, "DELETE FROM s WHERE id = 2");
        run(referred, "UPDATE s SET label = 'z' WHERE id = 2");
    }

    @Test
    void whatConnectionsWillBeIsNotChanged() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String setting : List.of(
                "SET search_path = hid, public",
                "SET session_replication_role = replica",
                "SET transform_null_equals = on",
                "RESET ALL")) {
            assertRefusedChange(connection, "ALTER DATABASE " + connection.getCatalog() + " " + setting);
        }
    }

    // --- changes of the schema that contain what is run --------------------------------------------------------------

    @Test
    void aSchemaIsMadeWithoutWhatStandsInIt() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String element : List.of(
                "CREATE VIEW notes(id, author, text, q) AS (TABLE public.users)",
                "CREATE TABLE notes () INHERITS (public.users)",
                "CREATE TABLE notes (id INT)",
                "GRANT SELECT ON public.users TO PUBLIC")) {
            assertRefusedChange(connection, "CREATE SCHEMA AUTHORIZATION CURRENT_USER " + element);
            assertRefusedChange(connection, "CREATE SCHEMA hr " + element);
        }
        run(connection, "CREATE SCHEMA hr", "DROP SCHEMA hr");
        assertRefusedChange(connection, "CREATE VIEW seen AS (TABLE public.users)");
    }

    @Test
    void aQueryIsOneWithoutTheWordSelectToo() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        for (String sql : List.of(
                "COMMENT ON TABLE notes IS CAST((TABLE users OFFSET 1 ROW FETCH FIRST ROW ONLY) AS VARCHAR)",
                "CREATE DOMAIN d2 AS VARCHAR DEFAULT (TABLE users FETCH FIRST ROW ONLY)",
                "CREATE DOMAIN d4 AS VARCHAR DEFAULT CASE WHEN EXISTS (TABLE users) THEN 'yes' ELSE 'no' END",
                "CREATE DOMAIN d5 AS VARCHAR CHECK (EXISTS (TABLE users))",
                "CREATE TABLE nn (id INT PRIMARY KEY, t VARCHAR ON UPDATE (TABLE users FETCH FIRST ROW ONLY))",
                "CREATE TABLE nn (id INT PRIMARY KEY, s VARCHAR, t VARCHAR ON UPDATE s)",
                "CREATE TABLE ident (id INT GENERATED ALWAYS AS IDENTITY (START WITH CASE WHEN EXISTS (TABLE users)"
                        + " THEN 5 ELSE 6 END))",
                "ALTER TABLE notes ALTER COLUMN id RESTART WITH CASE WHEN EXISTS (TABLE users) THEN 5 ELSE 6 END",
                "ALTER TABLE notes ALTER COLUMN id SELECTIVITY CASE WHEN EXISTS (TABLE users) THEN 5 ELSE 6 END",
                "ALTER TABLE notes ALTER COLUMN text SET ON UPDATE (TABLE users OFFSET 1 ROW FETCH FIRST ROW ONLY)",
                "ALTER TABLE notes ALTER COLUMN text SET ON UPDATE author",
                "CREATE TABLE ck3 (id INT PRIMARY KEY, CHECK ((2, 'Bob', 'SECRET@x', 200) IN (TABLE users)))",
                "CREATE SEQUENCE sq1 START WITH (VALUES 5)",
                "CREATE SEQUENCE sq1 MINVALUE (VALUES (5))",
                "CREATE DOMAIN d6 AS INT DEFAULT (WITH t AS (TABLE users) TABLE t)")) {
            assertRefusedChange(connection, sql);
        }
        run(
                connection,
                "COMMENT ON TABLE notes IS 'of all'",
                "CREATE SEQUENCE sq1 START WITH 5",
                "CREATE TABLE stamped (id INT PRIMARY KEY, at TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)",
                "CREATE TABLE refers (id INT REFERENCES stamped (id) ON UPDATE CASCADE ON DELETE SET NULL)",
                "TRUNCATE TABLE refers",
                "DROP TABLE refers, stamped");
    }

    @Test
    void theNextNumberOfAnIdentityIsNotTold() throws SQLException {
        on(On.H2);
        elsewhere("CREATE TABLE hid (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY)");
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT IDENTITY_BASE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'HID'");
        assertThat(rows(connection, "SELECT IDENTITY_START FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'HID'"))
                .containsExactly("1");
    }

    private static void assertRefusedChange(Connection connection, String sql) {
        assertThatThrownBy(() -> run(connection, sql)).as(sql).isInstanceOf(PrivoxyException.class);
    }
}
