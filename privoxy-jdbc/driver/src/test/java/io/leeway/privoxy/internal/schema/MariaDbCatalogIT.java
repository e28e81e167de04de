package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MariaDbCatalogIT extends CatalogFixture {

    MariaDbCatalogIT() {
        super(Dialect.MARIADB);
    }

    @Test
    void readsColumnsKeysAndForeignKeys() throws SQLException {
        execute(
                "CREATE TABLE pods (id BIGINT PRIMARY KEY, host VARCHAR(50) NOT NULL UNIQUE)",
                "CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR(50), pod VARCHAR(50), "
                        + "CONSTRAINT people_pod FOREIGN KEY (pod) REFERENCES pods (host), UNIQUE both_key (name, pod))");

        Relation people = relation("people");

        assertThat(people.kind()).isEqualTo(Relation.Kind.TABLE);
        assertThat(people.table().name()).isEqualTo(database.name() + ".people");
        assertThat(people.table().columns()).extracting(Column::name).containsExactly("id", "name", "pod");
        assertThat(people.table().columns()).extracting(Column::nullable).containsExactly(false, true, true);
        assertThat(people.table().keys())
                .extracting(Key::name, Key::columns, Key::nullsDistinct)
                .containsExactly(tuple("PRIMARY", List.of(0), false), tuple("both_key", List.of(1, 2), true));
        assertThat(people.table().foreignKeys())
                .extracting(ForeignKey::columns, ForeignKey::target, ForeignKey::targetColumns)
                .containsExactly(tuple(List.of(2), database.name() + ".pods", List.of(1)));
        assertThat(people.notes()).isEmpty();
    }

    @Test
    void leavesOutKeysOnPrefixes() throws SQLException {
        execute("CREATE TABLE t (a VARCHAR(50), b TEXT, UNIQUE a_key (a(10)), UNIQUE b_key (b))");

        assertThat(relation("t").table().keys()).extracting(Key::name).containsExactly("b_key");
        assertThat(relation("t").notes())
                .containsExactly("key a_key is left out: it is on a prefix, an expression or a period");
    }

    @Test
    void trustsOnlyEnginesThatEnforceKeys() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY) ENGINE = MyISAM",
                "CREATE TABLE b (id INT PRIMARY KEY) ENGINE = Aria",
                "CREATE TABLE c (id INT PRIMARY KEY) ENGINE = MEMORY",
                "CREATE TABLE m1 (id INT NOT NULL, UNIQUE (id)) ENGINE = MyISAM",
                "CREATE TABLE merged (id INT NOT NULL, KEY (id)) ENGINE = MERGE UNION = (m1)",
                "CREATE VIEW v AS SELECT id FROM a",
                "CREATE SEQUENCE s");

        for (String name : List.of("a", "b", "c", "m1")) {
            assertThat(relation(name).kind()).as(name).isEqualTo(Relation.Kind.TABLE);
            assertThat(relation(name).table().keys()).as(name).hasSize(1);
        }
        for (String name : List.of("merged", "v", "s")) {
            assertThat(relation(name).kind()).as(name).isEqualTo(Relation.Kind.VIEW);
            assertThat(relation(name).table().keys()).as(name).isEmpty();
            assertThat(relation(name).table().columns()).as(name).isNotEmpty().allMatch(Column::nullable);
        }
    }

    @Test
    void tellsTheQueryOfAView() throws SQLException {
        execute("CREATE TABLE t (id INT)", "CREATE VIEW v AS SELECT id FROM t WHERE id > 3");

        Relation.Definition definition = Objects.requireNonNull(relation("v").definition());

        assertThat(definition.sql()).contains("`" + database.name() + "`.`t`", "> 3");
        assertThat(definition.searchPath()).isEmpty();
    }

    @Test
    void thereAreNoForeignKeysInMyIsam() throws SQLException {
        execute(
                "CREATE TABLE p (id INT PRIMARY KEY) ENGINE = MyISAM",
                "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES p (id)) ENGINE = MyISAM",
                "INSERT INTO t VALUES (77)");

        assertThat(relation("t").table().foreignKeys()).isEmpty();
    }

    @Test
    void aZeroDateIsNullAlthoughTheColumnIsNotNull() throws SQLException {
        execute(
                "SET sql_mode = ''",
                "CREATE TABLE t (a DATE NOT NULL, b DATETIME NOT NULL, c TIMESTAMP NOT NULL, d TIME NOT NULL)",
                "INSERT INTO t VALUES ('0000-00-00', '0000-00-00', '0000-00-00', '00:00')");

        for (Column column : relation("t").table().columns()) {
            boolean isNull = count("SELECT COUNT(*) FROM t WHERE " + column.name() + " IS NULL") > 0;
            assertThat(column.nullable()).as(column.name()).isEqualTo(isNull);
        }
    }

    @Test
    void putsHiddenColumnsLast() throws SQLException {
        execute("CREATE TABLE t (a INT, secret INT INVISIBLE, b INT PRIMARY KEY)");

        Relation relation = relation("t");

        assertThat(relation.table().columns()).extracting(Column::name).containsExactly("a", "b", "secret");
        assertThat(relation.visibleColumns()).isEqualTo(2);
        assertThat(relation.table().keys()).extracting(Key::columns).containsExactly(List.of(1));
    }

    @Test
    void readsSystemVersionedAndPeriodTables() throws SQLException {
        execute(
                "CREATE TABLE t (id INT PRIMARY KEY, a INT UNIQUE) WITH SYSTEM VERSIONING",
                "CREATE TABLE p (id INT, s DATE, e DATE, PERIOD FOR x (s, e), UNIQUE (id, x WITHOUT OVERLAPS))");

        assertThat(relation("t").kind()).isEqualTo(Relation.Kind.TABLE);
        assertThat(relation("t").table().keys()).extracting(Key::columns).containsExactly(List.of(0), List.of(1));
        // It strikes rows that overlap, too, so it is no key of equal rows but something else to strike on.
        assertThat(relation("p").table().keys()).isEmpty();
        assertThat(relation("p").arbiters().others()).extracting(Key::columns).containsExactly(List.of(0, 2, 1));
    }

    @Test
    void findsTablesAsTheDatabaseDoes() throws SQLException {
        execute("CREATE TABLE t (a INT, `Big` INT)", "CREATE TABLE T (b INT)");
        TableSource source = source();

        assertThat(relation("t").table().columns()).extracting(Column::name).containsExactly("a", "Big");
        assertThat(relation("T").table().columns()).extracting(Column::name).containsExactly("b");
        assertThat(source.column(relation("t").table(), "BIG")).isEqualTo(1);
        assertThat(source.find(List.of("T1"), source.searchPath())).isNull();
        assertThat(relation(database.name(), "t").table().name()).isEqualTo(database.name() + ".t");
        assertThat(relation("INFORMATION_SCHEMA", "Tables").kind()).isEqualTo(Relation.Kind.SYSTEM);
        assertThat(relation("information_schema", "tables").table().name())
                .isEqualTo(relation("INFORMATION_SCHEMA", "TABLES").table().name());
        assertThat(relation("mysql", "db").kind()).isEqualTo(Relation.Kind.SYSTEM);
    }

    @Test
    void aTemporaryTableHidesTheOtherOfItsName() throws SQLException {
        execute("CREATE TABLE t (a INT)", "CREATE TEMPORARY TABLE t (b INT)");

        assertThat(relation("t").kind()).isEqualTo(Relation.Kind.TEMPORARY);
    }

    @Test
    void tellsWhatAWriteReaches() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY)",
                "CREATE TABLE b (id INT PRIMARY KEY, a_id INT, FOREIGN KEY (a_id) REFERENCES a (id) ON DELETE CASCADE)",
                "CREATE TABLE c (id INT PRIMARY KEY, b_id INT, FOREIGN KEY (b_id) REFERENCES b (id) ON UPDATE SET NULL)",
                "CREATE TABLE d (id INT PRIMARY KEY, a_id INT, FOREIGN KEY (a_id) REFERENCES a (id))",
                "CREATE TABLE e (id INT)",
                "CREATE TRIGGER g AFTER INSERT ON e FOR EACH ROW DELETE FROM d");
        LiveSchema schema = schema();
        String prefix = database.name() + '.';

        assertThat(schema.reach(connection, prefix + "a").tables())
                .containsExactlyInAnyOrder(prefix + "a", prefix + "b", prefix + "c");
        assertThat(schema.reach(connection, prefix + "d").tables()).containsExactly(prefix + "d");
        assertThat(schema.reach(connection, prefix + "e")).isEqualTo(Reach.EVERYTHING);
    }

    @Test
    void whoMayNotSeeTriggersMayChangeAnythingByAWrite() throws SQLException {
        execute("CREATE TABLE a (id INT PRIMARY KEY)", "CREATE TABLE b (id INT PRIMARY KEY)");
        String all = "`" + database.name().replace("_", "\\_") + "`.*";
        String loose = "`" + database.name().substring(0, 3) + "%`.*";

        assertThat(bounded("TRIGGER ON *.*")).isTrue();
        assertThat(bounded("SELECT, TRIGGER ON " + all)).isTrue();
        assertThat(bounded("TRIGGER ON " + loose)).isTrue();
        assertThat(bounded("TRIGGER ON a", "SELECT, TRIGGER ON b")).isTrue();
        assertThat(bounded("SELECT ON *.*", "TRIGGER ON " + all)).isTrue();
        assertThat(bounded("SELECT, INSERT, UPDATE, DELETE ON " + all)).isFalse();
        assertThat(bounded("TRIGGER ON a", "SELECT ON b")).isFalse();
        assertThat(bounded("TRIGGER ON a", "DELETE ON b")).isFalse();
        assertThat(bounded("TRIGGER ON a", "SELECT (id) ON b")).isFalse();
        assertThat(bounded("SELECT, INSERT ON *.*")).isFalse();
        // Of these patterns only the second, which is more specific, has an effect.
        assertThat(bounded("TRIGGER ON " + loose, "SELECT ON " + all)).isFalse();
    }

    @Test
    void aCascadeFromATableThatIsNotSeenReachesFurther() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY)",
                "CREATE TABLE between_them (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES a (id) ON DELETE CASCADE)",
                "CREATE TABLE b (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES between_them (id) ON DELETE CASCADE)");

        assertThat(bounded("SELECT, DELETE, TRIGGER ON a", "SELECT, TRIGGER ON b"))
                .isFalse();
        assertThat(bounded("SELECT, DELETE, TRIGGER ON a", "TRIGGER ON between_them", "SELECT, TRIGGER ON b"))
                .isTrue();
    }

    @Test
    void noticesThatTriggersAreHiddenFromNowOn() throws SQLException {
        execute("CREATE TABLE a (id INT PRIMARY KEY)");
        try (Account account = new Account("SELECT, INSERT, TRIGGER ON a");
                Connection own = account.connect()) {
            LiveSchema schema = schema(own);
            TableSource source = schema.through(ConnectionSource.of(own));
            source.find(List.of("a"), source.searchPath());
            String a = database.name() + ".a";
            assertThat(schema.reach(own, a).everything()).isFalse();

            account.run("REVOKE TRIGGER ON a FROM ");

            assertThat(schema.refresh(own)).containsExactly(a);
            assertThat(schema.reach(own, a)).isEqualTo(Reach.EVERYTHING);
        }
    }

    /** Whether a table that has no triggers is known to have none, by an account that has been granted this. */
    private boolean bounded(String... grants) throws SQLException {
        try (Account account = new Account(grants);
                Connection own = account.connect()) {
            LiveSchema schema = schema(own);
            return !schema.reach(own, database.name() + ".a").everything();
        }
    }

    private final class Account implements AutoCloseable {

        // With an at sign, by which the catalogue's names of accounts are told apart.
        private final String name = "`guest@" + database.name() + "`@'%'";

        Account(String... grants) throws SQLException {
            execute("CREATE USER " + name + " IDENTIFIED BY 'guest'");
            for (String grant : grants) {
                execute("GRANT " + grant + " TO " + name);
            }
        }

        void run(String statement) throws SQLException {
            execute(statement + name);
        }

        Connection connect() throws SQLException {
            return DriverManager.getConnection(database.jdbcUrl(), "guest@" + database.name(), "guest");
        }

        @Override
        public void close() throws SQLException {
            execute("DROP USER " + name);
        }
    }

    @Test
    void equalityIsThatOfTheDatabase() throws SQLException {
        execute("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin");
        var check = new EqualityCheck(Dialect.MARIADB, connection);

        for (String type :
                List.of("TINYINT", "SMALLINT UNSIGNED", "MEDIUMINT", "INT", "BIGINT UNSIGNED", "DECIMAL(10)")) {
            assertThat(check.exact(type, "1", "2", "1").whole()).as(type).isTrue();
        }
        assertThat(check.exact("BOOLEAN", "TRUE", "FALSE", "2").kind()).isEqualTo(ValueKind.NUMBER);
        assertThat(check.exact("DECIMAL(10, 2)", "1", "1.0", "1.25").whole()).isFalse();
        check.exact("VARCHAR(9) COLLATE utf8mb4_nopad_bin", "'a'", "'A'", "'a '", "'a'", "'é'", "'e'");
        check.exact("TEXT COLLATE utf8mb4_nopad_bin", "'a'", "'A'", "'a '", "'a'");
        check.exact("VARBINARY(9)", "'a'", "'A'", "'a '", "'a'");
        check.exact("BINARY(3)", "'a'", "'A'", "'a '", "'a'");
        check.exact("BLOB", "'a'", "'A'", "'a '", "'a'");
        check.exact("DATE", "'2026-01-01'", "'2026-01-02'", "'20260101'");
        check.exact("DATETIME(6)", "'2026-01-01 10:00'", "'2026-01-01 10:00:00.000001'", "'2026-01-01 10:00:00.0'");
        check.exact("TIME(6)", "'10:00'", "'10:00:00.000001'", "'10:00:00.0'");
        check.exact("UUID", "'6f9619ff-8b86-d011-b42d-00c04fc964ff'", "'6F9619FF8B86D011B42D00C04FC964FF'", "UUID()");
    }

    @Test
    void equalityOfTextFollowsTheCollation() throws SQLException {
        execute("SET NAMES utf8mb4");
        var check = new EqualityCheck(Dialect.MARIADB, connection);

        assertThat(check.inexact("VARCHAR(9) COLLATE utf8mb4_general_ci", "'a'", "'A'")
                        .equality())
                .isEqualTo("utf8mb4_general_ci");
        assertThat(check.inexact("CHAR(9) COLLATE utf8mb4_general_ci", "'a'", "'A'")
                        .equality())
                .isEqualTo("utf8mb4_general_ci");
        check.inexact("VARCHAR(9)", "'a'", "'A'");
        check.inexact("VARCHAR(9) COLLATE utf8mb4_bin", "'a'", "'a '");
        check.inexact("TEXT COLLATE utf8mb4_bin", "'a'", "'a '");
        check.inexact("JSON", "'{}'", "'{} '");
        check.inexact("VARCHAR(9) COLLATE utf8mb4_uca1400_as_cs", "'a'", "'a '");
        check.inexact("VARCHAR(9) COLLATE utf8mb4_uca1400_nopad_ai_ci", "'e'", "'é'");
        check.inexact("VARCHAR(9) CHARACTER SET latin1", "'a'", "'A'");
        check.inexact("ENUM('a', 'b')", "'a'", "'A'");
        check.inexact("SET('a', 'b')", "'a'", "'A'");
    }

    @Test
    void equalityOfFloatingPointIsNotIdentity() throws SQLException {
        var check = new EqualityCheck(Dialect.MARIADB, connection);

        check.inexact("DOUBLE", "0e0", "-0e0", "1");
        assertThat(check.typeOf("FLOAT").kind()).isEqualTo(ValueKind.OPAQUE);
        assertThat(check.typeOf("TIMESTAMP(6) NULL").equality()).isNotEmpty();
        assertThat(check.typeOf("CHAR(3) COLLATE utf8mb4_nopad_bin").equality()).isNotEmpty();
        for (String type : List.of("YEAR", "BIT(3)", "INET6", "POINT")) {
            assertThat(check.typeOf(type).kind()).as(type).isEqualTo(ValueKind.OPAQUE);
        }
    }

    private int count(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }
}
