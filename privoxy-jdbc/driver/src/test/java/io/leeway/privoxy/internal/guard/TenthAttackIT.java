package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PrivoxyException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a tenth attacker found: types that go by another name, numbers that are cut, and texts that are equal after all. */
class TenthAttackIT extends Cases {

    private static final String LONG_ZERO = "0".repeat(75);

    /** Row 2 is hidden, and its {@code lvl} is not above 2. */
    private Connection levels(On where) throws SQLException {
        on(where, """
                CREATE VIEW high AS SELECT id, lvl, secret FROM t WHERE lvl > 2;
                CREATE VIEW other AS SELECT id, secret FROM t WHERE n <> 1;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, lvl INT NOT NULL, n DECIMAL(10, 2) NOT NULL, secret VARCHAR(10))",
            "INSERT INTO t VALUES (1, 2, 1, 'S'), (2, 3, 1, 'shown')"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** MariaDB cuts a number behind 81 digits: it compared with 2 what was checked as more. */
    @ParameterizedTest
    @EnumSource(On.class)
    void noNumberHasDigitsThatADatabaseCuts(On where) throws SQLException {
        Connection connection = levels(where);
        for (String condition : List.of(
                "lvl = 2." + LONG_ZERO + "1",
                "lvl >= 2." + LONG_ZERO + "1",
                "NOT lvl < 2." + LONG_ZERO + "1",
                "lvl IN (2." + LONG_ZERO + "1, 5)")) {
            assertNothingHidden(connection, "SELECT id, lvl, secret FROM t WHERE " + condition);
        }
        for (String condition : List.of("n = 1." + LONG_ZERO + "1", "n IN (1." + LONG_ZERO + "1, 7)")) {
            assertNothingHidden(connection, "SELECT id, secret FROM t WHERE " + condition);
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id, lvl, secret FROM t WHERE lvl >= ?")) {
            statement.setBigDecimal(1, new BigDecimal("2." + LONG_ZERO + "1"));
            assertNothingHidden(statement);
            statement.setObject(1, new BigDecimal("2." + LONG_ZERO + "1"));
            assertNothingHidden(statement);
            // Of a number of ordinary length the comparison is exact.
            statement.setBigDecimal(1, new BigDecimal("2.5"));
            assertThat(shown(statement)).isEqualTo(1);
        }
        assertThat(rows(connection, "SELECT id, lvl, secret FROM t WHERE lvl >= 2.000000000000000000001"))
                .containsExactly("2,3,shown");
    }

    private static void assertNothingHidden(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            assertNothingHidden(statement);
        } catch (SQLException refused) {
            assertThat((Throwable) refused).isInstanceOf(PrivoxyException.class);
        }
    }

    private static void assertNothingHidden(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                assertThat(rows.getString("secret")).isEqualTo("shown");
            }
        } catch (SQLException refused) {
            assertThat((Throwable) refused).isInstanceOf(PrivoxyException.class);
        }
    }

    private static int shown(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    /** PostgreSQL cuts names and turns negative object numbers, in domains over these types, too. */
    @Test
    void whatIsKnownOfATypeIsAskedOfItsDomains() throws SQLException {
        String name = "a".repeat(63);
        on(
                On.POSTGRESQL,
                "CREATE VIEW n AS SELECT * FROM t_nm WHERE c <> '" + name + "';\n"
                        + "CREATE VIEW o AS SELECT * FROM t_oi WHERE c <> '4294967295';\n",
                new String[] {
                    "CREATE DOMAIN d_nm AS name",
                    "CREATE DOMAIN d_oi AS oid",
                    "CREATE TABLE t_nm (id INT PRIMARY KEY, c d_nm NOT NULL, secret TEXT NOT NULL)",
                    "CREATE TABLE t_oi (id INT PRIMARY KEY, c d_oi NOT NULL, secret TEXT NOT NULL)",
                    "INSERT INTO t_nm VALUES (1, '" + name + "', 'S')",
                    "INSERT INTO t_oi VALUES (1, '4294967295', 'S')"
                });
        Connection connection = connect();
        request(1);
        for (String sql : List.of(
                "SELECT id, secret FROM t_nm WHERE c = '" + name + "a'",
                "SELECT id, secret FROM t_nm WHERE c IN ('" + name + "a', 'b')",
                "SELECT id, secret FROM t_oi WHERE c = '-1'",
                "SELECT id, secret FROM t_oi WHERE c IN ('-1', '-1')",
                "SELECT id, secret FROM t_oi WHERE c = -1")) {
            assertRefused(connection, sql);
        }
    }

    /** In each row the values are equal and look different; rows 2 and 3 stand in an order that is hidden. */
    @ParameterizedTest
    @EnumSource(On.class)
    void nothingIsOneFormBecauseItIsCalledSo(On where) throws SQLException {
        String columns = where == On.POSTGRESQL
                ? "dmc dm NOT NULL, n100 NUMERIC(10, 0)"
                : where == On.H2 ? "vi VARCHAR_IGNORECASE(5), vi2 VARCHAR_IGNORECASE(5), ts TIMESTAMP" : "x INT, y INT";
        String values = where == On.H2 ? "'a', 'A', '1970-01-01 00:00:00.5'" : "1, 1";
        String names = where == On.POSTGRESQL ? "dmc, n100" : where == On.H2 ? "vi, vi2, ts" : "x, y";
        on(where, "CREATE VIEW tt AS SELECT id, v, bi, " + names + " FROM t;", new String[] {
            where == On.POSTGRESQL ? "CREATE DOMAIN dm AS numeric(10, 2)" : "CREATE TABLE other (id INT)",
            "CREATE TABLE t (id INT NOT NULL UNIQUE, v INT, bi BIGINT, " + columns
                    + ", secret INT NOT NULL, PRIMARY KEY (secret, id))",
            "INSERT INTO t VALUES (3, 3, 1, " + values + ", 1)",
            "INSERT INTO t VALUES (2, 2, 1, " + values + ", 2)",
            "INSERT INTO t VALUES (1, 1, 1, " + values + ", 3)"
        });
        String large = "20000000000000000000000";
        List<String> twoForms = switch (where) {
            case POSTGRESQL ->
                List.of(
                        "CASE v WHEN 2 THEN " + large + " / 10000000000000000000000 ELSE 2 END",
                        "CASE v WHEN 2 THEN 2 / COALESCE(NULLIF(bi, 5), 10000000000000000000000) ELSE 2 END",
                        "CASE v WHEN 2 THEN dmc ELSE 1 END",
                        "CASE v WHEN 2 THEN dmc ELSE n100 END");
            case MARIADB ->
                List.of(
                        "CASE v WHEN 2 THEN 'i' ELSE 'y' END",
                        "CASE v WHEN 2 THEN 'c' ELSE 'ch' END",
                        "CASE v WHEN 2 THEN 'ccs' ELSE 'cscs' END");
            case H2 ->
                List.of(
                        "CASE v WHEN 2 THEN " + large + " / 10000000000000000000000 ELSE 2 END",
                        "ARRAY[CASE v WHEN 2 THEN vi ELSE vi2 END] || ARRAY['x']",
                        "CASE v WHEN 2 THEN EXTRACT(EPOCH FROM ts) * 2 ELSE 1 END",
                        "CASE v WHEN 2 THEN EXTRACT(EPOCH FROM ts) - EXTRACT(EPOCH FROM ts) ELSE 0 END");
        };
        Connection connection = connect();
        request(1);
        if (where == On.MARIADB) {
            run(connection, "SET NAMES utf8mb4 COLLATE utf8mb4_lithuanian_ci");
        }
        for (String form : twoForms) {
            assertRefused(connection, "SELECT DISTINCT " + form + " FROM t WHERE v > 1");
            assertRefused(connection, "SELECT MIN(" + form + ") FROM t WHERE v > 1 GROUP BY " + form);
        }
        // What applications ask.
        assertThat(rows(connection, "SELECT DISTINCT CASE v WHEN 2 THEN 10 / 5 ELSE 2 END FROM t WHERE v > 1"))
                .hasSizeBetween(1, 2);
        assertThat(rows(connection, "SELECT DISTINCT CASE v WHEN 2 THEN 'yes' ELSE 'no' END FROM t WHERE v > 1"))
                .hasSize(2);
    }

    /** What the driver has read into the row stays there when the row is withheld. */
    @Test
    void aRowThatIsWithheldIsNotShownByItsResult() throws Exception {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM t WHERE grp = ?MyUId;
                CREATE VIEW ids AS SELECT id FROM t;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, grp INT NOT NULL, secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 1, 'a'), (2, 1, 'b')"
        });
        Connection other = connect();
        Connection changer = connect();
        request(1);
        Statement updatable = other.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        var read = new Semaphore(0);
        var altered = new Semaphore(0);
        var answered = WaitingStatementsIT.background(() -> {
            ResultSet rows = updatable.executeQuery("SELECT id, grp, secret FROM t WHERE grp = 1 ORDER BY id");
            rows.last();
            read.release();
            altered.acquireUninterruptibly();
            try {
                rows.refreshRow();
            } finally {
                assertThat(rows.isClosed()).isTrue();
            }
        });
        assertThat(read.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        changer.setAutoCommit(false);
        run(changer, "ALTER TABLE t ADD COLUMN more INT");
        altered.release();
        WaitingStatementsIT.awaitWaiting(database, WaitingStatementsIT.WAITING_ON_POSTGRESQL, 1);
        run(changer, "DELETE FROM t WHERE id = 2 AND grp = 1", "INSERT INTO t VALUES (2, 2, 'NEW', 1)");
        changer.commit();
        SQLException error = WaitingStatementsIT.failure(answered);
        assertThat((Throwable) error).isNotNull();
    }
}
