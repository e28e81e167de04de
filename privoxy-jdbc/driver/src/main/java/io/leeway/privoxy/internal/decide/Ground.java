package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition about nodes: it can be tested, assumed, and split on.
 *
 * <p>SQL's logic has three values, proofs have two: a condition is fulfilled only where it is TRUE, and FALSE and
 * UNKNOWN are one to it. So nothing here has a negation; instead {@link #cases} lists the ways not to hold.
 *
 * @param kind what is said
 * @param left subject
 * @param right other side of a comparison, options of ONE_OF, empty for null tests
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record Ground(CompiledCondition.Kind kind, int left, int[] right) {

    static Ground of(CompiledCondition condition, ChaseState state, int[] arguments, int @Nullable [][] rows) {
        return new Ground(
                condition.kind,
                state.node(condition.left, arguments, rows),
                state.nodes(condition.right, arguments, rows));
    }

    /**
     * FAILS is FALSE or UNKNOWN. Both close a view's match alike, and to tell them apart would need values that are not
     * there.
     */
    Truth truth(ChaseState state) {
        Universe universe = state.universe;
        return switch (kind) {
            case IS_NULL -> universe.isNull(left) ? Truth.HOLDS : universe.isNotNull(left) ? Truth.FAILS : Truth.OPEN;
            case IS_NOT_NULL ->
                universe.isNotNull(left) ? Truth.HOLDS : universe.isNull(left) ? Truth.FAILS : Truth.OPEN;
            case ONE_OF -> truthOfOneOf(state);
            // A comparison with NULL is never TRUE, whatever the operator.
            default -> universe.isNull(left) || universe.isNull(right[0]) ? Truth.FAILS : compare(universe);
        };
    }

    private Truth compare(Universe universe) {
        int other = right[0];
        // Equal nodes may both be NULL: a = a is not TRUE then. This is what keeps {@code
        // WHERE x = x} from counting as no condition.
        boolean bothNotNull = universe.isNotNull(left) && universe.isNotNull(other);
        return switch (kind) {
            case EQUAL -> decide(universe.same(left, other), universe.areKnownDifferent(left, other), bothNotNull);
            case NOT_EQUAL -> decide(differs(universe, other), universe.same(left, other), bothNotNull);
            case LESS ->
                decide(
                        universe.isLess(left, other, true),
                        universe.isLess(other, left, false) || universe.same(left, other),
                        bothNotNull);
            default ->
                decide(
                        universe.same(left, other) || universe.isLess(left, other, false),
                        universe.isLess(other, left, true),
                        bothNotNull);
        };
    }

    /** Different, or Boolean and equal to the other truth value. */
    private boolean differs(Universe universe, int other) {
        return universe.areKnownDifferent(left, other);
    }

    private static Truth decide(boolean yes, boolean no, boolean bothNotNull) {
        // Known to be false is enough without knowing of NULL: with NULL it is not TRUE either.
        if (no) {
            return Truth.FAILS;
        }
        return yes && bothNotNull ? Truth.HOLDS : Truth.OPEN;
    }

    private Truth truthOfOneOf(ChaseState state) {
        Universe universe = state.universe;
        if (universe.isNull(left)) {
            return Truth.FAILS;
        }
        boolean allDifferent = true;
        for (int option : right) {
            if (universe.same(left, option) && universe.isNotNull(left)) {
                return Truth.HOLDS;
            }
            // A NULL in a list makes FALSE to UNKNOWN; neither is TRUE.
            allDifferent &= universe.isNull(option) || universe.areKnownDifferent(left, option);
        }
        if (allDifferent) {
            return Truth.FAILS;
        }
        // The value is one of fewer options, all of which are in the list: TRUE without knowing
        // which.
        for (int[] domain : state.domains) {
            if (universe.same(domain[0], left) && isWithinOptions(universe, domain)) {
                return Truth.HOLDS;
            }
        }
        return Truth.OPEN;
    }

    private boolean isWithinOptions(Universe universe, int[] domain) {
        for (int i = 1; i < domain.length; i++) {
            boolean found = false;
            for (int option : right) {
                found |= universe.same(domain[i], option);
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }

    /** From now on the condition is TRUE. */
    void assume(ChaseState state) {
        Universe universe = state.universe;
        switch (kind) {
            case IS_NULL -> universe.assumeNull(left);
            case IS_NOT_NULL -> universe.assumeNotNull(left);
            case EQUAL -> {
                // One value and not NULL; merging alone would let both be NULL.
                universe.merge(left, right[0]);
                universe.assumeNotNull(left);
            }
            case NOT_EQUAL -> universe.assumeNotEqual(left, right[0]);
            case LESS -> universe.assumeLess(left, right[0], true);
            case LESS_OR_EQUAL -> universe.assumeLess(left, right[0], false);
            case ONE_OF -> assumeOneOf(state);
        }
    }

    private void assumeOneOf(ChaseState state) {
        Truth truth = truth(state);
        if (truth == Truth.HOLDS) {
            return;
        }
        if (truth == Truth.FAILS) {
            state.universe.contradict();
            return;
        }
        state.universe.assumeNotNull(left);
        // By NULL no list is TRUE, so it is no option any more.
        int[] options = Arrays.stream(right)
                .filter(option -> !state.universe.isNull(option))
                .toArray();
        if (options.length == 1) {
            state.universe.merge(left, options[0]);
        } else {
            int[] domain = new int[options.length + 1];
            domain[0] = left;
            System.arraycopy(options, 0, domain, 1, options.length);
            state.domains.add(domain);
        }
    }

    /**
     * The cases to tell apart, each a conjunction; together they cover everything. The first is that the condition
     * holds, the others make up FALSE and UNKNOWN.
     *
     * <p>In the middle stand the NULLs, which a two-valued split would forget: a value for which neither {@code x = 5}
     * nor {@code x <> 5} holds. The cases overlap, which costs time and no soundness.
     */
    List<List<Ground>> cases(ChaseState state) {
        List<List<Ground>> cases = new ArrayList<>();
        cases.add(List.of(this));
        switch (kind) {
            case IS_NULL -> cases.add(List.of(nullTest(left, false)));
            case IS_NOT_NULL -> cases.add(List.of(nullTest(left, true)));
            case ONE_OF -> {
                cases.add(List.of(nullTest(left, true)));
                cases.add(noneOfTheOptions(state));
            }
            default -> {
                cases.add(List.of(nullTest(left, true)));
                cases.add(List.of(nullTest(right[0], true)));
                cases.add(List.of(opposite()));
            }
        }
        return cases;
    }

    /** To differ from an option is to say that it is not null, so nothing is said of options that may be. */
    private List<Ground> noneOfTheOptions(ChaseState state) {
        List<Ground> none = new ArrayList<>();
        none.add(nullTest(left, false));
        for (int option : right) {
            // The case gets wider by what is not said, and the parts must cover everything.
            if (!state.universe.isNotNull(option)) {
                continue;
            }
            none.add(new Ground(CompiledCondition.Kind.NOT_EQUAL, left, new int[] {option}));
        }
        return none;
    }

    /**
     * The order of each kind of value is total, so the opposite of less is greater or equal; types whose equality is
     * not identity, floating point among them, are never compared by order as values ({@code Pairing}).
     */
    private Ground opposite() {
        return switch (kind) {
            case EQUAL -> new Ground(CompiledCondition.Kind.NOT_EQUAL, left, right);
            case NOT_EQUAL -> new Ground(CompiledCondition.Kind.EQUAL, left, right);
            case LESS -> new Ground(CompiledCondition.Kind.LESS_OR_EQUAL, right[0], new int[] {left});
            default -> new Ground(CompiledCondition.Kind.LESS, right[0], new int[] {left});
        };
    }

    private static Ground nullTest(int node, boolean isNull) {
        return new Ground(
                isNull ? CompiledCondition.Kind.IS_NULL : CompiledCondition.Kind.IS_NOT_NULL, node, new int[0]);
    }
}
