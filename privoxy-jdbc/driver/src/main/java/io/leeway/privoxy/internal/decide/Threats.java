package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what could still make a pair of databases none: rows that match a view in one of them, an inclusion's left
 * side, or the goal with the answer looked for in the second, if only conditions held that are open. Conditions that a
 * value of its own does not fulfil are no threat.
 *
 * <p>A pair of databases is made by giving every unknown a value of its own. That is a counterexample unless a view, an
 * assertion or the goal then matches by accident. So each accident is looked for before, and decided so that it does
 * not happen.
 */
final class Threats {

    private static final int[] NO_ARGUMENTS = {};

    private final ChaseState state;
    private final Relevance relevance;

    Threats(ChaseState state, Relevance relevance) {
        this.state = state;
        this.relevance = relevance;
    }

    /**
     * An open condition that is better decided, or null if there is none.
     *
     * <p>The goal first: if the answer turns up in the second database there is nothing to refute. Then assertions,
     * which make rows impossible; then views, which may tell the databases apart.
     */
    @Nullable
    Ground first(Shape[] goal, int[] arguments, int[] target) {
        for (Shape disjunct : goal) {
            Ground open = new Match(ChaseState.SECOND, disjunct, arguments, target).first();
            if (open != null) {
                return open;
            }
        }
        for (CompiledInclusion inclusion : relevance.inclusions) {
            if (state.isGiven(inclusion.contextNames())) {
                // An assertion must hold in each database by itself, so it is a threat whether or
                // not the rows are the same.
                Ground open = inBoth(inclusion.left(), false);
                if (open != null) {
                    return open;
                }
            }
        }
        for (CompiledView view : relevance.views) {
            if (state.isGiven(view.contextNames)) {
                Ground open = inBoth(view.disjuncts, true);
                if (open != null) {
                    return open;
                }
            }
        }
        return null;
    }

    private @Nullable Ground inBoth(Shape[] shapes, boolean ifDifferent) {
        for (int instance : List.of(ChaseState.FIRST, ChaseState.SECOND)) {
            for (Shape shape : shapes) {
                Match match = new Match(instance, shape, NO_ARGUMENTS, null);
                match.ifDifferent = ifDifferent;
                Ground open = match.first();
                if (open != null) {
                    return open;
                }
            }
        }
        return null;
    }

    /** A search for rows that match but for open conditions. */
    private final class Match {

        private final int number;
        private final Instance instance;
        private final Shape shape;
        private final int[] arguments;
        /** The answer that the rows must not give, or null if they must not match at all. */
        private final int @Nullable [] target;

        private final int[][] rows;
        private boolean ifDifferent;
        private @Nullable Ground open;

        Match(int number, Shape shape, int[] arguments, int @Nullable [] target) {
            this.number = number;
            this.instance = state.instance(number);
            this.shape = shape;
            this.arguments = arguments;
            this.target = target;
            this.rows = new int[shape.tables.length][];
        }

        @Nullable
        Ground first() {
            for (int table : shape.tables) {
                if (instance.count(table) == 0) {
                    return null;
                }
            }
            return from(0) ? open : null;
        }

        private boolean from(int position) {
            if (position == shape.order.length) {
                return position > 0 && isThreat();
            }
            int atom = shape.order[position];
            int table = shape.tables[atom];
            for (int i = 0; i < instance.count(table) && state.step(); i++) {
                rows[atom] = instance.row(table, i);
                Ground before = open;
                if (fit(position) && from(position + 1)) {
                    return true;
                }
                open = before;
            }
            return false;
        }

        private boolean fit(int position) {
            for (CompiledCondition condition : shape.testable[position]) {
                Ground ground = Ground.of(condition, state, arguments, rows);
                Truth truth = ground.truth(state);
                if (truth == Truth.FAILS || (truth == Truth.OPEN && !canHoldByChance(ground))) {
                    return false;
                }
                // Unlike in a proof several conditions may be open; the first is decided and the
                // search comes back for the others.
                if (truth == Truth.OPEN && open == null) {
                    open = ground;
                }
            }
            return true;
        }

