package io.leeway.benchmarks.lazytables;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Curves over one axis, both axes from zero. */
final class LinePlot {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 380;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 30;
    private static final int BOTTOM = 50;
    private static final int TICKS = 6;

    private final String across;
    private final String up;
    private final Map<String, List<double[]>> curves = new LinkedHashMap<>();

    LinePlot(String across, String up) {
        this.across = across;
        this.up = up;
    }

    /** Adds one; its points need no order. */
    void curve(String label, List<double[]> points) {
        curves.put(
                label,
                points.stream()
                        .sorted(Comparator.comparingDouble(point -> point[0]))
                        .toList());
    }

    String svg() {
        var drawing = new Drawing(WIDTH, HEIGHT + 20 * curves.size());
        double xScale = (WIDTH - LEFT - RIGHT) / greatest(0);
        double yScale = (HEIGHT - TOP - BOTTOM) / greatest(1);
        double zero = HEIGHT - BOTTOM;
        drawing.text(10, 18, "start", up);
        drawing.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", across);
        drawing.line(LEFT, zero, WIDTH - RIGHT, zero, "#888", false);
        for (int i = 0; i <= TICKS; i++) {
            double x = greatest(0) * i / TICKS;
            double y = greatest(1) * i / TICKS;
            drawing.text(LEFT + x * xScale, zero + 16, "middle", Drawing.number(x));
            drawing.text(LEFT - 6.0, zero - y * yScale + 4, "end", Drawing.number(y));
            drawing.line(LEFT, zero - y * yScale, WIDTH - RIGHT, zero - y * yScale, "#ddd", false);
        }
        int number = 0;
        for (Map.Entry<String, List<double[]>> curve : curves.entrySet()) {
            boolean isBound = !curve.getKey().contains("BSP") && !curve.getKey().contains("SSP");
            List<double[]> points = curve.getValue();
            for (int i = 1; i < points.size(); i++) {
                drawing.line(
                        LEFT + points.get(i - 1)[0] * xScale,
                        zero - points.get(i - 1)[1] * yScale,
                        LEFT + points.get(i)[0] * xScale,
                        zero - points.get(i)[1] * yScale,
                        Drawing.colour(number),
                        isBound);
            }
            double y = HEIGHT + 20.0 * number;
            drawing.line(LEFT, y, LEFT + 30.0, y, Drawing.colour(number), isBound);
            drawing.text(LEFT + 38.0, y + 4, "start", curve.getKey());
            number++;
        }
        return drawing.end();
    }

    private double greatest(int axis) {
        double most = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[axis])
                .max()
                .orElse(0);
        return most > 0 ? most : 1;
    }
}
