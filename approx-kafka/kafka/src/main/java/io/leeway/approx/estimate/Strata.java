package io.leeway.approx.estimate;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.internal.window.Normal;
import java.util.ArrayList;
import java.util.List;

/** Samples of the groups of a window, each with a rate of its own, taken together. */
public final class Strata {

    private final List<Sample> samples;

    /** All groups; one without records may be left out, one without a sample may not. */
    public Strata(List<Sample> samples) {
        this.samples = List.copyOf(samples);
    }

    /**
     * The sum over all groups.
     *
     * @throws ApproxException if a group has fewer than two values: it is not extrapolated from the others
     */
    public Estimate sum(double confidence) {
        double total = 0;
        double variance = 0;
        long population = 0;
        long seen = 0;
        List<String> warnings = new ArrayList<>();
        for (Sample sample : samples) {
            boolean whole = sample.size() == sample.population();
            if (sample.size() < 2 && !whole) {
                throw new ApproxException(
                        ApproxError.REFUSED,
                        "A group has " + sample.size() + " values of " + sample.population() + ".");
            }
            total += sample.size() == 0 ? 0 : sample.mean() * sample.population();
            variance += whole ? 0 : sample.varianceOfTotal();
            population += sample.population();
            seen += sample.size();
            if (sample.size() < 30 && !whole) {
                warnings.add("a group with fewer than 30 values");
            }
        }
        double half = Normal.quantile(0.5 + confidence / 2) * Math.sqrt(variance);
        return new Estimate(
                total, total - half, total + half, confidence, population, seen, "stratified sum", warnings);
    }

    /** The mean over all groups. */
    public Estimate mean(double confidence) {
        Estimate sum = sum(confidence);
        double all = sum.population();
        return new Estimate(
                sum.value() / all,
                sum.low() / all,
                sum.high() / all,
                confidence,
                sum.population(),
                sum.sample(),
                "stratified mean",
                sum.warnings());
    }
}
