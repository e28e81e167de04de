package io.leeway.approx.internal.status;

import io.leeway.approx.WindowReport;
import java.util.List;
import java.util.Locale;

/** The live page: the last windows as a plot and a table; renewed every two seconds without script. */
public final class Page {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 160;
    private static final int SHOWN = 60;

    private Page() {}

    /** The page. */
    public static String of(String status, List<WindowReport> reports) {
        List<WindowReport> last = reports.subList(Math.max(0, reports.size() - SHOWN), reports.size());
        StringBuilder out = new StringBuilder(
                "<!doctype html><html lang=en><meta charset=utf-8>"
                        + "<meta http-equiv=refresh content=2><title>approx-kafka</title><style>body{font:15px/1.5 system-ui,sans-serif;"
                        + "margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse}"
                        + "td,th{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child"
                        + "{text-align:left}.bad{color:#b00020}pre{background:#f6f6f6;padding:1rem}</style><h1>approx-kafka</h1><pre>");
        out.append(escape(status))
                .append("</pre><h2>Delivered part of windows (bars) and what was promised (marks)</h2>");
        plot(out, last);
        out.append(
                "<h2>Last windows</h2><table><tr><th>topic, group<th>from<th>records<th>delivered<th>promised<th>refused<th>bias z"
                        + "<th>mean of values");
        for (int i = last.size() - 1; i >= 0; i--) {
            row(out, last.get(i));
        }
        return out.append("</table></html>").toString();
    }

    private static void plot(StringBuilder out, List<WindowReport> reports) {
        out.append(String.format(
                Locale.ROOT,
                "<svg viewBox='0 0 %d %d' width='100%%' role=img aria-label='delivered part of windows'>",
                WIDTH,
                HEIGHT));
        double step = WIDTH / (double) SHOWN;
        for (int i = 0; i < reports.size(); i++) {
            WindowReport report = reports.get(i);
            double part = part(report);
            double x = i * step;
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>",
                    x,
                    HEIGHT * (1 - part),
                    step - 2,
                    HEIGHT * part,
                    report.kept() ? "#2b6cb0" : "#b00020"));
            out.append(String.format(
                    Locale.ROOT,
                    "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#111' stroke-width='2'/>",
                    x,
                    x + step - 2,
                    HEIGHT * (1 - report.msr()),
                    HEIGHT * (1 - report.msr())));
        }
        out.append("</svg>");
    }

    private static double part(WindowReport report) {
        return report.records() == 0 ? 0 : (double) report.delivered() / report.records();
    }

    private static void row(StringBuilder out, WindowReport report) {
        String kind = report.kept() && !report.biased() && report.refused() == 0 ? "" : " class=bad";
        out.append("<tr").append(kind).append("><td>").append(escape(report.topic() + ", " + report.group()));
        out.append("<td>")
                .append(report.from())
                .append("<td>")
                .append(report.records())
                .append("<td>");
        out.append(String.format(
                Locale.ROOT,
                "%d (%.1f %%)<td>%.1f %%<td>%s<td>%.2f<td>%s",
                report.delivered(),
                100 * part(report),
                100 * report.msr(),
                report.refused() == 0 ? "" : escape(report.refused() + " " + report.refusedWhy()),
                report.biasZ(),
                report.values() == 0 ? "" : String.format(Locale.ROOT, "%.4g", report.sum() / report.values())));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
