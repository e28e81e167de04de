package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexDefinitionTest {

    @Test
    void aShortLineIsEnough() {
        IndexDefinition definition = IndexDefinition.parse("by_city", "columns=d:city:utf8");

        assertThat(definition)
                .isEqualTo(IndexDefinition.builder("by_city")
                        .column("d", "city", Encoding.UTF8)
                        .build());
        assertThat(definition.versions()).isEqualTo(1);
        assertThat(definition.mode()).isEqualTo(IndexMode.DEFERRED);
        assertThat(definition.state()).isEqualTo(IndexState.BUILDING);
        assertThat(definition.isStrict()).isFalse();
        assertThat(definition.salt()).isZero();
        assertThat(definition.attribute()).isEqualTo("hindex.index.by_city");
        assertThat(definition.indexTable("ns:people")).isEqualTo("ns:people.hindex.by_city");
    }

    @Test
    void everythingCanBeSaidInOneLine() {
        String text =
                "columns=d:city:fold, d:a%3Ab%00:long.desc, d:%00:utf8.split(%3B); covers=d:name, d:; versions=1; "
                        + "mode=sync; salt=16; strict=true; state=active";

        IndexDefinition definition = IndexDefinition.parse("i", text);

        assertThat(definition.toText()).isEqualTo(text);
        assertThat(definition.columns().get(1).name())
                .isEqualTo(ColumnName.of(new byte[] {'d'}, new byte[] {'a', ':', 'b', 0}));
        assertThat(definition.covered()).containsExactly(ColumnName.of("d", "name"), ColumnName.of("d", ""));
        assertThat(definition.toBuilder().build()).isEqualTo(definition);
        assertThat(IndexDefinition.parse("i", "columns=d:a:utf8; versions=3").versions())
                .isEqualTo(3);
    }

    @Test
    void blanksOrderAndCaseOfWordsAreFree() {
        assertThat(IndexDefinition.parse("i", " ; mode = ASYNC ;columns = d:c:utf8.split(,) ,d:e:utf8 ; "))
                .isEqualTo(IndexDefinition.parse("i", "columns=d:c:utf8.split(%2C),d:e:utf8;mode=async"));
    }

    @Test
    void allProblemsAreToldAtOnceEachWithItsPlace() {
        String text = "columns=d:city:utf9, city, d:x:utf8; version=1; mode=lazy; salt=1; mode=sync; x";

        var e = catchThrowableOfType(IllegalDefinitionException.class, () -> IndexDefinition.parse("-bad", text));

        assertThat(e.problems())
                .satisfiesExactly(
                        problem -> assertThat(problem).startsWith("at character 9: unknown type 'utf9'; known are"),
                        problem ->
                                assertThat(problem).startsWith("at character 22: 'city' is no indexed column; write"),
                        problem -> assertThat(problem)
                                .startsWith("at character 38: unknown field 'version', did you mean versions?"),
                        problem -> assertThat(problem)
                                .isEqualTo(
                                        "at character 49: 'lazy' is not allowed; write deferred, sync, async, immutable"),
                        problem -> assertThat(problem).isEqualTo("at character 68: mode is given twice; keep one"),
                        problem -> assertThat(problem).startsWith("at character 79: 'x' is no field"),
                        problem -> assertThat(problem).startsWith("the name '-bad' is not one"),
                        problem -> assertThat(problem).startsWith("salt is 1, which spreads nothing"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0 columns; give 1 to 32",
                "columns=d:a:utf8,d:a:utf8 | indexed twice",
                "columns=d:a:utf8;covers=d:b,d:b | covered twice",
                "columns=d:a:utf8.words,d:b:utf8.list | more than one column with several values",
                "columns=d:a:utf8,e:b:utf8 | is of another family than d:a",
                "columns=d:a:utf8;covers=e:b | is of another family than d:a",
                "columns=d:a:utf8,d:b:utf8;versions=2 | versions is 2 for several columns",
                "columns=d:a:utf8;covers=d:b;versions=2 | versions is 2 for several columns",
                "columns=d:a:utf8;versions=0 | versions is 0; give 1 to 1000",
                "columns=d:a:utf8;versions=many | is no whole number",
                "columns=d:a:utf8;salt=257 | salt is 257; give 0 to 256",
                "columns=:a:utf8 | without a family",
                "columns=d:%4:utf8 | two hexadecimal digits",
                "columns=d:a:utf8;strict=maybe | write false, true"
            })
    void whatCannotBeIsRefused(String text, String message) {
        assertThatThrownBy(() -> IndexDefinition.parse("i", text))
                .isInstanceOf(IllegalDefinitionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void columnsThatCannotBeReadAreNotCalledMissing() {
        assertThatThrownBy(() -> IndexDefinition.parse("i", "columns=d:a:utf9")).hasMessageNotContaining("0 columns");
    }

    @Test
    void anyDefinitionIsReadAgainFromItsText() {
        RandomGenerator random = Seeds.random("definitions");
        for (int i = 0; i < 2_000; i++) {
            IndexDefinition definition = definition(random);

            IndexDefinition again = IndexDefinition.parse(definition.name(), definition.toText());

            assertThat(again).isEqualTo(definition);
            assertThat(again.columns()).isEqualTo(definition.columns());
            assertThat(again.covered()).isEqualTo(definition.covered());
            assertThat(definition.toText()).doesNotContain("'", "\"", "\n");
        }
    }

    /** Any text is read, and read again from its print, or refused with a list of problems; nothing else is thrown. */
    @Test
    void damagedTextsAreReadOrRefused() {
        RandomGenerator random = Seeds.random("damaged definitions");
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder(definition(random).toText());
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                int at = random.nextInt(text.length());
                String letters = "=;,:.()%x1 [*]\0\u00e9";
                text.setCharAt(at, letters.charAt(random.nextInt(letters.length())));
            }
            try {
                IndexDefinition definition = IndexDefinition.parse("i", text.toString());
                assertThat(IndexDefinition.parse("i", definition.toText())).isEqualTo(definition);
                read++;
            } catch (IllegalDefinitionException e) {
                assertThat(e.problems()).isNotEmpty();
            }
        }
        assertThat(read).isPositive();
    }

    private static final List<String> ENCODINGS = List.of(
            "utf8",
            "fold.desc",
            "bytes",
            "long",
            "decimal.desc",
            "fixed(7)",
            "utf8.split(%27%22;)",
            "double.json(a.b[3])");

    static IndexDefinition definition(RandomGenerator random) {
        var builder = IndexDefinition.builder("i" + random.nextInt(100))
                .salt(random.nextInt(3) * 2)
                .strict(random.nextBoolean())
                .mode(any(random, IndexMode.values()))
                .state(any(random, IndexState.values()));
        byte[] family = {(byte) ('a' + random.nextInt(3))};
        boolean one = random.nextBoolean();
        int columns = one ? 1 : 1 + random.nextInt(3);
        for (int i = 0; i < columns; i++) {
            String encoding = ENCODINGS.get(i == 0 ? random.nextInt(ENCODINGS.size()) : random.nextInt(6));
            builder.column(new IndexColumn(column(random, family, i), Encoding.parse(encoding)));
        }
        int covered = one ? 0 : random.nextInt(3);
        for (int i = 0; i < covered; i++) {
            builder.cover(column(random, family, i));
        }
        return (one ? builder.versions(1 + random.nextInt(5)) : builder).build();
    }

    private static <T> T any(RandomGenerator random, T[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The number keeps them apart. */
    private static ColumnName column(RandomGenerator random, byte[] family, int number) {
        var qualifier = new byte[1 + random.nextInt(4)];
        random.nextBytes(qualifier);
        qualifier[0] = (byte) number;
        return ColumnName.of(family, qualifier);
    }
}
