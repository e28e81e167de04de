package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a view answers in the first database, and of which moments the rows are by which it does.
 *
 * <p>Of rows of now it says what a view says. Rows that were read stand beside these as rights: who has read his membership
 * is shown the tasks of now. Rows of one moment before, alone, say what was open then ({@link Grant}); rows of several, alone,
 * say nothing, as they may have been open at none.
 *
 * @param head its nodes
 * @param number of the part of the view that answers
 * @param disjunct that part
 * @param moments of the row of each atom; null where all are of now
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record ViewAnswer(int[] head, int number, Shape disjunct, int @Nullable [] moments) {

    /** The moments of some rows; null if all are of now. */
    static int @Nullable [] moments(int[][] rows) {
        for (int[] row : rows) {
            if (Origin.moment(Origin.of(row)) != Origin.NOW) {
                return Arrays.stream(rows)
                        .mapToInt(each -> Origin.moment(Origin.of(each)))
                        .toArray();
            }
        }
        return null;
    }

    /** Whether a part of a view that is asked with rows of these moments says something of now. */
    static boolean saysSomethingOfNow(Shape disjunct, int[] moments, CompiledPolicy policy) {
        return isOfBefore(moments)
                ? Arrays.stream(moments).distinct().count() == 1
                : areTied(disjunct, moments, policy);
    }

    private static boolean isOfBefore(int[] moments) {
        return Arrays.stream(moments).noneMatch(moment -> moment == Origin.NOW);
    }

    /**
     * Whether rows of several moments before have to fit each other by references only: one names the other, or both name
     * a third: the person that is this user, and a role of that person; two that belong to one course.
     *
     * <p>By any other values they may have fitted together at no moment.
     */
    private static boolean areTied(Shape disjunct, int[] moments, CompiledPolicy policy) {
        for (CompiledCondition condition : disjunct.conditions) {
            if (areOfSeveral(condition, moments) && !isReference(condition, disjunct, policy)) {
                return false;
            }
        }
        return true;
    }

    private static boolean areOfSeveral(CompiledCondition condition, int[] moments) {
        BitSet of = new BitSet();
        collect(condition.left, moments, of);
        for (CompiledTerm term : condition.right) {
            collect(term, moments, of);
        }
        return of.cardinality() > 1;
    }

    private static void collect(CompiledTerm term, int[] moments, BitSet of) {
        if (term.isVariable() && moments[term.atom] != Origin.NOW) {
            of.set(moments[term.atom]);
        }
        for (CompiledTerm argument : term.arguments) {
            collect(argument, moments, of);
        }
    }

    private static boolean isReference(CompiledCondition condition, Shape disjunct, CompiledPolicy policy) {
        return condition.kind == CompiledCondition.Kind.EQUAL
                && condition.left.isVariable()
                && condition.right[0].isVariable()
                && (names(condition.left, disjunct, policy) || names(condition.right[0], disjunct, policy));
    }

    private static boolean names(CompiledTerm term, Shape disjunct, CompiledPolicy policy) {
        return policy.tables().get(disjunct.tables[term.atom]).names(term.column);
    }

    /** Tells answers apart that have one head: it is carried over once for each kind of rows. */
    String name() {
        return moments == null ? "" : Arrays.toString(moments) + number;
    }

    /** Whether no row of now takes part. */
    boolean isOfBefore() {
        return moments != null && isOfBefore(moments);
    }

    /**
     * Of which moments the rows of a part of the view are in the other database.
     *
     * <p>A row is of now that shows what rows of now have, and nothing else. Of one that shows nothing it is not known where
     * rows of its table were read: one of these may be what the view is true of there.
     *
     * @param wasRead whether there are rows of moments before of a table
     */
    int[] momentsOf(Shape part, IntPredicate wasRead) {
        int[] own = moments;
        if (own == null) {
            return part.ofNow;
        }
        int[] of = part.all(Origin.NONE);
        for (int atom = 0; atom < of.length; atom++) {
            if (!wasRead.test(part.tables[atom]) || showsNow(atom, part, own)) {
                of[atom] = Origin.NOW;
            }
        }
        return of;
    }

    private boolean showsNow(int atom, Shape part, int[] own) {
        int[] shown = IntStream.range(0, part.head.length)
                .filter(i -> part.head[i].isVariable() && part.head[i].atom == atom)
                .toArray();
        return shown.length > 0 && Arrays.stream(shown).allMatch(i -> isOfNow(disjunct.head[i], own));
    }

    private static boolean isOfNow(CompiledTerm term, int[] own) {
        return term.isVariable()
                ? own[term.atom] == Origin.NOW
                : Arrays.stream(term.arguments).allMatch(argument -> isOfNow(argument, own));
    }
}
