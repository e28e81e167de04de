package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.sql.Dialect;
import org.junit.jupiter.api.Test;

/** Settings, transactions and changes of the schema. */
class NormalizerSessionTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);
    private final Fixture mariadb = Fixture.social(Dialect.MARIADB);
    private final Fixture h2 = Fixture.social(Dialect.H2);

    private static void refuses(Fixture fixture, String... statements) {
        for (String sql : statements) {
            assertThatThrownBy(() -> fixture.plan(sql)).as(sql).hasMessageContaining("not supported");
        }
    }

    private static void passes(Fixture fixture, Kind kind, boolean changes, String... statements) {
        for (String sql : statements) {
            Normalized read = fixture.read(sql);
            assertThat(read.plan().kind()).as(sql).isEqualTo(kind);
            assertThat(read.plan().obligations()).as(sql).isEmpty();
            assertThat(read.changesSession()).as(sql).isEqualTo(changes);
        }
    }

    @Test
    void harmlessSettingsPass() {
        passes(
                postgres,
                Kind.SESSION,
                false,
                "SET statement_timeout = 100",
                "SET application_name TO 'x'",
                "SET app.tenant = '5'",
                "SHOW search_path");
        passes(
                mariadb,
                Kind.SESSION,
                false,
                "SET autocommit = 1",
                "SHOW VARIABLES LIKE 'sql_mode'",
                "SHOW FULL TABLES");
    }

    @Test
    void settingsThatChangeWhatValuesMeanOrWhichStateIsReadAreMarked() {
        passes(
                postgres,
                Kind.SESSION,
                true,
                "SET TIME ZONE 'UTC'",
                "SET TimeZone = 'UTC'",
                "SET DateStyle = 'ISO, DMY'",
                "SET bytea_output = 'hex'",
                "RESET lc_monetary",
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET default_transaction_isolation = 'serializable'");
        passes(
                mariadb,
                Kind.SESSION,
                true,
                "SET time_zone = '+05:00'",
                "SET lc_time_names = 'de_DE'",
                "SET group_concat_max_len = 10",
                "SET tx_isolation = 'SERIALIZABLE'");
        assertThat(postgres.read("SET app.tenant = '5'").changesMeaning()).isTrue();
        assertThat(postgres.read("SET application_name = 'x'").changesMeaning()).isTrue();
    }

    @Test
    void settingsThatChangeTheReadingOfTextAreMarked() {
        passes(
                postgres,
                Kind.SESSION,
                true,
                "SET search_path = a, b",
                "SET standard_conforming_strings = on",
                "RESET ALL",
                "SELECT set_config('search_path', ?, false)",
                "SELECT set_config('search_path', 'a', true)");
        refuses(
                postgres,
                "SELECT set_config('role', 'x', false)",
                "SELECT set_config(?, ?, false)",
                "SELECT set_config('search_path', (SELECT name FROM users), false)",
                "SELECT set_config('search_path', name, false) FROM users",
                "SELECT 1 WHERE set_config('search_path', 'a', false) = 'a'",
                "SELECT set_config('search_path', 'a', false), 1");
        passes(
                mariadb,
                Kind.SESSION,
                true,
                "SET NAMES utf8mb4",
                "USE other",
                "SET sql_mode = 'ANSI_QUOTES'",
                "SET sql_mode = concat(@@sql_mode, ',ANSI')");
        passes(h2, Kind.SESSION, true, "SET SCHEMA other");
    }

    @Test
    void settingsThatChangeWhoAsksOrWhatHoldsAreRefused() {
        refuses(
                postgres,
                "SET ROLE x",
                "SET SESSION AUTHORIZATION x",
                "SET row_security = off",
                "SET session_replication_role = replica",
                "SET transform_null_equals = on",
                "SET nonsense = 1");
        refuses(
                mariadb,
                "SET foreign_key_checks = 0",
                "SET unique_checks = 0",
                "SET sql_auto_is_null = 1",
                "SET @x = 1",
                "SET GLOBAL autocommit = 0",
                "SET autocommit = (SELECT 1)",
                "SET PASSWORD = 'x'");
        refuses(h2, "SET REFERENTIAL_INTEGRITY FALSE", "SET MODE MySQL");
    }

    @Test
    void settingsPassThatKeepWhoAsksAndWhatHolds() {
        passes(
                postgres,
                Kind.SESSION,
                true,
                "SET ROLE 'ann'",
                "SET ROLE ann",
                "SET ROLE Ann",
                "SET ROLE \"ann\"",
                "SET LOCAL role = 'ann'",
                "SET ROLE NONE",
                "RESET ROLE");
        refuses(postgres, "SET ROLE \"Ann\"", "SET ROLE 'ann '", "SET ROLE 'ann', 'ben'");
        refuses(mariadb, "SET ROLE ann", "SET ROLE NONE");
        passes(
                mariadb,
                Kind.SESSION,
                false,
                "SET foreign_key_checks = 1",
                "SET foreign_key_checks = ?, autocommit = ?");
        assertThat(mariadb.read("SET foreign_key_checks = ?, autocommit = ?").demands())
                .extracting(Demand::slot, Demand::value)
                .containsExactly(tuple(0, Value.of(1)));
        refuses(
                mariadb,
                "SET foreign_key_checks = 1 - 1",
                "SET foreign_key_checks = DEFAULT",
                "SET foreign_key_checks = @@unique_checks",
                "SET GLOBAL foreign_key_checks = 1");
        refuses(h2, "SET FOREIGN_KEY_CHECKS 1");
    }

    @Test
    void transactionsPass() {
        passes(postgres, Kind.TRANSACTION, false, "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "ROLLBACK TO a");
    }

    @Test
    void changesOfTheSchemaPassUnlessTheyHideReads() {
        passes(
                postgres,
                Kind.DDL,
                true,
                "CREATE TABLE t (a int)",
                "ALTER TABLE users ADD COLUMN x int",
                "DROP TABLE users",
                "CREATE INDEX i ON users (name)",
                "CREATE SEQUENCE s",
                "TRUNCATE posts",
                "DROP VIEW v",
                "COMMENT ON TABLE users IS 'x'");
        refuses(postgres, "ALTER SYSTEM SET x = 1", "CREATE ROLE x", "ALTER FUNCTION f() SECURITY DEFINER");
        refuses(mariadb, "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM posts", "ALTER VIEW v AS SELECT 1");
    }
}
