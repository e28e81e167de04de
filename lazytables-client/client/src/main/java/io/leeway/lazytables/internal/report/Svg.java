package io.leeway.lazytables.internal.report;

import java.util.List;
import java.util.Locale;

/**
 * A picture inside a page. Numbers are written with a point whatever the machine's language; texts are escaped here, as
 * they are names that programs have chosen.
 */
final class Svg {

    private final StringBuilder out = new StringBuilder();

    Svg(int width, int height, String what) {
        out.append(String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height))
                .append(escape(what))
                .append("\">\n");
    }

    void line(double x1, double y1, double x2, double y2, String style) {
        out.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                x1,
                y1,
                x2,
                y2,
                style));
    }

    void text(double x, double y, String style, String text) {
        out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style))
                .append(escape(text))
                .append("</text>\n");
    }

    /** Nothing if it is too small to be seen. */
    void bar(double x, double y, double width, double height, String style) {
        if (width > 0.02 && height > 0.02) {
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"%s\"/>",
                    x,
                    y,
                    width,
                    height,
                    style));
        }
    }

    /** Browsers show the hint of a group to who points at anything in it. */
    void open(String hint) {
        out.append("<g><title>").append(escape(hint)).append("</title>");
    }

    void close() {
        out.append("</g>\n");
    }

    /** Points with x and y in turn. */
    void curve(List<double[]> points, String style) {
        out.append("<polyline class=\"").append(style).append("\" points=\"");
        for (double[] point : points) {
            out.append(String.format(Locale.ROOT, "%.1f,%.1f ", point[0], point[1]));
        }
        out.append("\"/>\n");
    }

    String end() {
        return out.append("</svg>\n").toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
