package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;

/**
 * A row of a table that a block of the statement ranges over. Its columns are the variables from {@code first} on; no
 * two uses of a statement share a variable, so blocks can be put together without renaming.
 *
 * <p>The same row of the database may be that of two uses; that they are one is a matter of keys, for the chase.
 */
record Use(Table table, int first) {

    Term.Variable variable(int column) {
        return new Term.Variable(first + column);
    }

    boolean owns(int variable) {
        return variable >= first && variable < first + table.arity();
    }
}
