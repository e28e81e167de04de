package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import java.util.Collection;

/** Takes the entries of writes that failed, to find out what they are worth. */
@FunctionalInterface
public interface FailedWrites {

    /**
     * Remembers entries of a write that failed, if there is a place for them.
     *
     * @param mayArriveLate whether they may still be on their way
     * @param isLogged whether the write was given to the log, from which it may come back
     */
    void add(Collection<Entry> entries, boolean mayArriveLate, boolean isLogged);
}
