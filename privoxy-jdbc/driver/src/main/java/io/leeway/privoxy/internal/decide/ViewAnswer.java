package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a view answers in the first database, and of which moments the rows are by which it does.
 *
 * <p>Of rows of now it says what a view says. Rows that were read stand beside these as rights: who has read his membership
 * is shown the tasks of now. Rows of before, alone, say what was open then ({@link Grant}): those of one moment all that the
 * view shows of them, those of several what was read of it, which one was shown beside what had been read of the others.
 *
 * @param head its nodes
 * @param number of the part of the view that answers
 * @param disjunct that part
 * @param rows of each atom
 * @param moments of these; null where all are of now
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record ViewAnswer(int[] head, int number, Shape disjunct, int[][] rows, int @Nullable [] moments) {

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

    /**
     * Whether a part of a view that is asked with these rows, of these moments, says something of now.
     *
     * <p>Where nothing that is shown is of now, what is told would be of hidden rows of now only.
     */
    static boolean saysSomethingOfNow(
            ChaseState state, CompiledPolicy policy, Shape disjunct, int[][] rows, int[] moments) {
        CanonicalRows canonical = policy.canonical(disjunct);
        for (int atom = 0; atom < moments.length; atom++) {
            if (moments[atom] != Origin.NOW && canonical.isChanging(atom)) {
                return false;
            }
        }
        return (isOfBefore(moments) || Arrays.stream(disjunct.head).anyMatch(term -> isPartlyOfNow(term, moments)))
                && !namesARowTwice(state, policy, disjunct, rows, moments)
                && References.areAllThatTies(state, policy, disjunct, rows, moments);
    }

    private static boolean isOfBefore(int[] moments) {
        return Arrays.stream(moments).noneMatch(moment -> moment == Origin.NOW);
    }

    private static boolean isPartlyOfNow(CompiledTerm term, int[] moments) {
        return term.isVariable()
                ? moments[term.atom] == Origin.NOW
                : Arrays.stream(term.arguments).anyMatch(argument -> isPartlyOfNow(argument, moments));
    }

    /**
     * Whether one row is to be of now and of before at once, or may be, by what the view says of its key: a row is no right
     * to itself.
     */
    private static boolean namesARowTwice(
            ChaseState state, CompiledPolicy policy, Shape disjunct, int[][] rows, int[] moments) {
        CanonicalRows canonical = policy.canonical(disjunct);
        for (int atom = 0; atom < moments.length; atom++) {
            for (int other = 0; other < atom; other++) {
                if (moments[atom] != moments[other]
                        && disjunct.tables[atom] == disjunct.tables[other]
                        && canonical.mayBeOneRow(atom, other)
                        && !areApart(state, policy, disjunct.tables[atom], rows[atom], rows[other])) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean areApart(ChaseState state, CompiledPolicy policy, int number, int[] row, int[] other) {
        CompiledTable table = policy.tables().get(number);
        return Arrays.stream(table.keyColumns)
                .flatMapToInt(Arrays::stream)
                .anyMatch(column -> state.universe.areKnownDifferent(
                        state.comparable(table, column, row[column]), state.comparable(table, column, other[column])));
    }

    /** Tells answers apart that have one head: it is carried over once for each kind of rows. */
    String name() {
        return moments == null ? "" : Arrays.toString(moments) + number;
    }

    /** Whether no row of now takes part. */
    boolean isOfBefore() {
        return moments != null && isOfBefore(moments);
    }

    /** Whether all rows are of one moment. */
    boolean isOfOneMoment() {
        return moments == null || Arrays.stream(moments).distinct().count() == 1;
    }

    /**
     * Of which moments the rows of a part of the view are in the other database.
     *
     * <p>What is shown is what the view shows of rows of now with those that were read beside them, as if these were still
     * there. So a row is of now if it can be none of those: none is of its table, or each has another value where this one
     * shows one. Where it can be, the view may be true of that alone, whatever there is now; what tells the two apart
     * is to be distinguished then.
     */
    int[] momentsOf(Shape part, ChaseState state) {
        if (moments == null) {
            return part.ofNow;
        }
        int[] of = part.all(Origin.NOW);
        for (int atom = 0; atom < of.length; atom++) {
            for (int own = 0; own < rows.length; own++) {
                if (moments[own] != Origin.NOW
                        && disjunct.tables[own] == part.tables[atom]
                        && !isShownToDiffer(part, atom, rows[own], state.universe)) {
                    of[atom] = Origin.NONE;
                    distinguish(part, atom, rows[own], state);
                }
            }
        }
        return of;
    }

    /** By the first column that may tell them apart; where that is equal the next one is distinguished then. */
    private void distinguish(Shape part, int atom, int[] row, ChaseState state) {
        for (int i = 0; i < part.head.length; i++) {
            CompiledTerm term = part.head[i];
            if (term.isVariable() && term.atom == atom && !state.universe.same(head[i], row[term.column])) {
                state.coincidences.add(new Ground(CompiledCondition.Kind.EQUAL, head[i], new int[] {row[term.column]}));
                return;
            }
        }
    }

    private boolean isShownToDiffer(Shape part, int atom, int[] row, Universe universe) {
        for (int i = 0; i < part.head.length; i++) {
            CompiledTerm term = part.head[i];
            if (term.isVariable() && term.atom == atom && universe.areKnownDifferent(head[i], row[term.column])) {
                return true;
            }
        }
        return false;
    }
}
