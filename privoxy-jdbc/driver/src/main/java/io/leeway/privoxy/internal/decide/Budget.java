package io.leeway.privoxy.internal.decide;

/**
 * How far a search for a proof goes. Counted in steps, not in time, so that a decision does not depend on the machine.
 *
 * <p>Undecided is refused, so a bound is a question of how long a refusal may take and not of soundness. It must not be
 * a question of time: a statement that is accepted on an idle machine and refused on a loaded one could not be tested,
 * and a template that was proved once could not be proved again.
 *
 * @param rounds of rules per case
 * @param rows in both databases of a case
 * @param splits how deep cases are split
 * @param cases in all
 */
public record Budget(int rounds, int rows, int splits, int cases) {

    /**
     * Matching a view of several atoms looks at each row many times, so the bound of rows alone does not bound the
     * work.
     */
    private static final int STEPS_PER_ROW = 500;

    /** Enough for what policies in practice need, and done in milliseconds. */
    public static final Budget DEFAULT = ofEffort(100_000);

    /**
     * Bounds for an effort counted in steps, of which a case takes about a thousand.
     *
     * <p>Rounds and the depth of cases are fixed, as compliance is expected to show within a few rounds or not at all
     * (the hypothesis of Chang, UCB/EECS-2021-244, section 3.9); what grows with the effort is what large traces need,
     * rows and cases.
     */
    public static Budget ofEffort(int effort) {
        return new Budget(24, Math.max(50, Math.min(effort, 1_000_000) / 25), 6, Math.max(1, effort / 1000));
    }

    /** The narrower of both bounds each time. */
    Budget within(Budget other) {
        return new Budget(
                Math.min(rounds, other.rounds),
                Math.min(rows, other.rows),
                Math.min(splits, other.splits),
                Math.min(cases, other.cases));
    }

    /** Half of it, so that what is proved within it is proved again where more is known, which can take more steps. */
    Budget half() {
        return new Budget(rounds, Math.max(1, rows / 2), splits / 2, Math.max(1, cases / 2));
    }

    /** How many rows matching may look at, over all cases. */
    long steps() {
        return (long) rows * STEPS_PER_ROW;
    }
}
