package io.leeway.autotune.internal.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.autotune.internal.learn.Bluefin.Steps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bluefin beside the published implementation (OPPerTune 0.2.0, two-point, delta 0.1) on the same functions, from the same
 * start in the middle, with 60 evaluations: the median over seeds of the true value of what it chose, and of the mean
 * true value of all that it tried, which is what tuning costs while it runs. The published implementation's figures were
 * taken with five seeds on these functions with noise; here there are more seeds, and what is asked is to be at most as
 * far from the optimum, with a third more for what five seeds leave open. Steps are the published default of 0.01; with
 * 0.05, where a run of five seeds says little, the benchmarks' page has what differs.
 */
class PublishedResultsTest {

    private static final int EVALUATIONS = 60;
    private static final int SEEDS = 51;
    private static final double CHANCE = 1.33;

    @ParameterizedTest
    @CsvSource({"branin, 0.01, 1.12, 9.2", "hartmann, 0.01, 0.36, 1.5", "ackley, 0.01, 7.6, 11.4"})
    void findsAsGoodAValueAtNoMoreCost(String name, double eta, double published, double publishedMean) {
        ToDoubleFunction<double[]> function = function(name);
        int dimensions = "branin".equals(name) ? 2 : "hartmann".equals(name) ? 6 : 10;
        var chosen = new ArrayList<Double>();
        var means = new ArrayList<Double>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            var start = new double[dimensions];
            Arrays.fill(start, 0.5);
            var learner = new Bluefin(new Steps(2, eta, 0.1, 0), start, seed);
            var noise = new SplittableRandom(seed);
            double best = Double.POSITIVE_INFINITY;
            double bestTrue = 0;
            double sum = 0;
            for (int i = 0; i < EVALUATIONS; i++) {
                double value = function.applyAsDouble(learner.propose());
                // Noise of five per cent, as a service's latency has.
                double seen = value * (1 + 0.05 * noise.nextGaussian());
                if (seen < best) {
                    best = seen;
                    bestTrue = value;
                }
                sum += value;
                learner.reward(-seen);
            }
            chosen.add(bestTrue);
            means.add(sum / EVALUATIONS);
        }
        assertThat(median(chosen)).as("chosen").isLessThanOrEqualTo(published * CHANCE);
        assertThat(median(means)).as("mean").isLessThanOrEqualTo(publishedMean * CHANCE);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(SEEDS / 2).findFirst().orElseThrow();
    }

    private static ToDoubleFunction<double[]> function(String name) {
        return switch (name) {
            case "branin" -> PublishedResultsTest::branin;
            case "hartmann" -> PublishedResultsTest::hartmann;
            default -> PublishedResultsTest::ackley;
        };
    }

    /** Of [0, 1]^2, with its least value at 0. */
    private static double branin(double[] unit) {
        double x = 15 * unit[0] - 5;
        double y = 15 * unit[1];
        double square = y - 5.1 / (4 * Math.PI * Math.PI) * x * x + 5 / Math.PI * x - 6;
        return square * square + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10 - 0.397887;
    }

    private static final double[] WEIGHTS = {1, 1.2, 3, 3.2};
    private static final double[][] WIDTHS = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}
    };
    private static final double[][] PLACES = {
        {0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
        {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
        {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
        {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}
    };

    private static double hartmann(double[] unit) {
        double sum = 0;
        for (int i = 0; i < WEIGHTS.length; i++) {
            double exponent = 0;
            for (int j = 0; j < unit.length; j++) {
                exponent += WIDTHS[i][j] * (unit[j] - PLACES[i][j]) * (unit[j] - PLACES[i][j]);
            }
            sum += WEIGHTS[i] * Math.exp(-exponent);
        }
        return 3.32237 - sum;
    }

    private static double ackley(double[] unit) {
        double squares = 0;
        double cosines = 0;
        for (double u : unit) {
            double x = 65.536 * u - 32.768;
            squares += x * x;
            cosines += Math.cos(2 * Math.PI * x);
        }
        return -20 * Math.exp(-0.2 * Math.sqrt(squares / unit.length)) - Math.exp(cosines / unit.length) + 20 + Math.E;
    }
}
