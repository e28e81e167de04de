package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;

/**
 * Who a client process is, and how it works.
 *
 * @param process its number, from 0
 * @param processes how many there are
 * @param workers how many workers it has
 * @param servers how many servers there are
 * @param incarnation another one for each start of the process
 * @param prefetch how it asks for rows ahead
 * @param workerRows how many rows each worker's cache keeps from one clock to the next
 * @param processRows how many rows the process's cache keeps from one clock to the next
 * @param resume whether it goes on where the process of its number ended, and can be replaced itself
 * @param keptLimit about how many bytes of updates it keeps that servers may lose
 */
public record ClientSettings(
        int process,
        int processes,
        int workers,
        int servers,
        long incarnation,
        Prefetch prefetch,
        int workerRows,
        int processRows,
        boolean resume,
        long keptLimit) {

    /** A process without prefetching and with caches of any size. */
    public static ClientSettings of(int process, int processes, int workers, int servers, long incarnation) {
        return new ClientSettings(
                process,
                processes,
                workers,
                servers,
                incarnation,
                Prefetch.NONE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                false,
                Long.MAX_VALUE);
    }

    /** Whether servers send rows of such a table that they are asked for once also when they change. */
    boolean subscribes(TableSpec table) {
        return prefetch.kind() == Prefetch.Kind.PUSHED && !table.strict() && table.maxStep() == 0;
    }
}
