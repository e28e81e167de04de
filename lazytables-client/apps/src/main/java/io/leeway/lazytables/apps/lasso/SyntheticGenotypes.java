package io.leeway.lazytables.apps.lasso;

import io.leeway.lazytables.apps.AliasTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Samples with binary markers, of which neighbours are alike (linkage), and a trait that few of them make: more markers than
 * samples, as in studies of genomes.
 */
public final class SyntheticGenotypes {

    private static final double LINKAGE = 0.7;
    private static final double RAREST = 0.02;
    private static final double MOST_COMMON = 0.2;

    private final Design design;
    private final double[] truth;

    private SyntheticGenotypes(Design design, double[] truth) {
        this.design = design;
        this.truth = truth;
    }

    /**
     * Draws some; the same arguments give the same.
     *
     * @param causes how many markers have an effect, of one or two, upwards or downwards
     * @param noise standard deviation of what markers do not explain
     */
    public static SyntheticGenotypes generate(int samples, int features, int causes, double noise, long seed) {
        var random = new SplittableRandom(seed);
        boolean[] present = new boolean[samples];
        int[] start = new int[features + 1];
        int[] row = new int[Math.max(16, samples * features / 8)];
        int n = 0;
        for (int j = 0; j < features; j++) {
            double frequency = RAREST + (MOST_COMMON - RAREST) * random.nextDouble();
            for (int i = 0; i < samples; i++) {
                // A marker is inherited with its neighbour, or drawn by its own frequency.
                if (j == 0 || random.nextDouble() >= LINKAGE) {
                    present[i] = random.nextDouble() < frequency;
                }
                if (present[i]) {
                    if (n == row.length) {
                        row = Arrays.copyOf(row, Math.addExact(n, n >> 1));
                    }
                    row[n++] = i;
                }
            }
            start[j + 1] = n;
        }
        float[] value = new float[n];
        Arrays.fill(value, 1);
        double[] truth = new double[features];
        int[] order = AliasTable.permutation(features, random);
        for (int c = 0; c < causes; c++) {
            truth[order[c]] = (1 + random.nextDouble()) * (random.nextBoolean() ? 1 : -1);
        }
        double[] target = new double[samples];
        for (int i = 0; i < samples; i++) {
            target[i] = noise
                    * Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
                    * Math.cos(2 * Math.PI * random.nextDouble());
        }
        var design = new Design(start, Arrays.copyOf(row, n), value, target);
        for (int j = 0; j < features; j++) {
            design.add(j, truth[j], target);
        }
        return new SyntheticGenotypes(design, truth);
    }

    /** The matrix and the trait. */
    public Design design() {
        return design;
    }

    /** The true effect of a marker. */
    public double truth(int feature) {
        return truth[feature];
    }
}
