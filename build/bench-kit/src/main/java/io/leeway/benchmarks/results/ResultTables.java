package io.leeway.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the tables of the documentation from the results. In {@code docs/benchmarks/<product>.md} the goals are between two
 * markers; what stands there is replaced, the text around it is left alone. All figures are in
 * {@code docs/benchmarks/<product>-figures.md}, which is made as a whole. Run it after measuring; a test fails while the
 * pages differ.
 */
public final class ResultTables {

    private static final String BEGIN = "<!-- results: made by build/bench tables -->\n";
    private static final String END = "<!-- end of results -->\n";

    private ResultTables() {}

    /** Renews all tables below the repository's root: the first argument, or the working directory. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        for (String product : products(root)) {
            for (Map.Entry<Path, String> page : renewed(root, product).entrySet()) {
                Files.writeString(page.getKey(), page.getValue());
                System.out.println("renewed " + page.getKey());
            }
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

    static Path figures(Path root, String product) {
        return page(root, product + "-figures");
    }

    /** The product's pages as they have to be. */
    static Map<Path, String> renewed(Path root, String product) throws IOException {
        List<Result> results = ResultFile.of(root, product).read();
        var runs = new Runs(results);
        var pages = new TreeMap<Path, String>();
        pages.put(page(root, product), withGoals(page(root, product), product, goals(product, results, runs)));
        pages.put(figures(root, product), FigurePage.of(product, results, runs));
        return pages;
    }

    private static String goals(String product, List<Result> results, Runs runs) {
        return "\n" + GoalTable.of(results, runs)
                + runs.summary()
                + "[All %d figures](%s-figures.md), and what repeats the [runs](%2$s-figures.md#runs).\n\n"
                        .formatted(results.size(), product);
    }

    private static String withGoals(Path page, String product, String goals) throws IOException {
        String old = Files.exists(page) ? Files.readString(page) : "# Benchmarks of " + product + "\n\n" + BEGIN + END;
        int begin = old.indexOf(BEGIN);
        int end = old.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " lacks the two lines between which the results go:\n" + BEGIN + END);
        }
        return old.substring(0, begin + BEGIN.length()) + goals + old.substring(end);
    }
}
