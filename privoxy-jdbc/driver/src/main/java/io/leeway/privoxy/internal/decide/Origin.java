package io.leeway.privoxy.internal.decide;

/**
 * Where a row of a case is from, in the one number that follows its cells: of which moment it is, and how many existence
 * constraints led to it.
 *
 * <p>What a request has read it has read one after the other, and somebody may have written in between: the rows behind
 * each fact are of a moment of their own, and the goal's are of now. Keys, foreign keys and assertions hold within one
 * moment, so they say nothing of rows of two.
 *
 * <p>A number and not an object: rows are arrays of numbers, which cases share.
 */
final class Origin {

    /** The goal's rows, and what follows from them. */
    static final int NOW = 0;

    private static final int BITS = 16;

    /** Of a row that belongs to no one moment: what a view of rows of two has, but for the columns that are of now. */
    static final int NONE = (1 << BITS) - 1;

    private Origin() {}

    static int of(int[] row) {
        return row[row.length - 1];
    }

    /** How many existence constraints in a row led to it. */
    static int generation(int origin) {
        return origin >> BITS;
    }

    static int moment(int origin) {
        return origin & NONE;
    }

    /** Of what follows from these rows of one moment together. */
    static int of(int[][] rows) {
        int generation = 0;
        int moment = NOW;
        for (int[] row : rows) {
            generation = Math.max(generation, generation(of(row)));
            moment = moment(of(row));
        }
        return generation << BITS | moment;
    }

    /** Of a row that an assertion demands for one of this origin, at a moment of its own. */
    static int demandedBy(int origin, int moment) {
        return generation(origin) + 1 << BITS | moment;
    }

    /** Of a row that an existence constraint demands for one of this origin. */
    static int demandedBy(int origin) {
        return origin + (1 << BITS);
    }

    /** Of two rows that are one: known by the shorter way, so that it may be followed further. */
    static int both(int one, int other) {
        return Math.min(generation(one), generation(other)) << BITS | moment(one);
    }
}
