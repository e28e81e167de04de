package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.Objects;

/**
 * The types of what a query returns: those of its columns; anything computed is opaque.
 *
 * <p>A computed cell has no column whose stored form it would be, so it is never known.
 */
record HeadTypes(Schema schema) {

    private static final ColumnType COMPUTED = ColumnType.inexact(ValueKind.OPAQUE, "computed", "computed");

    ColumnType[] of(ConjunctiveQuery query) {
        return query.head().stream().map(term -> of(term, query)).toArray(ColumnType[]::new);
    }

    private ColumnType of(Term term, ConjunctiveQuery query) {
        if (term instanceof Term.Variable variable) {
            for (Atom atom : query.atoms()) {
                int column = variable.index() - atom.firstVariable();
                if (column < atom.arity()) {
                    Table table = Objects.requireNonNull(schema.table(atom.table()), atom.table());
                    return table.columns().get(column).type();
                }
            }
        }
        return COMPUTED;
    }
}
