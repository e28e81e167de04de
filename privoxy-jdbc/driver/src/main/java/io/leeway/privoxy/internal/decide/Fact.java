package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that an earlier query returned: {@code row} is an answer of {@code query} in both databases.
 *
 * @param query what was asked
 * @param arguments of the query
 * @param row one cell for each head term; null where the value is not known
 */
public record Fact(Shape query, List<Arg> arguments, List<@Nullable Arg> row) {
    public Fact {
        arguments = List.copyOf(arguments);
        row = Collections.unmodifiableList(new ArrayList<>(row));
    }
}
