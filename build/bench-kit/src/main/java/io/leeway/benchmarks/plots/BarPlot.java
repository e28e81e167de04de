package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.results.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bars from left to right, one label below the other, and dashed lines across them. A label may have bars of several
 * series: beside each other, or in a row as parts of a whole.
 */
final class BarPlot {

    private static final int WIDTH = 840;
    private static final int RIGHT = 80;
    private static final int TOP = 36;
    private static final int LEGEND = 24;
    private static final int BAR = 16;
    private static final int GAP = 8;
    private static final int EDGE = 10;

    private final String title;
    private final boolean isStacked;
    private final List<String> series = new ArrayList<>();
    private final Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
    private final Map<String, Double> lines = new LinkedHashMap<>();

    private BarPlot(String title, boolean isStacked) {
        this.title = title;
        this.isStacked = isStacked;
    }

    /** With a bar for each series. */
    static BarPlot beside(String title) {
        return new BarPlot(title, false);
    }

    /** With one bar a label, put together from its series. */
    static BarPlot stacked(String title) {
        return new BarPlot(title, true);
    }

    /** Adds one; labels and series stay in the order of their first one. */
    void bar(String label, String of, double value) {
        if (!series.contains(of)) {
            series.add(of);
        }
        bars.computeIfAbsent(label, none -> new LinkedHashMap<>()).put(of, value);
    }

    void line(String label, double value) {
        lines.put(label, value);
    }

    String svg() {
        int above = TOP + LEGEND * legendRows();
        int below = above + bars.size() * (height() + GAP);
        var drawing = new Drawing(WIDTH, below + lines.size() * (BAR + GAP) + EDGE, title);
        legend(drawing);
        double y = above;
        for (Map.Entry<String, Map<String, Double>> label : bars.entrySet()) {
            drawing.text(left() - 8, y + height() / 2.0 + 4, "end", label.getKey());
            bars(drawing, y, label.getValue());
            y += height() + GAP;
        }
        lines(drawing, above, below);
        return drawing.end();
    }

    private void bars(Drawing drawing, double top, Map<String, Double> values) {
        double x = left();
        double y = top;
        for (int i = 0; i < series.size(); i++) {
            Double value = values.get(series.get(i));
            if (value != null) {
                drawing.bar(x, y, value * scale(), BAR, i);
                label(drawing, x, y, value, values.size());
            }
            x += isStacked && value != null ? value * scale() : 0;
            y += isStacked ? 0 : BAR;
        }
        if (isStacked) {
            drawing.text(x + 6, top + 13, "start", Numbers.rounded(sum(values)));
        }
    }

    /** Behind a bar of its own, or within one of several parts if there is the room. */
    private void label(Drawing drawing, double x, double y, double value, int parts) {
        String number = Numbers.rounded(value);
        double width = value * scale();
        if (!isStacked) {
            drawing.text(x + width + 6, y + 13, "start", number);
        } else if (parts > 1 && width > Drawing.width(number) + 4) {
            drawing.textOnBar(x + width / 2, y + 12.5, number);
        }
    }

    private void lines(Drawing drawing, double above, double below) {
        double y = below;
        int number = series.size();
        for (Map.Entry<String, Double> line : lines.entrySet()) {
            double x = left() + line.getValue() * scale();
            drawing.across(x, above - 4, y + 2, number++);
            drawing.text(left() - 8, y + 13, "end", line.getKey());
            drawing.text(x, y + 15, "middle", Numbers.rounded(line.getValue()));
            y += BAR + GAP;
        }
    }

    private void legend(Drawing drawing) {
        double x = left();
        double y = TOP;
        for (int i = 0; i < series.size() && legendRows() > 0; i++) {
            if (x > left() && x + legendWidth(i) > WIDTH) {
                x = left();
                y += LEGEND;
            }
            drawing.bar(x, y, 12, 12, i);
            drawing.text(x + 18, y + 11, "start", series.get(i));
            x += legendWidth(i);
        }
    }

    private int legendRows() {
        int rows = series.size() > 1 ? 1 : 0;
        double x = left();
        for (int i = 0; i < series.size(); i++) {
            if (x > left() && x + legendWidth(i) > WIDTH) {
                x = left();
                rows++;
            }
            x += legendWidth(i);
        }
        return rows;
    }

    private double legendWidth(int number) {
        return Drawing.width(series.get(number)) + 36;
    }

    /** Of all bars of a label. */
    private int height() {
        return isStacked ? BAR : BAR * Math.max(1, series.size());
    }

    /** Where bars begin: behind the longest label. */
    private double left() {
        var labels = new ArrayList<>(bars.keySet());
        labels.addAll(lines.keySet());
        return labels.stream().mapToDouble(Drawing::width).max().orElse(0) + EDGE + 8;
    }

    private double scale() {
        double bar = bars.values().stream()
                .mapToDouble(values -> isStacked ? sum(values) : greatest(values))
                .max()
                .orElse(0);
        double most = Math.max(bar, greatest(lines));
        return (WIDTH - RIGHT - left()) / (most > 0 ? most : 1);
    }

    private static double sum(Map<String, Double> values) {
        return values.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static double greatest(Map<String, Double> values) {
        return values.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
