package io.leeway.demo;

import java.util.Locale;

/** A bar plot as a drawing inside the page. */
final class BarPlot {

    private static final int WIDTH = 800;
    private static final int ROW = 30;
    private static final int LABELS = 230;
    private static final int LONGEST = 450;

    private BarPlot() {}

    static String svg(Bars bars) {
        var svg = new StringBuilder();
        svg.append("<figure><figcaption>%s</figcaption>\n".formatted(Html.escape(bars.caption())));
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
                .formatted(WIDTH, ROW * bars.bars().size(), Html.escape(bars.caption())));
        int top = 0;
        for (Bars.Bar bar : bars.bars()) {
            svg.append(row(bars, bar, top));
            top += ROW;
        }
        return svg.append("</svg></figure>\n").toString();
    }

    /** A bar is never thinner than two units, so that a very small value is still seen. */
    private static String row(Bars bars, Bars.Bar bar, int top) {
        double length = Math.max(2, bars.share(bar) * LONGEST);
        return String.format(
                Locale.ROOT,
                """
                <text x="%d" y="%d" text-anchor="end">%s</text>\
                <rect x="%d" y="%d" width="%.1f" height="%d" rx="3"/>\
                <text x="%.1f" y="%d">%s</text>
                """,
                LABELS - 10,
                top + 20,
                Html.escape(bar.label()),
                LABELS,
                top + 5,
                length,
                ROW - 10,
                LABELS + length + 8,
                top + 20,
                Html.escape(bars.text(bar)));
    }
}
