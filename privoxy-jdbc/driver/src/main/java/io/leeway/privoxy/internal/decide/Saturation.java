package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Applies all rules to a case of one problem until nothing changes, the case is closed, or a bound is met.
 *
 * <p>It is the loop of the chase: keys and inclusions in each database, views from one to the other. The order is
 * chosen for speed, as keys before views keep two names of one row from being carried over twice; soundness does not
 * depend on it.
 */
final class Saturation {

    private static final int[] NO_ARGUMENTS = {};

    private final CompiledPolicy policy;
    private final Relevance relevance;
    // The strong form carries views in one direction only, which is what makes it quick; the basic
    // form (Definition 3.3.7 of Chang's dissertation) says that the views are equal.
    private final boolean bothWays;
    private final int rounds;
    private final Shape[] goal;
    private final int[] arguments;

    /**
     * The rules for a problem.
     *
     * @param bothWays whether views are carried from the second database to the first too: the basic form
     * @param arguments of the goal
     */
    Saturation(
            CompiledPolicy policy, Relevance relevance, boolean bothWays, int rounds, Shape[] goal, int[] arguments) {
        this.policy = policy;
        this.relevance = relevance;
        this.bothWays = bothWays;
        this.rounds = rounds;
        this.goal = goal;
        this.arguments = arguments;
    }

    /**
     * Applies the rules; returns true once the case is closed: it cannot occur, or the target is an answer. A rule is
     * left out as long as nothing that it reads has changed.
     */
    boolean closes(ChaseState state, int[] target) {
        Constraints constraints = new Constraints(state, policy);
        ViewRule views = new ViewRule(state, policy);
        long[] constrained = {-1, -1};
        long[] shown = {-1, -1};
        for (int round = 0; round < rounds; round++) {
            // A choice that is settled must not be split on, which would double the cases for
            // nothing.
            state.pending.removeIf(disjunction -> isSettled(state, disjunction));
            long before = state.stamp();
            state.closeDomains();
            constrain(constraints, state, ChaseState.FIRST, relevance.first, constrained);
            if (state.universe.contradictory()) {
                return true;
            }
            // Only after the first database's keys: a view's answer whose cells are known to be
            // equal carries that over.
            show(views, state, ChaseState.FIRST, ChaseState.SECOND, shown);
            state.grants.forEach(grant -> grant.apply(state, policy));
            constrain(constraints, state, ChaseState.SECOND, relevance.second, constrained);
            if (bothWays && !state.universe.contradictory()) {
                show(views, state, ChaseState.SECOND, ChaseState.FIRST, shown);
            }
            state.universe.close();
            // Either ends the case: there is no such pair of databases, or the pair answers alike.
            if (state.universe.contradictory() || isAnswered(state, target)) {
                return true;
            }
            if (state.stamp() == before) {
                return false;
            }
            if (state.isFull(0)) {
                break;
            }
        }
        // Rounds or rows ran out while there was still news. Then a failure is "undecided" to the
        // user and not "not shown".
        state.truncated = true;
        return false;
    }

    /** Whether one of the disjuncts has the row already, so that there is nothing to choose. */
    static boolean isSettled(ChaseState state, ChaseState.Disjunction disjunction) {
        for (int i = 0; i < disjunction.alternatives().length; i++) {
            Shape alternative = disjunction.alternatives()[i];
            int[] moments =
                    Arrays.stream(disjunction.origins()[i]).map(Origin::moment).toArray();
            if (Answers.has(state, disjunction.instance(), alternative, NO_ARGUMENTS, disjunction.head(), moments)) {
                return true;
            }
        }
        return false;
    }

    private void constrain(Constraints constraints, ChaseState state, int instance, BitSet tables, long[] constrained) {
        long now = state.stamp(instance);
        // The stamp is of this one database, so that rows that were added to the other do not set
        // off its rules again.
        if (now != constrained[instance]) {
            constraints.apply(instance, tables, relevance.inclusions);
            constrained[instance] = now;
        }
    }

    private void show(ViewRule views, ChaseState state, int from, int to, long[] shown) {
        long now = state.stamp(from);
        if (now != shown[from]) {
            views.apply(relevance.views, from, to);
            shown[from] = now;
        }
    }

    private boolean isAnswered(ChaseState state, int[] target) {
        for (Shape disjunct : goal) {
            if (Answers.has(state, ChaseState.SECOND, disjunct, arguments, target, disjunct.ofNow)) {
                return true;
            }
        }
        return false;
    }
}
