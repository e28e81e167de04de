package io.leeway.approx.internal.wire;

/**
 * What the sender saw of the values of all records of a group, sampled or not. Exact, but for rounding.
 *
 * @param values how many records had a value
 * @param sum the values together
 * @param squares their squares together
 * @param least the least; NaN without values
 * @param most the greatest; NaN without values
 */
public record Sums(long values, double sum, double squares, double least, double most) {

    /** Of no records. */
    public static final Sums NONE = new Sums(0, 0, 0, Double.NaN, Double.NaN);

    /** With one value more. */
    public Sums plus(double value) {
        return new Sums(
                values + 1,
                sum + value,
                squares + value * value,
                values == 0 ? value : Math.min(least, value),
                values == 0 ? value : Math.max(most, value));
    }
}
