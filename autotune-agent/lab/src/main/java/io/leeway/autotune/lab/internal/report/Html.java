package io.leeway.autotune.lab.internal.report;

import java.util.List;
import java.util.Locale;

/** Writes a page that needs nothing but itself. Texts from outside are escaped. */
final class Html {

    private static final String STYLE = """
            body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1c2733;background:#fff}
            table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #dde3ea;vertical-align:top}
            td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
            svg{width:100%;height:auto;background:#f6f8fa}svg text{font:12px system-ui,sans-serif;fill:#3d4a58}
            .grid{stroke:#dde3ea}.line{fill:none;stroke:#3a6ea5;stroke-width:2}.dot{fill:#8fa3b8}.good{fill:#1a7f4b}.bad{fill:#b3541e}
            .thin{fill:none;stroke:#8fa3b8;stroke-opacity:.45}.best{fill:none;stroke:#1a7f4b;stroke-width:2.5}.first{fill:none;stroke:#b3541e;stroke-width:2;stroke-dasharray:5 4}
            .axis{stroke:#5a6775}.bar{fill:#3a6ea5}.span{fill:#b9c9da}.path{fill:#3a6ea5}.suspect{fill:#b3541e}.note{color:#5a6775}
            """;

    private final StringBuilder text = new StringBuilder();

    Html(String title) {
        text.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head><body>\n");
        element("h1", title);
    }

    static String escaped(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    Html element(String tag, String content) {
        text.append('<')
                .append(tag)
                .append('>')
                .append(escaped(content))
                .append("</")
                .append(tag)
                .append(">\n");
        return this;
    }

    Html note(String content) {
        text.append("<p class=\"note\">").append(escaped(content)).append("</p>\n");
        return this;
    }

    /** A drawing of this size; what is in it is escaped already. */
    Html svg(String label, int width, int height, String content) {
        text.append("<svg role=\"img\" aria-label=\"")
                .append(escaped(label))
                .append("\" viewBox=\"0 0 ")
                .append(width)
                .append(' ')
                .append(height)
                .append("\">\n")
                .append(content)
                .append("</svg>\n");
        return this;
    }

    /** A table; a column whose cells all begin with a digit stands to the right. */
    Html table(List<String> head, List<List<String>> rows) {
        text.append("<table><tr>");
        boolean[] right = new boolean[head.size()];
        for (int i = 0; i < right.length; i++) {
            int column = i;
            right[i] = !rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column)));
            text.append(right[i] ? "<th class=\"n\">" : "<th>")
                    .append(escaped(head.get(i)))
                    .append("</th>");
        }
        text.append("</tr>\n");
        for (List<String> row : rows) {
            text.append("<tr>");
            for (int i = 0; i < right.length; i++) {
                text.append(right[i] ? "<td class=\"n\">" : "<td>")
                        .append(escaped(row.get(i)))
                        .append("</td>");
            }
            text.append("</tr>\n");
        }
        text.append("</table>\n");
        return this;
    }

    private static boolean isNumber(String cell) {
        // A dash stands for a number that there is none of.
        return cell.matches("-?\\d.*|–");
    }

    String end() {
        return text + "</body></html>\n";
    }

    /** Three digits, without an exponent where people would not write one. */
    static String number(double x) {
        if (Double.isNaN(x)) {
            return "–";
        }
        double size = Math.abs(x);
        if (size == 0) {
            return "0";
        }
        if (size >= 1e7 || size < 1e-4) {
            return String.format(Locale.ROOT, "%.2e", x);
        }
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", x);
    }

    /** An element of a drawing. */
    static String shape(String tag, String attributes, String title) {
        return "<" + tag + " " + attributes + ">" + (title.isEmpty() ? "" : "<title>" + escaped(title) + "</title>")
                + "</" + tag + ">\n";
    }

    /** A text of a drawing. */
    static String label(double x, double y, String anchor, String content) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                escaped(content));
    }
}
