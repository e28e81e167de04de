package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.request.TraceEntry;

/** Says whether rows that fit a template's premises can hold together: from what cannot be everything follows. */
@FunctionalInterface
public interface PremiseCheck {

    /** For facts of which it is known. */
    PremiseCheck NONE = (entries, rows) -> true;

    /**
     * Whether they can.
     *
     * @param entries for each premise the result that has its row
     * @param rows for each premise the row in that result
     */
    boolean canHold(TraceEntry[] entries, int[] rows);
}
