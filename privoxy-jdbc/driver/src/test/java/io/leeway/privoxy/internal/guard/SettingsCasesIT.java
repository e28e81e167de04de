package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One session: a text is decided on under the settings under which it runs, and values mean what they meant. */
class SettingsCasesIT extends Cases {

    private static final String EVENT = "SELECT title FROM events WHERE id = 7";
    private static final String MEMBERSHIP = "SELECT * FROM members WHERE user_id = 1 AND event_id = 7";

    // --- T1: batches
    // ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET sql_mode = 'ANSI_QUOTES'",
                "SET time_zone = '+05:00'",
                "SET NAMES latin1",
                "USE mysql",
                "COMMIT",
                "DROP TABLE notes"
            })
    void whatChangesTheReadingOnMariaDbIsNotInABatchWithOthers(String setting) throws SQLException {
        on(On.MARIADB);
        assertBatchRefused(setting, "INSERT INTO notes SELECT id + 500, 1, \"email\" FROM users");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET search_path = hidden",
                "SET LOCAL search_path = hidden",
                "RESET ALL",
                "DISCARD ALL",
                "COMMIT",
                "ROLLBACK",
                "SET standard_conforming_strings = off",
                "SET TimeZone = 'Asia/Tokyo'",
                "SET app.tenant = '2'",
                "DROP TABLE notes",
                "CREATE SCHEMA another"
            })
    void whatChangesTheReadingOnPostgresIsNotInABatchWithOthers(String setting) throws SQLException {
        on(On.POSTGRESQL);
        elsewhere("CREATE SCHEMA hidden");
        assertBatchRefused(setting, "INSERT INTO notes SELECT id + 500, 1, name FROM users");
    }

    @ParameterizedTest
    @EnumSource
    void changesOfTheSchemaMayBeOneBatch(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("CREATE TABLE a1 (id BIGINT PRIMARY KEY)");
            statement.addBatch("CREATE TABLE a2 (id BIGINT PRIMARY KEY)");
            assertThat(statement.executeBatch()).hasSize(2);
        }
    }

    private void assertBatchRefused(String setting, String write) throws SQLException {
        Connection connection = connect();
        request(1);
        try (Statement statement = connection.createStatement()) {
            statement.addBatch(setting);
            statement.addBatch(write);
            assertThatThrownBy(statement::executeBatch).isInstanceOf(PrivoxyException.class);
        }
        assertThat(rows(connection, "SELECT id FROM notes")).isEmpty();
    }

    // --- T2: what is taken back
    // ----------------------------------------------------------------------------------------

    @Test
    void aSearchPathThatARollbackTakesBackAfterASavepointIsReadAgain() throws SQLException {
        Connection connection = withHiddenSchema();
        connection.setAutoCommit(false);
        Savepoint savepoint = connection.setSavepoint();
        run(connection, "SET search_path = demo");
        connection.rollback(savepoint);
        run(connection, "SET search_path = demo");
        Savepoint second = connection.setSavepoint();
        connection.rollback(second);
        assertThat(rows(connection, "SELECT text FROM secrets")).containsExactly("shown");
        connection.rollback();

        assertRefused(connection, "SELECT text FROM secrets");
    }

    @Test
    void aLocalSearchPathEndsWithItsTransactionWhateverCameBetween() throws SQLException {
        Connection connection = withHiddenSchema();
        connection.setAutoCommit(false);
        run(connection, "SET LOCAL search_path = demo", "SAVEPOINT a");
        assertThat(rows(connection, "SELECT text FROM secrets")).containsExactly("shown");
        run(connection, "RELEASE SAVEPOINT a", "SAVEPOINT b", "ROLLBACK TO SAVEPOINT b", "COMMIT");

        assertRefused(connection, "SELECT text FROM secrets");
    }

    @Test
    void aSearchPathOfATransactionByTextIsReadAgainAfterIt() throws SQLException {
        Connection connection = withHiddenSchema();
        run(connection, "BEGIN", "SET search_path = demo", "SAVEPOINT a");
        assertThat(rows(connection, "SELECT text FROM secrets")).containsExactly("shown");
        run(connection, "ROLLBACK");

        assertRefused(connection, "SELECT text FROM secrets");
    }

    /** A table that the policy shows in one schema and hides in another. */
    private Connection withHiddenSchema() throws SQLException {
        on(On.POSTGRESQL, "CREATE CONTEXT MyUId BIGINT; CREATE VIEW shown AS SELECT * FROM demo.secrets;");
        elsewhere(
                "CREATE SCHEMA demo",
                "CREATE TABLE demo.secrets (id BIGINT PRIMARY KEY, text TEXT)",
                "CREATE TABLE public.secrets (id BIGINT PRIMARY KEY, text TEXT)",
                "INSERT INTO demo.secrets VALUES (1, 'shown')",
                "INSERT INTO public.secrets VALUES (1, 'SECRET')");
        Connection connection = connect();
        request(1);
        return connection;
    }

    // --- T3: what values mean
    // ------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET TimeZone = 'Asia/Tokyo'",
                "SET TIME ZONE 'Asia/Tokyo'",
                "SET DateStyle = 'ISO, DMY'",
                "SET IntervalStyle = 'iso_8601'",
                "SET bytea_output = 'escape'",
                "SET extra_float_digits = 0",
                "SET app.tenant = '2'"
            })
    void factsGoWithTheMeaningOfValuesOnPostgres(String setting) throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        rows(connection, MEMBERSHIP);
        assertThat(rows(connection, EVENT)).containsExactly("seven");
        run(connection, setting);

        assertRefused(connection, "SELECT title FROM events WHERE id = 7 AND title <> ''");
        rows(connection, MEMBERSHIP);
        assertThat(rows(connection, EVENT)).containsExactly("seven");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET time_zone = '+05:00'",
                "SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'",
                "SET lc_time_names = 'de_DE'",
                "SET group_concat_max_len = 10"
            })
    void factsGoWithTheMeaningOfValuesOnMariaDb(String setting) throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        rows(connection, MEMBERSHIP);
        assertThat(rows(connection, EVENT)).containsExactly("seven");
        run(connection, setting);

        assertRefused(connection, "SELECT title FROM events WHERE id = 7 AND title <> ''");
        rows(connection, MEMBERSHIP);
        assertThat(rows(connection, EVENT)).containsExactly("seven");
    }

    @Test
    void factsAreSharedByConnectionsOnWhichValuesMeanTheSame() throws SQLException {
        on(On.POSTGRESQL);
        Connection first = connect();
        Connection second = connect();
        Connection third = connect();
        run(first, "SET app.tenant = '1'", "SET TimeZone = 'UTC'");
        run(second, "SET TimeZone = 'UTC'", "set session app.tenant to '1'");
        run(third, "SET TimeZone = 'UTC'", "SET app.tenant = '2'");
        request(1);
        rows(first, MEMBERSHIP);

        assertThat(rows(second, EVENT)).containsExactly("seven");
        assertRefused(third, EVENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESET ALL", "DISCARD ALL", "RESET app.tenant", "SET app.tenant TO DEFAULT"})
    void anOwnSettingThatIsResetIsAnotherOne(String reset) throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        run(connection, "SET app.tenant = '1'");
        request(1);
        rows(connection, MEMBERSHIP);
        assertThat(rows(connection, EVENT)).containsExactly("seven");
        run(connection, reset);

        assertRefused(connection, "SELECT title FROM events WHERE id = 7 AND title <> ''");
    }

    @Test
    void anOwnSettingOfATransactionHoldsUntilItsEnd() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (int i = 0; i < 2; i++) {
            connection.setAutoCommit(false);
            run(connection, "SET LOCAL app.tenant = '1'");
            if (i == 0) {
                rows(connection, MEMBERSHIP);
            }
            assertThat(rows(connection, EVENT)).containsExactly("seven");
            connection.commit();
            connection.setAutoCommit(true);
            assertRefused(connection, "SELECT title FROM events WHERE id = 7 AND title <> ''");
        }
    }

    @Test
    void anOwnSettingThatIsTakenBackIsNotThatOfOthers() throws SQLException {
        on(On.POSTGRESQL);
        Connection first = connect();
        Connection second = connect();
        run(first, "SET app.tenant = '1'");
        request(1);
        rows(first, MEMBERSHIP);
        run(second, "BEGIN", "SET app.tenant = '1'");
        assertThat(rows(second, EVENT)).containsExactly("seven");
        run(second, "ROLLBACK");

        assertRefused(second, EVENT);
    }

    /** Each tenant has its own rows, by a setting of the application's that views of the database ask for. */
    private void tenants() throws SQLException {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW own AS SELECT * FROM vm WHERE u = ?MyUId;
                CREATE VIEW open AS SELECT vtk.* FROM vtk JOIN vm ON vm.c = vtk.c WHERE vm.u = ?MyUId;
                """, new String[] {
            "CREATE TABLE groups (tenant VARCHAR(5), u INT, c INT, PRIMARY KEY (tenant, u, c))",
            "CREATE TABLE tasks (tenant VARCHAR(5), id INT PRIMARY KEY, c INT NOT NULL, txt VARCHAR(20))",
            "CREATE VIEW vm AS SELECT u, c FROM groups WHERE tenant = current_setting('app.tenant', true)",
            "CREATE VIEW vtk AS SELECT id, c, txt FROM tasks WHERE tenant = current_setting('app.tenant', true)",
            "INSERT INTO groups VALUES ('a', 1, 5)",
            "INSERT INTO tasks VALUES ('a', 1, 5, 'mine'), ('b', 2, 5, 'SECRET')"
        });
    }

    private static final String IN_GROUP = "SELECT u, c FROM vm WHERE u = 1 AND c = 5";
    private static final String TASKS = "SELECT DISTINCT id, c, txt FROM vtk WHERE c = 5";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DISCARD PLANS",
                "DISCARD TEMP",
                "DISCARD TEMPORARY",
                "DISCARD SEQUENCES",
                "DISCARD PLANS /* all */",
                "SET TIME ZONE 'UTC' /* all */",
                "CREATE TABLE copies AS SELECT 1 AS id UNION ALL SELECT 2",
                "DROP TABLE IF EXISTS copies -- discard all"
            })
    void whatResetsSomethingElseLeavesAnOwnSetting(String text) throws SQLException {
        tenants();
        Connection first = connect();
        Connection second = connect();
        request(1);
        run(first, "SET app.tenant = 'a'");
        run(second, "SET app.tenant = 'b'");
        for (Connection connection : new Connection[] {first, second}) {
            run(connection, text.replace("copies", connection == first ? "copies" : "more"));
        }
        assertThat(rows(first, IN_GROUP)).containsExactly("1,5");
        assertRefused(second, TASKS);
        run(first, "SET app.tenant = 'b'", text.replace("copies", "third"));
        assertRefused(first, TASKS);
    }

    @Test
    void allSettingsAreAsAtTheBeginningBehindWhatResetsThem() throws SQLException {
        on(On.POSTGRESQL);
        Connection reset = connect();
        Connection fresh = connect();
        request(1);
        for (String text : new String[] {"RESET ALL", "DISCARD ALL"}) {
            run(reset, "SET application_name = 'shop'", text);
            rows(reset, MEMBERSHIP);
            assertThat(rows(fresh, EVENT)).containsExactly("seven");
        }
    }

    /** One that has failed has reset nothing. */
    @Test
    void aResetThatFailsIsNone() throws SQLException {
        tenants();
        Connection first = connect();
        Connection second = connect();
        request(1);
        run(first, "SET app.tenant = 'a'");
        run(second, "SET app.tenant = 'b'");
        for (Connection connection : new Connection[] {first, second}) {
            assertThatThrownBy(() -> run(connection, "RESET \"all\"")).isInstanceOf(SQLException.class);
        }
        assertThat(rows(first, IN_GROUP)).containsExactly("1,5");
        assertRefused(second, TASKS);
    }

    // --- T5
    // --------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void aTableThatIsSwitchedOffByItsNameIsTheOneThatTheNameLeadsTo(On where) throws SQLException {
        on(where);
        elsewhere(
                "CREATE TABLE logs (id BIGINT PRIMARY KEY, text VARCHAR(50))",
                "CREATE SCHEMA hidden",
                "CREATE TABLE hidden.logs (id BIGINT PRIMARY KEY, text VARCHAR(50))",
                "INSERT INTO logs VALUES (1, 'mine')",
                "INSERT INTO hidden.logs VALUES (1, 'SECRET')");
        Connection connection = connect("privoxyTables", "logs:off");
        request(1);

        assertThat(rows(connection, "SELECT text FROM logs")).containsExactly("mine");
        assertRefused(connection, "SELECT text FROM hidden.logs");
        Connection both = connect("privoxyTables", "logs:off,hidden.logs:off");
        assertThat(rows(both, "SELECT text FROM hidden.logs")).containsExactly("SECRET");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sql_auto_is_null=1", "foreign_key_checks=0", "unique_checks=0"})
    void aSessionInWhichKeysOrComparisonsAreOthersIsRefused(String variable) throws SQLException {
        on(On.MARIADB);
        request(1);

        assertThatThrownBy(() -> rows(connect("sessionVariables", variable), "SELECT id, name FROM users"))
                .isInstanceOf(PrivoxyException.class);
    }

    @Test
    void aPostgresSessionInWhichForeignKeysAreNotKeptIsRefused() throws SQLException {
        on(On.POSTGRESQL);
        request(1);

        assertThatThrownBy(() ->
                        rows(connect("options", "-c session_replication_role=replica"), "SELECT id, name FROM users"))
                .isInstanceOf(PrivoxyException.class);
    }
}
