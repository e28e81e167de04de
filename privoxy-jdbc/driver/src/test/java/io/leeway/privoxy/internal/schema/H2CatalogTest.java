package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class H2CatalogTest extends CatalogFixture {

    H2CatalogTest() {
        super(Dialect.H2);
    }

    @Test
    void readsColumnsKeysAndForeignKeys() throws SQLException {
        execute(
                "CREATE TABLE pods (id BIGINT PRIMARY KEY, host VARCHAR(50) NOT NULL UNIQUE)",
                "CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, pod_id BIGINT REFERENCES pods, UNIQUE (name, pod_id))");

        Relation people = relation("PEOPLE");

        assertThat(people.kind()).isEqualTo(Relation.Kind.TABLE);
        assertThat(people.table().name()).isEqualTo("PUBLIC.PEOPLE");
        assertThat(people.table().columns()).extracting(Column::name).containsExactly("ID", "NAME", "POD_ID");
        assertThat(people.table().columns()).extracting(Column::nullable).containsExactly(false, true, true);
        assertThat(people.table().keys())
                .extracting(Key::columns, Key::nullsDistinct)
                .containsExactly(tuple(List.of(0), false), tuple(List.of(1, 2), true));
        assertThat(people.table().foreignKeys())
                .extracting(ForeignKey::columns, ForeignKey::target, ForeignKey::targetColumns)
                .containsExactly(tuple(List.of(2), "PUBLIC.PODS", List.of(0)));
    }

    @Test
    void tellsWhetherNullsInAKeyAreDistinct() throws SQLException {
        execute(
                "CREATE TABLE t (a INT UNIQUE NULLS DISTINCT, b INT UNIQUE NULLS NOT DISTINCT, c INT, d INT, "
                        + "UNIQUE NULLS ALL DISTINCT (c, d))",
                "CREATE UNIQUE NULLS NOT DISTINCT INDEX i ON t (a, c)");

        assertThat(relation("T").table().keys())
                .extracting(Key::columns, Key::nullsDistinct)
                .containsExactlyInAnyOrder(
                        tuple(List.of(0), true),
                        tuple(List.of(1), false),
                        tuple(List.of(2, 3), true),
                        tuple(List.of(0, 2), false));
    }

    @Test
    void leavesOutForeignKeysWhileReferentialIntegrityIsOff() throws SQLException {
        execute(
                "CREATE TABLE parent (id INT PRIMARY KEY)",
                "CREATE TABLE child (id INT CONSTRAINT child_fk REFERENCES parent)",
                "ALTER TABLE parent SET REFERENTIAL_INTEGRITY FALSE");

        Relation child = relation("CHILD");

        assertThat(child.table().foreignKeys()).isEmpty();
        assertThat(child.notes()).anySatisfy(note -> assertThat(note).contains("CHILD_FK", "switched off"));
    }

    @Test
    void putsHiddenColumnsLast() throws SQLException {
        execute("CREATE TABLE t (a INT, secret INT INVISIBLE, b INT PRIMARY KEY)");

        Relation relation = relation("T");

        assertThat(relation.table().columns()).extracting(Column::name).containsExactly("A", "B", "SECRET");
        assertThat(relation.visibleColumns()).isEqualTo(2);
        assertThat(relation.table().keys()).extracting(Key::columns).containsExactly(List.of(1));
    }

    @Test
    void trustsNoConstraintOfAView() throws SQLException {
        execute("CREATE TABLE t (id INT PRIMARY KEY)", "CREATE VIEW v AS SELECT id FROM t");

        Relation view = relation("V");

        assertThat(view.kind()).isEqualTo(Relation.Kind.VIEW);
        assertThat(view.table().keys()).isEmpty();
        assertThat(view.table().columns()).extracting(Column::nullable).containsExactly(true);
    }

    @Test
    void tellsTheQueryOfAView() throws SQLException {
        execute("CREATE TABLE t (id INT PRIMARY KEY)", "CREATE VIEW v AS SELECT id FROM t WHERE id > 3");

        assertThat(relation("V").definition())
                .isNotNull()
                .extracting(Relation.Definition::sql)
                .asString()
                .contains("\"PUBLIC\".\"T\"", "> 3");
        assertThat(relation("T").definition()).isNull();
        assertThat(relation("INFORMATION_SCHEMA", "TABLES").definition()).isNull();
    }

    @Test
    void trustsNoConstraintOfALinkedTable() throws SQLException {
        execute("CREATE LINKED TABLE l ('', 'jdbc:h2:mem:', '', '', 'INFORMATION_SCHEMA.USERS')");

        assertThat(relation("L").kind()).isEqualTo(Relation.Kind.VIEW);
        assertThat(relation("L").table().keys()).isEmpty();
    }

    @Test
    void tellsTemporaryAndCatalogueTables() throws SQLException {
        execute("CREATE LOCAL TEMPORARY TABLE t (id INT)");

        assertThat(relation("T").kind()).isEqualTo(Relation.Kind.TEMPORARY);
        assertThat(relation("INFORMATION_SCHEMA", "TABLES").kind()).isEqualTo(Relation.Kind.SYSTEM);
    }

    @Test
    void findsTheTableOfTheSchemaNamed() throws SQLException {
        execute(
                "CREATE SCHEMA other",
                "CREATE TABLE t (a INT)",
                "CREATE TABLE other.t (b INT)",
                "CREATE TABLE other.\"t.u\" (c INT)");

        assertThat(relation("T").table().name()).isEqualTo("PUBLIC.T");
        assertThat(relation("OTHER", "T").table().name()).isEqualTo("OTHER.T");
        assertThat(relation("OTHER", "t.u").table().name()).isEqualTo("OTHER.\"t.u\"");
        assertThat(source().find(List.of("T"), List.of("OTHER", "PUBLIC")))
                .extracting(relation -> relation.table().name())
                .isEqualTo("OTHER.T");
        assertThat(source().find(List.of("NO_SUCH_DATABASE", "PUBLIC", "T"), List.of()))
                .isNull();
        assertThat(source().find(List.of(connection.getCatalog(), "PUBLIC", "T"), List.of()))
                .isNotNull();
        assertThat(source().find(List.of("NOWHERE"), List.of("PUBLIC"))).isNull();
    }

    @Test
    void regardsTheCaseOfNames() throws SQLException {
        execute("CREATE TABLE t (id INT, \"Id\" INT)");

        TableSource source = source();

        assertThat(source.find(List.of("t"), source.searchPath())).isNull();
        assertThat(source.column(relation("T").table(), "Id")).isEqualTo(1);
        assertThat(source.column(relation("T").table(), "iD")).isEqualTo(-1);
    }

    @Test
    void disregardsTheCaseOfNamesWhereTheDatabaseDoes() throws SQLException {
        try (TestDatabase other = TestDatabases.h2().freshDatabase("schema");
                Connection insensitive = java.sql.DriverManager.getConnection(
                        other.jdbcUrl() + ";CASE_INSENSITIVE_IDENTIFIERS=TRUE", other.user(), other.password())) {
            insensitive.createStatement().execute("CREATE TABLE \"People\" (\"Name\" INT)");
            TableSource source = LiveSchema.open(Dialect.H2, insensitive, System::nanoTime)
                    .through(ConnectionSource.of(insensitive));

            Relation people = Objects.requireNonNull(source.find(List.of("PEOPLE"), source.searchPath()));

            assertThat(people.table().name()).isEqualTo("PUBLIC.People");
            assertThat(source.column(people.table(), "NAME")).isZero();
        }
    }

    @Test
    void tellsWhatAWriteReaches() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY)",
                "CREATE TABLE b (id INT PRIMARY KEY, a_id INT REFERENCES a ON DELETE CASCADE)",
                "CREATE TABLE c (id INT PRIMARY KEY, b_id INT REFERENCES b ON DELETE SET NULL)",
                "CREATE TABLE d (id INT PRIMARY KEY, a_id INT REFERENCES a)");
        LiveSchema schema = schema();

        assertThat(schema.reach(connection, "PUBLIC.A").tables())
                .containsExactlyInAnyOrder("PUBLIC.A", "PUBLIC.B", "PUBLIC.C");
        assertThat(schema.reach(connection, "PUBLIC.D").tables()).containsExactly("PUBLIC.D");
    }

    @Test
    void aTriggerReachesEverything() throws SQLException {
        execute(
                "CREATE TABLE a (id INT PRIMARY KEY)",
                "CREATE TABLE b (id INT PRIMARY KEY, a_id INT REFERENCES a ON DELETE CASCADE)",
                "CREATE TRIGGER g AFTER INSERT ON b FOR EACH ROW CALL '" + NoTrigger.class.getName() + "'");

        assertThat(schema().reach(connection, "PUBLIC.A")).isEqualTo(Reach.EVERYTHING);
    }

    @Test
    void aWriteReachesTheViewsOfTheDatabase() throws SQLException {
        execute("CREATE TABLE t (id INT)", "CREATE VIEW v AS SELECT * FROM t");
        LiveSchema schema = schema();
        TableSource source = schema.through(ConnectionSource.of(connection));
        source.prefetch(List.of(List.of("T"), List.of("V")), source.searchPath());

        assertThat(schema.reach(connection, "PUBLIC.T").tables()).contains("PUBLIC.V");
        assertThat(schema.reach(connection, "PUBLIC.V")).isEqualTo(Reach.EVERYTHING);
    }

    @Test
    void equalityIsThatOfTheDatabase() throws SQLException {
        var check = new EqualityCheck(Dialect.H2, connection);

        assertThat(check.exact("INT", "1", "2", "1").whole()).isTrue();
        assertThat(check.exact("NUMERIC(10, 2)", "1", "1.0", "1.001", "2").whole())
                .isFalse();
        assertThat(check.exact("NUMERIC(10)", "1", "1.0", "2").whole()).isTrue();
        check.exact("VARCHAR(10)", "'a'", "'A'", "'a '", "''", "'a'");
        check.exact("CLOB", "'a'", "'A'", "'a '", "'a'");
        check.exact("BOOLEAN", "TRUE", "FALSE", "TRUE");
        check.exact(
                "UUID",
                "'6f9619ff-8b86-d011-b42d-00c04fc964ff'",
                "'6F9619FF8B86D011B42D00C04FC964FF'",
                "RANDOM_UUID()");
        check.exact("DATE", "'2026-01-01'", "'2026-01-02'", "'2026-01-01'");
        check.exact("TIME(9)", "'10:00:00'", "'10:00:00.000000001'", "'10:00:00.0'");
        check.exact(
                "TIMESTAMP(9)", "'2026-01-01 10:00:00'", "'2026-01-01 10:00:00.000000001'", "'2026-01-01 10:00:00.0'");
        check.exact("VARBINARY", "X'01'", "X'0100'", "X'01'");
        check.exact("BINARY(2)", "X'01'", "X'0100'", "X'02'");
        check.exact("BLOB", "X'01'", "X'0100'", "X'01'");
        check.inexact("VARCHAR_IGNORECASE", "'a'", "'A'");
        check.inexact("CHAR(5)", "'a'", "'a  '");
        check.inexact("ENUM('a', 'b')", "'a'", "'A'");
        check.inexact("DECFLOAT", "1.0", "1.00");
        check.inexact("DOUBLE PRECISION", "0", "-CAST(0 AS DOUBLE PRECISION)", "0.1", "0.1000000000000000055");
        check.inexact("TIMESTAMP WITH TIME ZONE", "'2026-01-01 10:00:00+00'", "'2026-01-01 11:00:00+01'");
        check.inexact("TIME WITH TIME ZONE", "'10:00:00+00'", "'11:00:00+01'");
    }

    @Test
    void typesWithoutEqualityOfTheirOwnAreOpaque() throws SQLException {
        var check = new EqualityCheck(Dialect.H2, connection);
        for (String type : List.of("JSON", "INT ARRAY", "ROW(a INT)", "INTERVAL DAY", "JAVA_OBJECT", "REAL")) {
            assertThat(check.typeOf(type).kind()).as(type).isEqualTo(ValueKind.OPAQUE);
            assertThat(check.typeOf(type).equality()).as(type).isNotEmpty();
        }
    }

    @Test
    void aCollationMakesTextInexact() throws SQLException {
        execute("SET COLLATION GERMAN STRENGTH PRIMARY");
        var check = new EqualityCheck(Dialect.H2, connection);

        check.inexact("VARCHAR(10)", "'a'", "'A'");
    }

    /** Does nothing, but the schema cannot know that. */
    public static final class NoTrigger implements org.h2.api.Trigger {
        @Override
        public void fire(Connection conn, Object[] oldRow, Object[] newRow) {}
    }
}
