package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Compares how a database and we read texts, one by one or many made at random. */
final class Readings {

    private static final int SHOWN = 5;

    private Readings() {}

    /** The database accepts the text, and so do we, with the same meaning. */
    static void assertSame(String sql, ReadingComparison.Meaning meaning, SqlOptions options) {
        assertThat(meaning.of(sql)).as("the database accepts: %s", sql).isNotNull();
        var comparison = new ReadingComparison(meaning, options);

        assertThat(comparison.difference(sql)).isNull();
        assertThat(comparison.refusals()).isEmpty();
    }

    /**
     * No text of many is read otherwise than the database reads it. Texts that only one side takes are no hole; there must
     * be {@code minimum} that both take, or nothing would be compared.
     */
    static void assertSame(
            Supplier<String> texts, int count, int minimum, ReadingComparison.Meaning meaning, SqlOptions options) {
        var comparison = new ReadingComparison(meaning, options);
        var differences = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            String difference = comparison.difference(texts.get());
            if (difference != null) {
                differences.add(difference);
            }
        }
        System.out.println(comparison.compared() + " of " + count + " texts compared, "
                + comparison.refusals().size() + " refused that the database takes: "
                + constructs(comparison.refusals()));

        assertThat(differences.stream().limit(SHOWN)).isEmpty();
        assertThat(comparison.compared()).isGreaterThan(minimum);
    }

    /** What was refused, with how often; for those who want to read more. */
    private static String constructs(List<String> refusals) {
        var counts = new TreeMap<String, Integer>();
        refusals.forEach(refusal -> counts.merge(refusal.replaceAll("(?s) at line.*", ""), 1, Integer::sum));
        return counts.toString();
    }
}
