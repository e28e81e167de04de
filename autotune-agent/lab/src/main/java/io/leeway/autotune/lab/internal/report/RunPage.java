package io.leeway.autotune.lab.internal.report;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.Trial;
import io.leeway.autotune.lab.internal.trace.ServiceStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of a run: best so far, parallel coordinates, importances, the reductions beside each other, all trials. */
public final class RunPage {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 260;
    private static final int LEFT = 80;
    private static final int MOST_AXES = 12;
    /** Room for the slanted name of the first axis. */
    private static final int SLANT = 130;

    /**
     * What the page shows.
     *
     * @param name of the application
     * @param objective the metric that is lowered
     * @param study the trials
     * @param reductions services that each reduction keeps, by its name; empty without traces
     * @param used the reduction that was used
     * @param statistics of services in the traces
     * @param verification what fresh measurements said; empty before they were made
     */
    public record Content(
            String name,
            String objective,
            Study study,
            Map<String, Set<String>> reductions,
            String used,
            Map<String, ServiceStatistics> statistics,
            List<String> verification) {}

    private RunPage() {}

    /** The whole page. */
    public static String of(Content content) {
        Study study = content.study();
        List<Trial> trials = study.trials();
        var page = new Html(content.name() + ": configurations tried");
        Optional<Trial> best = study.bestTrial();
        page.element("p", summary(content, trials, best));
        content.verification().forEach(line -> page.element("p", line));
        page.element("h2", "Best so far")
                .svg("Best " + content.objective() + " so far, by trial", WIDTH, HEIGHT, progress(trials))
                .note(
                        "Line: the best so far. Dots: trials; brown ones broke a limit or failed. Point at a dot to read it.");
        page.element("h2", "Importance of parameters");
        Map<String, Double> importances = study.importances();
        page.svg("Importance", WIDTH, 24 * Math.min(20, importances.size()) + 16, bars(importances))
                .note(
                        "Share of the variance that a parameter explains alone, by functional analysis of variance of a"
                                + " forest (fANOVA); what is missing to 100 % is due to several together. Few trials say little.");
        page.element("h2", "Parallel coordinates")
                .svg("Trials as lines over parameters", WIDTH, 390, coordinates(study, axes(study, importances), best))
                .note("Each line is a trial, its last axis the objective. Green: the best. Dashed: without tuning."
                        + (study.space().parameters().size() > MOST_AXES
                                ? " The " + MOST_AXES + " most important parameters of "
                                        + study.space().parameters().size() + "."
                                : ""));
        if (!content.reductions().isEmpty()) {
            reductions(page, content);
        }
        page.element("h2", "The best configuration");
        best.ifPresent(trial -> page.table(
                List.of("Parameter", "Service", "Values", "Without tuning", "Best"), changes(study, trial.setting())));
        page.element("h2", "All trials")
                .table(List.of("Trial", content.objective(), "Outcome", "Changes"), rows(study));
        return page.end();
    }

