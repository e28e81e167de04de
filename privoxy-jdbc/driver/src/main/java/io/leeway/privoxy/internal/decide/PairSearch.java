package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a pair of databases on which all views agree and the goal does not: the chase's own cases, with the views
 * carried over in both directions, searched for one that stays open rather than for a proof. So of each open condition
 * that would make a view, an assertion or the goal's second answer match, the case in which it does <em>not</em> hold
 * is tried first, and one leads to the next without coming back: what is left when no such condition is open is a pair
 * in which every unknown may become a value of its own.
 *
 * <p>The parts of a case cover it, as in a proof: if all are closed, there is no pair.
 *
 * <p>A proof has to close all cases and so begins with those that close; a counterexample needs one that stays open, so
 * the order is turned round. Solvers find the same by finite models (Chang, UCB/EECS-2021-244, section 3.4, "Finding
 * Small Models for Non-compliance"); none of the fixtures' refusals needs them any more.
 *
 * @param <T> what the caller makes of a pair
 */
final class PairSearch<T> {

    /** Deep and narrow: the search goes down one way and seldom comes back, so depth is what it needs. */
    private static final Budget BUDGET = new Budget(24, 400, 60, 150);

    /**
     * Pairs that the caller is shown.
     *
     * <p>A pair that fails the check by evaluation fails for a reason that its neighbours share, so a few tries are
     * enough.
     */
    private static final int MAX_PAIRS = 12;

    private static final int[] NO_ARGUMENTS = {};

    private final CompiledPolicy policy;
    private final Problem problem;
    private final Function<Witness, @Nullable T> check;
    private final Relevance relevance;
    private final Opening opening;
    private final Saturation rules;
    private int cases;
    private int pairs;
    private boolean isOpen;

    PairSearch(CompiledPolicy policy, Problem problem, Function<Witness, @Nullable T> check) {
        this.policy = policy;
        this.problem = problem;
        this.check = check;
        // A pair of databases must fulfil the whole policy and the whole schema; what a proof may
        // leave out, a counterexample may not.
        this.relevance = Relevance.everything(policy);
        this.opening = Opening.ofOneMoment(problem, policy, BUDGET, relevance);
        this.rules =
                new Saturation(policy, relevance, true, BUDGET.rounds(), problem.goal().disjuncts, opening.arguments);
    }

    Refutation<T> run() {
        for (Shape disjunct : problem.goal().disjuncts) {
            ChaseState state = opening.state.copy();
            int[][] rows = Instantiation.add(
                    state, policy, ChaseState.FIRST, disjunct, opening.arguments, null, disjunct.ofNow);
            T found = search(state, state.nodes(disjunct.head, opening.arguments, rows), BUDGET.splits());
            if (found != null) {
                return new Refutation.Found<>(found);
            }
        }
        // Impossible is a proof in the basic form: views were carried in both directions and every
        // case closed.
        return isOpen ? new Refutation.NotFound<>() : new Refutation.Impossible<>();
    }

    private @Nullable T search(ChaseState state, int[] target, int depth) {
        if (++cases > BUDGET.cases() || pairs >= MAX_PAIRS) {
            isOpen = true;
            return null;
        }
        // Nothing of this case can be a counterexample.
        if (rules.closes(state, target)) {
            return null;
        }
        // At the bottom the pair is shown to the caller all the same: what is still open may come
        // out well by chance, which the check tells.
        List<Part> parts = depth == 0 ? null : parts(state, target);
        if (parts == null) {
            isOpen = true;
            pairs++;
            return check.apply(Witness.of(state, policy));
        }
        for (Part part : parts) {
            ChaseState copy = state.copy();
            part.assume(copy);
            copy.universe.close();
            if (!copy.universe.contradictory()) {
                T found = search(copy, target, depth - 1);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** A part of a case. */
    private interface Part {
        void assume(ChaseState state);
    }

    /**
     * Parts that cover the case, the most promising first; null if nothing is left to tell apart.
     *
     * <p>The order is that of cost: a union's choice adds rows that conditions may be about, and values with few
     * options come last because fresh values cannot be chosen for them.
     */
    private @Nullable List<Part> parts(ChaseState state, int[] target) {
        if (!state.pending.isEmpty()) {
            return alternatives(state.pending.get(0));
        }
        Ground open = new Threats(state, relevance).first(problem.goal().disjuncts, opening.arguments, target);
        if (open != null) {
            return parts(open, state);
        }
        return options(state);
    }

    private List<Part> alternatives(ChaseState.Disjunction disjunction) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < disjunction.alternatives().length; i++) {
            Shape alternative = disjunction.alternatives()[i];
            int[] origins = disjunction.origins()[i];
            parts.add(state -> {
                state.pending.remove(0);
                Instantiation.add(
                        state, policy, disjunction.instance(), alternative, NO_ARGUMENTS, disjunction.head(), origins);
            });
        }
        return parts;
    }

    private static List<Part> parts(Ground open, ChaseState state) {
        List<Part> parts = new ArrayList<>();
        for (List<Ground> assumed : open.cases(state)) {
            // The cases in which it does not hold come first, see the class.
            parts.add(0, part -> assumed.forEach(ground -> ground.assume(part)));
        }
        return parts;
    }

    private static @Nullable List<Part> options(ChaseState state) {
        for (int d = 0; d < state.domains.size(); d++) {
            int number = d;
            int[] domain = state.domains.get(d);
            if (state.universe.valueOf(domain[0]) == null) {
                List<Part> parts = new ArrayList<>();
                Arrays.stream(domain, 1, domain.length)
                        .filter(option -> !state.universe.areKnownDifferent(domain[0], option))
                        .forEach(option -> parts.add(part -> {
                            part.domains.remove(number);
                            part.universe.merge(domain[0], option);
                        }));
                return parts;
            }
        }
        return null;
    }
}
