package io.leeway.benchmarks.results;

import java.util.Arrays;

/** Measurements of one kind. Not thread-safe. */
public final class Series {

    private double[] values = new double[16];
    private int count;

    /** Adds one. */
    public void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
    }

    /** Adds all of another. */
    public void addAll(Series others) {
        for (int i = 0; i < others.count; i++) {
            add(others.values[i]);
        }
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The one in the middle. */
    public double median() {
        return quantile(0.5);
    }

    /** The value that this share of all is below; the nearest one there is. */
    public double quantile(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, Math.round(share * (count - 1)))];
    }
}
