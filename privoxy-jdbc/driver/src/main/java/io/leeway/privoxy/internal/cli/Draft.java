package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A view in the making: rows, conditions and the columns that it returns. Not thread-safe. */
final class Draft {

    private final List<Atom> atoms = new ArrayList<>();
    private final Set<Condition> conditions = new LinkedHashSet<>();
    private final Set<Term> head = new LinkedHashSet<>();
    private int variables;

    /** A draft with the rows of a query, and nothing asked of them. */
    static Draft of(ConjunctiveQuery query) {
        var draft = new Draft();
        draft.join(query);
        return draft;
    }

    /** Adds the rows of a query; by how much its variables move. */
    int join(ConjunctiveQuery query) {
        int offset = variables;
        for (Atom atom : query.atoms()) {
            atoms.add(new Atom(atom.table(), offset + atom.firstVariable(), atom.arity()));
        }
        variables += query.variables();
        return offset;
    }

    void require(Condition condition) {
        conditions.add(condition);
    }

    /** Returns the columns of a term. */
    void show(Term term) {
        if (term instanceof Term.Variable) {
            head.add(term);
        } else if (term instanceof Term.Function function) {
            function.arguments().forEach(this::show);
        }
    }

    /** Whether it depends on who asks. */
    boolean isPersonal() {
        return conditions.stream()
                .anyMatch(condition -> condition instanceof Condition.Comparison comparison
                        && (comparison.right() instanceof Term.Context || comparison.left() instanceof Term.Context));
    }

    ConjunctiveQuery query() {
        return new ConjunctiveQuery(atoms, List.copyOf(conditions), List.copyOf(head));
    }
}
