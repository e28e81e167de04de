package io.leeway.approx.estimate;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.internal.window.Normal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a mean and a sum need of a sample whose values come one after the other and are not kept. Where there is room for the
 * values {@link Sample} tells more. By Welford's recurrence: a small variance beside a large mean is not lost.
 *
 * @param count how many values
 * @param mean their mean; 0 without values
 * @param spread the sum of squared differences from the mean
 * @param absolute the sum of their amounts
 * @param most the greatest amount
 */
public record Moments(long count, double mean, double spread, double absolute, double most) {

    /** Of no values. */
    public static final Moments NONE = new Moments(0, 0, 0, 0, 0);

    /** With one value more. */
    public Moments plus(double value) {
        double off = value - mean;
        double moved = mean + off / (count + 1);
        double amount = Math.abs(value);
        return new Moments(count + 1, moved, spread + off * (value - moved), absolute + amount, Math.max(most, amount));
    }

    /** With all values of another. */
    public Moments plus(Moments other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        long all = count + other.count;
        double off = other.mean - mean;
        return new Moments(
                all,
                mean + off * other.count / all,
                spread + other.spread + off * off * count * other.count / all,
                absolute + other.absolute,
                Math.max(most, other.most));
    }

    /**
     * The mean of all values.
     *
     * @param population how many there were, exactly; not fewer than arrived
     * @throws ApproxException if fewer than two arrived, and not all
     */
    public Estimate mean(long population, double confidence) {
        Estimate sum = sum(population, confidence);
        return new Estimate(
                mean,
                sum.low() / population,
                sum.high() / population,
                confidence,
                population,
                count,
                "mean",
                sum.warnings());
    }

    /** The sum of all values, like {@link #mean}. */
    public Estimate sum(long population, double confidence) {
        if (population < count) {
            throw new IllegalArgumentException(count + " of " + population + " arrived");
        }
        if (count == 0 || count < 2 && count < population) {
            throw new ApproxException(ApproxError.REFUSED, "A sample cannot tell anything from " + count + " values.");
        }
        double total = mean * population;
        double half = population == count
                ? 0
                : Student.quantile(0.5 + confidence / 2, (int) Math.min(Integer.MAX_VALUE, count - 1))
                        * Math.sqrt(varianceOfTotal(population));
        return new Estimate(
                total, total - half, total + half, confidence, population, count, "expanded sum", warnings(population));
    }

    /** The variance of the estimated total. */
    private double varianceOfTotal(long population) {
        double all = population;
        return count < 2 ? 0 : all * all * (1 - count / all) * (spread / (count - 1)) / count;
    }

    /**
     * The sum over samples that were taken at rates of their own.
     *
     * @param samples one of each
     * @param populations how many there were of each, in the same order
     * @throws ApproxException if one has fewer than two values: it is not extrapolated from the others
     */
    public static Estimate sum(List<Moments> samples, List<Long> populations, double confidence) {
        if (samples.size() == 1) {
            return samples.get(0).sum(populations.get(0), confidence);
        }
        double total = 0;
        double variance = 0;
        long population = 0;
        long count = 0;
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            Moments sample = samples.get(i);
            long of = populations.get(i);
            if (of > 0) {
                Estimate one = sample.sum(of, confidence);
                total += one.value();
                variance += sample.varianceOfTotal(of);
                population += of;
                count += sample.count;
                one.warnings().stream().filter(text -> !warnings.contains(text)).forEach(warnings::add);
            }
        }
        double half = Normal.quantile(0.5 + confidence / 2) * Math.sqrt(variance);
        return new Estimate(
                total, total - half, total + half, confidence, population, count, "stratified sum", warnings);
    }

    private List<String> warnings(long population) {
        List<String> warnings = new ArrayList<>();
        if (population > count && count < Sample.FEW) {
            warnings.add(Sample.FEW_WARNING);
        } else if (population > count && most > Sample.HEAVY * absolute) {
            warnings.add(Sample.HEAVY_WARNING);
        }
        return warnings;
    }
}
