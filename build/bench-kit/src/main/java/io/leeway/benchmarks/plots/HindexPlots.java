package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.plots.Figures.Figure;
import io.leeway.benchmarks.plots.LinePlot.Point;
import io.leeway.benchmarks.results.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Plots of hindex beside its peers. */
final class HindexPlots {

    private static final String PRODUCT = "hindex";
    private static final String RATIO = "×";
    private static final String STORE = "(?<what>.+)";
    private static final String READS = "reads among all operations, in %";

    private final List<Result> results;
    private final Map<String, String> plots = new TreeMap<>();

    private HindexPlots(List<Result> results) {
        this.results =
                results.stream().filter(result -> !result.unit().equals(RATIO)).toList();
    }

    /** The plots by the names of their files; those that there are figures for. */
    static Map<String, String> of(List<Result> results) {
        var plots = new HindexPlots(results);
        plots.writesAndReads();
        plots.mix("memory", "in memory");
        plots.mix("disk", "beside the cache");
        plots.underLoad();
        plots.plain();
        plots.files();
        plots.obsoleteEntries();
        plots.compactions();
        plots.wholePackage();
        return plots.plots;
    }

    private void writesAndReads() {
        stores("batched-write-cpu", "batched write, server CPU of a row", "batched write, server CPU, " + STORE);
        stores("batched-write-throughput", "batched write, throughput", "batched write, throughput, " + STORE);
        stores(
                "batched-write-apart-cpu",
                "batched write, index on another server, CPU of both servers for a row",
                "batched write, index on another server, server CPU, " + STORE);
        bars(
                "batched-write-samples",
                BarPlot::stacked,
                "batched write, where the server's CPU time goes",
                "batched write, share of CPU samples, (?<what>[^,]+), (?<of>.+)");
        bars(
                "single-write",
                BarPlot::beside,
                "single write",
                "single write, (?<of>median), " + STORE,
                "single write, (?<of>99th percentile), " + STORE);
        bars(
                "read-by-value",
                BarPlot::beside,
                "read by value",
                "read by value, (?<of>median), " + STORE,
                "read by value, (?<of>server CPU), " + STORE);
    }

    private void mix(String file, String data) {
        String ratio = "mix " + data + ", (?<what>\\d+) % reads, ";
        curves("mix-" + file, "mix " + data + ", throughput", READS, ratio + "throughput.*?, (?<of>.+)");
        curves(
                "mix-" + file + "-cpu",
                "mix " + data + ", server CPU of an operation",
                READS,
                ratio + "server CPU, (?<of>.+)");
    }

    private void underLoad() {
        for (String measure : List.of("median", "99th percentile")) {
            curves(
                    "load-" + measure.replace(' ', '-'),
                    "writes under load, " + measure,
                    "writes a second",
                    "writes under load, (?<what>\\d+) a second, " + measure + ", (?<of>.+)");
        }
    }

    private void plain() {
        curves(
                "plain",
                "plain HBase, throughput",
                READS,
                "plain HBase, (?<of>heap of \\d+ MB), (?<what>\\d+) % reads by key, throughput");
    }

    /** Dashed, what a read takes when a compaction has repaired the index. */
    private void obsoleteEntries() {
        String reads = "reads by value of some ten rows, ";
        List<Figure> figures = Figures.like(
                reads + "(?<what>\\d+) obsolete entries for a fresh one, (?<of>server CPU for a row)",
                PRODUCT,
                results);
        if (!figures.isEmpty()) {
            var plot = new LinePlot(
                    "read by value, server CPU for a row",
                    "obsolete entries for a fresh one",
                    "in " + figures.get(0).unit());
            double most = Double.parseDouble(figures.get(figures.size() - 1).what());
            Figures.curves(figures).values().forEach(points -> plot.curve("before the repair", points));
            Figures.like(
                            reads + "(?<what>after the compaction|after a compaction of the index, too),"
                                    + " (?<of>server CPU for a row)",
                            PRODUCT,
                            results)
                    .forEach(figure -> plot.bound(
                            figure.what(), List.of(new Point(0, figure.value()), new Point(most, figure.value()))));
            plots.put("obsolete-entries.svg", plot.svg());
        }
    }

    private void compactions() {
        for (String measure : List.of("time", "CPU", "bytes read")) {
            bars(
                    "compaction-" + measure.replace(' ', '-').toLowerCase(Locale.ROOT),
                    BarPlot::beside,
                    "compaction without a limit, " + measure,
                    "compaction without a limit of (?<of>rows written once), (?<what>[^,]+), " + measure,
                    "compaction without a limit of (?<of>rows with three versions), (?<what>[^,]+), " + measure);
        }
        stores("entries", "entries a row", "entries a row " + STORE);
    }

    private void wholePackage() {
        bars(
                "package-time",
                BarPlot::stacked,
                "whole package, time",
                "(?<what>whole package.*), (?<of>writing)",
                "(?<what>whole package.*), (?<of>compacting)");
        bars("package-cpu", BarPlot::stacked, "whole package, server CPU", "(?<what>whole package.*), server CPU");
    }

    private void files() {
        List<Figure> figures =
                Figures.like("Get by key, (?<what>\\d+) files?, (?<of>median|server CPU)", PRODUCT, results);
        if (!figures.isEmpty()) {
            var plot =
                    new LinePlot("Get by key", "files", "in " + figures.get(0).unit());
            Map<String, List<Point>> curves = Figures.curves(figures);
            curves.forEach(plot::curve);
            curves.values().stream()
                    .flatMap(List::stream)
                    .mapToDouble(Point::x)
                    .max()
                    .ifPresent(most -> afterCompaction(plot, most));
            plots.put("get-by-files.svg", plot.svg());
        }
    }

    /** Dashed, what a Get takes when a compaction has made one file of all. */
    private void afterCompaction(LinePlot plot, double most) {
        Figures.like("Get by key, (?<what>\\d+ files? after a compaction), (?<of>median|server CPU)", PRODUCT, results)
                .forEach(figure -> plot.bound(
                        figure.of() + ", " + figure.what(),
                        List.of(new Point(0, figure.value()), new Point(most, figure.value()))));
    }

    /** A bar for each store, the product's own in a colour of their own. */
    private void stores(String file, String title, String pattern) {
        List<Figure> figures = Figures.like(pattern, PRODUCT, results);
        draw(
                file,
                BarPlot::stacked,
                title,
                figures,
                figure -> figure.what().contains(PRODUCT) ? PRODUCT : "other stores");
    }

    /** Bars of several series, each of which has a pattern. */
    private void bars(String file, Function<String, BarPlot> kind, String title, String... patterns) {
        List<Figure> figures = Stream.of(patterns)
                .flatMap(pattern -> Figures.like(pattern, PRODUCT, results).stream())
                .toList();
        draw(file, kind, title, figures, Figure::of);
    }

    private void draw(
            String file,
            Function<String, BarPlot> kind,
            String title,
            List<Figure> figures,
            Function<Figure, String> series) {
        if (!figures.isEmpty()) {
            BarPlot plot = kind.apply(title + ", in " + figures.get(0).unit());
            figures.forEach(figure -> plot.bar(figure.what(), series.apply(figure), figure.value()));
            plots.put(file + ".svg", plot.svg());
        }
    }

    private void curves(String file, String title, String across, String pattern) {
        List<Figure> figures = Figures.like(pattern, PRODUCT, results);
        if (!figures.isEmpty()) {
            var plot = new LinePlot(title, across, "in " + figures.get(0).unit());
            Figures.curves(figures).forEach(plot::curve);
            plots.put(file + ".svg", plot.svg());
        }
    }
}
