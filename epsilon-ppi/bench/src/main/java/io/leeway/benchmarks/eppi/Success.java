package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.eppi.EppiBenchmark.Figures;
import io.leeway.benchmarks.results.Better;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.attack.Attacks;
import io.leeway.eppi.internal.attack.Baselines;
import io.leeway.eppi.internal.attack.Lists;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Figures 5 and 6 of ε-PPI §2.5: how often a list has the noise that was wished. */
final class Success {

    private static final int PROVIDERS = 10_000;
    private static final double RATIO = 0.9;
    private static final int SAMPLES = 1_000;

    private Success() {}

    static void run(Figures figures) {
        frequencies(figures);
        providers(figures);
        grouping(figures);
        wishes(figures);
        least(figures);
    }

    private static List<Policy> policies(double delta) {
        return List.of(
                new Policy.Basic(), new Policy.Incremented(delta), new Policy.Chernoff(RATIO), new Policy.Exact(RATIO));
    }

    /** Figure 6a. */
    private static void frequencies(Figures figures) {
        for (int frequency : new int[] {1, 10, 50, 100, 200, 300, 400, 500}) {
            for (Policy policy : policies(0.02)) {
                figures.record(
                        name("6a", policy, "frequency " + frequency),
                        simulated(policy, frequency, PROVIDERS, 0.5),
                        "of lists",
                        goal(policy),
                        Better.HIGHER,
                        exactly(policy, frequency, PROVIDERS, 0.5));
            }
        }
    }

    /** Figure 6b. */
    private static void providers(Figures figures) {
        for (int providers : new int[] {100, 250, 500, 1_000, 2_500, 10_000}) {
            for (Policy policy : policies(0.02)) {
                figures.record(
                        name("6b", policy, providers + " providers"),
                        simulated(policy, providers / 10, providers, 0.5),
                        "of lists",
                        goal(policy),
                        Better.HIGHER,
                        exactly(policy, providers / 10, providers, 0.5));
            }
        }
    }

    /** Figure 5: the wish 0.8 at frequencies as the paper has them, against groups. */
    private static void grouping(Figures figures) {
        var random = new Random(5);
        for (int frequency : new int[] {34, 67, 100, 134, 176, 234, 446}) {
            for (Policy policy :
                    List.of(new Policy.Incremented(0.01), new Policy.Chernoff(RATIO), new Policy.Exact(RATIO))) {
                figures.record(
                        name("5", policy, "frequency " + frequency),
                        simulated(policy, frequency, PROVIDERS, 0.8),
                        "of lists",
                        goal(policy),
                        Better.HIGHER,
                        "");
            }
            for (int groups : new int[] {400, 1_000, 2_000}) {
                figures.record(
                        "figure 5, grouping, " + groups + " groups, frequency " + frequency,
                        grouped(frequency, groups, 0.8, random),
                        "of lists",
                        null,
                        Better.HIGHER,
                        "");
            }
        }
    }

    /** Figure 5, over wishes. */
    private static void wishes(Figures figures) {
        var random = new Random(6);
        for (double epsilon : new double[] {0.1, 0.3, 0.5, 0.7, 0.8, 0.9}) {
            for (Policy policy : policies(0.01)) {
                figures.record(
                        name("5", policy, "wish " + epsilon),
                        simulated(policy, 100, PROVIDERS, epsilon),
                        "of lists",
                        goal(policy),
                        Better.HIGHER,
                        "");
            }
            figures.record(
                    "figure 5, grouping, 2000 groups, wish " + epsilon,
                    grouped(100, 2_000, epsilon, random),
                    "of lists",
                    null,
                    Better.HIGHER,
                    "");
        }
    }

    /** The smallest success of all frequencies, wishes and sizes, by the exact distribution. */
    private static void least(Figures figures) {
        for (Policy policy : List.of(new Policy.Chernoff(RATIO), new Policy.Exact(RATIO))) {
            double least = 1;
            for (int providers : new int[] {10, 100, 1_000, 10_000}) {
                for (int f = 1; f < providers; f += Math.max(1, providers / 300)) {
                    for (double epsilon : new double[] {0.05, 0.25, 0.5, 0.75, 0.9, 0.99}) {
                        double probability = policy.probability(f, providers, epsilon);
                        if (probability < 1) {
                            least = Math.min(least, Policy.success(f, providers, epsilon, probability));
                        }
                    }
                }
            }
            figures.record(
                    "least success of all frequencies and wishes, " + policy.text(),
                    least,
                    "of lists",
                    RATIO,
                    Better.HIGHER,
                    "");
        }
    }

    private static double simulated(Policy policy, int frequency, int providers, double epsilon) {
        var random = new Random(frequency * 31L + providers);
        double probability = Math.min(1, policy.probability(frequency, providers, epsilon));
        int need = Policy.need(frequency, epsilon);
        int satisfied = 0;
        for (int s = 0; s < SAMPLES; s++) {
            int noise = 0;
            for (int i = frequency; i < providers; i++) {
                noise += random.nextDouble() < probability ? 1 : 0;
            }
            satisfied += noise >= need ? 1 : 0;
        }
        return (double) satisfied / SAMPLES;
    }

    private static double grouped(int frequency, int groups, double epsilon, Random random) {
        int satisfied = 0;
        int samples = 100;
        for (int s = 0; s < samples; s++) {
            var holders = new BitSet(PROVIDERS);
            while (holders.cardinality() < frequency) {
                holders.set(random.nextInt(PROVIDERS));
            }
            var truth = new Lists(PROVIDERS, new BitSet[] {holders});
            Lists grouped = Baselines.grouping(truth, groups, random);
            satisfied += Attacks.primary(truth, grouped, 0).confidence() <= 1 - epsilon ? 1 : 0;
        }
        return (double) satisfied / samples;
    }

    private static @org.jspecify.annotations.Nullable Double goal(Policy policy) {
        // The simulated ratio scatters by two standard errors around the exact one.
        boolean isPromised = policy instanceof Policy.Chernoff || policy instanceof Policy.Exact;
        return isPromised ? RATIO - 2 * Math.sqrt(RATIO * (1 - RATIO) / SAMPLES) : null;
    }

    private static String exactly(Policy policy, int frequency, int providers, double epsilon) {
        double probability = Math.min(1, policy.probability(frequency, providers, epsilon));
        return String.format(Locale.ROOT, "binomial %.3f", Policy.success(frequency, providers, epsilon, probability));
    }

    private static String name(String figure, Policy policy, String at) {
        return "figure " + figure + ", " + policy.text() + ", " + at;
    }
}
