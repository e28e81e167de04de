package io.leeway.privoxy.internal.decide;

/**
 * Where a row of a case is from, in the one number that follows its cells: whether the goal has it, whether facts tell of
 * it, and how many existence constraints led to it.
 *
 * <p>A number and not an object: rows are arrays of numbers, which cases share.
 */
final class Origin {

    /** Rows behind a fact, which are of the moment at which it was read. */
    static final int FACT = 1;

    /** The goal's rows, which are of now. */
    static final int GOAL = 2;

    private static final int BOTH = FACT | GOAL;
    private static final int GENERATION = 2;

    private Origin() {}

    static int of(int[] row) {
        return row[row.length - 1];
    }

    /** How many existence constraints in a row led to it. */
    static int generation(int origin) {
        return origin >> GENERATION;
    }

    /** Whether facts tell of it and the goal has it, so that it is taken for the same row now as before. */
    static boolean isMixed(int origin) {
        return (origin & BOTH) == BOTH;
    }

    /** Whether they are of one moment. */
    static boolean areOfOneMoment(int one, int other) {
        return !isMixed(one | other);
    }

    /** Of what follows from these rows together. */
    static int of(int[][] rows) {
        int generation = 0;
        int kinds = 0;
        for (int[] row : rows) {
            generation = Math.max(generation, generation(of(row)));
            kinds |= of(row) & BOTH;
        }
        return generation << GENERATION | kinds;
    }

    /** Of a row that an existence constraint demands for one of this origin. */
    static int demandedBy(int origin) {
        return origin + (1 << GENERATION);
    }

    /** Of what a view shows of rows of this origin. */
    static int shownOf(int origin) {
        return origin & BOTH;
    }

    /** Of two rows that are one: known by the shorter way, so that it may be followed further. */
    static int both(int one, int other) {
        return Math.min(generation(one), generation(other)) << GENERATION | (one | other) & BOTH;
    }
}
