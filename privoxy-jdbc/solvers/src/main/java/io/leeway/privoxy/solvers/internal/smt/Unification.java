package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Enters equalities into {@link ColumnClasses}. */
final class Unification {

    private Unification() {}

    /**
     * Enters a condition, if it equates a column with a column or with a ground term; says whether it does.
     *
     * <p>Either side may be the column.
     */
    static boolean apply(Condition condition, ColumnClasses classes, TermWriter terms) {
        return condition instanceof Condition.Comparison comparison
                && comparison.operator() == Condition.Operator.EQUAL
                && (unify(comparison.left(), comparison.right(), classes, terms)
                        || unify(comparison.right(), comparison.left(), classes, terms));
    }

    private static boolean unify(Term left, Term right, ColumnClasses classes, TermWriter terms) {
        // Functions stay conditions: to write them may need the very class that is being made.
        if (!(left instanceof Term.Variable a) || right instanceof Term.Function) {
            return false;
        }
        if (right instanceof Term.Variable b) {
            classes.unite(a.index(), b.index());
        } else {
            classes.ground(a.index(), terms.write(right));
        }
        // The comparison was TRUE.
        classes.mustNotBeNull(a.index());
        return true;
    }

    /**
     * Enters the wanted head, where it meets columns; null, or a shorter list, wants nothing.
     *
     * <p>Without non-null: a head may be NULL in both, as rows are compared as rows.
     */
    static void applyHead(ConjunctiveQuery query, List<@Nullable String> target, ColumnClasses classes) {
        for (int i = 0; i < target.size(); i++) {
            String wanted = target.get(i);
            if (wanted != null
                    && query.head().get(i) instanceof Term.Variable variable
                    && classes.isWritten(variable)) {
                classes.ground(variable.index(), wanted);
            }
        }
    }
}
