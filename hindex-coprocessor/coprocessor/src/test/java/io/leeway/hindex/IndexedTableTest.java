package io.leeway.hindex;

import static io.leeway.hindex.IndexedNumbers.FAMILY;
import static io.leeway.hindex.IndexedNumbers.NOTE;
import static io.leeway.hindex.IndexedNumbers.NUMBER;
import static io.leeway.hindex.IndexedNumbers.TAGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.IndexedNumbers.Version;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Queries by an index say what a scan of the base table says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IndexedTableTest {

    private static final int ROWS = 90;
    private static final int QUERIES = Depth.of(50, 300);
    private static final List<String> WORDS = List.of("a", "ab", "b", "bc", "c", "cy", "d");

    private @Nullable IndexedNumbers numbers;
    private long middle;

    /** Whether regions of the index answer. */
    boolean endpoint() {
        return true;
    }

    /** A history with overwritten and deleted rows, and a moment in its middle. */
    @BeforeAll
    void write() throws IOException {
        numbers = IndexedNumbers.create(
                TestClusters.light(2),
                Map.of(
                        "up", "columns=f:n:long; versions=2",
                        "down", "columns=f:n:long.desc; salt=4",
                        "tags", "columns=f:tags:utf8.split(%2C); versions=3"),
                endpoint());
        RandomGenerator random = Seeds.random("queries");
        for (int i = 0; i < 3 * ROWS; i++) {
            String row = "r" + random.nextInt(ROWS);
            if (random.nextInt(6) == 0) {
                numbers().table().delete(new Delete(Bytes.toBytes(row)));
            } else {
                numbers().table().put(IndexedNumbers.put(row, random.nextLong(-9, 10), words(random)));
            }
            if (i == 2 * ROWS) {
                middle = newest();
            }
        }
    }

    @AfterAll
    void drop() {
        numbers().close();
    }

    private IndexedNumbers numbers() {
        if (numbers == null) {
            throw new IllegalStateException("not created");
        }
        return numbers;
    }

    private long newest() throws IOException {
        return numbers().versions(NUMBER, 1, Long.MAX_VALUE).stream()
                .mapToLong(Version::timestamp)
                .max()
                .orElseThrow();
    }

    private static List<String> words(RandomGenerator random) {
        var words = new ArrayList<String>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            words.add(WORDS.get(random.nextInt(WORDS.size())));
        }
        return words;
    }

    @Test
    void conditionsOnNumbers() throws IOException {
        RandomGenerator random = Seeds.random("numbers");
        int found = 0;
        for (int i = 0; i < QUERIES; i++) {
            boolean up = random.nextBoolean();
            boolean descending = random.nextBoolean();
            long one = random.nextLong(-10, 11);
            long other = random.nextLong(-10, 11);
            long third = random.nextLong(-10, 11);
            Condition condition;
            Predicate<Long> expected;
            switch (random.nextInt(8)) {
                case 0 -> {
                    condition = Condition.is(one);
                    expected = n -> n == one;
                }
                case 1 -> {
                    condition = Condition.in(List.of(one, other, third, one));
                    expected = n -> n == one || n == other || n == third;
                }
                case 2 -> {
                    condition = Condition.between(one, other);
                    expected = n -> n >= one && n <= other;
                }
                case 3 -> {
                    condition = Condition.atLeast(one);
                    expected = n -> n >= one;
                }
                case 4 -> {
                    condition = Condition.above(one);
                    expected = n -> n > one;
                }
                case 5 -> {
                    condition = Condition.atMost(one);
                    expected = n -> n <= one;
                }
                case 6 -> {
                    condition = Condition.below(one);
                    expected = n -> n < one;
                }
                default -> {
                    condition = Condition.isPresent();
                    expected = n -> true;
                }
            }
            IndexQuery query = IndexQuery.where(condition);
            query = descending ? query.descending() : query;
            // Of a salted table it is the values' order all the same; the index down is the other way round.
            boolean upwards = up != descending;
            Comparator<Version> order = Comparator.comparing(Version::number);
            order = (upwards ? order : order.reversed())
                    .thenComparing(Version::row, descending ? Comparator.reverseOrder() : Comparator.naturalOrder())
                    .thenComparing(Version::timestamp, Comparator.reverseOrder());
            List<String> rows = numbers().versions(NUMBER, up ? 2 : 1, Long.MAX_VALUE).stream()
                    .filter(version -> expected.test(version.number()))
                    .sorted(order)
                    .map(version -> version.row() + "=" + version.number() + "@" + version.timestamp())
                    .toList();

            assertAnswers(up ? "up" : "down", query, rows, random);
            found += rows.size();
        }
        assertThat(found).isGreaterThan(QUERIES);
    }

    /** At once, with a limit, and page by page. */
    private void assertAnswers(String index, IndexQuery query, List<String> rows, RandomGenerator random)
            throws IOException {
        IndexedTable table = numbers().by(index);
        assertThat(all(table, query)).as("%s: %s", index, query).isEqualTo(rows);

        int limit = 1 + random.nextInt(10);
        assertThat(all(table, query.limit(limit)))
                .as("%s, limit %s: %s", index, limit, query)
                .isEqualTo(rows.subList(0, Math.min(limit, rows.size())));

        var paged = new ArrayList<String>();
        String token = null;
        do {
            IndexPage page = table.page(query.limit(limit), token);
            page.rows().forEach(row -> paged.add(text(row)));
            token = page.next();
        } while (token != null);
        assertThat(paged).as("%s, pages of %s: %s", index, limit, query).isEqualTo(rows);
    }

    private static List<String> all(IndexedTable table, IndexQuery query) throws IOException {
        var found = new ArrayList<String>();
        try (IndexedRows rows = table.query(query)) {
            rows.forEach(row -> found.add(text(row)));
        }
        return found;
    }

    private static String text(IndexedRow row) {
        return Bytes.toString(row.row()) + "=" + row.values().get(0) + "@" + row.timestamp();
    }

    @Test
    void aRowWithSeveralOfTheValuesComesOnceForEachVersion() throws IOException {
        RandomGenerator random = Seeds.random("tags");
        for (int i = 0; i < QUERIES; i++) {
            String one = WORDS.get(random.nextInt(WORDS.size()));
            String other = WORDS.get(random.nextInt(WORDS.size()));
            boolean descending = random.nextBoolean();
            int versions = 1 + random.nextInt(3);
            Condition condition;
            Predicate<String> expected;
            switch (random.nextInt(3)) {
                case 0 -> {
                    condition = Condition.in(List.of(one, other));
                    expected = word -> word.equals(one) || word.equals(other);
                }
                case 1 -> {
                    condition = Condition.startsWith(one);
                    expected = word -> word.startsWith(one);
                }
                default -> {
                    condition = Condition.above(one);
                    expected = word -> word.compareTo(one) > 0;
                }
            }
            IndexQuery query = IndexQuery.where(condition).versions(versions);
            query = descending ? query.descending() : query;
            Comparator<String> values = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
            Comparator<Found> order = Comparator.comparing(Found::word, values)
                    .thenComparing(Found::row, values)
                    .thenComparing(Found::timestamp, Comparator.reverseOrder());
            List<String> rows = numbers().versions(TAGS, versions, Long.MAX_VALUE).stream()
                    .flatMap(version -> version.tags().stream()
                            .filter(expected)
                            .min(values)
                            .map(word -> new Found(word, version.row(), version.timestamp()))
                            .stream())
                    .sorted(order)
                    .map(hit -> hit.row() + "=" + hit.word() + "@" + hit.timestamp())
                    .toList();

            assertAnswers("tags", query, rows, random);
        }
    }

    private record Found(String word, String row, long timestamp) {}

    @Test
    void aPointInTime() throws IOException {
        List<String> then = numbers().versions(NUMBER, 2, middle).stream()
                .filter(version -> version.number() > 0)
                .map(version -> version.row() + "=" + version.number() + "@" + version.timestamp())
                .toList();

        IndexQuery query = IndexQuery.where(Condition.above(0L));
        assertThat(all(numbers().by("up"), query.asOf(middle))).containsExactlyInAnyOrderElementsOf(then);
        assertThat(all(numbers().by("up"), query)).isNotEqualTo(then);
    }

    @Test
    void rowsComeWithWhatIsAskedFor() throws IOException {
        IndexQuery query = IndexQuery.where(Condition.atLeast(0L)).limit(20);
        int seen = 0;
        for (IndexQuery each : List.of(query, query.withColumns(ColumnName.of("f", "note")), query.withRows())) {
            try (IndexedRows rows = numbers().by("down").query(each)) {
                for (IndexedRow row : rows) {
                    boolean plain = each == query;
                    assertThat(Bytes.toLong(row.value())).isEqualTo(row.values().get(0));
                    assertThat(row.value(ColumnName.of(FAMILY, NUMBER))).isEqualTo(row.value());
                    assertThat(row.value(ColumnName.of(FAMILY, NOTE))).isNull();
                    assertThat(row.result().isEmpty()).isEqualTo(plain);
                    if (!plain) {
                        assertThat(row.result().getValue(FAMILY, NOTE))
                                .isEqualTo(Bytes.toBytes("note of " + Bytes.toString(row.row())));
                    }
                    if (!plain && each != query.withRows() && row.result().size() > 1) {
                        assertThat(row.result().getValue(FAMILY, NUMBER)).isEqualTo(row.value());
                    }
                    seen++;
                }
            }
        }
        assertThat(seen).isEqualTo(60);
    }

    @Test
    void regionsAnswerWhereTheyCan() throws IOException {
        int before = EndpointCalls.of(numbers().index("up").table());

        int rows =
                all(numbers().by("up"), IndexQuery.where(Condition.isPresent())).size();

        // One call for each of its three regions, and for what does not fit into the first page.
        assertThat(rows).isBetween(60, 200);
        int calls = EndpointCalls.of(numbers().index("up").table()) - before;
        assertThat(calls).isBetween(endpoint() ? 3 : 0, endpoint() ? 5 : 0);
    }

    @Test
    void isReadByACellAsItIsWritten() throws IOException {
        long number = numbers().versions(NUMBER, 1, Long.MAX_VALUE).get(0).number();

        assertThat(numbers().by("down").readValue(Bytes.toBytes(number)).stream()
                        .map(IndexedTableTest::text))
                .isEqualTo(all(numbers().by("down"), IndexQuery.where(Condition.is(number))));
        assertThatThrownBy(() -> numbers().by("down").readValue(new byte[] {1, 2, 3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a cell of 3 bytes holds no value of encoding long.desc");
    }

    @Test
    void whatNoIndexAnswersIsRefusedWithARemedy() throws IOException {
        var connection = TestClusters.light(2).connection();

        assertThat(IndexedTable.openFor(connection, numbers().name(), ColumnName.of("f", "tags"))
                        .definition()
                        .name())
                .isEqualTo("tags");
        assertThatThrownBy(() -> IndexedTable.openFor(connection, numbers().name(), ColumnName.of("f", "note")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("that can be read begins with [f:note]")
                .hasMessageContaining("hindex.index.NAME' => 'columns=f:note:ENCODING'");
        assertThatThrownBy(() -> IndexedTable.open(connection, numbers().name(), "none"))
                .hasMessageContaining("there is no index none");
        assertThatThrownBy(() -> numbers()
                        .by("up")
                        .query(IndexQuery.where(Condition.is(1L)).versions(3)))
                .hasMessageContaining("define it with versions=3");
        assertThatThrownBy(() -> numbers().by("up").query(IndexQuery.where(Condition.is(1L), Condition.is(2L))))
                .hasMessageContaining("2 conditions for an index of 1 columns");
    }

    @Test
    void anIndexThatIsNotCompleteIsNotRead() throws IOException {
        Map<String, String> remedies = Map.of("building", "hindex build waits for that", "paused", "hindex resume");
        for (Map.Entry<String, String> state : remedies.entrySet()) {
            try (var words = IndexedWords.create(TestClusters.light(2), "state=" + state.getKey())) {
                assertThatThrownBy(() -> words.rows("apple"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is " + state.getKey() + " and cannot be read")
                        .hasMessageContaining(state.getValue())
                        .hasMessageContaining("scan the table");
            }
        }
    }

    @Test
    void theWaitForRowsHasALimit() throws IOException {
        IndexQuery query = IndexQuery.where(Condition.isPresent());

        try (IndexedRows rows = numbers().by("up").query(query.timeout(Duration.ofNanos(1)))) {
            assertThatThrownBy(rows::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not answer within 0 ms");
        }
    }
}
