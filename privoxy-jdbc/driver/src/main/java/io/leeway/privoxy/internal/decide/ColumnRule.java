package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.BitSet;

/**
 * The column rule: a query is compliant if for each row of its FROM some view {@code SELECT c1, … FROM t}, without
 * condition, shows all columns of that row that the query uses.
 *
 * <p>Why it is sound: a goal is a conjunctive query under set semantics, so it is a function of the projections of its
 * tables to the columns it uses, and each such projection is contained in a view. Row counts cannot leak, because the
 * normaliser has put a key of every table into the head of each goal whose multiplicities matter; sub-queries cannot be
 * missed, because they are atoms or goals of their own.
 *
 * <p>It is the column-based filtering of Chang's dissertation (UCB/EECS-2021-244, section 3.4, "Other Optimizations")
 * with three conditions that its wording lacks and without which it leaks: every table of FROM needs a view, the rows'
 * number must not show, and sub-queries count.
 */
final class ColumnRule {

    private ColumnRule() {}

    /**
     * It asks nothing of arguments, context or trace, so its answer belongs to the goal and is computed once. Views
     * with a condition never count here; they are for the chase.
     */
    static boolean covers(UnionQuery query, Policy policy) {
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            BitSet used = usedVariables(disjunct);
            for (Atom atom : disjunct.atoms()) {
                if (!isShown(atom, used, policy)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isShown(Atom atom, BitSet used, Policy policy) {
        BitSet columns = used.get(atom.firstVariable(), atom.firstVariable() + atom.arity());
        for (View view : policy.views()) {
            for (ConjunctiveQuery disjunct : view.query().disjuncts()) {
                // Of a union it would be open which part a row comes from, and a row of one part
                // does not show the columns of the other.
                if (view.query().disjuncts().size() == 1
                        && isProjectionOf(disjunct, atom)
                        && shows(disjunct, columns)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * A condition of any kind, also {@code IS NOT NULL}, hides rows, and a join shows only those that have a partner.
     */
    private static boolean isProjectionOf(ConjunctiveQuery view, Atom atom) {
        return view.atoms().size() == 1
                && view.conditions().isEmpty()
                && view.atoms().get(0).table().equals(atom.table());
    }

    private static boolean shows(ConjunctiveQuery view, BitSet columns) {
        BitSet shown = new BitSet();
        for (Term term : view.head()) {
            // Only the column itself: from a function of it, as lower(email), the column
            // does not follow.
            if (term instanceof Term.Variable variable) {
                shown.set(variable.index());
            }
        }
        BitSet missing = (BitSet) columns.clone();
        missing.andNot(shown);
        return missing.isEmpty();
    }

    /** Conditions included: what a query compares it tells by which rows come. */
    private static BitSet usedVariables(ConjunctiveQuery query) {
        BitSet used = new BitSet();
        Mentions.walk(query, term -> {
            if (term instanceof Term.Variable variable) {
                used.set(variable.index());
            }
        });
        return used;
    }
}
