package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that an earlier query returned: {@code row} is an answer of {@code query} in both databases.
 *
 * <p>Containment, not equality: the query may have returned more rows, of which nothing is said. That is weaker than
 * the trace of Chang's Definition 3.3.7 ({@code Q(D) = O}) and therefore sound, since fewer pairs of databases are
 * excluded; and it is all that is true of a result that was read in part or that others add to.
 *
 * @param query what was asked
 * @param arguments of the query
 * @param row one cell for each head term; null where the value is not known
 */
public record Fact(Shape query, List<Arg> arguments, List<@Nullable Arg> row) {
    public Fact {
        // A cell of which nothing is known is null, which the immutable lists of the platform do
        // not take.
        arguments = List.copyOf(arguments);
        row = Collections.unmodifiableList(new ArrayList<>(row));
    }
}
