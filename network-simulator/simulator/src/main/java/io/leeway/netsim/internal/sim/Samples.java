package io.leeway.netsim.internal.sim;

import java.util.Arrays;

/**
 * Numbers of which mean and quantiles are wanted, in memory that does not grow with how many there are: exact up to 4,096
 * numbers, beyond that quantiles within 0.1 %. The mean is always exact. Not thread-safe.
 */
public final class Samples {

    private static final int EXACT = 4_096;
    private static final int STEPS = 512;
    /** Of the values from 2^-40 to 2^40, which is a picosecond to 300,000 years in seconds. */
    private static final int OCTAVES = 80;

    private double[] values = new double[64];
    private int kept;
    private boolean sorted;
    private long[] buckets = {};
    private long size;
    private double sum;

    /** Adds one, which is not negative. */
    public void add(double value) {
        if (Double.isNaN(value)) {
            return;
        }
        size++;
        sum += value;
        if (buckets.length > 0) {
            buckets[bucket(value)]++;
            return;
        }
        if (kept == EXACT) {
            buckets = new long[OCTAVES * STEPS + 1];
            for (double earlier : values) {
                buckets[bucket(earlier)]++;
            }
            buckets[bucket(value)]++;
            return;
        }
        if (kept == values.length) {
            values = Arrays.copyOf(values, kept * 2);
        }
        values[kept++] = value;
        sorted = false;
    }

    private static int bucket(double value) {
        double place = (Math.log(Math.max(value, 1e-300)) / Math.log(2) + OCTAVES / 2.0) * STEPS;
        return (int) Math.max(0, Math.min(OCTAVES * STEPS, Math.rint(place)));
    }

    private static double value(int bucket) {
        return Math.pow(2, (double) bucket / STEPS - OCTAVES / 2.0);
    }

    /** Adds all of others. */
    public void addAll(Samples others) {
        if (others.buckets.length == 0) {
            for (int i = 0; i < others.kept; i++) {
                add(others.values[i]);
            }
            return;
        }
        if (buckets.length == 0) {
            double[] mine = Arrays.copyOf(values, kept);
            buckets = new long[OCTAVES * STEPS + 1];
            for (double earlier : mine) {
                buckets[bucket(earlier)]++;
            }
        }
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] += others.buckets[i];
        }
        size += others.size;
        sum += others.sum;
    }

    /** How many. */
    public long size() {
        return size;
    }

    /** The mean; not a number if there are none. */
    public double mean() {
        return sum / size;
    }

    /** The least value that at least this share of all does not exceed; not a number if there are none. */
    public double quantile(double share) {
        if (size == 0) {
            return Double.NaN;
        }
        long rank = Math.min(size - 1, Math.max(0, (long) Math.ceil(share * size) - 1));
        if (buckets.length == 0) {
            if (!sorted) {
                Arrays.sort(values, 0, kept);
                sorted = true;
            }
            return values[(int) rank];
        }
        long before = 0;
        for (int i = 0; i < buckets.length; i++) {
            before += buckets[i];
            if (before > rank) {
                return value(i);
            }
        }
        throw new IllegalStateException("rank " + rank + " of " + size);
    }
}
