package io.leeway.benchmarks.hindex;

import java.util.Arrays;

/** Measurements of one kind. */
final class Series {

    private double[] values = new double[16];
    private int count;

    void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
    }

    int count() {
        return count;
    }

    double median() {
        return quantile(0.5);
    }

    /** The value that this share of all is below; the nearest one there is. */
    double quantile(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, Math.round(share * (count - 1)))];
    }
}
