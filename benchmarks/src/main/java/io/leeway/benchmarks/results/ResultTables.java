package io.leeway.benchmarks.results;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes the tables of {@code docs/benchmarks/<product>.md} from the results: what stands between the two markers is
 * replaced, the text around them is left alone. Run it after measuring; a test fails while they differ.
 */
public final class ResultTables {

    private static final String BEGIN = "<!-- results: made by benchmarks/run tables -->\n";
    private static final String END = "<!-- end of results -->\n";

    private ResultTables() {}

    /** Renews all tables below the repository's root: the first argument, or the working directory. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        for (String product : products(root)) {
            Path page = page(root, product);
            Files.writeString(page, renewed(root, product));
            System.out.println("renewed " + page);
        }
    }

    /** The products that have results. */
    static List<String> products(Path root) throws IOException {
        try (var files = Files.list(ResultFile.directory(root))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .sorted()
                    .toList();
        }
    }

    static Path page(Path root, String product) {
        return root.resolve("docs/benchmarks").resolve(product + ".md");
    }

    /** The page as it has to be. */
    static String renewed(Path root, String product) throws IOException {
        Path page = page(root, product);
        String old = Files.exists(page) ? Files.readString(page) : "# Benchmarks of " + product + "\n\n" + BEGIN + END;
        int begin = old.indexOf(BEGIN);
        int end = old.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " lacks the two lines between which the results go:\n" + BEGIN + END);
        }
        String table = table(ResultFile.of(root, product).read());
        return old.substring(0, begin + BEGIN.length()) + table + old.substring(end);
    }

    static String table(List<Result> results) {
        String head = """

                | figure | measured | goal | met | compared with | repeat with | measured on |
                |---|---:|---:|---|---|---|---|
                """;
        return head + results.stream().map(ResultTables::row).collect(Collectors.joining()) + "\n";
    }

    private static String row(Result result) {
        String goal = result.goal() == null ? "" : result.better().bound() + " " + number(result.goal());
        String met = result.goal() == null ? "" : result.isMet() ? "yes" : "**no**";
        return "| %s | %s %s | %s | %s | %s | `%s` | %s, %s, %s |%n"
                .formatted(
                        result.name(),
                        number(result.value()),
                        result.unit(),
                        goal,
                        met,
                        result.peer(),
                        result.command(),
                        result.machine(),
                        result.date(),
                        result.commit())
                .replace(System.lineSeparator(), "\n");
    }

    /** Three significant digits, without an exponent. */
    private static String number(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros();
        return rounded.toPlainString();
    }
}