    private static String summary(Content content, List<Trial> trials, Optional<Trial> best) {
        if (best.isEmpty()) {
            return trials.size() + " trials; none of them may be the best yet.";
        }
        double first = trials.get(0).value();
        double value = best.get().value();
        // A metric that is raised has a minus before it, and so have its values.
        boolean isRaised = content.objective().startsWith("-");
        String change = Double.isNaN(first) || first == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %s%.1f %% %s than without tuning (%s)",
                        isRaised ? "the metric is " : "",
                        Math.abs(100 * (1 - value / first)),
                        (value <= first) == isRaised ? "higher" : "lower",
                        Html.number(first));
        return String.format(
                Locale.ROOT,
                "%d trials with %s. Best %s: %s, in trial %d%s.",
                trials.size(),
                content.study().options().method().text(),
                content.objective(),
                Html.number(value),
                best.get().number(),
                change);
    }

    /** An axis that ends at three times the median: disasters are drawn at its end. */
    private static double top(List<Trial> trials) {
        double[] sorted = trials.stream()
                .mapToDouble(Trial::value)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return sorted.length == 0
                ? 1
                : Math.min(sorted[sorted.length - 1], Math.max(1e-9, 3 * sorted[sorted.length / 2]));
    }

    private static String progress(List<Trial> trials) {
        double top = top(trials);
        double low = Math.min(
                0,
                trials.stream()
                        .mapToDouble(Trial::value)
                        .filter(Double::isFinite)
                        .min()
                        .orElse(0));
        var drawing = new StringBuilder();
        for (double part : new double[] {0, 0.5, 1}) {
            double y = HEIGHT - 30 - part * (HEIGHT - 60);
            drawing.append(Html.shape("line", line(LEFT, y, WIDTH - 20, y) + " class=\"grid\"", ""));
            drawing.append(Html.label(LEFT - 8, y + 4, "end", Html.number(low + part * (top - low))));
        }
        var points = new StringBuilder();
        double best = Double.POSITIVE_INFINITY;
        for (Trial trial : trials) {
            double x = LEFT + (trial.number() + 0.5) * (WIDTH - LEFT - 20) / Math.max(1, trials.size());
            double y = y(trial.value(), low, top);
            if (trial.mayBeBest() && trial.value() < best) {
                best = trial.value();
            }
            if (Double.isFinite(best)) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(best, low, top)));
            }
            drawing.append(Html.shape(
                    "circle",
                    String.format(
                            Locale.ROOT,
                            "cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"",
                            x,
                            y,
                            trial.mayBeBest() ? "dot" : "bad"),
                    "trial " + trial.number() + ": " + outcome(trial)));
        }
        drawing.append(Html.shape("polyline", "class=\"line\" points=\"" + points + "\"", ""));
        drawing.append(Html.label(LEFT, HEIGHT - 8, "start", "trial 0"));
        drawing.append(Html.label(WIDTH - 20, HEIGHT - 8, "end", "trial " + Math.max(0, trials.size() - 1)));
        return drawing.toString();
    }

    private static double y(double value, double low, double top) {
        double share = Double.isNaN(value) ? 1 : Math.min(1, Math.max(0, (value - low) / Math.max(1e-12, top - low)));
        return HEIGHT - 30 - share * (HEIGHT - 60);
    }

    private static String line(double x1, double y1, double x2, double y2) {
        return String.format(Locale.ROOT, "x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", x1, y1, x2, y2);
    }

    private static String bars(Map<String, Double> importances) {
        var drawing = new StringBuilder();
        int row = 0;
        for (var entry : importances.entrySet()) {
            if (row == 20) {
                break;
            }
            int y = 8 + 24 * row++;
            double width = Math.max(1, entry.getValue() * (WIDTH - 420));
            drawing.append(Html.label(290, y + 14, "end", entry.getKey()));
            drawing.append(Html.shape(
                    "rect",
                    String.format(
                            Locale.ROOT, "x=\"300\" y=\"%d\" width=\"%.1f\" height=\"16\" class=\"bar\"", y, width),
                    ""));
            drawing.append(Html.label(
                    308 + width, y + 13, "start", String.format(Locale.ROOT, "%.0f %%", 100 * entry.getValue())));
        }
        return drawing.toString();
    }

    /** More than a dozen axes are a tangle: the most important ones, in the order of the file. */
    private static List<Parameter> axes(Study study, Map<String, Double> importances) {
        Set<String> chosen = study.space().parameters().stream()
                .sorted(Comparator.comparingDouble(
                        (Parameter parameter) -> -importances.getOrDefault(parameter.name(), 0.0)))
                .limit(MOST_AXES)
                .map(Parameter::name)
                .collect(Collectors.toSet());
        return study.space().parameters().stream()
                .filter(parameter -> chosen.contains(parameter.name()))
                .toList();
    }

    private static String coordinates(Study study, List<Parameter> parameters, Optional<Trial> best) {
        List<Parameter> all = study.space().parameters();
        double gap = (double) (WIDTH - 200) / parameters.size();
        var drawing = new StringBuilder();
        for (int i = 0; i <= parameters.size(); i++) {
            double x = SLANT + i * gap;
            drawing.append(Html.shape("line", line(x, 30, x, 270) + " class=\"axis\"", ""));
            String name = i < parameters.size() ? parameters.get(i).name() : "objective";
            // Slanted, so that long names stand beside each other.
            drawing.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%1$.1f\" y=\"306\" text-anchor=\"end\" transform=\"rotate(-30 %1$.1f 306)\">%2$s</text>%n",
                    x + 4,
                    Html.escaped(name.length() > 24 ? "…" + name.substring(name.length() - 23) : name)));
            if (i < parameters.size()) {
                Parameter parameter = parameters.get(i);
                drawing.append(Html.label(x, 22, "middle", parameter.value(1).toString()));
                drawing.append(Html.label(x, 284, "middle", parameter.value(0).toString()));
            }
        }
        double top = top(study.trials());
        double low = study.trials().stream()
                .mapToDouble(Trial::value)
                .filter(Double::isFinite)
                .min()
                .orElse(0);
        study.trials().stream()
                .sorted(Comparator.comparingInt(
                        trial -> trial.number() == 0 ? 1 : best.isPresent() && trial.equals(best.get()) ? 2 : 0))
                .forEach(trial -> {
                    double[] point = study.space().point(trial.setting());
                    var points = new StringBuilder();
                    for (int i = 0; i < parameters.size(); i++) {
                        double share = point[all.indexOf(parameters.get(i))];
                        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", SLANT + i * gap, 270 - 240 * share));
                    }
                    double height = Double.isNaN(trial.value())
                            ? 1
                            : Math.min(1, (trial.value() - low) / Math.max(1e-12, top - low));
                    points.append(String.format(
                            Locale.ROOT, "%.1f,%.1f", SLANT + parameters.size() * gap, 270 - 240 * height));
                    boolean isBest =
                            best.isPresent() && trial.number() == best.get().number();
                    drawing.append(Html.shape(
                            "polyline",
                            "class=\"" + (isBest ? "best" : trial.number() == 0 ? "first" : "thin") + "\" points=\""
                                    + points + "\"",
                            "trial " + trial.number() + ": " + outcome(trial)));
                });
        return drawing.toString();
    }

    private static void reductions(Html page, Content content) {
        var head = new ArrayList<>(List.of("Service", "Own time (ms)", "Variation", "On critical path", "p99 : p50"));
        head.addAll(content.reductions().keySet());
        var rows = new ArrayList<List<String>>();
        content.statistics().values().stream()
                .sorted(Comparator.comparingDouble(ServiceStatistics::meanMicros)
                        .reversed())
                .forEach(service -> {
                    var row = new ArrayList<>(List.of(
                            service.service(),
                            Html.number(service.meanMicros() / 1e3),
                            Html.number(service.variation()),
                            Html.number(100 * service.pathShare()) + " %",
                            Html.number(service.congestion())));
                    content.reductions()
                            .values()
                            .forEach(kept -> row.add(kept.contains(service.service()) ? "tuned" : "·"));
                    rows.add(row);
                });
        page.element("h2", "Which services are tuned")
                .element("p", "Used: " + content.used() + ". What each reduction keeps of the services in the traces:")
                .table(head, rows);
    }

    private static List<List<String>> changes(Study study, Setting best) {
        Setting before = study.space().standard();
        var rows = new ArrayList<List<String>>();
        for (Parameter parameter : study.space().parameters()) {
            KnobValue was = before.values().get(parameter.name());
            KnobValue is = best.values().get(parameter.name());
            rows.add(List.of(
                    parameter.name(),
                    parameter.service(),
                    parameter.bounds(),
                    was == null ? "not there" : was.toString(),
                    is == null ? "not there" : is.toString()));
        }
        return rows;
    }

    private static List<List<String>> rows(Study study) {
        Setting before = study.space().standard();
        var rows = new ArrayList<List<String>>();
        for (Trial trial : study.trials()) {
            rows.add(List.of(
                    Integer.toString(trial.number()),
                    Html.number(trial.value()),
                    outcome(trial),
                    trial.setting().changesFrom(before)));
        }
        return rows;
    }

    private static String outcome(Trial trial) {
        if (trial.outcome() instanceof Trial.Complete complete) {
            return complete.isWithinLimits()
                    ? "measured " + Html.number(complete.value())
                    : "broke " + String.join(", ", complete.broken());
        }
        return trial.outcome() instanceof Trial.Failed failed ? "failed: " + failed.reason() : "running";
    }
}
