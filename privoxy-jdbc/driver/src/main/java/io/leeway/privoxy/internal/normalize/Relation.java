package io.leeway.privoxy.internal.normalize;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One relation of a FROM clause, as names see it.
 *
 * <p>An alias hides the table's name and its schema: {@code FROM app.t x} is known as x only, and {@code t.a} would
 * then mean a table further out, if there is one.
 *
 * @param name alias, or the table's name; empty if it has none
 * @param qualifier the table's schema in the database's spelling, or null if there is an alias or no table
 */
record Relation(String name, @Nullable String qualifier, List<ScopeColumn> columns) {

    Relation {
        columns = List.copyOf(columns);
    }

    /** The same relation on the nullable side of an outer join. */
    Relation optional(OptionalPart part) {
        return new Relation(name, qualifier, optional(columns, part));
    }

    static List<ScopeColumn> optional(List<ScopeColumn> columns, OptionalPart part) {
        List<ScopeColumn> wrapped = new ArrayList<>(columns.size());
        for (ScopeColumn column : columns) {
            wrapped.add(column.with(new Cell.Optional(part, column.cell())));
        }
        return wrapped;
    }
}
