package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyErrorCode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** A policy means what it meant when it was loaded: the third attacker's G7 and G11, with their relatives, and G13. */
class PolicyMeaningIT extends Cases {

    private static final String[] EVENTS = {
        "CREATE TABLE ev (id INT PRIMARY KEY, at TIMESTAMP NOT NULL, t VARCHAR(20))",
        "INSERT INTO ev VALUES (1, TIMESTAMP '2020-01-01 00:00:00', 'open'),"
                + " (2, CURRENT_TIMESTAMP + INTERVAL '5' HOUR, 'SECRET')"
    };

    @Test
    void theSessionDoesNotChooseTheTimeThatAViewAsksFor() throws SQLException {
        for (On where : On.values()) {
            on(where, "CREATE VIEW v AS SELECT * FROM ev WHERE at <= CURRENT_TIMESTAMP;");
            elsewhere(EVENTS);
            Connection connection = connect();
            request(1);
            for (String setting : switch (where) {
                case POSTGRESQL ->
                    List.of(
                            "SET TIME ZONE 'FOO-14'",
                            "SET timezone = 'FOO-160'",
                            "SET LOCAL TIME ZONE 3",
                            "SET DateStyle = 'German'",
                            "SET extra_float_digits = -15");
                case MARIADB -> List.of("SET time_zone = '+13:00'", "SET @@session.time_zone = '-12:59'");
                case H2 -> List.of("SET TIME ZONE '14:00'", "SET TIME ZONE INTERVAL '14' HOUR");
            }) {
                assertRefusedWrite(connection, setting);
            }
            assertThat(rows(connection, "SELECT id, t FROM ev WHERE at <= CURRENT_TIMESTAMP"))
                    .as("%s", where)
                    .containsExactly("1,open");
            if (where == On.POSTGRESQL) {
                run(connection, "RESET TIME ZONE", "SET TIME ZONE DEFAULT", "SET search_path = public");
            }
        }
    }

    @Test
    void theSessionDoesNotChooseASettingThatAViewAsksFor() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW v AS SELECT * FROM notes WHERE text = current_setting('app.tenant', TRUE);");
        Connection asking = connect();
        request(1);
        assertRefusedWrite(asking, "SET app.tenant = '2'");

        on(On.POSTGRESQL);
        Connection other = connect();
        run(other, "SET app.tenant = '2'", "SET TIME ZONE 'UTC'");
    }

    @Test
    void aNameOfThePolicyMeansOneTable() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere(
                "CREATE SCHEMA hid",
                "CREATE TABLE hid.notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))",
                "INSERT INTO hid.notes VALUES (9, 9, 'SECRET')",
                "INSERT INTO notes VALUES (1, 1, 'mine')");
        Connection connection = connectTo("public,hid");
        request(1);
        assertThat(rows(connection, "SELECT text FROM notes")).containsExactly("mine");
        run(connection, "DROP TABLE notes");
        assertMoved(connection, "SELECT text FROM notes");
        assertMoved(connection, "SELECT text FROM hid.notes");
        assertMoved(connectTo("public,hid"), "SELECT text FROM notes");
        elsewhere(
                "DROP TABLE hid.notes", "CREATE TABLE notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))");
        // Whatever is changed on a checked connection, all look again.
        run(connect(), "CREATE TABLE other (id INT PRIMARY KEY)");
        assertThat(rows(connectTo("public,hid"), "SELECT text FROM notes")).isEmpty();
    }

    @Test
    void noTransactionMovesANameEither() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere(
                "CREATE SCHEMA hid",
                "CREATE TABLE hid.notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))",
                "INSERT INTO hid.notes VALUES (9, 9, 'SECRET')");
        Connection connection = connectTo("public,hid");
        request(1);
        connection.setAutoCommit(false);
        assertThatThrownBy(() -> run(connection, "DROP TABLE notes"))
                .isInstanceOfSatisfying(SQLException.class, PolicyMeaningIT::isMoved);
        assertMoved(connection, "SELECT text FROM notes");
        assertMoved(connection, "SELECT text FROM hid.notes");
        connection.rollback();
        assertThat(rows(connection, "SELECT text FROM notes")).isEmpty();
    }

    @Test
    void aSchemaThatComesFirstTakesNoNameFromThePolicy() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT * FROM events WHERE id = 8");
        elsewhere(
                "DO $$ BEGIN EXECUTE format('CREATE SCHEMA %I', current_user); END $$",
                "CREATE TABLE members (user_id BIGINT, event_id BIGINT, role VARCHAR(9), PRIMARY KEY (user_id, event_id))",
                "INSERT INTO members VALUES (1, 8, 'x')");
        assertThatThrownBy(() -> connect()).isInstanceOfSatisfying(SQLException.class, PolicyMeaningIT::isMoved);
        elsewhere("DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_user); END $$");
        Connection later = connect();
        assertRefused(later, "SELECT * FROM events WHERE id = 8");
    }

    @Test
    void partitionsHaveNoEnginesThatShowOthers() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        String table = "CREATE TABLE p (id INT) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10) ENGINE";
        assertRefusedWrite(connection, table + "=MRG_MyISAM)");
        assertRefusedWrite(connection, table + " FEDERATED CONNECTION='x')");
        run(connection, table + " = InnoDB)", "CREATE TABLE e (id INT, engine VARCHAR(9))");
    }

    private Connection connectTo(String path) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", database.policyFile().toString());
        String url = database.url();
        return opened(DriverManager.getConnection(
                url + (url.contains("?") ? '&' : '?') + "currentSchema=" + path, properties));
    }

    private static void assertMoved(Connection connection, String sql) {
        assertThatThrownBy(() -> rows(connection, sql))
                .as(sql)
                .isInstanceOfSatisfying(SQLException.class, PolicyMeaningIT::isMoved);
    }

    private static void isMoved(SQLException refusal) {
        assertThat(refusal.getErrorCode()).isEqualTo(PrivoxyErrorCode.POLICY_NAMES.number());
        assertThat(refusal.getMessage()).contains("was public.", "would be");
    }
}
