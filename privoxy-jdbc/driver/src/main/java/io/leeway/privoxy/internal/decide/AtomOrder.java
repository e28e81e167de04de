package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.BitSet;

/**
 * Chooses the order in which a match binds atoms: greedily the atom with most equalities to constants or to atoms
 * already bound, so that wrong rows are dropped early.
 *
 * <p>Only speed hangs on it: whatever the order, the same matches are found. It is chosen once for each query, not by
 * the number of rows, because cases have a handful of rows and change all the time.
 */
final class AtomOrder {

    private AtomOrder() {}

    static int[] of(ConjunctiveQuery query, int[] variableAtom) {
        int atoms = query.atoms().size();
        int[] order = new int[atoms];
        BitSet bound = new BitSet(atoms);
        for (int i = 0; i < atoms; i++) {
            int best = -1;
            int bestScore = -1;
            for (int atom = 0; atom < atoms; atom++) {
                if (!bound.get(atom)) {
                    int score = score(query, variableAtom, bound, atom);
                    if (score > bestScore) {
                        best = atom;
                        bestScore = score;
                    }
                }
            }
            order[i] = best;
            bound.set(best);
        }
        return order;
    }

    private static int score(ConjunctiveQuery query, int[] variableAtom, BitSet bound, int atom) {
        int score = 0;
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL) {
                if (ties(comparison.left(), comparison.right(), variableAtom, bound, atom)
                        || ties(comparison.right(), comparison.left(), variableAtom, bound, atom)) {
                    score++;
                }
            }
        }
        return score;
    }

    private static boolean ties(Term mine, Term other, int[] variableAtom, BitSet bound, int atom) {
        return mine instanceof Term.Variable variable
                && variableAtom[variable.index()] == atom
                && (!(other instanceof Term.Variable known) || bound.get(variableAtom[known.index()]))
                // Whether a function's arguments are bound yet is not looked at, so it counts as no
                // tie.
                && !(other instanceof Term.Function);
    }
}
