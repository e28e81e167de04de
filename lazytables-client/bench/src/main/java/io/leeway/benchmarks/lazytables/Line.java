package io.leeway.benchmarks.lazytables;

import java.util.List;

/** The straight line through points that is nearest to them upwards and downwards (least squares). */
record Line(double start, double slope) {

    /** Through points of two numbers, at least two of them at different places. */
    static Line through(List<double[]> points) {
        double x = points.stream().mapToDouble(point -> point[0]).average().orElseThrow();
        double y = points.stream().mapToDouble(point -> point[1]).average().orElseThrow();
        double product = 0;
        double square = 0;
        for (double[] point : points) {
            product += (point[0] - x) * (point[1] - y);
            square += (point[0] - x) * (point[0] - x);
        }
        if (!(square > 0)) {
            throw new IllegalArgumentException("all points are at one place");
        }
        double slope = product / square;
        return new Line(y - slope * x, slope);
    }
}
