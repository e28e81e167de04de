package io.leeway.benchmarks.lazytables;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** A picture of its own file, dark on white wherever it is shown. */
final class Drawing {

    private static final String[] COLOURS = {"#2b6cb0", "#c05621", "#2f855a", "#805ad5"};

    private final StringBuilder out = new StringBuilder();

    Drawing(int width, int height) {
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n",
                width,
                height,
                width,
                height));
        out.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    }

    static String colour(int number) {
        return COLOURS[number % COLOURS.length];
    }

    void text(double x, double y, String anchor, String text) {
        out.append(String.format(
                        Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\">", x, y, anchor))
                .append(text.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</text>\n");
    }

    void bar(double x, double y, double width, double height, String colour) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                x,
                y,
                width,
                height,
                colour));
    }

    void line(double x1, double y1, double x2, double y2, String colour, boolean dashed) {
        out.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>\n",
                x1,
                y1,
                x2,
                y2,
                colour,
                dashed ? " stroke-dasharray=\"5 4\" stroke-width=\"1.5\"" : ""));
    }

    String end() {
        return out.append("</svg>\n").toString();
    }

    /** Three significant digits. */
    static String number(double value) {
        return BigDecimal.valueOf(value)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
