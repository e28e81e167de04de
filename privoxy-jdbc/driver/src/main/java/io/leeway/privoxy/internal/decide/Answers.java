package io.leeway.privoxy.internal.decide;

/** Tests whether a row is known to be an answer of a query. */
final class Answers {

    private Answers() {}

    static boolean has(ChaseState state, int instance, Shape shape, int[] arguments, int[] head) {
        return Matcher.forEach(state, instance, shape, arguments, rows -> {
            for (int i = 0; i < head.length; i++) {
                if (!state.universe.same(state.node(shape.head[i], arguments, rows), head[i])) {
                    return false;
                }
            }
            return true;
        });
    }
}
