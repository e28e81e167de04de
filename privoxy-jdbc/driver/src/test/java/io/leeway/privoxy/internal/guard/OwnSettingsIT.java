package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that depend on a setting: what was read under one value opens nothing under another. */
class OwnSettingsIT extends Cases {

    private static final String POLICY_OF_TENANTS = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW own AS SELECT * FROM vm WHERE u = ?MyUId;
            CREATE VIEW open AS SELECT vtk.* FROM vtk JOIN vm ON vm.c = vtk.c WHERE vm.u = ?MyUId;
            """;

    private static final String IN_GROUP = "SELECT u, c FROM vm WHERE u = 1 AND c = 5";
    private static final String TASKS = "SELECT DISTINCT id, c, txt FROM vtk WHERE c = 5";

    /** User 1 is in the group of tenant {@code a} and in none of {@code b}'s. */
    private void tenants(On where, String tenant, String a, String b) throws SQLException {
        on(where, POLICY_OF_TENANTS, new String[] {
            "CREATE TABLE groups_of (tenant VARCHAR(50), u INT, c INT, PRIMARY KEY (tenant, u, c))",
            "CREATE TABLE tasks (tenant VARCHAR(50), id INT PRIMARY KEY, c INT NOT NULL, txt VARCHAR(20))",
            "CREATE VIEW vm AS SELECT u, c FROM groups_of WHERE tenant = " + tenant,
            "CREATE VIEW vtk AS SELECT id, c, txt FROM tasks WHERE tenant = " + tenant,
            "INSERT INTO groups_of VALUES ('" + a + "', 1, 5)",
            "INSERT INTO tasks VALUES ('" + a + "', 1, 5, 'mine'), ('" + b + "', 2, 5, 'SECRET')"
        });
    }

    private void tenants() throws SQLException {
        tenants(On.POSTGRESQL, "current_setting('app.tenant', true)", "a", "b");
    }

    private static void assertIsInGroup(Connection connection) throws SQLException {
        assertThat(rows(connection, IN_GROUP)).containsExactly("1,5");
    }

    /** Of its own tenant a request sees the tasks: else the refusal of the others' would say nothing. */
    private static void assertSeesTasks(Connection connection) throws SQLException {
        assertThat(rows(connection, TASKS)).containsExactly("1,5,mine");
    }

    // --- one transaction
    // -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"SET app.tenant = 'b'", "SET SESSION app.tenant TO 'b'", "set app.tenant to b"})
    void aSettingOfTheSessionEndsTheOneOfTheTransaction(String other) throws SQLException {
        tenants();
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, other, "SET LOCAL app.tenant = 'a'");
        assertIsInGroup(connection);
        assertSeesTasks(connection);
        run(connection, other);
        assertRefused(connection, TASKS);
    }

    @Test
    void aSettingOfTheSessionEndsTheOneOfALaterTransaction() throws SQLException {
        tenants();
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "SET app.tenant = 'b'", "SET LOCAL app.tenant = 'a'");
        assertIsInGroup(connection);
        connection.commit();
        run(connection, "SET LOCAL app.tenant = 'a'", "SET app.tenant = 'b'");
        assertRefused(connection, TASKS);
    }

    @Test
    void aSettingThatWasEndedMayBeBackBehindASavepoint() throws SQLException {
        tenants();
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "SET LOCAL app.tenant = 'b'");
        Savepoint savepoint = connection.setSavepoint();
        run(connection, "SET app.tenant = 'a'");
        assertIsInGroup(connection);
        connection.rollback(savepoint);
        assertRefused(connection, TASKS);
    }

    /** PostgreSQL leaves a setting empty that was set or reset, while there was none before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN; SET LOCAL app.tenant = 'x'; COMMIT",
                "BEGIN; SET LOCAL app.tenant = 'x'; ROLLBACK",
                "SET app.tenant = 'x'; RESET app.tenant",
                "SET app.tenant = 'x'; RESET ALL",
                "SET app.tenant = 'x'; DISCARD ALL",
                "SET LOCAL app.tenant = 'x'"
            })
    void aSettingThatIsOverIsAnotherThanNone(String texts) throws SQLException {
        tenants(On.POSTGRESQL, "coalesce(current_setting('app.tenant', true), 'none')", "none", "");
        Connection connection = connect();
        request(1);
        assertIsInGroup(connection);
        assertSeesTasks(connection);
        run(connection, texts.split("; "));
        assertRefused(connection, TASKS);
        try (Connection past = database.plain()) {
            run(past, texts.split("; "));
            assertThat(rows(past, TASKS)).containsExactly("2,5,SECRET");
        }
    }

    // --- settings of the database
    // -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application_name|a|b",
                "statement_timeout|1s|2s",
                "lock_timeout|1s|2s",
                "client_min_messages|notice|warning",
                "synchronous_commit|on|off",
                "default_transaction_deferrable|on|off",
                "default_transaction_read_only|on|off",
                "idle_in_transaction_session_timeout|1min|2min",
                "maintenance_work_mem|64MB|65MB",
                "jit|on|off",
                "lc_messages|C|POSIX",
                "check_function_bodies|on|off",
                "search_path|public|public, pg_temp",
                "xmloption|content|document",
                "default_transaction_isolation|repeatable read|serializable"
            })
    void whateverIsSetMayTellRowsApartOnPostgres(String setting, String a, String b) throws SQLException {
        tenants(On.POSTGRESQL, "current_setting('" + setting + "')", a, b);
        Connection first = connect();
        Connection second = connect();
        request(1);
        run(first, set(setting, a));
        assertIsInGroup(first);
        assertSeesTasks(first);
        run(second, set(setting, b));
        assertRefused(second, TASKS);
        run(first, set(setting, b));
        assertRefused(first, TASKS);
        // Set back, it is what it was.
        run(second, set(setting, a));
        assertSeesTasks(second);
    }

    private static String set(String setting, String value) {
        return setting.equals("search_path") ? "SET search_path = " + value : "SET " + setting + " = '" + value + "'";
    }

    @Test
    void theModesOfTransactionsAreOneSettingWhateverItIsCalled() throws SQLException {
        tenants(On.POSTGRESQL, "current_setting('default_transaction_read_only')", "on", "off");
        Connection first = connect();
        Connection second = connect();
        String on = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";
        String off = "SET default_transaction_read_only = off";
        request(1);
        run(first, off, on);
        assertIsInGroup(first);
        assertSeesTasks(first);
        run(second, on, off);
        assertRefused(second, TASKS);
        run(first, off);
        assertRefused(first, TASKS);
    }

    @Test
    void whatAMethodSetsIsASettingToo() throws SQLException {
        tenants(On.POSTGRESQL, "current_setting('application_name')", "a", "b");
        Connection first = connect();
        Connection second = connect();
        request(1);
        first.setClientInfo("ApplicationName", "a");
        assertIsInGroup(first);
        assertSeesTasks(first);
        second.setClientInfo("ApplicationName", "b");
        assertRefused(second, TASKS);
        first.setClientInfo("ApplicationName", "b");
        assertRefused(first, TASKS);
        run(second, "SET application_name = 'a'");
        assertSeesTasks(second);
        var none = new Properties();
        second.setClientInfo(none);
        assertRefused(second, TASKS);
        second.setClientInfo("ApplicationName", "it's");
        assertRefused(second, TASKS);
    }

    @Test
    void whatAMethodHasSetIsTakenBackWithTheTransaction() throws SQLException {
        tenants(On.POSTGRESQL, "current_setting('application_name')", "a", "b");
        Connection first = connect();
        Connection second = connect();
        request(1);
        run(first, "SET application_name = 'b'");
        first.setAutoCommit(false);
        first.setClientInfo("ApplicationName", "a");
        assertIsInGroup(first);
        first.rollback();
        assertRefused(first, TASKS);
        second.setClientInfo("ApplicationName", "b");
        assertRefused(second, TASKS);
    }

    @Test
    void whateverIsSetMayTellRowsApartOnH2() throws SQLException {
        tenants(On.H2, "CAST(LOCK_TIMEOUT() AS VARCHAR)", "1111", "2222");
        Connection first = connect();
        Connection second = connect();
        request(1);
        run(first, "SET LOCK_TIMEOUT 1111");
        assertIsInGroup(first);
        assertSeesTasks(first);
        run(second, "SET LOCK_TIMEOUT 2222");
        assertRefused(second, TASKS);
        run(first, "SET LOCK_TIMEOUT 2222");
        assertRefused(first, TASKS);
        run(second, "SET LOCK_TIMEOUT = 1111");
        assertSeesTasks(second);
    }

    @Test
    void theSchemaMayTellRowsApartOnH2() throws SQLException {
        tenants(On.H2, "CURRENT_SCHEMA", "PUBLIC", "OTHER");
        elsewhere("CREATE SCHEMA OTHER");
        Connection connection = connect();
        request(1);
        String tasks = "SELECT DISTINCT id, c, txt FROM public.vtk WHERE c = 5";
        assertIsInGroup(connection);
        assertSeesTasks(connection);
        run(connection, "SET SCHEMA OTHER");
        assertRefused(connection, tasks);
    }

    // --- several statements
    // -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"SET app.tenant = 'b'", "SET app.tenant = 'b'; SET app.tenant = 'b'"})
    void whatStandsBehindASettingInATextIsReadUnderIt(String setting) throws SQLException {
        tenants();
        Connection connection = connect();
        request(1);
        run(connection, "SET app.tenant = 'a'");
        assertIsInGroup(connection);
        assertSeesTasks(connection);
        assertThatThrownBy(() -> run(connection, setting + "; " + TASKS)).isInstanceOf(PrivoxyException.class);
        assertThatThrownBy(() -> run(connection, TASKS + "; " + setting)).isInstanceOf(PrivoxyException.class);
    }

    @Test
    void whatStandsBehindATimeoutInATextIsShownByViewsAlone() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        run(connection, "SET LOCAL statement_timeout = 5000; UPDATE notes SET text = 'x' WHERE id = 1");
        run(connection, "SET statement_timeout = 5000; SELECT id, name FROM users");
    }

    @Test
    void settingsMayBeOneBatch() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("SET statement_timeout = 5000");
            statement.addBatch("SET application_name = 'x'");
            assertThat(statement.executeBatch()).hasSize(2);
        }
    }

    // --- what it costs
    // -------------------------------------------------------------------------------------------------------

    private static final String MEMBERSHIP = "SELECT * FROM members WHERE user_id = 1 AND event_id = 7";
    private static final String EVENT = "SELECT title FROM events WHERE id = 7";

    /** What a pool sends when a connection begins. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET application_name = 'shop'; SET statement_timeout = 5000; SET lock_timeout TO '2s'",
                "SET SESSION statement_timeout TO 0",
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "SET default_transaction_isolation = 'read committed';",
                "SET client_min_messages TO WARNING; SET TIME ZONE 'UTC'",
                "SET idle_in_transaction_session_timeout = '1min'\n;\nSET synchronous_commit = off"
            })
    void whatAllConnectionsBeginWithTellsNothingApart(String begin) throws SQLException {
        on(On.POSTGRESQL);
        Connection first = connect();
        Connection second = connect();
        for (Connection connection : new Connection[] {first, second}) {
            for (String statement : begin.contains("TIME ZONE") ? begin.split("; ") : new String[] {begin}) {
                run(connection, statement);
            }
        }
        request(1);
        rows(first, MEMBERSHIP);
        assertThat(rows(second, EVENT)).containsExactly("seven");
        assertRefused(connect(), EVENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SESSION wait_timeout = 600, innodb_lock_wait_timeout = 50",
                "SET sql_safe_updates = 1",
                "SET @@session.max_statement_time = 5.5",
                "SET LOCAL net_read_timeout = 60"
            })
    void whatAllConnectionsOfMariaDbBeginWithTellsNothingApart(String begin) throws SQLException {
        on(On.MARIADB);
        Connection first = connect();
        Connection second = connect();
        run(first, begin);
        second.setAutoCommit(false);
        run(second, begin);
        second.rollback();
        second.setAutoCommit(true);
        request(1);
        rows(first, MEMBERSHIP);
        assertThat(rows(second, EVENT)).containsExactly("seven");
        assertRefused(connect(), EVENT);
    }

    /** A setting of one transaction tells nothing apart behind it, and one that is reset is as it was. */
    @Test
    void aTimeoutThatIsOverTellsNothingApart() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        rows(connection, MEMBERSHIP);
        for (String reset : new String[] {"RESET statement_timeout", "SET statement_timeout TO DEFAULT"}) {
            run(connection, "SET statement_timeout = 5000", reset);
            assertThat(rows(connection, EVENT)).containsExactly("seven");
        }
        connection.setAutoCommit(false);
        run(connection, "SET LOCAL statement_timeout = 5000");
        connection.commit();
        assertThat(rows(connection, EVENT)).containsExactly("seven");
        run(connection, "SET LOCAL statement_timeout = 5000");
        connection.rollback();
        assertThat(rows(connection, EVENT)).containsExactly("seven");
    }
}
