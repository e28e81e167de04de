package io.leeway.benchmarks.results;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pieces of Markdown. */
final class Markdown {

    private Markdown() {}

    /** A table whose columns are texts, but for some that are numbers and begin with the second. */
    static String table(List<String> head, int numbers, List<List<String>> rows) {
        String kinds = IntStream.range(0, head.size())
                .mapToObj(column -> column >= 1 && column <= numbers ? "---:" : "---")
                .collect(Collectors.joining("|", "|", "|\n"));
        return row(head) + kinds + rows.stream().map(Markdown::row).collect(Collectors.joining());
    }

    /** A link to a heading of the same page, by the anchor that forges give it. */
    static String linkTo(String heading) {
        String anchor = heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        return "[" + heading + "](#" + anchor + ")";
    }

    private static String row(List<String> cells) {
        return cells.stream().map(Markdown::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String escaped(String cell) {
        return cell.replace("|", "\\|");
    }
}
