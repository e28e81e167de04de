package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import java.util.Collection;

/**
 * Takes entries that were written in vain, as those of writes that failed, or perhaps so, to find out what they are
 * worth.
 */
@FunctionalInterface
public interface FailedWrites {

    /**
     * Remembers entries, if there is a place for them; those that are held by a load, until it has ended.
     *
     * @param mayArriveLate whether they may still be on their way
     * @param isLogged whether the write was given to the log, from which it may come back; or whether what the entries
     *     speak of may come back, should the write be lost
     */
    void add(Collection<Entry> entries, boolean mayArriveLate, boolean isLogged);
}
