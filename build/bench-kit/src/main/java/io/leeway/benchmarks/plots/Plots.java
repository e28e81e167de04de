package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.results.Result;
import io.leeway.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Makes the plots in {@code docs/benchmarks/<product>} from the results, and removes those there that nothing makes any
 * more. Run it after measuring; a test fails while they differ.
 */
public final class Plots {

    /** What is drawn of a product's figures: plots by the names of their files. */
    private static final Map<String, Function<List<Result>, Map<String, String>>> PRODUCTS =
            Map.of("hindex", HindexPlots::of, "lazytables", LazyTablesPlots::of);

    private Plots() {}

    /** Renews all plots below the repository's root: the first argument, or the working directory. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        for (String product : PRODUCTS.keySet()) {
            renew(directory(root, product), of(root, product));
        }
    }

    static Set<String> products() {
        return PRODUCTS.keySet();
    }

    static Path directory(Path root, String product) {
        return root.resolve("docs/benchmarks").resolve(product);
    }

    /** The plots of a product as they have to be. */
    static Map<String, String> of(Path root, String product) throws IOException {
        return PRODUCTS.getOrDefault(product, none -> Map.of())
                .apply(ResultFile.of(root, product).read());
    }

    /** The names of the plots that there are. */
    static Set<String> present(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            var names = new TreeSet<String>();
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".svg"))
                    .forEach(names::add);
            return names;
        }
    }

    private static void renew(Path directory, Map<String, String> plots) throws IOException {
        Files.createDirectories(directory);
        for (String name : present(directory)) {
            if (!plots.containsKey(name)) {
                Files.delete(directory.resolve(name));
                System.out.println("removed " + directory.resolve(name));
            }
        }
        for (Map.Entry<String, String> plot : plots.entrySet()) {
            Files.writeString(directory.resolve(plot.getKey()), plot.getValue());
            System.out.println("renewed " + directory.resolve(plot.getKey()));
        }
    }
}
