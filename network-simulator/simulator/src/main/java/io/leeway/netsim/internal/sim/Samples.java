package io.leeway.netsim.internal.sim;

import java.util.Arrays;

/** Numbers of which mean and quantiles are wanted. Not thread-safe. */
public final class Samples {

    private double[] values = new double[64];
    private int size;
    private boolean sorted;

    /** Adds one. */
    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
        sorted = false;
    }

    /** Adds all of others. */
    public void addAll(Samples others) {
        for (int i = 0; i < others.size; i++) {
            add(others.values[i]);
        }
    }

    /** How many. */
    public int size() {
        return size;
    }

    /** The mean; not a number if there are none. */
    public double mean() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += values[i];
        }
        return sum / size;
    }

    /** The least value that at least this share of all does not exceed; not a number if there are none. */
    public double quantile(double share) {
        if (size == 0) {
            return Double.NaN;
        }
        if (!sorted) {
            Arrays.sort(values, 0, size);
            sorted = true;
        }
        return values[(int) Math.min(size - 1, Math.max(0, Math.ceil(share * size) - 1))];
    }
}
