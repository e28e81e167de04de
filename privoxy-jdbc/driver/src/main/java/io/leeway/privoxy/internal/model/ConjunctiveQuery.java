package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * {@code SELECT DISTINCT head FROM atoms WHERE all conditions}. Atoms number their variables without gaps in order, so
 * that equal queries are equal records.
 */
public record ConjunctiveQuery(List<Atom> atoms, List<Condition> conditions, List<Term> head) {
    public ConjunctiveQuery {
        atoms = List.copyOf(atoms);
        conditions = List.copyOf(conditions);
        head = List.copyOf(head);
        int next = 0;
        for (Atom atom : atoms) {
            if (atom.firstVariable() != next) {
                throw new IllegalArgumentException("atoms must number their variables without gaps");
            }
            next += atom.arity();
        }
    }

    /** Number of variables. */
    public int variables() {
        if (atoms.isEmpty()) {
            return 0;
        }
        Atom last = atoms.get(atoms.size() - 1);
        return last.firstVariable() + last.arity();
    }
}
