package io.leeway.lazytables.internal.report;

import java.util.ArrayList;
import java.util.List;

/** Curves of several runs over one axis. */
final class LineChart {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 300;
    private static final int LEFT = 78;
    private static final int RIGHT = 12;
    private static final int TOP = 10;
    private static final int BOTTOM = 42;
    /** Of a curve: more are not to be seen, and make the page large. */
    private static final int MOST_POINTS = 1_000;

    private final String across;
    private final String up;
    private final boolean steps;
    private final List<List<double[]>> curves = new ArrayList<>();

    /** With names for the axes; steps if values hold until the next. */
    LineChart(String across, String up, boolean steps) {
        this.across = across;
        this.up = up;
        this.steps = steps;
    }

    /**
     * Adds the curve of the next run; it may be empty.
     *
     * <p>Of many points every so manieth, and the last in any case: where a run came to is what people look for.
     */
    void add(List<double[]> points) {
        int stride = 1 + points.size() / MOST_POINTS;
        var some = new ArrayList<double[]>();
        for (int i = 0; i < points.size(); i++) {
            if (i % stride == 0 || i == points.size() - 1) {
                some.add(points.get(i));
            }
        }
        curves.add(some);
    }

    boolean isEmpty() {
        return curves.stream().allMatch(List::isEmpty);
    }

    String svg() {
        var svg = new Svg(WIDTH, HEIGHT, up + " against " + across);
        Scale x = Scale.linear(0, greatest(0), LEFT, WIDTH - RIGHT);
        // What is chosen begins at zero; an objective may be anywhere, and is shown by powers of ten if that shows
        // more.
        Scale y = steps
                ? Scale.linear(0, greatest(1) * 1.08, HEIGHT - BOTTOM, TOP)
                : Scale.fitting(least(1), greatest(1), HEIGHT - BOTTOM, TOP);
        for (double tick : y.ticks()) {
            svg.line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick), "grid");
            svg.text(LEFT - 6, y.at(tick) + 4, "end", y.label(tick));
        }
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), HEIGHT - BOTTOM, x.at(tick), HEIGHT - BOTTOM + 4, "axis");
            svg.text(x.at(tick), HEIGHT - BOTTOM + 17, "mid", x.label(tick));
        }
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis");
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, "mid name", across);
        for (int run = 0; run < curves.size(); run++) {
            svg.curve(placed(curves.get(run), x, y), "curve " + RunReport.colour(run));
        }
        return svg.end();
    }

    /** Steps get a corner before each point: a value holds until the next, and is not on its way to it. */
    private List<double[]> placed(List<double[]> points, Scale x, Scale y) {
        var placed = new ArrayList<double[]>();
        for (double[] point : points) {
            double[] at = {x.at(point[0]), y.at(point[1])};
            if (steps && !placed.isEmpty()) {
                placed.add(new double[] {at[0], placed.get(placed.size() - 1)[1]});
            }
            placed.add(at);
        }
        return placed;
    }

    private double least(int axis) {
        return curves.stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[axis])
                .min()
                .orElse(0);
    }

    private double greatest(int axis) {
        return curves.stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[axis])
                .max()
                .orElse(1);
    }
}
