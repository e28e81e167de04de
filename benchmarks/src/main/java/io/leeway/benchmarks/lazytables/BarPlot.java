package io.leeway.benchmarks.lazytables;

import java.util.ArrayList;
import java.util.List;

/** Bars of one kind, one below the other, and dashed lines across them. */
final class BarPlot {

    private static final int WIDTH = 840;
    private static final int LEFT = 310;
    private static final int RIGHT = 60;
    private static final int TOP = 30;
    private static final int BAR = 16;
    private static final int STEP = 24;

    private final String title;
    private final List<Entry> bars = new ArrayList<>();
    private final List<Entry> lines = new ArrayList<>();

    private record Entry(String label, double value) {}

    BarPlot(String title) {
        this.title = title;
    }

    void bar(String label, double value) {
        bars.add(new Entry(label, value));
    }

    void line(String label, double value) {
        lines.add(new Entry(label, value));
    }

    String svg() {
        int bottom = TOP + STEP * bars.size();
        var drawing = new Drawing(WIDTH, bottom + STEP * lines.size() + 10);
        double most = Math.max(greatest(bars), greatest(lines));
        double scale = (WIDTH - LEFT - RIGHT) / (most > 0 ? most : 1);
        drawing.text(10, 18, "start", title);
        for (int i = 0; i < bars.size(); i++) {
            Entry bar = bars.get(i);
            double y = TOP + STEP * i;
            drawing.text(LEFT - 8.0, y + 13, "end", bar.label());
            drawing.bar(LEFT, y, bar.value() * scale, BAR, Drawing.colour(0));
            drawing.text(LEFT + bar.value() * scale + 5, y + 13, "start", Drawing.number(bar.value()));
        }
        for (int i = 0; i < lines.size(); i++) {
            Entry line = lines.get(i);
            double x = LEFT + line.value() * scale;
            double y = bottom + STEP * i;
            drawing.line(x, TOP - 4.0, x, y + 4, Drawing.colour(1 + i), true);
            drawing.text(LEFT - 8.0, y + 13, "end", line.label());
            drawing.text(x, y + 16, "middle", Drawing.number(line.value()));
        }
        return drawing.end();
    }

    private static double greatest(List<Entry> entries) {
        return entries.stream().mapToDouble(Entry::value).max().orElse(0);
    }
}
