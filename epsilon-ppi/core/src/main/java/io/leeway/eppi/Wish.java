package io.leeway.eppi;

/**
 * What a person leaves with the network (ε-PPI §2.2.1, {@code Delegate}): a pseudonym and the wished degree of privacy.
 *
 * @param token the person's pseudonym
 * @param epsilon wished share of false entries in the person's list: 0 is the exact list, 1 is all providers
 * @since 0.1
 */
public record Wish(Token token, double epsilon) {

    /**
     * Checks the range.
     *
     * @throws EppiException with {@link EppiException.Code#EPSILON} if the wish is not from 0 to 1
     */
    public Wish {
        // Not written as two comparisons that are false for NaN.
        if (!(epsilon >= 0 && epsilon <= 1)) {
            throw EppiException.of(EppiException.Code.EPSILON, "epsilon is " + epsilon);
        }
    }
}
