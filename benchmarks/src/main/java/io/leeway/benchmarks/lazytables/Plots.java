package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Result;
import io.leeway.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the plots of {@code docs/benchmarks/lazytables.md} from the results. Run it after measuring; a test fails while they
 * differ. What one thread does is a line on each of them.
 */
public final class Plots {

    private static final String ONE_THREAD = "one thread";
    private static final String DELAYS = "delays in turn, ";
    private static final String DELAYED = " of an iteration: time per iteration, ";

    private Plots() {}

    /** Renews all plots below the repository's root: the first argument, or the working directory. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        Files.createDirectories(directory(root));
        for (Map.Entry<String, String> plot :
                of(ResultFile.of(root, "lazytables").read()).entrySet()) {
            Path file = directory(root).resolve(plot.getKey());
            Files.writeString(file, plot.getValue());
            System.out.println("renewed " + file);
        }
    }

    static Path directory(Path root) {
        return root.resolve("docs/benchmarks/lazytables");
    }

    /** The plots by the names of their files; those that there are figures for. */
    static Map<String, String> of(List<Result> results) {
        var plots = new TreeMap<String, String>();
        for (String title : List.of("LDA", "MF")) {
            String name = title.toLowerCase(Locale.ROOT);
            bars(plots, "adaptive-" + name, results, "adaptive pace, " + title + ", ", ": time to the objective");
            bars(plots, "time-" + name, results, title + ", ", ": time to the objective");
            bars(plots, "cpu-time-" + name, results, title + ", ", ": CPU time to the objective");
            bars(plots, "pass-cpu-" + name, results, title + ", ", ": CPU time of a pass");
        }
        bars(plots, "cost-lda", results, "LDA, tokens per CPU-second, ", "");
        bars(plots, "prefetch-mf", results, "MF, ", ": time of a pass");
        bars(plots, "prefetch-lda", results, "LDA, ", ": time of a pass");
        bars(plots, "prefetch-pagerank", results, "PageRank, ", ": time of a pass");
        delays(plots, results);
        return plots;
    }

    private static void bars(
            Map<String, String> plots, String file, List<Result> results, String prefix, String suffix) {
        BarPlot plot = null;
        for (Result result : results) {
            String name = result.name();
            if (name.length() > prefix.length() + suffix.length() && name.startsWith(prefix) && name.endsWith(suffix)) {
                String what =
                        suffix.isEmpty() ? prefix.substring(0, prefix.length() - 2) : prefix + suffix.substring(2);
                plot = plot == null ? new BarPlot(what + ", in " + result.unit()) : plot;
                String label = name.substring(prefix.length(), name.length() - suffix.length());
                if (label.contains(ONE_THREAD)) {
                    plot.line(label, result.value());
                } else {
                    plot.bar(label, result.value());
                }
            }
        }
        if (plot != null) {
            plots.put(file + ".svg", plot.svg());
        }
    }

    private static void delays(Map<String, String> plots, List<Result> results) {
        var curves = new LinkedHashMap<String, List<double[]>>();
        for (Result result : results) {
            int at = result.name().indexOf(DELAYED);
            if (at > 0 && result.name().startsWith(DELAYS)) {
                double delay = Double.parseDouble(result.name().substring(DELAYS.length(), at));
                curves.computeIfAbsent(result.name().substring(at + DELAYED.length()), none -> new ArrayList<>())
                        .add(new double[] {delay, result.value()});
            }
        }
        if (!curves.isEmpty()) {
            var plot = new LinePlot("delay of one worker after the other, in iterations", "time per iteration, in ms");
            curves.forEach(plot::curve);
            plots.put("delays.svg", plot.svg());
        }
    }
}
