package io.leeway.privoxy.internal.decide;

/**
 * Of which moments the rows may be that a query is matched to.
 *
 * <p>Where moments are not told apart all rows are of now, and each of these is the same.
 */
enum Moments {
    /** All of one: what the schema and assertions speak of. */
    ONE {
        @Override
        int with(int known, int next) {
            return next != Origin.NONE && (known == UNKNOWN || known == next) ? next : EXCLUDED;
        }
    },
    /** Of now and of moments before: what a view shows to whom rows that were read give a right. */
    NOW_AND_BEFORE {
        @Override
        int with(int known, int next) {
            return next == Origin.NONE ? EXCLUDED : next;
        }
    },
    /** The same with at least one of now. */
    WITH_NOW {
        @Override
        int with(int known, int next) {
            if (next == Origin.NONE) {
                return EXCLUDED;
            }
            return known == Origin.NOW ? Origin.NOW : next;
        }

        @Override
        boolean isEnough(int known) {
            return known == Origin.NOW;
        }
    },
    /** Of now: what the goal asks for. */
    NOW {
        @Override
        int with(int known, int next) {
            return next == Origin.NOW ? next : EXCLUDED;
        }
    };

    /** No row is chosen yet. */
    static final int UNKNOWN = -1;
    /** This row is not to be chosen with those. */
    static final int EXCLUDED = -2;

    /**
     * What is known of the moments with one more row.
     *
     * @param known of the rows before
     * @param next the moment of the row
     */
    abstract int with(int known, int next);

    /** Whether all rows together may be of the moments that are known of them. */
    boolean isEnough(int known) {
        return true;
    }
}
