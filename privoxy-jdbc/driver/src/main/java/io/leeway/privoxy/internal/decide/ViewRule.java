package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Carries what the views show from one database to the other: a view's answer in one is an answer in the other, so the
 * body of one of its disjuncts is there. If only one disjunct fits the answer, its body is added; otherwise the rows
 * common to all are added at once and the choice is left pending.
 *
 * <p>This is where the policy enters a proof. In the language of data exchange a view is a dependency from the first
 * database to the second: for each answer in the one there are rows in the other, with new unknowns for what the view
 * hides.
 */
final class ViewRule {

    private static final int[] NO_ARGUMENTS = {};

    private final ChaseState state;
    private final CompiledPolicy policy;

    ViewRule(ChaseState state, CompiledPolicy policy) {
        this.state = state;
        this.policy = policy;
    }

    void apply(List<CompiledView> views, int from, int to) {
        for (CompiledView view : views) {
            if (state.universe.contradictory() || state.isFull(0)) {
                return;
            }
            if (canAnswer(view, from) && state.isGiven(view.contextNames)) {
                for (Answer answer : answers(view, from)) {
                    int[] head = answer.head;
                    // Once for each answer and direction: carried again it would bring the same
                    // rows with other unknowns, for ever.
                    if (state.carry(to + view.view.name(), head)) {
                        show(view, head, to, answer.origin);
                    }
                }
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
    private record Answer(int[] head, int origin) {}

    private boolean canAnswer(CompiledView view, int from) {
        Instance instance = state.instance(from);
        for (Shape disjunct : view.disjuncts) {
            if (instance.hasRowsInAll(disjunct.tables)) {
                return true;
            }
        }
        return false;
    }

    private List<Answer> answers(CompiledView view, int from) {
        List<Answer> heads = new ArrayList<>();
        for (Shape disjunct : view.disjuncts) {
            Matcher.forEach(state, from, disjunct, NO_ARGUMENTS, rows -> {
                int origin = Origin.shownOf(Origin.of(rows));
                heads.add(new Answer(state.nodes(disjunct.head, NO_ARGUMENTS, rows), origin));
                // Answers are collected before rows are added, so those that are to come count,
                // too.
                return state.isFull(heads.size());
            });
        }
        return heads;
    }

    private void show(CompiledView view, int[] head, int to, int origin) {
        Shape[] fitting = Arrays.stream(view.disjuncts)
                .filter(disjunct -> fits(disjunct, head))
                .toArray(Shape[]::new);
        if (fitting.length == 0) {
            // The answer is known, yet no part of the view can have given it; of rows that are of two moments that is
            // no contradiction.
            if (!state.knowsJoints() || !Origin.isMixed(origin)) {
                state.universe.contradict();
            } else {
                state.heldBack = true;
            }
        } else if (fitting.length == 1) {
            Instantiation.add(state, policy, to, fitting[0], NO_ARGUMENTS, head, origin);
        } else {
            // At once, so that most proofs need not choose.
            if (view.common != null) {
                Instantiation.add(state, policy, to, view.common, NO_ARGUMENTS, head, origin);
            }
            state.pending.add(new ChaseState.Disjunction(to, fitting, head, origin));
        }
    }

    /**
     * Whether nothing known of the answer excludes the disjunct: conditions on shown columns only are looked at.
     *
     * <p>A disjunct that is left out wrongly would make a false proof. So only conditions count of which all columns
     * are shown and which are known not to hold.
     */
    private boolean fits(Shape disjunct, int[] head) {
        int[][] rows = new int[disjunct.tables.length][];
        for (int atom = 0; atom < rows.length; atom++) {
            rows[atom] = new int[disjunct.query.atoms().get(atom).arity()];
            Arrays.fill(rows[atom], Instantiation.UNKNOWN);
        }
        for (int i = 0; i < head.length; i++) {
            CompiledTerm term = disjunct.head[i];
            if (term.isVariable()) {
                rows[term.atom][term.column] = head[i];
            } else if (term.isRigid()
                    && state.universe.areKnownDifferent(state.node(term, NO_ARGUMENTS, null), head[i])) {
                return false;
            }
        }
        for (CompiledCondition condition : disjunct.conditions) {
            if (isShown(condition.left, rows)
                    && Arrays.stream(condition.right).allMatch(term -> isShown(term, rows))
                    && Ground.of(condition, state, NO_ARGUMENTS, rows).truth(state) == Truth.FAILS) {
                return false;
            }
        }
        return true;
    }

    private static boolean isShown(CompiledTerm term, int[][] rows) {
        if (term.isVariable()) {
            return rows[term.atom][term.column] != Instantiation.UNKNOWN;
        }
        return Arrays.stream(term.arguments).allMatch(argument -> isShown(argument, rows));
    }
}
