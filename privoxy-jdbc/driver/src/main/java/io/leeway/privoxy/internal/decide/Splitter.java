package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what to distinguish next when the rules are exhausted: which disjunct an answer is due to, which of its options
 * a value is, or whether a condition holds on which alone a view (or the goal) hangs. The parts together cover the
 * case.
 *
 * <p>Where a union is chased, or NULL, or an order, no single set of rows stands for all databases, and the containment
 * test has to be made for each of several (for unions Sagiv and Yannakakis, 1980; for order Klug, 1988). Each
 * distinction is made only when one rule or the goal waits for it.
 */
final class Splitter {

    private static final int[] NO_ARGUMENTS = {};

    private final ChaseState state;
    private final CompiledPolicy policy;

    private Splitter(ChaseState state, CompiledPolicy policy) {
        this.state = state;
        this.policy = policy;
    }

    /** The parts of the case that can occur, which may be none; null if there is nothing left to distinguish. */
    static @Nullable List<ChaseState> split(
            ChaseState state, CompiledPolicy policy, Relevance relevance, Shape[] goal, int[] arguments) {
        Splitter splitter = new Splitter(state, policy);
        // What a union adds may settle conditions and domains, so it goes first.
        if (!state.pending.isEmpty()) {
            return splitter.splitPending();
        }
        Ground open = splitter.openCondition(relevance, goal, arguments);
        if (open != null) {
            return splitter.splitOn(open);
        }
        int domain = splitter.openDomain();
        return domain < 0 ? null : splitter.splitDomain(domain);
    }

    /**
     * The parts by whether a row that a view shows is one of before that stands beside rows of now; null if no such question
     * is open. There are few such rows, and the answer is what a rule waits for, so this does not count as a distinction of
     * which only so many are made one within the other.
     */
    static @Nullable List<ChaseState> apart(ChaseState state, CompiledPolicy policy) {
        for (Ground coincidence : state.coincidences) {
            if (coincidence.truth(state) == Truth.OPEN) {
                return new Splitter(state, policy).splitOn(coincidence);
            }
        }
        return null;
    }

    /** Whether there is something left to distinguish. */
    static boolean canSplit(
            ChaseState state, CompiledPolicy policy, Relevance relevance, Shape[] goal, int[] arguments) {
        Splitter splitter = new Splitter(state, policy);
        return !state.pending.isEmpty()
                || splitter.openCondition(relevance, goal, arguments) != null
                || splitter.openDomain() >= 0;
    }

    /** Views before the goal: a view that applies may put down what the goal's own condition then finds. */
    private @Nullable Ground openCondition(Relevance relevance, Shape[] goal, int[] arguments) {
        Ground open = openViewCondition(relevance);
        return open != null ? open : openCondition(ChaseState.SECOND, goal, arguments, Moments.NOW);
    }

    private List<ChaseState> splitPending() {
        ChaseState.Disjunction disjunction = state.pending.get(0);
        List<ChaseState> parts = new ArrayList<>();
        for (int i = 0; i < disjunction.alternatives().length; i++) {
            ChaseState part = state.copy();
            // The rows that all alternatives share are there already; this adds what tells them
            // apart.
            part.pending.remove(0);
            Instantiation.add(
                    part,
                    policy,
                    disjunction.instance(),
                    disjunction.alternatives()[i],
                    NO_ARGUMENTS,
                    disjunction.head(),
                    disjunction.origins()[i]);
            parts.add(part);
        }
        return parts;
    }

    /**
     * First of what rows of now have part in: of rows of before there may be many, whose hidden values say nothing of what
     * is asked.
     */
    private @Nullable Ground openViewCondition(Relevance relevance) {
        Ground open = openViewCondition(relevance, Moments.WITH_NOW);
        return open != null ? open : openViewCondition(relevance, Moments.NOW_AND_BEFORE);
    }

    private @Nullable Ground openViewCondition(Relevance relevance, Moments moments) {
        for (CompiledView view : relevance.views) {
            if (state.isGiven(view.contextNames)) {
                Ground open = openCondition(ChaseState.FIRST, view.disjuncts, NO_ARGUMENTS, moments);
                if (open != null) {
                    return open;
                }
            }
        }
        return null;
    }

    private @Nullable Ground openCondition(int instance, Shape[] shapes, int[] arguments, Moments moments) {
        for (Shape shape : shapes) {
            Ground open = NearMatches.firstWithOneOpenCondition(state, instance, shape, arguments, moments);
            if (open != null) {
                return open;
            }
        }
        return null;
    }

    private List<ChaseState> splitOn(Ground condition) {
        List<ChaseState> parts = new ArrayList<>();
        for (List<Ground> assumed : condition.cases(state)) {
            ChaseState part = state.copy();
            assumed.forEach(ground -> ground.assume(part));
            part.universe.close();
            // A part that cannot occur is closed. If none can, the whole case is, and the list is
            // empty and not null.
            if (!part.universe.contradictory()) {
                parts.add(part);
            }
        }
        return parts;
    }

    /**
     * The first value that can be any of some options, or none of its options, as a number; -1 if there is none.
     *
     * <p>Last, as a domain of twenty options makes twenty cases.
     */
    private int openDomain() {
        for (int d = 0; d < state.domains.size(); d++) {
            int[] domain = state.domains.get(d);
            if (state.universe.valueOf(domain[0]) == null || possible(domain).length == 0) {
                return d;
            }
        }
        return -1;
    }

    private int[] possible(int[] domain) {
        return Arrays.stream(domain, 1, domain.length)
                .filter(option -> !state.universe.areKnownDifferent(domain[0], option))
                .toArray();
    }

    private List<ChaseState> splitDomain(int number) {
        int[] domain = state.domains.get(number);
        List<ChaseState> parts = new ArrayList<>();
        for (int option : possible(domain)) {
            ChaseState part = state.copy();
            // The value is known in this part, so there is nothing left to choose.
            part.domains.remove(number);
            part.universe.merge(domain[0], option);
            part.universe.close();
            if (!part.universe.contradictory()) {
                parts.add(part);
            }
        }
        return parts;
    }
}
