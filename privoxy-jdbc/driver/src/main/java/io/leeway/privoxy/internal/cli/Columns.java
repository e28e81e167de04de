package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;

/** What variables of queries stand for. */
final class Columns {

    private Columns() {}

    /** The number of the row in FROM that a variable belongs to. */
    static int row(ConjunctiveQuery query, int variable) {
        for (int i = 0; i < query.atoms().size(); i++) {
            Atom atom = query.atoms().get(i);
            if (variable < atom.firstVariable() + atom.arity()) {
                return i;
            }
        }
        throw new IllegalArgumentException("a variable without row");
    }

    /** Whether the column's values name rows: it is part of a key or of a foreign key. */
    static boolean isInAnyKey(ConjunctiveQuery query, int variable, Schema schema) {
        Atom atom = query.atoms().get(row(query, variable));
        Table table = schema.table(atom.table());
        int column = variable - atom.firstVariable();
        return table != null
                && (table.keys().stream().anyMatch(key -> key.columns().contains(column))
                        || table.foreignKeys().stream()
                                .anyMatch(key -> key.columns().contains(column)));
    }
}
