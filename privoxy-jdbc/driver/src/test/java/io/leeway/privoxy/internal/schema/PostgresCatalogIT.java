package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PostgresCatalogIT extends CatalogFixture {

    PostgresCatalogIT() {
        super(Dialect.POSTGRESQL);
    }

    @Test
    void readsColumnsKeysAndForeignKeys() throws SQLException {
        execute(
                "CREATE TABLE pods (id bigint PRIMARY KEY, dropped int, host text NOT NULL UNIQUE)",
                "ALTER TABLE pods DROP COLUMN dropped",
                "CREATE TABLE people (id bigint PRIMARY KEY, \"Name\" text, pod text REFERENCES pods (host), UNIQUE"
                        + " (\"Name\", pod))");

        Relation people = relation("people");

        assertThat(people.kind()).isEqualTo(Relation.Kind.TABLE);
        assertThat(people.table().name()).isEqualTo("public.people");
        assertThat(people.table().columns()).extracting(Column::name).containsExactly("id", "Name", "pod");
        assertThat(people.table().columns()).extracting(Column::nullable).containsExactly(false, true, true);
        assertThat(people.table().keys())
                .extracting(Key::columns, Key::nullsDistinct)
                .containsExactly(tuple(List.of(0), false), tuple(List.of(1, 2), true));
        assertThat(people.table().foreignKeys())
                .extracting(ForeignKey::columns, ForeignKey::target, ForeignKey::targetColumns)
                .containsExactly(tuple(List.of(2), "public.pods", List.of(1)));
        assertThat(people.notes()).isEmpty();
    }

    @Test
    void leavesOutKeysThatDoNotAlwaysHold() throws SQLException {
        execute(
                "CREATE TABLE t (a int, b int, c int, d int, e int, PRIMARY KEY (a) DEFERRABLE INITIALLY IMMEDIATE)",
                "CREATE UNIQUE INDEX partial_key ON t (b) WHERE c > 0",
                "CREATE UNIQUE INDEX expression_key ON t (abs(c))",
                "CREATE UNIQUE INDEX good_key ON t (d) INCLUDE (e)",
                "CREATE UNIQUE INDEX nulls_key ON t (e) NULLS NOT DISTINCT");

        Relation t = relation("t");

        assertThat(t.table().keys())
                .extracting(Key::name, Key::columns, Key::nullsDistinct)
                .containsExactlyInAnyOrder(tuple("good_key", List.of(3), true), tuple("nulls_key", List.of(4), false));
        assertThat(t.notes())
                .containsExactlyInAnyOrder(
                        "key t_pkey is left out: it is deferrable",
                        "key partial_key is left out: it is partial",
                        "key expression_key is left out: it is on an expression");
    }

    @Test
    void leavesOutAnInvalidIndex() throws SQLException {
        execute("CREATE TABLE t (a int)", "INSERT INTO t VALUES (1), (1)");
        try (Connection other = database.connect();
                var statement = other.createStatement()) {
            statement.execute("CREATE UNIQUE INDEX CONCURRENTLY broken ON t (a)");
        } catch (SQLException expected) {
            assertThat(expected.getSQLState()).isEqualTo("23505");
        }

        assertThat(relation("t").table().keys()).isEmpty();
        assertThat(relation("t").notes()).containsExactly("key broken is left out: its index is not valid");
    }

    @Test
    void leavesOutKeysWhoseEqualityIsNotThatOfTheColumn() throws SQLException {
        execute(
                "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE EXTENSION citext",
                "CREATE TABLE t (a text COLLATE ci, b text, c citext, d text COLLATE ci)",
                "CREATE UNIQUE INDEX finer ON t (a COLLATE \"C\")",
                "CREATE UNIQUE INDEX coarser ON t (b COLLATE ci)",
                "CREATE UNIQUE INDEX as_text ON t (c text_ops)",
                "CREATE UNIQUE INDEX same ON t (d)");

        assertThat(relation("t").table().keys()).extracting(Key::name).containsExactly("coarser", "same");
        assertThat(relation("t").notes()).hasSize(2).allMatch(note -> note.contains("equality"));
    }

    @Test
    void takesKeysByPatternAndOfVarcharAndEnum() throws SQLException {
        execute(
                "CREATE TYPE mood AS ENUM ('sad', 'glad')",
                "CREATE DOMAIN email AS varchar(50)",
                "CREATE TABLE t (a text, b varchar(9), c mood, d email, e int[])",
                "CREATE UNIQUE INDEX a_key ON t (a text_pattern_ops)",
                "CREATE UNIQUE INDEX b_key ON t (b)",
                "CREATE UNIQUE INDEX c_key ON t (c)",
                "CREATE UNIQUE INDEX d_key ON t (d)",
                "CREATE UNIQUE INDEX e_key ON t (e)");

        assertThat(relation("t").table().keys()).hasSize(5);
    }

    @Test
    void leavesOutForeignKeysThatDoNotAlwaysHold() throws SQLException {
        execute(
                "CREATE TABLE p (id int PRIMARY KEY)",
                "CREATE TABLE secret (id int PRIMARY KEY)",
                "ALTER TABLE secret ENABLE ROW LEVEL SECURITY",
                "CREATE TABLE t (a int, b int REFERENCES p DEFERRABLE, c int REFERENCES p, d int REFERENCES secret, "
                        + "e int REFERENCES p NOT ENFORCED, f int)",
                "ALTER TABLE t ADD CONSTRAINT t_a_fkey FOREIGN KEY (a) REFERENCES p NOT VALID",
                "CREATE TABLE off (a int REFERENCES p)",
                "ALTER TABLE off DISABLE TRIGGER ALL");

        assertThat(relation("t").table().foreignKeys())
                .extracting(ForeignKey::name)
                .containsExactly("t_c_fkey");
        assertThat(relation("t").notes())
                .containsExactlyInAnyOrder(
                        "foreign key t_a_fkey is left out: it is not validated",
                        "foreign key t_b_fkey is left out: it is deferrable",
                        "foreign key t_d_fkey is left out: row level security hides rows of its target",
                        "foreign key t_e_fkey is left out: it is not validated");
        assertThat(relation("off").table().foreignKeys()).isEmpty();
        assertThat(relation("off").notes()).singleElement().asString().contains("switched off");
    }

    @Test
    void aForeignKeyToAPartitionedTableIsNotOneToItsPartitions() throws SQLException {
        execute(
                "CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE t (a int REFERENCES p)",
                "CREATE TABLE q (id int PRIMARY KEY, a int REFERENCES p) PARTITION BY RANGE (id)",
                "CREATE TABLE q1 PARTITION OF q FOR VALUES FROM (0) TO (10)");

        for (String table : List.of("t", "q", "q1")) {
            assertThat(relation(table).table().foreignKeys())
                    .as(table)
                    .extracting(ForeignKey::target)
                    .containsExactly("public.p");
        }
        assertThat(relation("p").table().keys()).hasSize(1);
        assertThat(relation("p1").table().keys()).hasSize(1);
    }

    @Test
    void leavesOutWhatIsAboutPeriods() throws SQLException {
        execute(
                "CREATE EXTENSION btree_gist",
                "CREATE TABLE p (id int, during daterange, PRIMARY KEY (id, during WITHOUT OVERLAPS))",
                "CREATE TABLE t (id int, during daterange, FOREIGN KEY (id, PERIOD during) REFERENCES p (id, PERIOD"
                        + " during))");

        assertThat(relation("p").table().keys()).isEmpty();
        assertThat(relation("t").table().foreignKeys()).isEmpty();
    }

    @Test
    void trustsNothingDeclaredOnATableWithInheritors() throws SQLException {
        execute(
                "CREATE TABLE pods (id int PRIMARY KEY)",
                "CREATE TABLE parent (id int PRIMARY KEY, pod int NOT NULL REFERENCES pods)",
                "CREATE TABLE child () INHERITS (parent)",
                "CREATE TABLE t (p int REFERENCES parent)");

        Relation parent = relation("parent");

        assertThat(parent.table().keys()).isEmpty();
        assertThat(parent.table().foreignKeys()).isEmpty();
        assertThat(parent.table().columns()).allMatch(Column::nullable);
        assertThat(parent.notes()).singleElement().asString().contains("inherit");
        assertThat(relation("child").table().columns()).noneMatch(Column::nullable);
        assertThat(relation("t").table().foreignKeys()).hasSize(1);
    }

    @Test
    void doesNotTrustNotNullThatIsNotValidated() throws SQLException {
        execute(
                "CREATE TABLE t (a int, b int NOT NULL)",
                "INSERT INTO t VALUES (NULL, 1)",
                "ALTER TABLE t ADD CONSTRAINT a_not_null NOT NULL a NOT VALID",
                "CREATE DOMAIN d AS int NOT NULL",
                "CREATE TABLE u (a d)");

        assertThat(relation("t").table().columns()).extracting(Column::nullable).containsExactly(true, false);
        assertThat(relation("u").table().columns()).extracting(Column::nullable).containsExactly(true);
    }

    @Test
    void trustsNoConstraintOfViewsAndForeignTables() throws SQLException {
        execute(
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE VIEW v AS SELECT id FROM t",
                "CREATE MATERIALIZED VIEW m AS SELECT id FROM t",
                "CREATE UNIQUE INDEX m_key ON m (id)",
                "CREATE EXTENSION file_fdw",
                "CREATE SERVER files FOREIGN DATA WRAPPER file_fdw",
                "CREATE FOREIGN TABLE f (id int NOT NULL) SERVER files OPTIONS (filename '/dev/null')",
                "CREATE SEQUENCE s",
                "CREATE TABLE p (id int NOT NULL) PARTITION BY RANGE (id)",
                "CREATE FOREIGN TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (9) SERVER files OPTIONS (filename"
                        + " '/dev/null')");

        for (String name : List.of("v", "m", "f", "s")) {
            Relation relation = relation(name);
            assertThat(relation.kind()).as(name).isEqualTo(Relation.Kind.VIEW);
            assertThat(relation.table().keys()).as(name).isEmpty();
            assertThat(relation.table().columns()).as(name).isNotEmpty().allMatch(Column::nullable);
        }
        assertThat(relation("p").kind()).isEqualTo(Relation.Kind.TABLE);
        assertThat(relation("p").table().columns()).allMatch(Column::nullable);
    }

    @Test
    void tellsTheQueryOfAViewAndHowToReadItsNames() throws SQLException {
        execute(
                "CREATE SCHEMA other",
                "CREATE TABLE t (id int)",
                "CREATE TABLE other.u (id int)",
                "CREATE VIEW v AS SELECT t.id FROM t JOIN other.u USING (id)");

        Relation.Definition definition = Objects.requireNonNull(relation("v").definition());

        assertThat(definition.sql()).contains("other.u", " t");
        assertThat(definition.searchPath()).containsExactly("pg_catalog", "public");
        execute("SET search_path = other");
        definition = Objects.requireNonNull(relation("public", "v").definition());
        assertThat(definition.sql()).contains("public.t").doesNotContain("other.u");
        assertThat(definition.searchPath()).containsExactly("pg_catalog", "other");
        assertThat(relation("pg_catalog", "pg_tables").definition()).isNull();
    }

    @Test
    void anotherQueryOfAViewIsNoticed() throws SQLException {
        execute("CREATE TABLE t (id int)", "CREATE VIEW v AS SELECT id FROM t WHERE id > 3");
        LiveSchema schema = schema();
        TableSource source = schema.through(ConnectionSource.of(connection));
        source.find(List.of("v"), source.searchPath());
        execute("CREATE OR REPLACE VIEW v AS SELECT id FROM t");

        assertThat(schema.refresh(connection)).containsExactly("public.v");
    }

    @Test
    void looksAgainWhereASessionHasTemporaryTables() throws SQLException {
        execute("CREATE TABLE t (a int)", "CREATE TEMPORARY TABLE u (b int)");
        LiveSchema schema = schema();
        TableSource source = schema.through(ConnectionSource.of(connection));
        List<String> path = schema.searchPath(connection);
        assertThat(Objects.requireNonNull(source.find(List.of("t"), path)).kind())
                .isEqualTo(Relation.Kind.TABLE);

        execute("CREATE TEMPORARY TABLE t (c int)");

        assertThat(schema.searchPath(connection)).isEqualTo(path);
        assertThat(Objects.requireNonNull(source.find(List.of("t"), path)).kind())
                .isEqualTo(Relation.Kind.TEMPORARY);
    }

    @Test
    void findsTablesOnTheSearchPathAsTheDatabaseDoes() throws SQLException {
        execute(
                "CREATE SCHEMA other",
                "CREATE TABLE t (a int)",
                "CREATE TABLE other.t (b int)",
                "CREATE TABLE \"T\" (c int)",
                "CREATE TABLE pg_class (d int)",
                "SET search_path = other, public");

        assertThat(relation("t").table().name()).isEqualTo("other.t");
        assertThat(relation("T").table().name()).isEqualTo("public.T");
        assertThat(relation("public", "t").table().name()).isEqualTo("public.t");
        assertThat(relation(database.name(), "public", "t").table().name()).isEqualTo("public.t");
        assertThat(relation("pg_class").kind()).isEqualTo(Relation.Kind.SYSTEM);
        assertThat(relation("information_schema", "tables").kind()).isEqualTo(Relation.Kind.SYSTEM);
        execute("SET search_path = public, pg_catalog");
        assertThat(relation("pg_class").table().name()).isEqualTo("public.pg_class");
    }

    @Test
    void aTemporaryTableHidesOthersOfItsName() throws SQLException {
        execute("CREATE TABLE t (a int PRIMARY KEY)", "CREATE TEMPORARY TABLE t (b int)");

        assertThat(relation("t").kind()).isEqualTo(Relation.Kind.TEMPORARY);
        assertThat(relation("public", "t").kind()).isEqualTo(Relation.Kind.TABLE);
    }

    @Test
    void isNotMisledByTablesAndFunctionsOfTheUser() throws SQLException {
        execute(
                "CREATE TABLE t (a int PRIMARY KEY)",
                "CREATE TABLE pg_index (indrelid oid, indisunique boolean)",
                "CREATE FUNCTION unnest(text[]) RETURNS SETOF text LANGUAGE sql AS 'SELECT NULL::text'",
                "SET search_path = public, pg_catalog");

        assertThat(relation("t").table().keys()).hasSize(1);
    }

    @Test
    void tellsWhatAWriteReaches() throws SQLException {
        execute(
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE TABLE b (id int PRIMARY KEY, a_id int REFERENCES a ON DELETE CASCADE)",
                "CREATE TABLE c (id int PRIMARY KEY, b_id int REFERENCES b ON UPDATE SET NULL)",
                "CREATE TABLE d (id int PRIMARY KEY, a_id int REFERENCES a)",
                "CREATE TABLE child () INHERITS (d)",
                "CREATE TABLE e (id int)",
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER g AFTER INSERT ON e EXECUTE FUNCTION f()",
                "CREATE TABLE r (id int)",
                "CREATE RULE s AS ON INSERT TO r DO ALSO DELETE FROM d");
        LiveSchema schema = schema();

        assertThat(schema.reach(connection, "public.a").tables())
                .containsExactlyInAnyOrder("public.a", "public.b", "public.c");
        assertThat(schema.reach(connection, "public.child").tables())
                .containsExactlyInAnyOrder("public.child", "public.d");
        assertThat(schema.reach(connection, "public.e")).isEqualTo(Reach.EVERYTHING);
        assertThat(schema.reach(connection, "public.r")).isEqualTo(Reach.EVERYTHING);
    }

    @Test
    void equalityIsThatOfTheDatabase() throws SQLException {
        execute(
                "CREATE TYPE mood AS ENUM ('sad', 'glad')",
                "CREATE DOMAIN money2 AS numeric(10, 2)",
                "CREATE DOMAIN pay AS money2");
        var check = new EqualityCheck(Dialect.POSTGRESQL, connection);

        for (String type : List.of("smallint", "int", "bigint", "oid", "numeric(10)")) {
            assertThat(check.exact(type, "1", "2", "1").whole()).as(type).isTrue();
        }
        for (String type : List.of("numeric(10, 2)", "money2", "pay")) {
            assertThat(check.exact(type, "1", "1.0", "1.001", "2").whole())
                    .as(type)
                    .isFalse();
        }
        assertThat(check.exact("numeric(3, -2)", "100", "120", "300").whole()).isTrue();
        check.inexact("numeric", "1.0", "1.00", "2");
        check.exact("text", "'a'", "'A'", "'a '", "''", "'a'", "U&'\\00e9'", "U&'e\\0301'");
        check.exact("varchar(9)", "'a'", "'A'", "'a '", "'a'");
        check.exact("name", "'a'", "'A'", "'a'");
        check.inexact("char(5)", "'a'", "'a  '");
        check.exact("mood", "'sad'", "'glad'", "'sad'");
        check.exact("boolean", "true", "false", "'t'");
        check.exact(
                "uuid",
                "'6f9619ff-8b86-d011-b42d-00c04fc964ff'",
                "'{6F9619FF8B86D011B42D00C04FC964FF}'",
                "gen_random_uuid()");
        check.exact("date", "'2026-01-01'", "'2026-01-02'", "'1/1/2026'");
        check.exact("time", "'10:00'", "'10:00:00.000001'", "'10:00:00.0'");
        check.exact("timestamp", "'2026-01-01 10:00'", "'2026-01-01 10:00:00.000001'", "'2026-01-01 10:00'");
        check.exact("timestamptz", "'2026-01-01 10:00+00'", "'2026-01-01 11:00+01'", "'2026-01-01 11:00+00'");
        check.exact("bytea", "'\\x01'", "'\\x0100'", "'\\x01'");
        check.inexact("jsonb", "'{\"a\": 1.0}'", "'{\"a\": 1.00}'", "'{}'");
        check.inexact("double precision", "0", "'-0'", "1");
        check.inexact("real", "0", "'-0'", "1");
        check.inexact("interval", "'1 month'", "'30 days'");
        check.inexact("numeric[]", "ARRAY[1.0]", "ARRAY[1.00]");
        check.inexact("numrange", "'[1.0,2)'", "'[1.00,2)'");
    }

    @Test
    void equalityOfTextFollowsTheCollation() throws SQLException {
        execute(
                "CREATE EXTENSION citext",
                "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE COLLATION de (provider = icu, locale = 'de')",
                "CREATE DOMAIN ci_text AS text COLLATE ci");
        var check = new EqualityCheck(Dialect.POSTGRESQL, connection);

        check.exact("text COLLATE de", "'a'", "'A'", "'a'");
        check.exact("text COLLATE \"C\"", "'a'", "'A'", "'a'");
        String nondeterministic = check.inexact("text COLLATE ci", "'a'", "'A'").equality();
        assertThat(check.inexact("varchar(9) COLLATE ci", "'a'", "'A'").equality())
                .isEqualTo(nondeterministic);
        assertThat(check.inexact("ci_text", "'a'", "'A'").equality()).isEqualTo(nondeterministic);
        assertThat(check.inexact("char(5) COLLATE ci", "'a'", "'A'").equality()).isNotEqualTo(nondeterministic);
        assertThat(check.inexact("citext", "'a'", "'A'").equality()).isNotEqualTo(nondeterministic);
        check.inexact("text[] COLLATE ci", "ARRAY['a']", "ARRAY['A']");
    }

    @Test
    void typesThatAreNotKnownAreOpaque() throws SQLException {
        execute("CREATE EXTENSION hstore", "CREATE TYPE pair AS (a int, b int)");
        var check = new EqualityCheck(Dialect.POSTGRESQL, connection);

        for (String type : List.of(
                "json",
                "xml",
                "point",
                "inet",
                "money",
                "bit(3)",
                "timetz",
                "tsvector",
                "hstore",
                "pair",
                "\"char\"")) {
            assertThat(check.typeOf(type).kind()).as(type).isEqualTo(ValueKind.OPAQUE);
            assertThat(check.typeOf(type).equality()).as(type).isNotEmpty();
        }
    }

    @Test
    void readsManyTablesInFiveStatements() throws SQLException {
        for (int i = 0; i < 50; i++) {
            execute("CREATE TABLE t" + i + " (id int PRIMARY KEY, o int" + (i == 0 ? "" : " REFERENCES t" + (i - 1))
                    + ")");
        }
        var statements = new java.util.concurrent.atomic.AtomicInteger();
        Connection counted = InterruptedReads.of(connection, statements::incrementAndGet);
        LiveSchema schema = schema();
        TableSource source = schema.through(ConnectionSource.of(counted));
        List<List<String>> names = java.util.stream.IntStream.range(0, 50)
                .mapToObj(i -> List.of("t" + i))
                .toList();

        source.prefetch(names, source.searchPath());

        assertThat(source.schema().tables()).hasSize(50);
        assertThat(statements).hasValue(5);
    }
}
