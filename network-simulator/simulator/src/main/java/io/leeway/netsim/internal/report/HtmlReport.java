package io.leeway.netsim.internal.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page with plots and a table, in one file without scripts. */
public final class HtmlReport {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 320;
    private static final int LEFT = 70;
    private static final int BOTTOM = 40;
    private static final int RIGHT = 190;
    private static final int TOP = 14;
    /** Told apart also by those who see no red or green. */
    private static final String[] COLOURS = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8b6914"
    };

    private HtmlReport() {}

    /**
     * What to draw, by the numbers of columns.
     *
     * @param title above it
     * @param x along the bottom
     * @param y upwards
     * @param series one line for each value
     */
    public record Drawing(String title, int x, int y, int series) {}

    /** The page. */
    public static String page(String title, List<String> columns, List<List<String>> rows, List<Drawing> drawings) {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escape(title))
                .append("</title><meta name=\"viewport\" content=\"width=device-width\"><style>")
                .append("body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}")
                .append("table{border-collapse:collapse;font-size:.85rem}td,th{padding:.2rem .6rem;text-align:right;")
                .append("border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}")
                .append("div{overflow-x:auto}svg text{font:12px system-ui,sans-serif}</style></head><body>\n<h1>")
                .append(escape(title))
                .append("</h1>\n");
        for (Drawing drawing : drawings) {
            page.append("<h2>").append(escape(drawing.title())).append("</h2>\n<div>");
            page.append(plot(drawing, columns, rows)).append("</div>\n");
        }
        page.append("<h2>All figures</h2>\n<div><table><thead><tr>");
        columns.forEach(column -> page.append("<th>").append(escape(column)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            page.append("<tr>");
            row.forEach(cell -> page.append("<td>").append(escape(cell)).append("</td>"));
            page.append("</tr>\n");
        }
        return page.append("</tbody></table></div></body></html>\n").toString();
    }

    private static String plot(Drawing drawing, List<String> columns, List<List<String>> rows) {
        List<String> places =
                rows.stream().map(row -> row.get(drawing.x())).distinct().toList();
        Map<String, List<double[]>> lines = new LinkedHashMap<>();
        double most = 0;
        for (List<String> row : rows) {
            String cell = row.get(drawing.y());
            if (!cell.equals("-")) {
                double value = Double.parseDouble(cell);
                most = Math.max(most, value);
                lines.computeIfAbsent(row.get(drawing.series()), key -> new ArrayList<>())
                        .add(new double[] {places.indexOf(row.get(drawing.x())), value});
            }
        }
        double top = most == 0 ? 1 : most * 1.05;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                WIDTH,
                escape(drawing.title())));
        for (int tick = 0; tick <= 4; tick++) {
            double y = y(top * tick / 4, top);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y,
                    LEFT - 6,
                    y + 4,
                    top * tick / 4));
        }
        for (int i = 0; i < places.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(i, places.size()),
                    HEIGHT - BOTTOM + 16,
                    escape(places.get(i))));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%s (upwards: %s)</text>",
                LEFT,
                HEIGHT - 6,
                escape(columns.get(drawing.x())),
                escape(columns.get(drawing.y()))));
        lines(svg, lines, places.size(), top);
        return svg.append("</svg>").toString();
    }

    private static void lines(StringBuilder svg, Map<String, List<double[]>> lines, int places, double top) {
        int number = 0;
        for (Map.Entry<String, List<double[]>> line : lines.entrySet()) {
            String colour = COLOURS[number % COLOURS.length];
            StringBuilder points = new StringBuilder();
            for (double[] point : line.getValue()) {
                double x = x(point[0], places);
                double y = y(point[1], top);
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
                svg.append(String.format(
                        Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour));
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                    points.toString().strip(),
                    colour,
                    number < COLOURS.length ? "" : " stroke-dasharray=\"5 3\""));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
                    WIDTH - RIGHT + 12,
                    TOP + 12 + number * 18,
                    colour,
                    escape(line.getKey())));
            number++;
        }
    }

    private static double x(double place, int places) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / places;
    }

    private static double y(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
