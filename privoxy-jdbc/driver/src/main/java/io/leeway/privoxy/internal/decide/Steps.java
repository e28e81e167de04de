package io.leeway.privoxy.internal.decide;

/**
 * How many rows a decision may still look at, over all its cases: joins of many rows are cut off rather than followed
 * for minutes. What is not looked at is not known, which only loses proofs. Not thread-safe.
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

    /** As many as at the beginning, for what is done with an open case afterwards. */
    void refill() {
        left = limit;
    }
}
