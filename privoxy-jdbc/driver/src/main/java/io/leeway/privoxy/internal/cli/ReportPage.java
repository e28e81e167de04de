package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.cache.file.ReviewedTemplate;
import io.leeway.privoxy.internal.cache.file.TemplateText;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page of a report: one file without anything from elsewhere. Not thread-safe. */
final class ReportPage {

    private static final int SLOWEST = 20;
    private static final int TEMPLATES = 100;
    private static final String ALLOWED = "then allow";
    private static final int BARS = 60;
    private static final int BAR_HEIGHT = 90;
    /** Widths of bars in seconds. */
    private static final List<Long> WIDTHS =
            List.of(1L, 2L, 5L, 10L, 30L, 60L, 120L, 300L, 600L, 1800L, 3600L, 7200L, 21_600L, 43_200L, 86_400L);

    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#1c2430;--dim:#657084;--line:#e1e5ec;--page:#f5f6f9;--card:#fff;
              --good:#2f7d5b;--bad:#c2473d;--c1:#2f7d5b;--c2:#4a7fc1;--c3:#d39a2d;--c4:#8e5bb5;--c5:#9aa3b2}
            @media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--dim:#9aa4b5;--line:#2c3442;--page:#12161d;
              --card:#1a202a;--good:#5bb98f;--bad:#e5776d;--c1:#5bb98f;--c2:#79a8e3;--c3:#e2b65c;--c4:#b78bd8;--c5:#667084}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
            main{max-width:68rem;margin:0 auto;padding:2rem 1.25rem 4rem}
            h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
            p.sub{color:var(--dim);margin:.25rem 0 1.5rem}
            .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem}
            .card,figure{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:0;padding:.9rem 1.1rem}
            .card b{display:block;font-size:1.7rem;line-height:1.2;font-variant-numeric:tabular-nums}
            .card span{color:var(--dim)}.bad b{color:var(--bad)}.good b{color:var(--good)}
            figure{margin-top:.75rem;overflow-x:auto}figcaption{color:var(--dim);margin-bottom:.5rem}
            .stack{display:flex;height:1.5rem;border-radius:.35rem;overflow:hidden;background:var(--line);gap:2px}
            .stage i{display:inline-block;width:.75rem;height:.75rem;border-radius:.2rem;margin-right:.4rem}
            svg{display:block;width:100%;height:auto}
            table{border-collapse:collapse;width:100%}
            th{font-weight:600;text-align:left;color:var(--dim)}
            td,th{padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);vertical-align:top}
            tr:first-child th{border-top:0}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
            code,pre{font:13px/1.45 ui-monospace,monospace}code{overflow-wrap:anywhere}
            pre{margin:.5rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
            .tag{display:inline-block;border-radius:1rem;padding:0 .6rem;font-size:.8rem;border:1px solid var(--line);
              color:var(--dim)}.tag.warn{color:var(--bad);border-color:var(--bad)}
            .why{margin:.4rem 0 0}ul.near{margin:.3rem 0 0;padding-left:1.2rem;color:var(--dim)}
            details{border-top:1px solid var(--line)}details pre{margin:.2rem 0 .9rem 1.1rem}
            summary{cursor:pointer;padding:.3rem 0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
            """;

    private final Statistics statistics;
    private final String title;
    private final StringBuilder more = new StringBuilder();

    ReportPage(Statistics statistics, String title) {
        this.statistics = statistics;
        this.title = title;
    }

    /** Adds the templates that the traffic leads to. */
    void templates(List<StoredTemplate> templates, Schema schema) {
        more.append("<h2>Templates</h2>\n<figure><figcaption>")
                .append(escape(Words.count(templates.size(), "template")))
                .append(templates.size() == 1 ? " decides" : " decide")
                .append(" such traffic; most used first")
                .append(templates.size() > TEMPLATES ? ", of which these are the first " + TEMPLATES : "")
                .append(". \"privoxy templates learn\" writes them to a file.</figcaption>\n");
        var text = new TemplateText(schema);
        templates.stream()
                .sorted(Comparator.comparingLong(StoredTemplate::hits).reversed())
                .limit(TEMPLATES)
                .forEach(template -> template(template, text.print(ReviewedTemplate.of(template.template()))));
        more.append("</figure>\n");
    }

    private void template(StoredTemplate template, @Nullable String printed) {
        more.append("<details><summary>")
                .append(escape(Words.count(template.hits(), "time")))
                .append(" <code>")
                .append(escape(printed == null ? "" : allowed(printed)))
                .append("</code></summary><pre>")
                .append(escape(printed == null ? "(has no text form)" : printed.strip()))
                .append("</pre></details>\n");
    }

    /** The query that a template allows, in one line. */
    private static String allowed(String printed) {
        String query = printed.substring(printed.indexOf(ALLOWED) + ALLOWED.length());
        int arguments = query.indexOf("asked with");
        return (arguments < 0 ? query : query.substring(0, arguments)).strip().replaceAll("\\s+", " ");
    }

    /** Adds how much views are needed. */
    void views(List<ViewUse.Use> uses, int questions) {
        more.append("<h2>Views</h2>\n<figure><figcaption>How many of ")
                .append(escape(Words.count(questions, "answered question")))
                .append(
                        " could not be answered without the view (each view left out by itself; of questions that differ"
                                + " in values only, some are tried).</figcaption>\n")
                .append("<table><tr><th>View</th><th>Where</th><th class=\"n\">Needed by</th><th></th></tr>\n");
        uses.stream()
                .sorted(Comparator.comparingInt(ViewUse.Use::needed).reversed())
                .forEach(use -> more.append("<tr><td>")
                        .append(escape(use.view().name()))
                        .append("</td><td><code>")
                        .append(escape(use.view().origin()))
                        .append("</code></td><td class=\"n\">")
                        .append(Words.number(use.needed()))
                        .append("</td><td>")
                        .append(remark(use))
                        .append("</td></tr>\n"));
        more.append("</table></figure>\n");
    }

    private static String remark(ViewUse.Use use) {
        if (use.isRedundant()) {
            return "<span class=\"tag warn\">redundant: other views show all of it</span>";
        }
        return use.needed() > 0 ? "" : "<span class=\"tag\">not needed here</span>";
    }

    /** The whole page. */
    String html() {
        var html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
                .append("<title>Privoxy report</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body><main>\n<h1>Privoxy report</h1>\n<p class=\"sub\">")
                .append(escape(title + period()))
                .append("</p>\n");
        cards(html);
        stages(html);
        time(html);
        refused(html);
        slowest(html);
        return html.append(more).append("</main></body>\n</html>\n").toString();
    }

    private String period() {
        if (statistics.seconds.isEmpty()) {
            return " · no decisions";
        }
        return " · " + second(statistics.seconds.firstKey()) + " to " + second(statistics.seconds.lastKey() + 1);
    }

    private static String second(long second) {
        return Instant.ofEpochSecond(second).toString().replace('T', ' ').replace("Z", " UTC");
    }

    /** {@code 5 minutes}. */
    private static String width(long seconds) {
        if (seconds % 3600 == 0) {
            return Words.count(seconds / 3600, "hour");
        }
        return seconds % 60 == 0 ? Words.count(seconds / 60, "minute") : Words.count(seconds, "second");
    }

    private void cards(StringBuilder html) {
        long all = statistics.all.count;
        long allowed = statistics.count(Outcome.ALLOW);
        html.append("<div class=\"cards\">");
        card(html, "", Words.number(all), all == 1 ? "decision" : "decisions");
        card(html, "good", share(allowed, all), "allowed");
        card(
                html,
                statistics.count(Outcome.DENY) > 0 ? "bad" : "",
                Words.number(statistics.count(Outcome.DENY)),
                "refused");
        card(html, "", Words.number(statistics.count(Outcome.UNDECIDED)), "undecided");
        card(html, "", Words.number(statistics.count(Outcome.UNSUPPORTED)), "not understood");
        if (statistics.audited > 0) {
            card(html, "bad", Words.number(statistics.audited), "passed in audit mode");
        }
        card(html, "", time(statistics.all.quantile(0.5)), "median decision");
        html.append("</div>\n");
    }

    private static void card(StringBuilder html, String style, String value, String label) {
        html.append("<div class=\"card ").append(style).append("\"><b>").append(escape(value));
        html.append("</b><span>").append(escape(label)).append("</span></div>\n");
    }

    private static String share(long part, long all) {
        return all == 0 ? "–" : String.format(Locale.ROOT, part == all ? "%.0f %%" : "%.1f %%", 100.0 * part / all);
    }

    private void stages(StringBuilder html) {
        html.append("<h2>Decided by</h2>\n<figure><figcaption>What allowed statements were allowed by</figcaption>\n");
        html.append("<div class=\"stack\">");
        long allowed = statistics.count(Outcome.ALLOW);
        for (Map.Entry<Stage, Statistics.Times> entry : statistics.allowedBy.entrySet()) {
            html.append("<div style=\"flex:").append(entry.getValue().count).append(";background:");
            html.append(colour(entry.getKey()))
                    .append("\" title=\"")
                    .append(name(entry.getKey()))
                    .append("\"></div>");
        }
        html.append("</div>\n<table style=\"margin-top:.8rem\"><tr><th>Stage</th><th class=\"n\">Statements</th>")
                .append("<th class=\"n\">Share</th><th class=\"n\">Median</th><th class=\"n\">95 %</th>")
                .append("<th class=\"n\">Longest</th></tr>\n");
        for (Map.Entry<Stage, Statistics.Times> entry : statistics.allowedBy.entrySet()) {
            Statistics.Times times = entry.getValue();
            html.append("<tr><td class=\"stage\"><i style=\"background:")
                    .append(colour(entry.getKey()))
                    .append("\"></i>")
                    .append(name(entry.getKey()))
                    .append("</td>");
            cells(
                    html,
                    Words.number(times.count),
                    share(times.count, allowed),
                    time(times.quantile(0.5)),
                    time(times.quantile(0.95)),
                    time(times.longest()));
            html.append("</tr>\n");
        }
        html.append("</table></figure>\n");
    }

    private static void cells(StringBuilder html, String... cells) {
        for (String cell : cells) {
            html.append("<td class=\"n\">").append(escape(cell)).append("</td>");
        }
    }

    private static String colour(Stage stage) {
        return switch (stage) {
            case COLUMN -> "var(--c1)";
            case TEMPLATE -> "var(--c2)";
            case CHASE -> "var(--c3)";
            case SOLVER -> "var(--c4)";
            case NONE -> "var(--c5)";
        };
    }

    private static String name(Stage stage) {
        return switch (stage) {
            case COLUMN -> "columns alone";
            case TEMPLATE -> "template";
            case CHASE -> "chase";
            case SOLVER -> "solver";
            case NONE -> "nothing to decide";
        };
    }

    private void time(StringBuilder html) {
        if (statistics.seconds.isEmpty()) {
            return;
        }
        long first = statistics.seconds.firstKey();
        long last = statistics.seconds.lastKey();
        long needed = (last - first + BARS) / BARS;
        long width = WIDTHS.stream().filter(each -> each >= needed).findFirst().orElse(needed);
        int bars = (int) ((last - first) / width) + 1;
        long[][] sums = new long[bars][2];
        statistics.seconds.forEach((second, counts) -> {
            long[] sum = sums[(int) ((second - first) / width)];
            sum[0] += counts[0];
            sum[1] += counts[1];
        });
        long most = 1;
        for (long[] sum : sums) {
            most = Math.max(most, sum[0] + sum[1]);
        }
        html.append("<h2>Over time</h2>\n<figure><figcaption>Statements, one bar for ")
                .append(width(width))
                .append("; not allowed ones in red</figcaption>\n<svg viewBox=\"0 0 ")
                .append(BARS * 10)
                .append(" 100\" preserveAspectRatio=\"none\" style=\"height:7rem\" role=\"img\">");
        double step = BARS * 10.0 / Math.max(bars, 12);
        for (int i = 0; i < bars; i++) {
            double good = (double) sums[i][0] * BAR_HEIGHT / most;
            double bad = (double) sums[i][1] * BAR_HEIGHT / most;
            rectangle(html, i * step, 100 - good, step, good, "var(--c2)");
            rectangle(html, i * step, 100 - good - bad, step, bad, "var(--bad)");
        }
        html.append("</svg></figure>\n");
    }

    private static void rectangle(StringBuilder html, double x, double y, double width, double height, String colour) {
        if (height > 0) {
            html.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                    x + 1,
                    y,
                    Math.max(1, width - 2),
                    height,
                    colour));
        }
    }

    private void refused(StringBuilder html) {
        List<Statistics.Query> refused = statistics.refused();
        html.append("<h2>Refused queries</h2>\n");
        if (refused.isEmpty()) {
            html.append("<figure>None.</figure>\n");
            return;
        }
        html.append(
                "<figure><table><tr><th class=\"n\">Times</th><th>Query, reason, and what the nearest views lack</th></tr>\n");
        for (Statistics.Query query : refused) {
            html.append("<tr><td class=\"n\">")
                    .append(Words.number(query.refused))
                    .append("</td><td><code>");
            html.append(escape(query.text))
                    .append("</code> <span class=\"tag\">")
                    .append(escape(query.id));
            html.append("</span> <span class=\"tag\">")
                    .append(escape(query.code))
                    .append("</span>");
            query.reasons.forEach(reason ->
                    html.append("<p class=\"why\">").append(escape(reason)).append("</p>"));
            nearest(html, query.nearest);
            html.append("</td></tr>\n");
        }
        html.append("</table></figure>\n");
    }

    private static void nearest(StringBuilder html, List<String> nearest) {
        if (nearest.isEmpty()) {
            return;
        }
        html.append("<ul class=\"near\">");
        List<String> lines = new ArrayList<>(nearest);
        lines.forEach(view -> html.append("<li>").append(escape(view)).append("</li>"));
        html.append("</ul>");
    }

    private void slowest(StringBuilder html) {
        html.append("<h2>Slowest decisions</h2>\n<figure><table><tr><th>Query</th><th class=\"n\">Statements</th>")
                .append("<th class=\"n\">Median</th><th class=\"n\">Longest</th><th class=\"n\">Sum</th></tr>\n");
        for (Statistics.Query query : statistics.slowest(SLOWEST)) {
            html.append("<tr><td><code>").append(escape(query.text)).append("</code> <span class=\"tag\">");
            html.append(escape(query.id)).append("</span></td>");
            cells(
                    html,
                    Words.number(query.times.count),
                    time(query.times.quantile(0.5)),
                    time(query.times.longest()),
                    time(query.times.sum));
            html.append("</tr>\n");
        }
        html.append("</table></figure>\n");
    }

    /** A duration with three digits or less. */
    static String time(long nanos) {
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, nanos < 10_000 ? "%.1f µs" : "%.0f µs", nanos / 1e3);
        }
        return nanos < 1_000_000_000
                ? String.format(Locale.ROOT, nanos < 10_000_000 ? "%.1f ms" : "%.0f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
