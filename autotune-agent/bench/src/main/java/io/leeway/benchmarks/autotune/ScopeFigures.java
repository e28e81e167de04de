package io.leeway.benchmarks.autotune;

import io.leeway.autotune.internal.learn.AutoScope;
import io.leeway.autotune.internal.learn.Bluefin;
import io.leeway.autotune.internal.learn.HybridBandits;
import io.leeway.autotune.internal.learn.Point;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * AutoScope beside an instance for each cluster and window of two hours, as in OPPerTune's table 4.5: three clusters,
 * twelve windows a day, three weeks to learn in, the fourth to judge by. The instances get a reward for each window of
 * each cluster, 756; AutoScope one for each window, from one cluster after the other, 252. What is to be tuned is made
 * up: four numbers that begin a quarter of their range from what is best in the mean, whose best values follow the load
 * of the hour and differ a little between clusters, and 5 % noise.
 */
final class ScopeFigures {

    private static final int CLUSTERS = 3;
    private static final int WINDOWS = 12;
    private static final int DAYS = 21;
    private static final int SEEDS = 31;
    private static final int NUMBERS = 4;
    private static final int[] NO_WORDS = new int[0];

    private ScopeFigures() {}

    static void take(Recorder recorder) throws IOException {
        var scope = new ArrayList<Double>();
        var frozen = new ArrayList<Double>();
        var start = new ArrayList<Double>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            double instances = instances(seed);
            scope.add(scope(seed, false) / instances);
            frozen.add(scope(seed, true) / instances);
            start.add(untuned(seed) / instances);
        }
        recorder.record(
                        "cost with AutoScope and 252 rewards by cost with 36 instances and 756",
                        AutoTuneFigures.median(scope),
                        "times",
                        1.0,
                        Better.LOWER,
                        "an instance for each cluster and window")
                .record(
                        "cost with a frozen random tree and 252 rewards by cost with 36 instances and 756",
                        AutoTuneFigures.median(frozen),
                        "times",
                        null,
                        Better.LOWER,
                        "an instance for each cluster and window")
                .record(
                        "cost of what all began with by cost with 36 instances and 756 rewards",
                        AutoTuneFigures.median(start),
                        "times",
                        null,
                        Better.LOWER,
                        "an instance for each cluster and window");
    }

    private static Point middle() {
        return new Point(new double[] {0.5, 0.5, 0.5, 0.5}, NO_WORDS);
    }

    /** Load of a window, in [-1, 1]: low at night, and not the same on two days. */
    private static double load(int cluster, int window, Random random) {
        double daily = Math.sin(2 * Math.PI * (window - 3) / WINDOWS);
        return Math.max(-1, Math.min(1, (0.7 + 0.1 * cluster) * daily + 0.05 * random.nextGaussian()));
    }

    private static double[] context(int cluster, double load) {
        double[] context = new double[CLUSTERS + 1];
        context[0] = load;
        context[cluster + 1] = 1;
        return context;
    }

    /** Latency-like: 1 at best, more by the square of how far the numbers are from what this load needs. */
    private static double cost(int seed, int cluster, double load, double[] numbers) {
        double cost = 1;
        for (int i = 0; i < NUMBERS; i++) {
            double best = 0.5
                    + 0.25 * (Functions.shift(seed, 50 + i) < 0.5 ? 1 : -1)
                    + 0.15 * load * (Functions.shift(seed, i) < 0.5 ? 1 : -1)
                    + 0.15 * (Functions.shift(seed, 10 + i + NUMBERS * cluster) - 0.5);
            cost += 4 * (numbers[i] - best) * (numbers[i] - best);
        }
        return cost;
    }

    private static double noisy(double cost, Random random) {
        return cost * Math.exp(0.05 * random.nextGaussian());
    }

    private static double instances(int seed) {
        var random = new Random(seed);
        var all = new ArrayList<HybridBandits>();
        for (int i = 0; i < CLUSTERS * WINDOWS; i++) {
            all.add(new HybridBandits(Bluefin.Steps.published(), middle(), NO_WORDS, seed * 1_000L + i));
        }
        for (int day = 0; day < DAYS; day++) {
            for (int window = 0; window < WINDOWS; window++) {
                for (int cluster = 0; cluster < CLUSTERS; cluster++) {
                    HybridBandits instance = all.get(cluster * WINDOWS + window);
                    double load = load(cluster, window, random);
                    instance.reward(
                            -noisy(cost(seed, cluster, load, instance.propose().numbers()), random));
                }
            }
        }
        return judged(
                seed,
                (cluster, window, load) ->
                        all.get(cluster * WINDOWS + window).centre().numbers());
    }

    private static double scope(int seed, boolean frozen) {
        var random = new Random(seed);
        var scope = new AutoScope(
                Bluefin.Steps.published(),
                AutoScope.DEFAULT_HEIGHT,
                frozen,
                CLUSTERS + 1,
                middle(),
                NO_WORDS,
                seed * 1_000L);
        for (int day = 0; day < DAYS; day++) {
            for (int window = 0; window < WINDOWS; window++) {
                int cluster = (day + window) % CLUSTERS;
                double load = load(cluster, window, random);
                double[] context = context(cluster, load);
                int leaf = scope.leaf(context);
                double cost = cost(seed, cluster, load, scope.propose(context).numbers());
                scope.reward(context, leaf, -noisy(cost, random));
            }
        }
        return judged(
                seed,
                (cluster, window, load) -> scope.centre(context(cluster, load)).numbers());
    }

    private static double untuned(int seed) {
        return judged(seed, (cluster, window, load) -> middle().numbers());
    }

    private interface Chosen {
        double[] numbers(int cluster, int window, double load);
    }

    /** Mean cost over the fourth week, without noise. */
    private static double judged(int seed, Chosen chosen) {
        var random = new Random(seed + 77);
        List<Double> costs = new ArrayList<>();
        for (int day = 0; day < 7; day++) {
            for (int window = 0; window < WINDOWS; window++) {
                for (int cluster = 0; cluster < CLUSTERS; cluster++) {
                    double load = load(cluster, window, random);
                    costs.add(cost(seed, cluster, load, chosen.numbers(cluster, window, load)));
                }
            }
        }
        return costs.stream().mapToDouble(x -> x).average().orElseThrow();
    }
}
