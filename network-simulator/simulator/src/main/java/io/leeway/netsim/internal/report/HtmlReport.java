package io.leeway.netsim.internal.report;

import java.util.List;

/** A page with what was expected, plots and a table, in one file without scripts. */
public final class HtmlReport {

    private static final int ROWS_SHOWN = 400;

    private final String title;
    private final String about;
    private final List<String> columns;
    private final List<List<String>> rows;
    private final List<List<String>> checks;
    private final List<Drawing> drawings;

    /** A page that was not written. */
    public HtmlReport(
            String title,
            String about,
            List<String> columns,
            List<List<String>> rows,
            List<List<String>> checks,
            List<Drawing> drawings) {
        this.title = title;
        this.about = about;
        this.columns = columns;
        this.rows = rows;
        this.checks = checks;
        this.drawings = drawings;
    }

    /**
     * What to draw, by the numbers of columns.
     *
     * @param title above it
     * @param x along the bottom
     * @param y upwards; if there are several, each is a line
     * @param series one line for each combination of their values
     */
    public record Drawing(String title, int x, List<Integer> y, List<Integer> series) {

        /** Copies. */
        public Drawing {
            y = List.copyOf(y);
            series = List.copyOf(series);
        }
    }

    /** The page. */
    public String page() {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escape(title))
                .append("</title><meta name=\"viewport\" content=\"width=device-width\"><style>")
                .append("body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}")
                .append("table{border-collapse:collapse;font-size:.85rem}td,th{padding:.2rem .6rem;text-align:right;")
                .append("border-bottom:1px solid #ddd}td:first-child,th:first-child,.checks td,.checks th")
                .append("{text-align:left}.agrees{color:#00684a}.differs{color:#a33b00}")
                .append("div{overflow-x:auto}svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif}")
                .append("</style></head><body>\n<h1>")
                .append(escape(title))
                .append("</h1>\n");
        if (!about.isEmpty()) {
            page.append("<p>").append(escape(about)).append("</p>\n");
        }
        if (!checks.isEmpty()) {
            checks(page);
        }
        for (Drawing drawing : drawings) {
            page.append("<h2>").append(escape(drawing.title())).append("</h2>\n<div>");
            page.append(new Plot(drawing, columns, rows).svg()).append("</div>\n");
        }
        table(page);
        return page.append("</body></html>\n").toString();
    }

    private void checks(StringBuilder page) {
        page.append("<h2>What was expected</h2>\n<div class=\"checks\"><table><thead><tr>")
                .append("<th>expected</th><th>measured</th><th>outcome</th></tr></thead><tbody>\n");
        for (List<String> check : checks) {
            String outcome = check.get(2);
            page.append("<tr><td>")
                    .append(escape(check.get(0)))
                    .append("</td><td>")
                    .append(escape(check.get(1)))
                    .append("</td><td class=\"")
                    .append(outcome.startsWith("agrees") ? "agrees" : "differs")
                    .append("\">")
                    .append(escape(outcome))
                    .append("</td></tr>\n");
        }
        page.append("</tbody></table></div>\n");
    }

    private void table(StringBuilder page) {
        page.append("<h2>All figures</h2>\n");
        if (rows.size() > ROWS_SHOWN) {
            page.append("<p>The first ")
                    .append(ROWS_SHOWN)
                    .append(" of ")
                    .append(rows.size())
                    .append(" rows; all are in results.csv.</p>\n");
        }
        page.append("<div><table><thead><tr>");
        columns.forEach(column -> page.append("<th>").append(escape(column)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (List<String> row : rows.subList(0, Math.min(ROWS_SHOWN, rows.size()))) {
            page.append("<tr>");
            row.forEach(cell -> page.append("<td>").append(escape(cell)).append("</td>"));
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
