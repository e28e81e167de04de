package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.List;

/** The request's trace, as far as matching needs it: {@code trace::entriesOf}. */
@FunctionalInterface
public interface TraceView {

    /** A request that has seen nothing. */
    TraceView EMPTY = query -> List.of();

    /**
     * What is known of one query.
     *
     * <p>By identity, since a look-up by value would hash a whole query for each premise of each statement.
     *
     * @param query the policy's interned instance ({@code policy.shape(query).query()}): traces are indexed by identity
     */
    List<TraceEntry> entriesOf(ConjunctiveQuery query);
}
