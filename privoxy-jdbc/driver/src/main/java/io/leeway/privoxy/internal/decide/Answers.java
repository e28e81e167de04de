package io.leeway.privoxy.internal.decide;

/**
 * Tests whether a row is known to be an answer of a query.
 *
 * <p>A chase ends well when the goal's own answer is found in the second database: the homomorphism test of conjunctive
 * queries (Chandra and Merlin, 1977), made with the values of this case. The same test says that an inclusion is
 * already fulfilled and that a pending choice is settled, so that rules add nothing twice.
 */
final class Answers {

    private Answers() {}

    /**
     * Heads are compared by class, not by node: two cells that the case knows to be one value are one answer.
     *
     * @param ofMoment of which moment the row of each atom is
     */
    static boolean has(ChaseState state, int instance, Shape shape, int[] arguments, int[] head, int[] ofMoment) {
        return Matcher.forEach(state, instance, shape, arguments, ofMoment, rows -> {
            for (int i = 0; i < head.length; i++) {
                if (!state.universe.same(state.node(shape.head[i], arguments, rows), head[i])) {
                    return false;
                }
            }
            return true;
        });
    }
}
