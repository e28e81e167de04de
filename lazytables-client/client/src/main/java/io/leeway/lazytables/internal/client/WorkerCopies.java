package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import java.util.List;

/**
 * Brings rows of workers' own caches to what the shared ones have: the one that is read, and some behind it.
 *
 * <p>A worker that goes through rows in the order of their keys takes those behind with it that it read in the clock
 * before. So it looks at the shared cache, where it may have to wait for others who do, an eighth as often. What it
 * takes in vain costs a copy, so after a few times without a read that ends.
 */
final class WorkerCopies {

    /** So many clocks a row is taken ahead of reads, until one comes. */
    static final int MOST_TIMES_AHEAD = 7;

    private final List<ServerLink> links;
    private final SharedValues values;
    private final PrefetchCounters prefetched;
    /**
     * Whether nothing depends on which rows workers look for in the shared cache, and when: where reads decide what is
     * asked for, each is looked for when it is read.
     */
    private final boolean maySkipLooks;

    /** What {@link Row#approach} found, so that it is not left out as of no use. */
    long approached;

    WorkerCopies(ClientSettings settings, List<ServerLink> links, SharedValues values, PrefetchCounters prefetched) {
        this.links = links;
        this.values = values;
        this.prefetched = prefetched;
        Prefetch.Kind kind = settings.prefetch().kind();
        maySkipLooks = kind == Prefetch.Kind.NONE || kind == Prefetch.Kind.PUSHED;
    }

    /**
     * Looks at the rows from this one on, which are about to be used, if the worker goes through them in their order;
     * returns whether it does, and is the first there.
     */
    boolean approach(WorkerCore worker, ClientTable table, long key) {
        boolean isAhead = worker.order.isTimeToApproach(key);
        if (isAhead) {
            approached = table.approach(key) + worker.approach(table, key, key + Row.AT_ONCE);
        }
        return isAhead;
    }

    /** Brings the worker's row to what the shared one has, for a read. */
    void take(WorkerCore worker, ProcessRow shared, CachedRow row) {
        copy(worker, shared, row);
        row.aheadTimes = 0;
    }

    /**
     * Brings rows behind one that was read, too, to what the shared ones have, if that is what reads with the same
     * slack require; nothing is asked.
     */
    void takeBehind(WorkerCore worker, ClientTable table, long key, int required, int slack) {
        // An operation of the application's own may fail, which must not happen for a row that is not read.
        if (!maySkipLooks || !table.adds || slack == TableSpec.ASYNC) {
            return;
        }
        for (long next = key + 1; next < key + Row.AT_ONCE; next++) {
            CachedRow row = worker.known(table, next);
            if (row == null || !isReadInTurn(row, worker.clock)) {
                // It may never be read again: that costs a copy, and a place in both caches.
                continue;
            }
            ProcessRow shared = table.find(next, required);
            if (shared != null && shared.hasCome() && links.get(shared.server).dataClock(shared) >= required) {
                copy(worker, shared, row);
                row.aheadTimes++;
            }
        }
    }

    /** Whether it was read in the clock before, as far as is known. */
    private static boolean isReadInTurn(CachedRow row, int clock) {
        return row.wasRead() && row.checkedAt == clock - 1 && row.aheadTimes < MOST_TIMES_AHEAD;
    }

    private void copy(WorkerCore worker, ProcessRow shared, CachedRow row) {
        if (row.table.strict) {
            copyStrict(worker, shared, row);
        } else if (row.version != shared.version) {
            // Else the copy has all that the shared row has, and the worker's own updates; only its age is another.
            copyValues(worker, shared, row);
            row.tookShared();
        }
        // Also where nothing was copied: a row that does not change gets newer with the clock that the server tells.
        row.dataClock = links.get(shared.server).dataClock(shared);
        row.checkedAt = worker.clock;
        shared.usedAt = worker.clock;
        prefetched.used(shared);
    }

    /** The shared values hold what the worker did in clocks that it completed; of the present one only it knows. */
    private void copyValues(WorkerCore worker, ProcessRow shared, CachedRow row) {
        RowLog log = worker.logOf(row);
        Row copy = row.writable(log);
        values.copyTo(copy, shared);
        row.version = shared.version;
        if (log != null) {
            log.applyTo(copy);
        }
    }

    /**
     * The shared values hold exactly the clocks up to one: what the worker did since is added, clock by clock, in the
     * order in which a server would.
     */
    private void copyStrict(WorkerCore worker, ProcessRow shared, CachedRow row) {
        RowLog log = worker.logOf(row);
        Row copy = row.writable(log);
        copy.copyFrom(values.of(shared));
        for (WorkerLog own : worker.history) {
            RowLog done = own.clock > shared.dataClock ? own.find(row.table.id, row.key) : null;
            if (done != null) {
                done.applyTo(copy);
            }
        }
        row.addOwn(log);
    }
}
