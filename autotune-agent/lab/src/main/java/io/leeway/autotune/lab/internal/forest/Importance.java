package io.leeway.autotune.lab.internal.forest;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Functional analysis of variance of a forest (fANOVA): how much of the variance of what the trees predict over the
 * whole space is due to one parameter alone. The marginal of a parameter is computed exactly from the boxes of the
 * leaves, tree by tree; shares are means over the trees (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 3.4.3).
 */
public final class Importance {

    private static final int TREES = 32;

    private Importance() {}

    /**
     * Shares of the variance, one for each coordinate; what is left to 1 is due to several together. All 0 where
     * nothing varies or there are fewer than four samples.
     *
     * @param x points of the unit cube
     * @param y what was measured there
     * @param seed of the forest
     */
    public static double[] of(double[][] x, double[] y, long seed) {
        if (y.length < 4) {
            return new double[x.length == 0 ? 0 : x[0].length];
        }
        int n = x[0].length;
        int features = Math.max(1, (int) Math.ceil(n * 5 / 6.0));
        Forest forest = Forest.grow(x, y, TREES, new Tree.Growth(64, 2, features), new SplittableRandom(seed));
        double[] shares = new double[n];
        int counted = 0;
        for (Tree tree : forest.trees()) {
            double total = variance(tree, n);
            if (total > 1e-12) {
                counted++;
                for (int i = 0; i < n; i++) {
                    shares[i] += marginalVariance(tree, n, i) / total;
                }
            }
        }
        int trees = Math.max(1, counted);
        return Arrays.stream(shares).map(share -> share / trees).toArray();
    }

    private static double volume(double[] low, double[] high) {
        double volume = 1;
        for (int i = 0; i < low.length; i++) {
            volume *= Math.max(0, high[i] - low[i]);
        }
        return volume;
    }

    private static double variance(Tree tree, int n) {
        double[] moments = new double[2];
        tree.leaves(n, (low, high, value) -> {
            double volume = volume(low, high);
            moments[0] += volume * value;
            moments[1] += volume * value * value;
        });
        return moments[1] - moments[0] * moments[0];
    }

    /** Of the prediction as a function of one coordinate, the others averaged out. */
    private static double marginalVariance(Tree tree, int n, int i) {
        double[][] cuts = {{0, 1}};
        tree.leaves(n, (low, high, value) -> {
            cuts[0] = with(cuts[0], low[i]);
            cuts[0] = with(cuts[0], high[i]);
        });
        double[] at = cuts[0];
        Arrays.sort(at);
        double[] means = new double[at.length - 1];
        tree.leaves(n, (low, high, value) -> {
            double width = high[i] - low[i];
            if (width <= 0) {
                return;
            }
            double rest = volume(low, high) / width;
            for (int k = 0; k < means.length; k++) {
                if (at[k] >= low[i] && at[k + 1] <= high[i]) {
                    means[k] += rest * value;
                }
            }
        });
        double mean = 0;
        double squares = 0;
        for (int k = 0; k < means.length; k++) {
            double width = at[k + 1] - at[k];
            mean += width * means[k];
            squares += width * means[k] * means[k];
        }
        return Math.max(0, squares - mean * mean);
    }

    private static double[] with(double[] cuts, double cut) {
        for (double known : cuts) {
            if (known == cut) {
                return cuts;
            }
        }
        double[] more = Arrays.copyOf(cuts, cuts.length + 1);
        more[cuts.length] = cut;
        return more;
    }
}
