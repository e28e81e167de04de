package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import java.util.List;

/**
 * What the request must have seen: an earlier query that returned a certain row.
 *
 * <p>The query is part of it, not only the row: that a row is there is known by what was asked.
 *
 * @param query that was asked
 * @param arguments its parameters
 * @param row one pattern for each head term
 */
public record Premise(ConjunctiveQuery query, List<Pattern> arguments, List<Pattern> row) {
    public Premise {
        arguments = List.copyOf(arguments);
        row = List.copyOf(row);
        if (row.size() != query.head().size()) {
            throw new IllegalArgumentException("a premise has one pattern for each cell of the row");
        }
    }
}
