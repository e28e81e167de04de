package io.leeway.hindex.internal.encode;

import static io.leeway.hindex.internal.encode.Samples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IndexKeysTest {

    private static final byte[] BASE = {0, 1, -1};

    @Test
    void aRowHoldsTheValuesAndTheBaseRow() {
        IndexKeys keys = keys(0, "utf8", "byte.desc", "utf8");

        byte[] row = only(keys, utf8("a"), new byte[] {5}, null);

        assertThat(row).isEqualTo(new byte[] {'a', 0, 1, (byte) ~2, 0x7A, 1, 0, 1, -1});
        assertThat(keys.base(row)).isEqualTo(BASE);
        assertThat(keys.values(row)).containsExactly("a", (byte) 5, null);
    }

    @Test
    void absentIsBeforeAllValuesOrAfterThemWhereTheOrderIsDescending() {
        IndexKeys ascending = keys(0, "byte", "byte");
        IndexKeys descending = keys(0, "byte", "byte.desc");
        byte[] one = {1};

        assertThat(Arrays.compareUnsigned(only(ascending, one, null), only(ascending, one, new byte[] {-128})))
                .isNegative();
        assertThat(Arrays.compareUnsigned(only(descending, one, null), only(descending, one, new byte[] {-128})))
                .isPositive();
    }

    @Test
    void aRowWithoutTheFirstColumnHasNoEntry() {
        var out = new ArrayList<byte[]>();

        assertThat(rows(keys(0, "utf8", "utf8"), out, null, utf8("x"))).isEqualTo(Outcome.ABSENT);
        assertThat(out).isEmpty();
    }

    @Test
    void aMalformedFirstCellHasNoEntryAndALaterOneCountsAsAbsent() {
        var out = new ArrayList<byte[]>();

        assertThat(rows(keys(0, "int", "int"), out, new byte[3], new byte[4])).isEqualTo(Outcome.MALFORMED);
        assertThat(out).isEmpty();
        assertThat(rows(keys(0, "int", "int"), out, new byte[4], new byte[3])).isEqualTo(Outcome.MALFORMED);
        assertThat(keys(0, "int", "int").values(out.get(0))).containsExactly(0, null);
    }

    @Test
    void aKeyBeyondTheLimitOfTheStoreIsMalformed() {
        IndexKeys keys = keys(0, "utf8");
        var out = new ArrayList<byte[]>();
        byte[] fits = utf8("x".repeat(IndexKeys.MAX_ROW - 2 - BASE.length));

        assertThat(rows(keys, out, fits)).isEqualTo(Outcome.INDEXED);
        assertThat(rows(keys, out, Arrays.copyOf(fits, fits.length + 1))).isEqualTo(Outcome.MALFORMED);
        assertThat(out).hasSize(1);
    }

    @Test
    void everyElementHasARowWithTheOtherColumns() {
        IndexKeys keys = keys(0, "int", "utf8.split(%2C)", "byte");
        var out = new ArrayList<byte[]>();

        assertThat(rows(keys, out, new byte[4], utf8("b,a"), new byte[1])).isEqualTo(Outcome.INDEXED);

        assertThat(out).extracting(keys::values).containsExactly(List.of(0, "a", (byte) 0), List.of(0, "b", (byte) 0));
    }

    @Test
    void noElementsAreAbsent() {
        var out = new ArrayList<byte[]>();

        assertThat(rows(keys(0, "utf8.words", "int"), out, utf8("?"), new byte[4]))
                .isEqualTo(Outcome.ABSENT);
        assertThat(out).isEmpty();
        assertThat(rows(keys(0, "int", "utf8.words"), out, new byte[4], utf8("?")))
                .isEqualTo(Outcome.INDEXED);
        assertThat(keys(0, "int", "utf8.words").values(out.get(0))).containsExactly(0, null);
    }

    @Test
    void theSaltFollowsFromTheFirstColumnAloneAndUsesAllParts() {
        IndexKeys keys = keys(8, "utf8", "utf8");
        var parts = new TreeSet<Byte>();
        for (int i = 0; i < 200; i++) {
            byte[] first = utf8("value " + i);
            byte[] row = only(keys, first, utf8("x"));
            parts.add(row[0]);
            assertThat(only(keys, first, utf8("y"))[0]).isEqualTo(row[0]);
            assertThat(keys.values(row)).containsExactly("value " + i, "x");
            assertThat(keys.base(row)).isEqualTo(BASE);
        }
        assertThat(parts).hasSize(8).first().isEqualTo((byte) 0);
    }

    @Test
    void anIndexRowIsRecognisedByTheCellsItIsMadeOf() {
        IndexKeys keys = keys(0, "fold", "int");
        byte[] row = only(keys, utf8("Bob"), new byte[4]);

        assertThat(keys.isRowOf(row, CellValues.of(Arrays.asList(utf8("bOB"), new byte[4]))))
                .isTrue();
        assertThat(keys.isRowOf(row, CellValues.of(Arrays.asList(utf8("Bobo"), new byte[4]))))
                .isFalse();
        assertThat(keys.isRowOf(row, CellValues.of(Arrays.asList(utf8("Bob"), null))))
                .isFalse();
        assertThat(keys.isRowOf(row, CellValues.of(Arrays.asList(null, new byte[4]))))
                .isFalse();
        assertThat(keys.isRowOf(new byte[] {'B'}, CellValues.of(Arrays.asList(utf8("Bob"), new byte[4]))))
                .isFalse();
    }

    @Test
    void aRowOfSomethingElseIsRefused() {
        assertThatThrownBy(() -> keys(0, "utf8").base(new byte[] {'x'})).hasMessageContaining("none of this index");
        assertThatThrownBy(() -> keys(0, "byte", "byte").values(new byte[] {0, 7, 0}))
                .hasMessageContaining("none of this index");
        assertThat(keys(4, "byte").baseStart(new byte[0], 0, 0)).isEqualTo(-1);
    }

    /** Rows of random definitions: read back whole, and ordered by values, then by base row. */
    @Test
    void rowsOfAnyDefinitionAreReadBack() {
        RandomGenerator random = Seeds.random("rows of any definition");
        for (int i = 0; i < 3_000; i++) {
            List<Samples<?>> columns = Stream.generate(
                            () -> Samples.all().get(random.nextInt(Samples.all().size())))
                    .limit(1 + random.nextInt(4))
                    .collect(Collectors.toList());
            String[] codecs = columns.stream()
                    .map(samples -> samples.type() + (random.nextBoolean() ? ".desc" : ""))
                    .toArray(String[]::new);
            IndexKeys keys = keys(random.nextInt(3) * 2, codecs);
            var cells = new byte[columns.size()][];
            for (int c = 0; c < cells.length; c++) {
                cells[c] = c > 0 && random.nextInt(4) == 0 ? null : cell(columns.get(c), random);
            }
            var base = new byte[1 + random.nextInt(5)];
            random.nextBytes(base);
            var out = new ArrayList<byte[]>();

            assertThat(keys.rows(CellValues.of(Arrays.asList(cells)), base, 0, base.length, out))
                    .isEqualTo(Outcome.INDEXED);
            assertThat(keys.base(out.get(0))).isEqualTo(base);
            assertThat(keys.isRowOf(out.get(0), CellValues.of(Arrays.asList(cells))))
                    .isTrue();
            for (int c = 0; c < cells.length; c++) {
                assertThat(keys.values(out.get(0)).get(c) == null).isEqualTo(cells[c] == null);
            }
        }
    }

    private static <T> byte[] cell(Samples<T> samples, RandomGenerator random) {
        return samples.cell().apply(samples.next(random));
    }

    private static IndexKeys keys(int salt, String... codecs) {
        return new IndexKeys(Stream.of(codecs).map(ColumnCodec::parse).toList(), salt);
    }

    private static byte[] only(IndexKeys keys, byte[]... cells) {
        var out = new ArrayList<byte[]>();
        assertThat(rows(keys, out, cells)).isEqualTo(Outcome.INDEXED);
        assertThat(out).hasSize(1);
        return out.get(0);
    }

    private static Outcome rows(IndexKeys keys, List<byte[]> out, byte[]... cells) {
        return keys.rows(CellValues.of(Arrays.asList(cells)), BASE, 0, BASE.length, out);
    }
}
