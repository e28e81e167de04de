package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        if (from == ChaseState.FIRST) {
            // All answers are looked at anew, and what is still to be distinguished is found again.
            state.coincidences.clear();
        }
        for (CompiledView view : views) {
            if (state.universe.contradictory() || state.isFull(0)) {
                return;
            }
            if (canAnswer(view, from) && state.isGiven(view.contextNames)) {
                for (ViewAnswer answer : answers(view, from)) {
                    show(view, answer, to);
                }
            }
        }
    }

    private boolean canAnswer(CompiledView view, int from) {
        Instance instance = state.instance(from);
        for (Shape disjunct : view.disjuncts) {
            if (instance.hasRowsInAll(disjunct.tables)) {
                return true;
            }
        }
        return false;
    }

    private List<ViewAnswer> answers(CompiledView view, int from) {
        List<ViewAnswer> answers = new ArrayList<>();
        for (int number = 0; number < view.disjuncts.length; number++) {
            int part = number;
            Shape disjunct = view.disjuncts[number];
            Matcher.forEach(state, from, disjunct, NO_ARGUMENTS, Moments.NOW_AND_BEFORE, rows -> {
                int @Nullable [] moments = ViewAnswer.moments(rows);
                if (moments == null || ViewAnswer.saysSomethingOfNow(state, policy, disjunct, rows, moments)) {
                    answers.add(new ViewAnswer(
                            state.nodes(disjunct.head, NO_ARGUMENTS, rows), part, disjunct, rows.clone(), moments));
                }
                // Answers are collected before rows are added, so those that are to come count,
                // too.
                return state.isFull(answers.size());
            });
        }
        return answers;
    }

    /**
     * Carries an answer over, once for each direction: carried again it would bring the same rows with other unknowns, for
     * ever. Beside rows of before once more as soon as more is known of which rows are of now.
     */
    private void show(CompiledView view, ViewAnswer answer, int to) {
        int[] head = answer.head();
        String name = to + view.view.name() + answer.name();
        boolean isBeside = answer.moments() != null && !answer.isOfBefore();
        if (!isBeside && !state.carry(name, head)) {
            return;
        }
        Shape[] fitting = Arrays.stream(view.disjuncts)
                .filter(disjunct -> fits(disjunct, head))
                .toArray(Shape[]::new);
        if (fitting.length == 0) {
            // The answer is known, yet no part of the view can have given it.
            state.universe.contradict();
            return;
        }
        if (answer.isOfBefore()) {
            state.grants.addAll(granted(fitting, answer));
            return;
        }
        int[][] origins = Arrays.stream(fitting)
                .map(part -> answer.momentsOf(part, state))
                .toArray(int[][]::new);
        if (!isBeside || state.carry(name + Arrays.deepToString(origins), head)) {
            add(view, answer, fitting, origins, to);
        }
    }

    private void add(CompiledView view, ViewAnswer answer, Shape[] fitting, int[][] origins, int to) {
        int[] head = answer.head();
        if (fitting.length == 1) {
            Instantiation.add(state, policy, to, fitting[0], NO_ARGUMENTS, head, origins[0]);
            return;
        }
        // At once, so that most proofs need not choose.
        if (view.common != null) {
            Instantiation.add(state, policy, to, view.common, NO_ARGUMENTS, head, answer.momentsOf(view.common, state));
        }
        state.pending.add(new ChaseState.Disjunction(to, fitting, head, origins));
    }

    /**
     * What stays open whichever of these parts of a view gave the answer.
     *
     * <p>Of rows of several moments what was read of them, and no more: the view showed a row beside what had been read
     * before.
     */
    private List<Grant> granted(Shape[] parts, ViewAnswer answer) {
        int[] head = answer.head();
        List<Grant> granted = Grant.of(state, policy, parts[0], NO_ARGUMENTS, head);
        for (int i = 1; i < parts.length && !granted.isEmpty(); i++) {
            List<Grant> others = Grant.of(state, policy, parts[i], NO_ARGUMENTS, head);
            granted.removeIf(grant -> others.stream().noneMatch(other -> other.includes(grant, state.universe)));
        }
        return answer.isOfOneMoment() ? granted : asRead(granted);
    }

    private List<Grant> asRead(List<Grant> granted) {
        return granted.stream()
                .flatMap(grant -> state.read.stream().flatMap(row -> grant.within(row, state.universe).stream()))
                .toList();
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
