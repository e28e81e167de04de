package io.leeway.eppi.internal.policy;

/**
 * How many persons of a class are published everywhere although they are not common, so that those who are cannot be
 * told from them (ε-PPI §2.3.2, eq. 9 and 10).
 *
 * <p>Model: a person is published everywhere if common, or if a number of {@link #bits} random bits is below
 * {@link #limit}. Each class of wishes mixes for itself with ξ = its ε: who attacks persons of one class must not find
 * a larger share of common ones there than {@code 1 − ε}, and the largest ε of common persons, which the paper takes for
 * ξ, is nothing that anybody may know.
 *
 * @param bits how many random bits are compared, 0 to 24
 * @param limit the probability in units of 2<sup>−bits</sup>, rounded up
 * @param isCapped whether the class has too few persons who are not common: its common ones cannot be hidden
 */
public record Mixing(int bits, int limit, boolean isCapped) {

    /** Bits of a person's random number, of which the first {@link #bits} are compared. */
    public static final int MOST_BITS = 24;

    /** Fewer bits are fewer gates; rounding up by less than this part costs little noise. */
    private static final double ROUNDING = 1.0 / 16;

    /**
     * Mixing for a class.
     *
     * @param common how many of its members are common
     * @param members of the class
     * @param epsilon the class, above 0 and below 1
     */
    public static Mixing of(int common, int members, double epsilon) {
        if (common == 0) {
            return new Mixing(0, 0, false);
        }
        double probability = probability(common, members, epsilon);
        if (probability >= 1) {
            return new Mixing(0, 1, probability > 1);
        }
        for (int bits = 1; bits < MOST_BITS; bits++) {
            double units = Math.scalb(probability, bits);
            double limit = Math.ceil(units);
            if (limit <= units * (1 + ROUNDING)) {
                return new Mixing(bits, (int) limit, false);
            }
        }
        return new Mixing(MOST_BITS, (int) Math.ceil(Math.scalb(probability, MOST_BITS)), false);
    }

    /** λ of eq. 10, before it is capped at 1. */
    public static double probability(int common, int members, double epsilon) {
        if (common == 0) {
            return 0;
        }
        if (common >= members) {
            return Double.POSITIVE_INFINITY;
        }
        return epsilon / (1 - epsilon) * common / (members - common);
    }

    /** λ as it is used. */
    public double probability() {
        return Math.scalb((double) limit, -bits);
    }
}
