package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SchemaTextTest {

    private static final SchemaSnapshot SCHEMA = new SchemaSnapshot(
            Dialect.POSTGRESQL,
            List.of("public", "odd name"),
            false,
            false,
            List.of(
                    new Relation(
                            new Table(
                                    "public.people",
                                    List.of(
                                            new Column("id", ColumnType.integer("bigint"), false),
                                            new Column(
                                                    "e-mail \"x\"\n",
                                                    ColumnType.inexact(
                                                            ValueKind.TEXT, "citext:pg_catalog.default", "citext"),
                                                    true),
                                            new Column(
                                                    "pod_id",
                                                    ColumnType.exact(ValueKind.NUMBER, "numeric(10,2)"),
                                                    true)),
                                    List.of(
                                            new Key("people_pkey", List.of(0), false),
                                            new Key("two", List.of(1, 2), true)),
                                    List.of(
                                            new ForeignKey("gone", List.of(2), "public.elsewhere", List.of(4), false),
                                            new ForeignKey("pods", List.of(2), "public.\"p.ods\"", List.of(0), true))),
                            Relation.Kind.TABLE,
                            2,
                            null,
                            List.of("key x is left out: it is deferrable")),
                    new Relation(
                            new Table(
                                    "public.\"p.ods\"",
                                    List.of(new Column("#", ColumnType.integer("bigint"), false)),
                                    List.of(),
                                    List.of()),
                            Relation.Kind.VIEW,
                            1,
                            new Relation.Definition("SELECT id\n FROM \"x\"", List.of("pg_catalog", "public")),
                            List.of())));

    @Test
    void readsBackWhatItWrote() {
        assertThat(SchemaTextReader.read(SchemaText.write(SCHEMA))).isEqualTo(SCHEMA);
    }

    @Test
    void readsBackTheRulesOfNames() {
        var insensitive = new SchemaSnapshot(Dialect.MARIADB, List.of("shop"), true, true, SCHEMA.relations());

        assertThat(SchemaTextReader.read(SchemaText.write(insensitive))).isEqualTo(insensitive);
    }

    @Test
    void isReadable() {
        assertThat(SchemaText.write(SCHEMA))
                .contains(
                        "privoxy-schema 1\ndialect POSTGRESQL\nsearch-path public \"odd name\"\n",
                        "table public.people TABLE\n  column id NUMBER bigint whole not-null\n",
                        "  key people_pkey ( id )\n",
                        "  foreign-key gone ( pod_id ) references public.elsewhere ( #5 )\n");
    }

    @Test
    void findsTablesWithoutADatabase() {
        Relation people = Objects.requireNonNull(SCHEMA.find(List.of("people"), SCHEMA.searchPath()));

        assertThat(people.table().name()).isEqualTo("public.people");
        assertThat(SCHEMA.find(List.of("public", "p.ods"), List.of())).isNotNull();
        assertThat(SCHEMA.find(List.of("PEOPLE"), SCHEMA.searchPath())).isNull();
        assertThat(SCHEMA.find(List.of("people"), List.of("elsewhere"))).isNull();
        assertThat(SCHEMA.column(people.table(), "pod_id")).isEqualTo(2);
        assertThat(SCHEMA.column(people.table(), "POD_ID")).isEqualTo(-1);
    }

    @Test
    void findsTablesWithoutRegardToCaseWhereTheDatabaseDoes() {
        var insensitive = new SchemaSnapshot(Dialect.MARIADB, List.of("public"), true, true, SCHEMA.relations());
        Relation people = Objects.requireNonNull(insensitive.find(List.of("People"), List.of("PUBLIC")));

        assertThat(insensitive.column(people.table(), "POD_ID")).isEqualTo(2);
    }

    @Test
    void theFingerprintIsThatOfTheFactsAlone() {
        Relation people = SCHEMA.relations().get(1);
        var silent = new Relation(people.table(), people.kind(), people.visibleColumns(), null, List.of());
        var other = new Relation(people.table(), people.kind(), 3, null, List.of());

        assertThat(SchemaText.fingerprint(List.of(people))).isEqualTo(SchemaText.fingerprint(List.of(silent)));
        assertThat(SchemaText.fingerprint(List.of(people))).isNotEqualTo(SchemaText.fingerprint(List.of(other)));
    }

    @Test
    void refusesWhatItDoesNotUnderstandWithTheLine() {
        assertRefused("privoxy-schema 1\ndialect ORACLE", "line 2", "ORACLE");
        assertRefused("privoxy-schema 2", "line 1", "format");
        assertRefused("dialect H2\ncolumn id NUMBER int", "line 2", "table");
        assertRefused("dialect H2\ntable a.b TABLE\n  key k ( id )", "a.b has no column id");
        assertRefused("dialect H2\ntable a.b TABLE\n  column id NUMBER int shiny", "line 3", "shiny");
        assertRefused("dialect H2\ntable a.b TABLE\n  column \"id NUMBER int", "line 3", "quote");
        assertRefused("dialect H2\ntable a.b TABLE extra", "line 2", "more words");
        assertRefused("# nothing", "dialect");
    }

    private static void assertRefused(String text, String... parts) {
        assertThatThrownBy(() -> SchemaTextReader.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(parts);
    }
}
