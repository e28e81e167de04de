package io.leeway.approx.estimate;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import java.util.List;

/** The ratio of two sums over the same records, such as fares a mile; or a mean corrected by a total that is known. */
public final class Ratio {

    private Ratio() {}

    /**
     * The sum of {@code y} over the sum of {@code x}, by linearisation.
     *
     * @param y the numerators that arrived
     * @param x the denominators of the same records
     * @param population how many records there were
     */
    public static Estimate of(double[] y, double[] x, long population, double confidence) {
        if (y.length != x.length || y.length > population) {
            throw new IllegalArgumentException(y.length + " and " + x.length + " values of " + population);
        }
        double sumX = java.util.Arrays.stream(x).sum();
        if (y.length < 2 || sumX == 0) {
            throw new ApproxException(ApproxError.REFUSED, "A sample cannot tell a ratio to nothing.");
        }
        double ratio = java.util.Arrays.stream(y).sum() / sumX;
        double squares = 0;
        for (int i = 0; i < y.length; i++) {
            double residual = y[i] - ratio * x[i];
            squares += residual * residual;
        }
        double n = y.length;
        double error = Math.sqrt((1 - n / population) * squares / (n - 1) / n) / Math.abs(sumX / n);
        double half = Student.quantile(0.5 + confidence / 2, y.length - 1) * error;
        List<String> warnings = n < 30 ? List.of("fewer than 30 values: the interval may be too narrow") : List.of();
        return new Estimate(
                ratio, ratio - half, ratio + half, confidence, population, y.length, "linearised ratio", warnings);
    }

    /**
     * The sum of {@code y} where the sum of {@code x} over all records is known exactly, from the report of the window:
     * narrower the more closely the two go together, and the remedy for a sample that is off in {@code x}.
     */
    public static Estimate sum(double[] y, double[] x, double totalX, long population, double confidence) {
        Estimate ratio = of(y, x, population, confidence);
        return new Estimate(
                ratio.value() * totalX,
                ratio.low() * totalX,
                ratio.high() * totalX,
                confidence,
                population,
                y.length,
                "ratio to a known total",
                ratio.warnings());
    }
}
