package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;

/**
 * The outcome of a decision.
 *
 * <p>"No" has no place here: strong compliance is sufficient and not necessary, so a search that fails is not a
 * violation. Only a pair of databases that passes the check of {@code refute} is one.
 */
public sealed interface Verdict {

    /** No pair of databases that agrees with the facts and the views answers the goal differently. */
    record Compliant() implements Verdict {}

    /** No proof was found. */
    sealed interface NotShown extends Verdict {

        /** The case that could not be closed. */
        OpenCase open();
    }

    /**
     * The search came to its end. That is no refutation: there are things that the rules do not know, such as that no
     * whole number is between 5 and 6.
     */
    record Exhausted(OpenCase open) implements NotShown {}

    /**
     * A bound ended the search.
     *
     * <p>The user is told "undecided" and can give more effort ({@code privoxyEffort}); with {@code Exhausted} that
     * would change nothing.
     */
    record CutOff(OpenCase open) implements NotShown {}

    /**
     * The case in which the proof got stuck, for explanations. Empty if the goal has no rows to show.
     *
     * <p>It holds the whole state of a case and is dropped with the refusal; not thread-safe.
     */
    final class OpenCase {
        private final ChaseState state;
        private final ChaseState unsplit;
        private final Shape goal;
        private final int[] arguments;
        private final int[] target;

        OpenCase(ChaseState state, Shape goal, int[] arguments, int[] target) {
            this(state, state, goal, arguments, target);
        }

        private OpenCase(ChaseState state, ChaseState unsplit, Shape goal, int[] arguments, int[] target) {
            this.state = state;
            this.unsplit = unsplit;
            this.goal = goal;
            this.arguments = arguments;
            this.target = target;
        }

        /** The part of the goal whose answer is not shown. */
        public ConjunctiveQuery asked() {
            return goal.query;
        }

        ChaseState state() {
            return state;
        }

        /** The same case, with what was known before cases were told apart. */
        OpenCase within(ChaseState whole) {
            return new OpenCase(state, whole, goal, arguments, target);
        }

        /** What is known without the assumptions that make this case: they would seem to exclude views. */
        ChaseState unsplit() {
            return unsplit;
        }

        Shape goal() {
            return goal;
        }

        int[] target() {
            return target;
        }
    }

    /** Whether the goal may be answered. */
    default boolean isCompliant() {
        return this instanceof Compliant;
    }
}
