package io.leeway.autotune.lab.internal.forest;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Gradient-boosted trees for a quantile: each tree follows the sign of what is left, and its leaves take the quantile of it. */
public final class BoostedQuantile {

    private static final Tree.Growth GROWTH = new Tree.Growth(3, 2, 0);
    private static final double RATE = 0.2;

    private final double base;
    private final Tree[] trees;

    private BoostedQuantile(double base, Tree[] trees) {
        this.base = base;
        this.trees = trees;
    }

    /** Fits a quantile of (0, 1); features are in [0, 1]. */
    public static BoostedQuantile fit(double[][] x, double[] y, double quantile, int count, SplittableRandom random) {
        int[] all = new int[y.length];
        Arrays.setAll(all, i -> i);
        double base = of(y.clone(), y.length, quantile);
        double[] prediction = new double[y.length];
        Arrays.fill(prediction, base);
        double[] signs = new double[y.length];
        int[] leaves = new int[y.length];
        double[] left = new double[y.length];
        Tree[] trees = new Tree[count];
        for (int t = 0; t < count; t++) {
            Arrays.setAll(signs, i -> y[i] > prediction[i] ? quantile : quantile - 1);
            trees[t] = Tree.grow(x, signs, all, GROWTH, random);
            Tree tree = trees[t];
            Arrays.setAll(leaves, i -> tree.leaf(x[i]));
            for (int leaf : Arrays.stream(leaves).distinct().toArray()) {
                int size = 0;
                for (int i = 0; i < leaves.length; i++) {
                    if (leaves[i] == leaf) {
                        left[size++] = y[i] - prediction[i];
                    }
                }
                tree.setValue(leaf, RATE * of(left, size, quantile));
            }
            for (int i = 0; i < leaves.length; i++) {
                prediction[i] += tree.predict(x[i]);
            }
        }
        return new BoostedQuantile(base, trees);
    }

    private static double of(double[] values, int size, double quantile) {
        Arrays.sort(values, 0, size);
        double place = quantile * (size - 1);
        int low = (int) place;
        int high = Math.min(size - 1, low + 1);
        return values[low] + (place - low) * (values[high] - values[low]);
    }

    /** The quantile at a point. */
    public double predict(double[] point) {
        double sum = base;
        for (Tree tree : trees) {
            sum += tree.predict(point);
        }
        return sum;
    }
}
