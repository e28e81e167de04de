package io.leeway.lazytables.apps;

import java.util.SplittableRandom;

/**
 * Draws from a fixed distribution in constant time: Walker's alias method as Vose builds it.
 *
 * <p>Every one of n equally likely columns holds at most two outcomes, so that one draw looks at one column. Immutable.
 */
public final class AliasTable {

    private final double[] own;
    private final int[] other;

    /** For weights that are not negative and not all zero. */
    public AliasTable(double[] weights) {
        int n = weights.length;
        double sum = 0;
        for (double weight : weights) {
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException("a weight is " + weight);
            }
            sum += weight;
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("no weight is above zero");
        }
        own = new double[n];
        other = new int[n];
        int[] work = new int[n];
        int small = 0;
        int large = n;
        for (int i = 0; i < n; i++) {
            own[i] = weights[i] * n / sum;
            other[i] = i;
            if (own[i] < 1) {
                work[small++] = i;
            } else {
                work[--large] = i;
            }
        }
        while (small > 0 && large < n) {
            int poor = work[--small];
            int rich = work[large];
            other[poor] = rich;
            own[rich] -= 1 - own[poor];
            if (own[rich] < 1) {
                large++;
                work[small++] = rich;
            }
        }
        // What is left differs from one by rounding only.
        while (small > 0) {
            own[work[--small]] = 1;
        }
        while (large < n) {
            own[work[large++]] = 1;
        }
    }

    /** With weight {@code (rank + 1) ^ -exponent} for every rank below n. */
    public static AliasTable zipf(int n, double exponent) {
        double[] weights = new double[n];
        for (int rank = 0; rank < n; rank++) {
            weights[rank] = Math.pow(rank + 1.0, -exponent);
        }
        return new AliasTable(weights);
    }

    /** The number of an outcome. */
    public int draw(SplittableRandom random) {
        int column = random.nextInt(own.length);
        return random.nextDouble() < own[column] ? column : other[column];
    }

    /** The numbers below n in random order. */
    public static int[] permutation(int n, SplittableRandom random) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }
}
