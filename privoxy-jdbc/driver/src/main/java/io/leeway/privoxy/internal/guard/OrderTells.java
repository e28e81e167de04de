package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the order in which a database finds the rows of a statement may tell what is not shown.
 *
 * <p>It may be the order of any column, by an index or by a join that sorts; and of a table's last changes. It tells
 * nothing new of a row all of whose columns are shown: by the answer itself, or by a view without condition that has a
 * key of the table, by which its columns and those of the answer are of one row.
 *
 * <p>To order rows costs a sort where there is no index, so it is done only where the order could say something
 * ({@code RowOrderIT}). Made anew for each text that is read; not kept.
 */
final class OrderTells {

    private final CompiledPolicy policy;
    private final TableModes modes;

    OrderTells(CompiledPolicy policy, TableModes modes) {
        this.policy = policy;
        this.modes = modes;
    }

    boolean in(StatementPlan plan) {
        Set<String> seen = new HashSet<>();
        for (Obligation obligation : plan.obligations()) {
            // Where nothing is refused there is nothing to hide.
            boolean isEnforced = modes.of(obligation.query()) == PrivoxyMode.ENFORCE;
            for (ConjunctiveQuery query : obligation.query().disjuncts()) {
                BitSet shown = shown(query);
                for (Atom atom : query.atoms()) {
                    seen.add(atom.table());
                    if (isEnforced && !isShown(atom, shown)) {
                        return true;
                    }
                }
            }
        }
        // Of what is not asked for either, the order of another table may be made.
        // A join with a table of which nothing is asked can sort by its hidden columns.
        return plan.reads().stream()
                .filter(table -> !seen.contains(table))
                .map(policy::table)
                .anyMatch(table -> table != null && !isShown(new Atom(table.name(), 0, table.arity()), new BitSet()));
    }

    private boolean isShown(Atom atom, BitSet shown) {
        var hidden = new BitSet();
        for (int column = 0; column < atom.arity(); column++) {
            hidden.set(column, !shown.get(atom.firstVariable() + column));
        }
        Table table = policy.table(atom.table());
        // All columns are in the answer, so an index on any of them says what the answer says.
        return hidden.isEmpty()
                || policy.policy().views().stream().anyMatch(view -> shows(view, atom.table(), table, hidden));
    }

    private static boolean shows(View view, String name, @Nullable Table table, BitSet columns) {
        if (table == null || view.query().disjuncts().size() != 1) {
            return false;
        }
        ConjunctiveQuery query = view.query().disjuncts().get(0);
        if (query.atoms().size() != 1
                || !query.conditions().isEmpty()
                || !query.atoms().get(0).table().equals(name)) {
            return false;
        }
        var shown = new BitSet();
        query.head().forEach(term -> add(term, shown));
        var missing = (BitSet) columns.clone();
        missing.andNot(shown);
        return missing.isEmpty()
                // With a key, or it could not be said which row a view's value belongs to.
                && table.keys().stream()
                        .map(Key::columns)
                        .anyMatch(key -> key.stream().allMatch(shown::get));
    }

    /**
     * The variables that an answer shows: what it returns, what is given, and what equals these.
     *
     * <p>To the fixpoint, as equalities come in chains: {@code a.id = b.id AND b.id = ?} shows both.
     */
    private static BitSet shown(ConjunctiveQuery query) {
        var shown = new BitSet();
        query.head().forEach(term -> add(term, shown));
        List<Condition.Comparison> equalities = new ArrayList<>();
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL) {
                equalities.add(comparison);
            }
        }
        int before;
        do {
            before = shown.cardinality();
            for (Condition.Comparison equality : equalities) {
                if (isKnown(equality.right(), shown)) {
                    add(equality.left(), shown);
                }
                if (isKnown(equality.left(), shown)) {
                    add(equality.right(), shown);
                }
            }
        } while (shown.cardinality() > before);
        return shown;
    }

    /** Constants and parameters are known to who asks; from a function of a column the column does not follow. */
    private static boolean isKnown(Term term, BitSet shown) {
        if (term instanceof Term.Variable variable) {
            return shown.get(variable.index());
        }
        return !(term instanceof Term.Function);
    }

    private static void add(Term term, BitSet shown) {
        if (term instanceof Term.Variable variable) {
            shown.set(variable.index());
        }
    }
}
