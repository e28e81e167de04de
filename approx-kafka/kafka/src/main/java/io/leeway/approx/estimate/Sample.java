package io.leeway.approx.estimate;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.internal.window.Normal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * A simple random sample without replacement of one group of one window: the values that arrived, and how many records
 * there were. Everything is corrected for the finite window. Intervals of means and sums go by Student's t.
 *
 * <p>Immutable.
 */
public final class Sample {

    static final int FEW = 30;
    static final double HEAVY = 0.1;
    static final String FEW_WARNING = "fewer than " + FEW + " values: the interval may be too narrow";
    static final String HEAVY_WARNING =
            "heavy tail: one value is more than a tenth of all; what did not arrive may be larger still";

    private final double[] sorted;
    private final long population;
    private final double mean;
    private final double variance;

    /**
     * A sample.
     *
     * @param values what arrived
     * @param population how many there were, exactly, from the report of the window; not fewer than arrived
     */
    public Sample(double[] values, long population) {
        if (population < values.length) {
            throw new IllegalArgumentException(values.length + " of " + population + " arrived");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
        this.population = population;
        mean = Arrays.stream(sorted).average().orElse(Double.NaN);
        variance = variance(sorted, mean);
    }

    private static double variance(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return values.length < 2 ? Double.NaN : squares / (values.length - 1);
    }

    /** How many arrived. */
    public int size() {
        return sorted.length;
    }

    /** How many there were. */
    public long population() {
        return population;
    }

    double mean() {
        return mean;
    }

    /** The variance of the estimated total. */
    double varianceOfTotal() {
        double all = population;
        return all * all * (1 - sorted.length / all) * variance / sorted.length;
    }

    /** The mean of all values. */
    public Estimate mean(double confidence) {
        return around(mean, Math.sqrt(varianceOfTotal()) / population, confidence, "mean");
    }

    /** The sum of all values. */
    public Estimate sum(double confidence) {
        return around(mean * population, Math.sqrt(varianceOfTotal()), confidence, "expanded sum");
    }

    /** How many of all values satisfy a predicate; by Wilson's interval where few do, or few do not. */
    public Estimate count(DoublePredicate predicate, double confidence) {
        need(1);
        double n = sorted.length;
        double hits = Arrays.stream(sorted).filter(predicate).count();
        double p = hits / n;
        double shrink = 1 - n / population;
        if (hits >= 10 && n - hits >= 10) {
            double error = Math.sqrt(shrink * p * (1 - p) / (n - 1));
            return around(population * p, population * error, confidence, "expanded count");
        }
        // With the finite window the sample counts for more than its size.
        double z = Normal.quantile(0.5 + confidence / 2);
        double effective = shrink == 0 ? Double.POSITIVE_INFINITY : n / shrink;
        double spread = shrink == 0 ? 0 : z * Math.sqrt(p * (1 - p) / effective + z * z / (4 * effective * effective));
        double shift = z * z / effective;
        double centre = (p + shift / 2) / (1 + shift);
        double half = spread / (1 + shift);
        double low = Math.max(hits, population * (centre - half));
        double high = Math.min(population - (n - hits), population * (centre + half));
        return new Estimate(population * p, low, high, confidence, population, size(), "Wilson", warnings());
    }

    /**
     * A quantile, with the interval of its order statistics.
     *
     * @param q between 0 and 1, both excluded: the least and the greatest cannot be told from a sample
     */
    public Estimate quantile(double q, double confidence) {
        if (!(q > 0 && q < 1)) {
            throw refused("the " + q + " quantile");
        }
        need(2);
        int n = sorted.length;
        double z = Normal.quantile(0.5 + confidence / 2);
        double half = z * Math.sqrt(n * q * (1 - q) * (1 - (double) n / population));
        int low = (int) Math.floor(n * q - half) - 1;
        int high = (int) Math.ceil(n * q + half);
        if (half > 0 && (low < 0 || high >= n)) {
            throw refused("the " + q + " quantile of " + n + " values");
        }
        double value = sorted[Math.min(n - 1, (int) (n * q))];
        return new Estimate(
                value,
                sorted[Math.max(0, low)],
                sorted[Math.min(n - 1, high)],
                confidence,
                population,
                n,
                "order statistics",
                warnings());
    }

    /** The greatest value, if all arrived; else refused: a sample does not contain what it does not contain. The report has it. */
    public Estimate maximum() {
        return ofAll("the maximum", sorted.length == 0 ? 0 : sorted[sorted.length - 1]);
    }

    /** The least value, like {@link #maximum}. */
    public Estimate minimum() {
        return ofAll("the minimum", sorted.length == 0 ? 0 : sorted[0]);
    }

    /** How many different values there are, if all arrived; else refused: those never seen do not follow from those that were. */
    public Estimate distinct() {
        return ofAll("the number of distinct values", (double)
                Arrays.stream(sorted).distinct().count());
    }

    private Estimate ofAll(String what, double value) {
        if (sorted.length == 0 || sorted.length < population) {
            throw refused(what);
        }
        return new Estimate(value, value, value, 1, population, size(), "all values", List.of());
    }

    private Estimate around(double value, double error, double confidence, String method) {
        need(2);
        double half = population == size() ? 0 : Student.quantile(0.5 + confidence / 2, size() - 1) * error;
        return new Estimate(value, value - half, value + half, confidence, population, size(), method, warnings());
    }

    private void need(int values) {
        if (sorted.length < values) {
            throw refused("anything from " + sorted.length + " values");
        }
    }

    private static ApproxException refused(String what) {
        return new ApproxException(ApproxError.REFUSED, "A sample cannot tell " + what + ".");
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (population == sorted.length) {
            return warnings;
        }
        if (sorted.length < FEW) {
            warnings.add(FEW_WARNING);
        }
        double total = Arrays.stream(sorted).map(Math::abs).sum();
        double most = sorted.length == 0 ? 0 : Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
        if (total > 0 && most > HEAVY * total && sorted.length >= FEW) {
            warnings.add(HEAVY_WARNING);
        }
        return warnings;
    }
}
