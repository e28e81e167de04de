package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.results.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Curves over one axis, both axes from zero. */
final class LinePlot {

    private static final int WIDTH = 760;
    private static final int PLOT = 240;
    private static final int LEFT = 70;
    private static final int RIGHT = 24;
    private static final int TOP = 60;
    private static final int BOTTOM = 56;
    private static final int LEGEND = 20;

    private final String title;
    private final String across;
    private final String up;
    private final List<Curve> curves = new ArrayList<>();

    /** A place of a curve. */
    record Point(double x, double y) {}

    private record Curve(String label, List<Point> points, boolean isBound) {}

    LinePlot(String title, String across, String up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    /** Adds what was measured, from left to right. */
    void curve(String label, List<Point> points) {
        curves.add(new Curve(label, List.copyOf(points), false));
    }

    /** Adds what curves are compared with: a dashed one without marks. */
    void bound(String label, List<Point> points) {
        curves.add(new Curve(label, List.copyOf(points), true));
    }

    String svg() {
        var drawing = new Drawing(WIDTH, TOP + PLOT + BOTTOM + LEGEND * curves.size(), title);
        Scale x = Scale.upTo(points().mapToDouble(Point::x).max().orElse(0));
        Scale y = Scale.upTo(points().mapToDouble(Point::y).max().orElse(0));
        axes(drawing, x, y);
        for (int i = 0; i < curves.size(); i++) {
            curve(drawing, i, x, y);
            legend(drawing, i);
        }
        return drawing.end();
    }

    private Stream<Point> points() {
        return curves.stream().flatMap(curve -> curve.points().stream());
    }

    private void axes(Drawing drawing, Scale x, Scale y) {
        drawing.text(10, TOP - 18.0, "start", up);
        for (double tick : y.ticks()) {
            double at = upwards(tick, y);
            drawing.rule(tick > 0 ? "grid" : "axis", LEFT, at, WIDTH - RIGHT, at);
            drawing.text(LEFT - 8.0, at + 4, "end", Numbers.rounded(tick));
        }
        for (double tick : x.ticks()) {
            double at = along(tick, x);
            drawing.rule("axis", at, TOP + PLOT, at, TOP + PLOT + 5.0);
            drawing.text(at, TOP + PLOT + 20.0, "middle", Numbers.rounded(tick));
        }
        drawing.text((LEFT + WIDTH - RIGHT) / 2.0, TOP + PLOT + 40.0, "middle", across);
    }

    private void curve(Drawing drawing, int number, Scale x, Scale y) {
        Curve curve = curves.get(number);
        List<Point> points = curve.points();
        for (int i = 0; i < points.size(); i++) {
            double right = along(points.get(i).x(), x);
            double level = upwards(points.get(i).y(), y);
            if (i > 0) {
                Point last = points.get(i - 1);
                drawing.line(along(last.x(), x), upwards(last.y(), y), right, level, number, curve.isBound());
            }
            if (!curve.isBound()) {
                drawing.mark(right, level, number);
            }
        }
    }

    private void legend(Drawing drawing, int number) {
        Curve curve = curves.get(number);
        double y = TOP + PLOT + BOTTOM + LEGEND * number;
        drawing.line(LEFT, y, LEFT + 32.0, y, number, curve.isBound());
        if (!curve.isBound()) {
            drawing.mark(LEFT + 16.0, y, number);
        }
        drawing.text(LEFT + 42.0, y + 4, "start", curve.label());
    }

    private static double along(double value, Scale scale) {
        return LEFT + value / scale.end() * (WIDTH - LEFT - RIGHT);
    }

    private static double upwards(double value, Scale scale) {
        return TOP + PLOT - value / scale.end() * PLOT;
    }
}
