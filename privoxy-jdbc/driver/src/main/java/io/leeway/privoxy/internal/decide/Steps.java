package io.leeway.privoxy.internal.decide;

/**
 * How many rows a decision may still look at, over all its cases: joins of many rows are cut off rather than followed
 * for minutes. What is not looked at is not known, which only loses proofs. Not thread-safe.
 *
 * <p>A time limit would do the same and make decisions depend on the load of the machine. The bounds of rows and cases
 * alone are not enough: a view of several atoms joins all rows with all others.
 */
final class Steps {

    private final long limit;
    private long left;

    Steps(long limit) {
        this.limit = limit;
        this.left = limit;
    }

    /** Takes one step; false if none is left. */
    boolean take() {
        return --left >= 0;
    }

    boolean areExhausted() {
        return left < 0;
    }

    /**
     * As many as at the beginning, for what is done with an open case afterwards.
     *
     * <p>The open case is explained and searched for a counterexample with the same matcher.
     */
    void refill() {
        left = limit;
    }
}
