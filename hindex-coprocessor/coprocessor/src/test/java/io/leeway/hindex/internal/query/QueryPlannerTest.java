package io.leeway.hindex.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.Condition;
import io.leeway.hindex.internal.encode.CellValues;
import io.leeway.hindex.internal.encode.ColumnCodec;
import io.leeway.hindex.internal.encode.IndexKeys;
import io.leeway.hindex.internal.encode.Outcome;
import io.leeway.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueryPlannerTest {

    /** Few values, many of them at edges, so that conditions hit. */
    private static final List<String> WORDS = List.of("", "\0", "a", "a\0", "ab", "b", "\uffff", "\ud83d\ude00");

    private static final List<Long> NUMBERS = List.of(Long.MIN_VALUE, -1L, 0L, 1L, 7L, Long.MAX_VALUE);

    private static final ReadOrder ORDER = new ReadOrder(false, false);

    /** The rows of all ranges are those that a look at every row finds, for any definition and condition. */
    @Test
    void rangesHoldWhatAFilterOverAllRowsFinds() {
        RandomGenerator random = Seeds.random("conditions");
        int found = 0;
        for (int i = 0; i < 3_000; i++) {
            boolean[] text = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
            IndexKeys keys = keys(random, text);
            List<Row> rows = rows(keys, text, random);
            List<Condition> conditions = conditions(text, random);

            List<ScanRange> ranges = QueryPlanner.plan(keys, conditions);

            List<Row> expected =
                    rows.stream().filter(row -> row.fulfils(conditions)).toList();
            List<Row> actual = rows.stream()
                    .filter(row -> ranges.stream().anyMatch(range -> range.contains(row.key())))
                    .toList();
            assertThat(actual).as("%s of %s", conditions, keys.codecs()).isEqualTo(expected);
            assertApart(ranges);
            found += expected.size();
        }
        assertThat(found).isPositive();
    }

    @Test
    void aValueThatIsTooLongForAKeyIsRefused() {
        IndexKeys keys = new IndexKeys(List.of(ColumnCodec.parse("bytes")), 0);
        byte[] value = new byte[Short.MAX_VALUE + 1];
        Arrays.fill(value, (byte) 'a');

        assertThatThrownBy(() -> QueryPlanner.planCell(keys, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have no entry; scan the table");
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.is(value))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have no entry; scan the table");
        assertThat(QueryPlanner.planCell(keys, new byte[] {1})).hasSize(1);
    }

    @Test
    void pagesHoldEveryRowOnceWhateverTheirSize() {
        RandomGenerator random = Seeds.random("pages");
        for (int i = 0; i < 300; i++) {
            boolean[] text = {true, false, true};
            IndexKeys keys = keys(random, text);
            var table = new TreeSet<byte[]>(Arrays::compareUnsigned);
            rows(keys, text, random).forEach(row -> table.add(row.key()));
            List<ScanRange> ranges = QueryPlanner.plan(keys, conditions(text, random));
            var order = new ReadOrder(keys.salt() > 0, random.nextBoolean());
            List<byte[]> all = scan(table, ranges, order);

            var paged = new ArrayList<byte[]>();
            List<ScanRange> left = ranges;
            int size = 1 + random.nextInt(5);
            while (true) {
                List<byte[]> page =
                        scan(table, left, order).stream().limit(size).toList();
                paged.addAll(page);
                if (page.size() < size) {
                    break;
                }
                left = PageToken.resume(ranges, order, PageToken.after(ranges, order, page.get(page.size() - 1)));
            }

            assertThat(paged).hasSameSizeAs(all);
            for (int row = 0; row < all.size(); row++) {
                assertThat(paged.get(row)).isEqualTo(all.get(row));
            }
        }
    }

    @Test
    void anExactConditionLeadsIntoOnePartAndARangeIntoAll() {
        IndexKeys keys = new IndexKeys(List.of(ColumnCodec.parse("utf8")), 16);

        assertThat(QueryPlanner.plan(keys, List.of(Condition.is("a")))).hasSize(1);
        assertThat(QueryPlanner.plan(keys, List.of(Condition.startsWith("a")))).hasSize(16);
    }

    @Test
    void aRangeFromAboveToBelowIsEmpty() {
        IndexKeys keys = new IndexKeys(List.of(ColumnCodec.parse("long")), 0);

        assertThat(QueryPlanner.plan(keys, List.of(Condition.between(2L, 1L)))).isEmpty();
        assertThat(QueryPlanner.plan(keys, List.of(Condition.in(List.of())))).isEmpty();
    }

    @Test
    void whatTheIndexCannotAnswerIsRefused() {
        IndexKeys keys = new IndexKeys(List.of(ColumnCodec.parse("long"), ColumnCodec.parse("utf8")), 0);

        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of())).hasMessageContaining("0 conditions");
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.atLeast(1L), Condition.is("a"))))
                .hasMessageContaining("condition 1 is not exact and others follow");
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.isAbsent())))
                .hasMessageContaining("not in the index");
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.is("a"))))
                .hasMessageContaining("not a value of type long");
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.startsWith(1L))))
                .hasMessageContaining("no prefixes");
        List<Long> many = Stream.iterate(0L, n -> n + 1).limit(101).toList();
        List<String> words = many.stream().map(String::valueOf).toList();
        assertThatThrownBy(() -> QueryPlanner.plan(keys, List.of(Condition.in(many), Condition.in(words))))
                .hasMessageContaining("more than 10000 combinations");
    }

    @Test
    void aTokenOfAnotherQueryOrADamagedOneIsRefused() {
        IndexKeys keys = new IndexKeys(List.of(ColumnCodec.parse("long")), 0);
        List<ScanRange> ranges = QueryPlanner.plan(keys, List.of(Condition.is(1L)));
        List<ScanRange> others = QueryPlanner.plan(keys, List.of(Condition.is(2L)));
        String token = PageToken.after(ranges, ORDER, new byte[] {1, 2, 3});
        String damaged = token.substring(0, 8) + (token.charAt(8) == 'A' ? 'B' : 'A') + token.substring(9);

        for (String wrong : List.of("", "!", "AAAA", damaged, token.substring(0, 10))) {
            assertThatThrownBy(() -> PageToken.resume(ranges, ORDER, wrong))
                    .hasMessageContaining("start again without one");
        }
        assertThatThrownBy(() -> PageToken.resume(others, ORDER, token)).hasMessageContaining("another query");
        assertThatThrownBy(() -> PageToken.resume(ranges, new ReadOrder(false, true), token))
                .hasMessageContaining("another query");
    }

    private static void assertApart(List<ScanRange> ranges) {
        for (int i = 1; i < ranges.size(); i++) {
            byte[] stop = ranges.get(i - 1).stop();
            assertThat(stop).isNotEmpty();
            assertThat(Arrays.compareUnsigned(stop, ranges.get(i).start())).isNegative();
        }
    }

    private static List<byte[]> scan(NavigableSet<byte[]> table, List<ScanRange> ranges, ReadOrder order) {
        var found = new ArrayList<byte[]>();
        for (List<ScanRange> part : order.parts(ranges)) {
            for (ScanRange range : part) {
                table.tailSet(range.start()).stream().takeWhile(range::contains).forEach(found::add);
            }
        }
        found.sort(order);
        return found;
    }

    private static IndexKeys keys(RandomGenerator random, boolean[] text) {
        var codecs = new ArrayList<ColumnCodec>();
        for (boolean each : text) {
            codecs.add(ColumnCodec.parse((each ? "utf8" : "long") + (random.nextBoolean() ? ".desc" : "")));
        }
        return new IndexKeys(codecs, random.nextInt(2) * 3);
    }

    private static List<Row> rows(IndexKeys keys, boolean[] text, RandomGenerator random) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < 40; i++) {
            var values = new ArrayList<@Nullable Object>();
            var cells = new ArrayList<byte @Nullable []>();
            for (int column = 0; column < text.length; column++) {
                Object value = column > 0 && random.nextInt(4) == 0 ? null : value(text[column], random);
                values.add(value);
                cells.add(value == null ? null : cell(value));
            }
            var out = new ArrayList<byte[]>();
            assertThat(keys.rows(CellValues.of(cells), new byte[] {(byte) random.nextInt(), (byte) i}, 0, 2, out))
                    .isEqualTo(Outcome.INDEXED);
            rows.add(new Row(HexFormat.of().formatHex(out.get(0)), values));
        }
        return rows;
    }

    private static List<Condition> conditions(boolean[] text, RandomGenerator random) {
        var conditions = new ArrayList<Condition>();
        int count = 1 + random.nextInt(text.length);
        for (int column = 0; column < count; column++) {
            boolean last = column == count - 1;
            conditions.add(condition(text[column], random, random.nextInt(last ? 11 : 4), column == 0));
        }
        return conditions;
    }

    private static Condition condition(boolean text, RandomGenerator random, int kind, boolean first) {
        Object one = value(text, random);
        Object other = value(text, random);
        return switch (kind) {
            case 0 -> Condition.is(one);
            case 1, 2 -> Condition.in(List.of(one, other, value(text, random)));
            case 3 -> first ? Condition.is(one) : Condition.isAbsent();
            case 4 -> Condition.between(one, other);
            case 5 -> Condition.atLeast(one);
            case 6 -> Condition.above(one);
            case 7 -> Condition.atMost(one);
            case 8 -> Condition.below(one);
            case 9 -> Condition.isPresent();
            default -> text ? Condition.startsWith(one) : Condition.between(one, one);
        };
    }

    private static Object value(boolean text, RandomGenerator random) {
        return text ? WORDS.get(random.nextInt(WORDS.size())) : NUMBERS.get(random.nextInt(NUMBERS.size()));
    }

    private static byte[] cell(Object value) {
        return value instanceof Long number
                ? ByteBuffer.allocate(8).putLong(number).array()
                : ((String) value).getBytes(StandardCharsets.UTF_8);
    }

    private record Row(String hex, List<@Nullable Object> values) {

        byte[] key() {
            return HexFormat.of().parseHex(hex);
        }

        boolean fulfils(List<Condition> conditions) {
            for (int i = 0; i < conditions.size(); i++) {
                if (!fulfils(conditions.get(i), values.get(i))) {
                    return false;
                }
            }
            return true;
        }

        private static boolean fulfils(Condition condition, @Nullable Object value) {
            if (value == null || condition instanceof Condition.Absent) {
                return value == null && condition instanceof Condition.Absent;
            }
            if (condition instanceof Condition.In in) {
                return in.values().contains(value);
            }
            if (condition instanceof Condition.Prefix prefix) {
                return ((String) value).startsWith((String) prefix.start());
            }
            var range = (Condition.Range) condition;
            int low = range.low() == null ? 1 : compare(value, range.low());
            int high = range.high() == null ? -1 : compare(value, range.high());
            return (low > 0 || low == 0 && range.lowIncluded()) && (high < 0 || high == 0 && range.highIncluded());
        }

        private static int compare(Object one, Object other) {
            return one instanceof Long number
                    ? number.compareTo((Long) other)
                    : Arrays.compareUnsigned(cell(one), cell(other));
        }
    }
}
