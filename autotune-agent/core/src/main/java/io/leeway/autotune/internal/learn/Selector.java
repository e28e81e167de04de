package io.leeway.autotune.internal.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The configuration selector of OPPerTune: which parameters are worth tuning, from micro-benchmarks of each alone.
 *
 * <p>A parameter's score is the mean difference of its rewards from the default's. One probe is one noisy sample, so
 * probes are repeated, and a score below the noise of that many repetitions counts as no effect.
 */
public final class Selector {

    /**
     * A parameter's importance.
     *
     * @param name of the parameter
     * @param score how much it moved the reward, not negative
     * @param aboveNoise whether that is more than chance does
     */
    public record Ranked(String name, double score, boolean aboveNoise) {}

    private Selector() {}

    /**
     * Ranks parameters, the most important first; ties by name.
     *
     * @param defaults rewards of the default, at least two
     * @param probes rewards of each parameter's probes
     */
    public static List<Ranked> rank(List<Double> defaults, Map<String, List<Double>> probes) {
        double mean = mean(defaults);
        double spread = deviation(defaults, mean);
        var ranked = new ArrayList<Ranked>();
        probes.forEach((name, rewards) -> {
            double score = Math.abs(mean(rewards) - mean);
            double floor = 2 * spread * Math.sqrt(1.0 / rewards.size() + 1.0 / defaults.size());
            ranked.add(new Ranked(name, score, score > floor));
        });
        ranked.sort(Comparator.comparingDouble(Ranked::score).reversed().thenComparing(Ranked::name));
        return List.copyOf(ranked);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private static double deviation(List<Double> values, double mean) {
        double sum = values.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
        return values.size() < 2 ? 0 : Math.sqrt(sum / (values.size() - 1));
    }
}
