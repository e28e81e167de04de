package io.leeway.lazytables.internal.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The page that shows runs over each other: one file without anything from elsewhere. Not thread-safe.
 *
 * <p>Made for one page and asked once.
 */
public final class RunReport {

    /** Runs behind these have the first ones' again; eight is what can be told apart in light and dark. */
    private static final int COLOURS = 8;

    private static final double NANOS = 1e9;

    /** In the page itself: it is passed on as one file, and opened without a network. */
    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#1c2430;--dim:#657084;--line:#e1e5ec;--page:#f5f6f9;--card:#fff;
              --compute:#4a7fc1;--wait:#d9822b;--rest:#a9b1bf;
              --r0:#4a7fc1;--r1:#c2473d;--r2:#2f7d5b;--r3:#8e5bb5;--r4:#d39a2d;--r5:#1f97a8;--r6:#b5527f;--r7:#657084}
            @media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--dim:#9aa4b5;--line:#2c3442;--page:#12161d;--card:#1a202a;
              --compute:#79a8e3;--wait:#e9a35c;--rest:#566073;
              --r0:#79a8e3;--r1:#e5776d;--r2:#5bb98f;--r3:#b78bd8;--r4:#e2b65c;--r5:#5cc3d1;--r6:#dd86ae;--r7:#9aa4b5}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
            main{max-width:68rem;margin:0 auto;padding:2rem 1.25rem 4rem}
            h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.25rem 0 .6rem}
            p.sub{color:var(--dim);margin:.25rem 0 1.25rem}
            figure{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:.75rem 0 0;padding:.9rem 1.1rem;
              overflow-x:auto}
            figcaption{color:var(--dim);margin-bottom:.5rem}
            .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(26rem,1fr));gap:.75rem}.two figure{margin:0}
            svg{display:block;width:100%;height:auto}
            svg text{font-size:12px;fill:var(--dim);font-variant-numeric:tabular-nums}
            .end{text-anchor:end}.mid{text-anchor:middle}svg text.name{fill:var(--ink)}
            .grid{stroke:var(--line)}.axis{stroke:var(--dim)}.cut{stroke:var(--card);stroke-width:.6}
            .curve{fill:none;stroke-width:2;stroke-linejoin:round}
            rect.compute,i.compute{fill:var(--compute);background:var(--compute)}
            rect.wait,i.wait{fill:var(--wait);background:var(--wait)}
            rect.rest,i.rest{fill:var(--rest);background:var(--rest)}
            table{border-collapse:collapse;width:100%}th{font-weight:600;text-align:left;color:var(--dim)}
            td,th{padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);vertical-align:top}
            tr:first-child th{border-top:0}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
            i{display:inline-block;width:.75rem;height:.75rem;border-radius:.2rem;margin:0 .4rem 0 0}
            .key span{margin-right:1.2rem;white-space:nowrap}
            .bad{color:var(--r1)}
            """;

    private final List<RunRecords> runs;
    private final StringBuilder html = new StringBuilder();

    /** Of these runs. */
    public RunReport(RunFiles files) {
        runs = files.runs();
    }

    /** The class of a run's colour. */
    static String colour(int run) {
        return "r" + run % COLOURS;
    }

    /** The whole page. */
    public String html() {
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
                .append("<title>LazyTables report</title>\n<style>\n")
                .append(STYLE)
                .append(colours())
                .append("</style>\n</head>\n<body><main>\n<h1>LazyTables report</h1>\n<p class=\"sub\">")
                .append(Svg.escape(title()))
                .append("</p>\n");
        table();
        for (String warning : warnings()) {
            html.append("<p class=\"bad\">").append(Svg.escape(warning)).append("</p>\n");
        }
        convergence();
        paces();
        workers();
        lanes();
        staleness();
        return html.append("</main></body>\n</html>\n").toString();
    }

    /** What is to be told of runs, such as that one diverged, and what to do. */
    public List<String> warnings() {
        return runs.stream()
                .flatMap(run -> Stream.of(run.warning, run.missing, run.drift())
                        .filter(said -> !said.isEmpty())
                        .map(said -> run.label + ": " + said))
                .toList();
    }

    private static String colours() {
        var rules = new StringBuilder();
        for (int i = 0; i < COLOURS; i++) {
            rules.append(String.format(
                    Locale.ROOT,
                    "rect.r%1$d,i.r%1$d{fill:var(--r%1$d);background:var(--r%1$d)}.curve.r%1$d{stroke:var(--r%1$d)}\n",
                    i));
        }
        return rules.toString();
    }

    private String title() {
        List<String> applications =
                runs.stream().map(run -> run.application).distinct().toList();
        return String.join(", ", applications) + " · " + runs.size() + (runs.size() == 1 ? " run" : " runs");
    }

    /**
     * One line for each run. The time to a common value is shown where there are several runs, as that is what they are
     * compared by.
     */
    private void table() {
        boolean falling = runs.get(0).falls();
        double target = target(falling);
        boolean shared = runs.size() > 1 && Double.isFinite(target);
        html.append("<figure><table><tr><th>Run</th><th class=\"n\">Workers</th><th class=\"n\">Passes</th>")
                .append("<th class=\"n\">Time</th><th class=\"n\">")
                .append(Svg.escape(runs.get(0).measure))
                .append("</th><th class=\"n\">Waited</th><th class=\"n\">Clocks apart</th>");
        if (shared) {
            html.append("<th class=\"n\">Time to ")
                    .append(significant(target))
                    .append("</th><th class=\"n\">Passes to it</th>");
        }
        html.append("<th>Ended</th></tr>\n");
        for (int i = 0; i < runs.size(); i++) {
            RunRecords run = runs.get(i);
            html.append("<tr><td><i class=\"")
                    .append(colour(i))
                    .append("\"></i>")
                    .append(Svg.escape(run.label))
                    .append("</td>");
            cell(Integer.toString(run.workers));
            cell(significant(run.passes()));
            cell(String.format(Locale.ROOT, "%.2f s", run.nanos() / NANOS));
            cell(significant(run.value()));
            cell(String.format(Locale.ROOT, "%.0f %%", 100 * run.waitShare()));
            cell(Integer.toString(run.apart()));
            if (shared) {
                RunRecords.Measured reached = run.reached(target, falling);
                cell(reached == null ? "–" : String.format(Locale.ROOT, "%.2f s", reached.nanos() / NANOS));
                cell(reached == null ? "–" : significant(reached.passes()));
            }
            html.append("<td>").append(ended(run.outcome)).append("</td></tr>\n");
        }
        html.append("</table></figure>\n");
    }

    /**
     * The best value that all runs reached which did not fail.
     *
     * <p>The best of the worst run: so each of them has a time to it.
     */
    private double target(boolean falling) {
        double target = Double.NaN;
        for (RunRecords run : runs) {
            if (run.outcome.equals("diverged") || run.outcome.equals("failed") || run.measures.isEmpty()) {
                continue;
            }
            double best = run.measures.stream()
                    .mapToDouble(each -> falling ? -each.value() : each.value())
                    .max()
                    .orElse(Double.NaN);
            double reached = falling ? -best : best;
            if (Double.isNaN(target) || (falling ? reached > target : reached < target)) {
                target = reached;
            }
        }
        return target;
    }

    private static String ended(String outcome) {
        return switch (outcome) {
            case "rest" -> "at rest";
            case "passes" -> "after its passes";
            case "diverged", "failed" -> "<span class=\"bad\">" + outcome + "</span>";
            default -> Svg.escape(outcome);
        };
    }

    /**
     * By time, which is what people wait for; by passes, which leaves out how fast they were; and how many passes in
     * what time.
     */
    private void convergence() {
        String measure = runs.get(0).measure;
        String falls = runs.get(0).falls() ? "; lower is better" : "; higher is better";
        html.append("<h2>Convergence</h2>\n");
        legend();
        html.append("<div class=\"two\">\n");
        curves("time in seconds", measure, measure + " against time" + falls, each ->
                new double[] {each.nanos() / NANOS, each.value()});
        curves("passes over the data", measure, measure + " against passes" + falls, each ->
                new double[] {each.passes(), each.value()});
        html.append("</div>\n");
        curves(
                "time in seconds",
                "passes",
                "Passes over the data against time: how much is done, whatever it brings",
                each -> new double[] {each.nanos() / NANOS, each.passes()});
    }

    private void curves(String across, String up, String caption, Function<RunRecords.Measured, double[]> point) {
        var chart = new LineChart(across, up, false);
        runs.forEach(run -> chart.add(run.measures.stream().map(point).toList()));
        figure(caption, chart.isEmpty() ? "" : chart.svg());
    }

    /** Only where a controller chose anything. */
    private void paces() {
        if (runs.stream().allMatch(run -> run.paces.isEmpty())) {
            return;
        }
        html.append("<h2>What the controller chose</h2>\n<div class=\"two\">\n");
        steps("Slack in clocks", RunRecords.Pace::slack);
        steps("Work per clock in passes", RunRecords.Pace::work);
        html.append("</div>\n");
        for (RunRecords run : runs) {
            if (!run.paces.isEmpty()) {
                html.append("<figure><figcaption>")
                        .append(Svg.escape(run.label))
                        .append("</figcaption><table><tr><th class=\"n\">From clock</th><th class=\"n\">Slack</th>")
                        .append("<th class=\"n\">Work</th><th>Why</th></tr>\n");
                for (RunRecords.Pace pace : run.paces) {
                    html.append("<tr>");
                    cell(Integer.toString(pace.clock()));
                    cell(significant(pace.slack()));
                    cell(significant(pace.work()));
                    html.append("<td>").append(Svg.escape(pace.why())).append("</td></tr>\n");
                }
                html.append("</table></figure>\n");
            }
        }
    }

    /** What was chosen last holds to the end of the run, so the curve goes on until there. */
    private void steps(String caption, Function<RunRecords.Pace, Double> value) {
        var chart = new LineChart("time in seconds", caption, true);
        for (RunRecords run : runs) {
            var points = new ArrayList<double[]>();
            run.paces.forEach(pace -> points.add(new double[] {pace.nanos() / NANOS, value.apply(pace)}));
            if (!points.isEmpty()) {
                points.add(new double[] {run.nanos() / NANOS, points.get(points.size() - 1)[1]});
            }
            chart.add(points);
        }
        figure(caption, chart.svg());
    }

    private void workers() {
        var bars = new WorkerBars(runs);
        html.append("<h2>Computing and waiting</h2>\n");
        parts();
        figure("Each worker's time in all", bars.isEmpty() ? "" : bars.svg());
    }

    private void lanes() {
        html.append("<h2>Lanes</h2>\n");
        parts();
        for (RunRecords run : runs) {
            var lanes = new Lanes(run);
            figure(
                    run.label + ": each worker's clocks over time in seconds" + lanes.caption() + run.aligned,
                    lanes.isEmpty() ? "" : lanes.svg());
        }
    }

    private void staleness() {
        var bars = new StalenessBars(runs);
        if (!bars.isEmpty()) {
            html.append("<h2>Staleness</h2>\n");
            legend();
            figure(
                    "How far behind the rows were that reads got, which is less than they would have been content with",
                    bars.svg());
        }
    }

    private void legend() {
        html.append("<p class=\"key\">");
        for (int i = 0; i < runs.size(); i++) {
            html.append("<span><i class=\"").append(colour(i)).append("\"></i>");
            html.append(Svg.escape(runs.get(i).label)).append("</span>");
        }
        html.append("</p>\n");
    }

    private void parts() {
        html.append("<p class=\"key\"><span><i class=\"compute\"></i>computing</span><span><i class=\"wait\"></i>")
                .append("waiting</span><span><i class=\"rest\"></i>measuring, ending the clock</span></p>\n");
    }

    /** A picture that is missing is told, so that nobody looks for it. */
    private void figure(String caption, String picture) {
        html.append("<figure><figcaption>")
                .append(Svg.escape(caption))
                .append("</figcaption>\n")
                .append(picture.isEmpty() ? "Nothing was recorded.\n" : picture)
                .append("</figure>\n");
    }

    private void cell(String text) {
        html.append("<td class=\"n\">").append(Svg.escape(text)).append("</td>");
    }

    /**
     * With five digits that say something.
     *
     * <p>What is whole is written so.
     */
    private static String significant(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, "%.5g", value);
    }
}