        /**
         * A value of its own is none that something asks for.
         *
         * <p>An order comparison can: a fresh number is less than another one, or it is not.
         */
        private boolean canHoldByChance(Ground ground) {
            boolean asksForValues =
                    ground.kind() == CompiledCondition.Kind.EQUAL || ground.kind() == CompiledCondition.Kind.ONE_OF;
            return !asksForValues
                    || Arrays.stream(ground.right()).anyMatch(asked -> !differ(ground.left(), asked, false));
        }

        private boolean isThreat() {
            if (target != null) {
                return isAnswerByChance(target);
            }
            // If nothing is open the rules have applied the view already.
            return open != null && !(ifDifferent && areInBoth());
        }

        /** What is the same in both databases cannot tell them apart. */
        private boolean areInBoth() {
            Instance other = state.instance(ChaseState.FIRST + ChaseState.SECOND - number);
            for (int atom = 0; atom < rows.length; atom++) {
                if (!contains(other, shape.tables[atom], rows[atom])) {
                    return false;
                }
            }
            return true;
        }

        private boolean contains(Instance other, int table, int[] row) {
            for (int i = 0; i < other.count(table); i++) {
                int[] candidate = other.row(table, i);
                boolean same = true;
                for (int column = 0; column < row.length - 1 && same; column++) {
                    same = state.universe.same(row[column], candidate[column]);
                }
                if (same) {
                    return true;
                }
            }
            return false;
        }

        private boolean isAnswerByChance(int[] answer) {
            Ground chance = null;
            for (int i = 0; i < answer.length; i++) {
                int cell = state.node(shape.head[i], arguments, rows);
                // Cells of an answer are compared as rows are, where NULL is the same as NULL, and
                // not as conditions are.
                if (differ(cell, answer[i], true)) {
                    return false;
                }
                if (chance == null && !state.universe.same(cell, answer[i])) {
                    chance = apart(cell, answer[i]);
                }
            }
            if (open == null) {
                open = chance;
            }
            return open != null;
        }

        /** Whether a pair made of this case has different values here; two nulls count as equal only if asked to. */
        private boolean differ(int a, int b, boolean nullsEqual) {
            Universe universe = state.universe;
            if (universe.same(a, b)) {
                return false;
            }
            if (universe.areKnownDifferent(a, b)
                    || (universe.isNull(a) && universe.isNotNull(b))
                    || (universe.isNull(b) && universe.isNotNull(a))) {
                return true;
            }
            // A Boolean, or a value of a list, cannot get a value of its own, as there are too few.
            boolean mayBeTheSame =
                    hasFewValues(a) || hasFewValues(b) || (universe.valueOf(a) != null && universe.valueOf(b) != null);
            return !mayBeTheSame && (!nullsEqual || universe.isNotNull(a) || universe.isNotNull(b));
        }

        private boolean hasFewValues(int node) {
            return state.universe.isBoolean(node)
                    || state.domains.stream().anyMatch(domain -> state.universe.same(domain[0], node));
        }

        /** A condition whose decision takes two values apart. */
        private @Nullable Ground apart(int a, int b) {
            Universe universe = state.universe;
            for (int node : List.of(a, b)) {
                // One is NULL and the other is not: they are apart whatever else they are.
                if (!universe.isNull(node) && !universe.isNotNull(node)) {
                    return new Ground(CompiledCondition.Kind.IS_NULL, node, NO_ARGUMENTS);
                }
            }
            if (!hasFewValues(a) && !hasFewValues(b)) {
                return null;
            }
            boolean isOneKnown = universe.valueOf(a) != null || universe.valueOf(b) != null;
            int other = isOneKnown || !universe.isBoolean(a) ? b : universe.constant(Value.TRUE);
            return new Ground(CompiledCondition.Kind.EQUAL, a, new int[] {other});
        }
    }
}
