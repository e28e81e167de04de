package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import java.util.List;

/**
 * Asks servers for rows before a read would have to wait for them: because the program says so ({@code refresh}), or
 * because reads do, as the prefetching that is set has it. Never waits.
 *
 * <p>A question waits in the server until its clock is reached, so the answer is sent as soon as there is one. What a
 * server sends unasked is not asked for; nor is anything where a server has as many questions as it is to have at a
 * time.
 */
final class AskedAhead {

    /** So many rows a program may ask a server for at a time. */
    private static final int MOST_ASKED = 1 << 14;

    private final ClientSettings settings;
    private final List<ServerLink> links;

    AskedAhead(ClientSettings settings, List<ServerLink> links) {
        this.settings = settings;
        this.links = links;
    }

    /**
     * Asks for a row as a read that requires this clock would, if the cache does not have it.
     *
     * @return whether a question is to be sent
     */
    boolean refresh(ClientTable table, long key, int required, int processClock) {
        table.checkKey(key);
        return refresh(table, key, required, required, processClock);
    }

    /**
     * Asks for rows as reads that require this clock would, where the cache does not have them.
     *
     * @param best the latest clock to ask for: where the cache has what is required, one clock more than it has is
     *     asked for up to this
     * @return whether a question is to be sent
     */
    boolean refresh(ClientTable table, long[] keys, int required, int best, int processClock) {
        // All are checked before the first is asked for, so that a bad one changes nothing.
        for (long key : keys) {
            table.checkKey(key);
        }
        boolean asks = false;
        for (long key : keys) {
            asks |= refresh(table, key, required, best, processClock);
        }
        return asks;
    }

    private boolean refresh(ClientTable table, long key, int required, int best, int processClock) {
        ProcessRow known = table.find(key, required);
        int wanted = required;
        if (best > required) {
            int has = known == null || !known.hasCome()
                    ? ProcessRow.NOTHING
                    : links.get(known.server).dataClock(known);
            wanted = Math.max(required, Math.min(best, has + 1));
        }
        // A strict table keeps another one for each clock.
        ProcessRow row = known == null || table.strict ? table.findOrAdd(key, wanted, settings.servers()) : known;
        row.usedAt = Math.max(row.usedAt, processClock);
        boolean underWay = row.isAsked(wanted);
        boolean asks = ask(row, wanted, MOST_ASKED);
        if (asks && !underWay) {
            row.newerAskedIn = best;
        }
        return asks;
    }

    private boolean ask(ProcessRow row, int required, int mostAsked) {
        ServerLink link = links.get(row.server);
        if (row.hasCome() && link.dataClock(row) >= required || link.isPushed(row) || link.askedRows() >= mostAsked) {
            return false;
        }
        link.askAhead(row, required);
        return true;
    }

    /** At the first read of a row in a clock. */
    void onRead(WorkerCore worker, ProcessRow shared, CachedRow row, int slack) {
        if (slack == TableSpec.ASYNC) {
            askForNewer(worker, shared);
        }
        switch (settings.prefetch().kind()) {
            case LEARNED -> worker.remember(row, slack);
            case AUTOMATIC -> askIfNearlyTooOld(worker, shared, slack);
            case NONE, PUSHED -> {}
        }
    }

    /**
     * Asks for the next clock of a row that reads with this slack are soon to find too old. Of a strict table each
     * clock is another row, and what is read without a bound is never too old.
     */
    private void askIfNearlyTooOld(WorkerCore worker, ProcessRow shared, int slack) {
        Prefetch prefetch = settings.prefetch();
        ServerLink link = links.get(shared.server);
        if (slack != TableSpec.ASYNC
                && !shared.table.strict
                && !shared.isAsked()
                && link.askedRows() < prefetch.requests()
                && (long) slack - (worker.clock - shared.dataClock) < prefetch.margin()) {
            link.askAhead(shared, shared.dataClock + 1);
        }
    }

    /**
     * Asks for what there is now, once in a clock. To a read that waits for nobody no row is ever too old: without that
     * it would read the same for ever.
     */
    private void askForNewer(WorkerCore worker, ProcessRow shared) {
        ServerLink link = links.get(shared.server);
        Prefetch prefetch = settings.prefetch();
        int most = prefetch.kind() == Prefetch.Kind.AUTOMATIC ? prefetch.requests() : MOST_ASKED;
        if (shared.newerAskedIn != worker.clock
                && !shared.isAsked(0)
                && !link.isPushed(shared)
                && link.askedRows() < most) {
            shared.newerAskedIn = worker.clock;
            link.askAhead(shared, 0);
        }
    }

    /** At the begin of a clock: asks for what the worker read in the one that it ended, in that order. */
    void onClock(WorkerCore worker) {
        worker.forEachRemembered((row, slack) -> {
            int required = worker.required(slack);
            ask(
                    row.table.findOrAdd(row.key, required, settings.servers()),
                    required,
                    settings.prefetch().requests());
        });
    }
}
