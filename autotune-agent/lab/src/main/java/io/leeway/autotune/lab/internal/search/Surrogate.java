package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.internal.forest.BoostedQuantile;
import io.leeway.autotune.lab.internal.forest.Forest;
import io.leeway.autotune.lab.internal.forest.Tree;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A model of scores: mean and standard deviation at any point. */
@FunctionalInterface
interface Surrogate {

    /** Writes mean and standard deviation. */
    void predict(double[] features, double[] into);

    /** How a model is made of standardised scores. */
    @FunctionalInterface
    interface Fit {
        Surrogate of(double[][] features, double[] scores, SplittableRandom random);
    }

    /** A random forest, as SMAC has it. */
    static Surrogate forest(double[][] features, double[] scores, SplittableRandom random) {
        int looked = Math.max(1, (int) Math.ceil(features[0].length * 5 / 6.0));
        Forest forest = Forest.grow(features, scores, 24, new Tree.Growth(20, 1, looked), random);
        return (point, into) -> {
            forest.predict(point, into);
            // Trees that agree are not certain: what they have not seen they cannot tell apart.
            into[1] = Math.hypot(into[1], 0.05);
        };
    }

    /** Boosted trees for three quantiles, as scikit-optimize has it: half their distance is the deviation. */
    static Surrogate boosted(double[][] features, double[] scores, SplittableRandom random) {
        var low = BoostedQuantile.fit(features, scores, 0.16, 25, random);
        var middle = BoostedQuantile.fit(features, scores, 0.5, 25, random);
        var high = BoostedQuantile.fit(features, scores, 0.84, 25, random);
        return (point, into) -> {
            into[0] = middle.predict(point);
            into[1] = Math.max(0.05, (high.predict(point) - low.predict(point)) / 2);
        };
    }

    /** So many trials a Gaussian process sees at most: its cost grows with the third power. */
    int MOST = 300;

    /** A Gaussian process; of very many trials, one of the best half of {@value #MOST} and of the last ones. */
    static Surrogate gaussian(double[][] features, double[] scores, SplittableRandom random) {
        if (scores.length <= MOST) {
            return GaussianProcess.fit(features, scores);
        }
        int[] ranked = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(i -> i)
                .toArray();
        int[] seen = IntStream.concat(
                        Arrays.stream(ranked).limit(MOST / 2), IntStream.range(scores.length - MOST / 2, scores.length))
                .distinct()
                .sorted()
                .toArray();
        return GaussianProcess.fit(
                Arrays.stream(seen).mapToObj(i -> features[i]).toArray(double[][]::new),
                Arrays.stream(seen).mapToDouble(i -> scores[i]).toArray());
    }
}
