package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.plots.Figures.Figure;
import io.leeway.benchmarks.results.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Plots of LazyTables. What one thread does is a line on each of them. */
final class LazyTablesPlots {

    private static final String ONE_THREAD = "one thread";
    private static final String RECKONED = "(reckoned)";

    private final List<Result> results;
    private final Map<String, String> plots = new TreeMap<>();

    private LazyTablesPlots(List<Result> results) {
        this.results = results;
    }

    /** The plots by the names of their files; those that there are figures for. */
    static Map<String, String> of(List<Result> results) {
        var plots = new LazyTablesPlots(results);
        for (String title : List.of("LDA", "MF")) {
            String name = title.toLowerCase(Locale.ROOT);
            plots.bars("adaptive-" + name, "adaptive pace, " + title + ", ", ": time to the objective");
            plots.bars("time-" + name, title + ", ", ": time to the objective");
            plots.bars("cpu-time-" + name, title + ", ", ": CPU time to the objective");
            plots.bars("pass-cpu-" + name, title + ", ", ": CPU time of a pass");
        }
        plots.bars("cost-lda", "LDA, tokens per CPU-second, ", "");
        for (String title : List.of("MF", "LDA", "PageRank")) {
            plots.bars("prefetch-" + title.toLowerCase(Locale.ROOT), title + ", ", ": time of a pass");
        }
        plots.delays();
        return plots.plots;
    }

    private void bars(String file, String prefix, String suffix) {
        List<Figure> figures = Figures.like(Pattern.quote(prefix) + "(?<what>.+)" + Pattern.quote(suffix), "", results);
        if (!figures.isEmpty()) {
            String what = suffix.isEmpty() ? prefix.substring(0, prefix.length() - 2) : prefix + suffix.substring(2);
            var plot = BarPlot.beside(what + ", in " + figures.get(0).unit());
            for (Figure figure : figures) {
                if (figure.what().contains(ONE_THREAD)) {
                    plot.line(figure.what(), figure.value());
                } else {
                    plot.bar(figure.what(), "", figure.value());
                }
            }
            plots.put(file + ".svg", plot.svg());
        }
    }

    private void delays() {
        List<Figure> figures = Figures.like(
                "delays in turn, (?<what>[0-9.]+) of an iteration: time per iteration, (?<of>.+)", "", results);
        if (!figures.isEmpty()) {
            var plot = new LinePlot(
                    "delays in turn",
                    "delay of one worker after the other, in iterations",
                    "time per iteration, in " + figures.get(0).unit());
            Figures.curves(figures).forEach((label, points) -> {
                if (label.contains(RECKONED)) {
                    plot.bound(label, points);
                } else {
                    plot.curve(label, points);
                }
            });
            plots.put("delays.svg", plot.svg());
        }
    }
}
