package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Neighbours of the ways that a third attacker found. */
class ThirdAttackNeighboursIT extends Cases {

    @Test
    void statementsInsideACreatedSchemaAreNotRun() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String element : List.of(
                "CREATE VIEW notes(id, author, text) AS (TABLE public.users)",
                "CREATE VIEW notes AS ((TABLE public.users))",
                "CREATE TABLE notes () INHERITS (public.users)",
                "CREATE TABLE more (id INT)",
                "GRANT ALL ON public.users TO PUBLIC")) {
            assertRefusedWrite(connection, "CREATE SCHEMA AUTHORIZATION CURRENT_USER " + element);
            assertRefusedWrite(connection, "CREATE SCHEMA hr " + element);
        }
        run(connection, "CREATE SCHEMA hr");
    }

    @Test
    void aQueryThatIsWrittenWithoutSelectIsAQueryInAChangeOfTheSchema() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        for (String statement : List.of(
                "COMMENT ON TABLE notes IS CAST((TABLE users OFFSET 1 ROW FETCH FIRST ROW ONLY) AS VARCHAR)",
                "CREATE DOMAIN d2 AS VARCHAR DEFAULT (TABLE users FETCH FIRST ROW ONLY)",
                "CREATE DOMAIN d4 AS VARCHAR DEFAULT CASE WHEN EXISTS (TABLE users) THEN 'yes' ELSE 'no' END",
                "CREATE DOMAIN d5 AS INT CHECK (EXISTS (TABLE users))",
                "CREATE TABLE nn (id INT PRIMARY KEY, t VARCHAR ON UPDATE (TABLE users FETCH FIRST ROW ONLY))",
                "CREATE TABLE nn (id INT GENERATED ALWAYS AS IDENTITY"
                        + " (START WITH CASE WHEN EXISTS (TABLE users) THEN 5 ELSE 6 END))",
                "CREATE TABLE nn (id INT PRIMARY KEY, CHECK ((2, 'Bob', 'SECRET@x', 200) IN (TABLE users)))",
                "ALTER TABLE notes ALTER COLUMN id RESTART WITH CASE WHEN EXISTS (TABLE users) THEN 5 ELSE 6 END",
                "ALTER TABLE notes ALTER COLUMN id SELECTIVITY CASE WHEN EXISTS ((TABLE users)) THEN 5 ELSE 6 END",
                "ALTER TABLE notes ALTER COLUMN text SET ON UPDATE (TABLE users FETCH FIRST ROW ONLY)",
                "CREATE SEQUENCE s START WITH (VALUES 5)",
                "CREATE SEQUENCE s START WITH (WITH q AS (TABLE users) TABLE q)")) {
            assertRefusedWrite(connection, statement);
        }
    }

    @Test
    void aValueForUpdatesThatIsComputedFromOtherColumnsIsAFlow() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "CREATE TABLE nn (id INT, s VARCHAR(9), t VARCHAR(9) ON UPDATE s)");
        assertRefusedWrite(connection, "ALTER TABLE notes ALTER COLUMN text SET ON UPDATE author || ''");
        run(connection, "CREATE TABLE nn (id INT, t TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)");
        run(connection, "ALTER TABLE notes ADD COLUMN u INT REFERENCES notes(id) ON UPDATE SET NULL ON DELETE CASCADE");
    }

    @Test
    void namesThatOnlyJavaTakesForTheSameAreNot() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        // A dotless i, a dotted capital, a long s, an accent.
        for (String column : List.of("ema\u0131l", "`ema\u0131l`", "ema\u0130l", "`ema\u0130l`", "ema\u00edl")) {
            assertRefused(connection, "SELECT (SELECT email FROM (SELECT 'x' AS " + column + ") q) AS r FROM users u");
            assertRefused(
                    connection, "SELECT u.id FROM users u NATURAL JOIN (SELECT 1 AS id, 'ada@x' AS " + column + ") q");
        }
        assertRefused(connection, "SELECT (SELECT u\u017f.email FROM (SELECT 'x' AS email) US) FROM users u\u017f");
        assertThat(rows(connection, "SELECT gr\u00f6\u00dfe FROM (SELECT id AS gr\u00f6\u00dfe FROM users) q"))
                .hasSize(3);
    }

    @Test
    void aBlankThatMariaDbTakesAwayMakesAnotherName() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        for (String column : List.of(
                "'SECRET@x' AS ` email`",
                "'SECRET@x' AS `\temail`",
                "'SECRET@x' AS ' email'",
                "'SECRET@x' AS '\\nemail'",
                "'email'",
                "'email' COLLATE utf8mb4_bin")) {
            assertRefused(connection, "SELECT id FROM users NATURAL JOIN (SELECT " + column + ") v");
            assertRefused(connection, "SELECT (SELECT email FROM (SELECT " + column + ") v) FROM users");
        }
    }

    @Test
    void whatLaterSessionsReadIsNotChanged() throws SQLException {
        for (On where : List.of(On.POSTGRESQL, On.MARIADB)) {
            on(where);
            Connection connection = connect();
            request(1);
            for (String change : List.of("SET search_path = hid, public", "CHARACTER SET latin1", "RESET ALL")) {
                assertRefusedWrite(connection, "ALTER DATABASE x " + change);
                assertRefusedWrite(connection, "ALTER ROLE CURRENT_USER " + change);
            }
            assertRefusedWrite(connection, "ALTER SYSTEM SET search_path = hid");
        }
    }

    @Test
    void aTypeOfTheSessionsSchemasIsNotPostgreSqls() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String made : List.of(
                "CREATE DOMAIN public.int8 AS numeric(3, -1)",
                "CREATE DOMAIN pg_temp.int8 AS numeric(3, -1)",
                "CREATE DOMAIN text AS varchar(3)",
                "CREATE TYPE \"uuid\" AS ENUM ('a')")) {
            assertRefusedWrite(connection, made);
        }
        elsewhere("CREATE DOMAIN public.int8 AS numeric(3, -1)");
        try (Connection other = connect()) {
            run(other, "SET search_path = public, pg_catalog");
            assertRefused(other, "SELECT * FROM users WHERE id = 1::int8");
        }
        assertThat(rows(connection, "SELECT email FROM users WHERE id = 1::int8"))
                .containsExactly("ada@x");
    }

    @Test
    void whatACastToAWholeTypeRoundsIsNotTheValue() throws SQLException {
        for (On where : On.values()) {
            on(
                    where,
                    "CREATE CONTEXT MyUId BIGINT; CREATE VIEW cheap AS SELECT * FROM things WHERE n < 200;"
                            + "CREATE VIEW exact AS SELECT * FROM things WHERE k = 1.4;");
            elsewhere(
                    "CREATE TABLE things (id INT PRIMARY KEY, n INT NOT NULL, k NUMERIC(10, 2), secret VARCHAR(9))",
                    "INSERT INTO things VALUES (1, 100, 1.4, 'mine'), (2, 200, 1, 'SECRET')");
            Connection connection = connect();
            for (String cast : where == On.MARIADB
                    ? List.of("CAST(? AS SIGNED)", "CAST(? AS INTEGER)", "CONVERT(?, SIGNED)")
                    : List.of(
                            "CAST(? AS INT)", "CAST(? AS BIGINT)", "CAST(? AS SMALLINT)", "(SELECT CAST(? AS INT))")) {
                for (String sql : List.of("n = " + cast, "n IN (" + cast + ")", "n <= " + cast + " AND n > 150")) {
                    try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L));
                            PreparedStatement select =
                                    connection.prepareStatement("SELECT secret FROM things WHERE " + sql)) {
                        select.setObject(1, new BigDecimal("199.6"));
                        assertThatThrownBy(select::executeQuery)
                                .as(where + " " + sql)
                                .isInstanceOf(PrivoxyException.class);
                    }
                }
                try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L));
                        PreparedStatement select =
                                connection.prepareStatement("SELECT secret FROM things WHERE n = " + cast)) {
                    select.setInt(1, 100);
                    try (ResultSet rows = select.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                    }
                }
                request(1);
                assertRefused(connection, "SELECT * FROM things WHERE k = " + cast.replace("?", "1.4"));
            }
        }
    }

    @Test
    void whatStrikesAtAPartitionStrikesAtItsTable() throws SQLException {
        String[] parts = {
            "CREATE TABLE s (id INT PRIMARY KEY, label VARCHAR(9), secret VARCHAR(9)) PARTITION BY RANGE (id)",
            "CREATE TABLE s1 PARTITION OF s FOR VALUES FROM (0) TO (1000) PARTITION BY RANGE (id)",
            "CREATE TABLE s11 PARTITION OF s1 FOR VALUES FROM (0) TO (1000)",
            "INSERT INTO s VALUES (1, 'x', 'SECRET')"
        };
        String policy = "CREATE CONTEXT MyUId BIGINT; CREATE VIEW own AS SELECT * FROM s WHERE id <> 1;"
                + "CREATE VIEW l AS SELECT id, label FROM s;";
        String mine = "INSERT INTO s VALUES (50, 'a', 'guess') ON CONFLICT DO NOTHING";
        String strikes = "INSERT INTO s(id, label) VALUES (101, 'y') ON CONFLICT (id) DO UPDATE SET label = s.secret";

        on(On.POSTGRESQL, policy);
        elsewhere(parts);
        request(1);
        run(connect(), mine, strikes);

        on(On.POSTGRESQL, policy);
        elsewhere(parts);
        elsewhere("CREATE UNIQUE INDEX ON s11 (secret)");
        request(1);
        assertRefusedWrite(connect(), mine);

        on(On.POSTGRESQL, policy);
        elsewhere(parts);
        elsewhere(
                "CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN NEW.id := NEW.id % 100; RETURN NEW; END'",
                "CREATE TRIGGER moves BEFORE INSERT ON s11 FOR EACH ROW EXECUTE FUNCTION moved()");
        request(1);
        assertRefusedWrite(connect(), strikes);
    }

    @Test
    void theNextNumberOfAnIdentityTellsHowManyRowsThereAre() throws SQLException {
        on(On.H2);
        elsewhere("CREATE TABLE counted (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY)");
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT IDENTITY_BASE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'COUNTED'");
    }
}
