package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.RowView;
import io.leeway.lazytables.internal.row.ColumnSet;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a process's workers share: reads of them, and answers. What asks before reads have to wait is in
 * {@link AskedAhead}, what workers copy in {@link WorkerCopies}, and what the values of a row may lack in
 * {@link SharedValues}.
 *
 * <p><b>What a cached row holds</b> (tables that are not strict): what a server answered, and each update of this
 * process's workers in clocks they completed that the answer does not hold. An answer says the number of this process's
 * last update that the server had applied; updates with greater numbers, and those that were not sent, are done again.
 * So answers may be as fresh as the server has them, and a worker still reads its own writes. Of a process with one
 * worker an answer is kept as it came, with the updates that it does not hold, until the worker reads the row: the
 * values go straight to the worker's copy.
 *
 * <p><b>Strict tables.</b> An answer holds exactly the clocks up to the one required. It is kept as it is, and each
 * worker adds its own later updates to its copy.
 */
final class ProcessCache {

    /** Bytes of an answer that is kept as it came: of longer ones to read them twice takes more than what it saves. */
    private static final int MOST_AS_IT_CAME = 512;

    private final ClientSettings settings;
    private final List<ServerLink> links;
    private final List<ClientTable> tables;
    private final ProcessLog log;
    private final PrefetchCounters prefetched;

    private final SharedValues values;
    private final WorkerCopies copies;
    private final AskedAhead ahead;

    /** Of the rows that servers send. */
    private final RowOrder order = new RowOrder();

    private long versions;
    /** What {@link Row#approach} found, so that it is not left out as of no use. */
    long approached;

    ProcessCache(
            ClientSettings settings,
            List<ServerLink> links,
            List<ClientTable> tables,
            ProcessLog log,
            PrefetchCounters prefetched) {
        this.settings = settings;
        this.links = links;
        this.tables = tables;
        this.log = log;
        this.prefetched = prefetched;
        values = new SharedValues(settings);
        copies = new WorkerCopies(settings, links, values, prefetched);
        ahead = new AskedAhead(settings, links);
    }

    /** What asks for rows before reads need them. */
    AskedAhead ahead() {
        return ahead;
    }

    /**
     * The row with at least what the slack requires; null if a server has to be asked first, which the next
     * {@link ClientCore#flush} does. The worker's own copy is what is returned.
     */
    @Nullable
    RowView read(WorkerCore worker, ClientTable table, long key, int slack) {
        int required = worker.required(slack);
        CachedRow row = worker.row(table, key);
        // Compared with the shared row in this clock, and fresh enough: nothing of the process is looked at.
        if (!worker.isGood(row, required)) {
            boolean isFirstOfSome = copies.approach(worker, table, key);
            ProcessRow shared = table.findOrAdd(key, required, settings.servers());
            ServerLink link = links.get(shared.server);
            if (!shared.hasCome() || link.dataClock(shared) < required) {
                // What the server sends when it changes comes by itself, before the clock that makes it fresh enough.
                if (!link.isPushed(shared)) {
                    link.ask(shared, required);
                }
                return null;
            }
            copies.take(worker, shared, row);
            ahead.onRead(worker, shared, row, slack);
            if (isFirstOfSome) {
                copies.takeBehind(worker, table, key, required, slack);
            }
        }
        worker.counters().served(worker.clock - row.dataClock);
        return row;
    }

    /** Does to the shared row what a worker did in the clock that it ends. */
    void toShared(CachedRow row, RowLog log) {
        ProcessRow shared = row.table.strict ? null : row.table.find(row.key, 0);
        if (shared == null || !shared.hasCome()) {
            // When it comes, what it lacks is done again, from the log.
            return;
        }
        if (values.mayOwe(row.table)) {
            values.owe(shared, log);
        } else {
            log.applyTo(values.of(shared));
        }
        // The worker's own copy has it already.
        // Asked before the number changes: only a copy that was the same before is the same after it.
        boolean same = row.version == shared.version;
        shared.version = ++versions;
        if (same) {
            row.version = shared.version;
        }
    }

    /** Takes note that a row was dropped which no worker will read again, whether it has come or not. */
    void dropped(ProcessRow row) {
        forget(row);
        links.get(row.server).answered(row, Integer.MAX_VALUE);
    }

    /** What is kept for the row elsewhere goes with it. */
    private void forget(ProcessRow row) {
        prefetched.dropped(row);
        values.dropped(row);
    }

    /** Brings the cache to its limit: first go rows that were not used in the last clock. */
    void trim(int processClock) {
        // What was not used in the last clock goes first, and only then what was: a program mostly reads again what it
        // read.
        int over = -settings.processRows();
        for (ClientTable table : tables) {
            over += table.size();
        }
        for (ClientTable table : tables) {
            over -= over > 0 ? table.dropUsedBefore(processClock - 1, over, this::forget) : 0;
        }
        for (ClientTable table : tables) {
            over -= over > 0 ? table.dropUsedBefore(Integer.MAX_VALUE, over, this::forget) : 0;
        }
    }

    /** Takes answers, or rows that were sent because they have changed. */
    void onRows(ServerLink link, ClientTable table, WireReader message, boolean pushed) {
        int dataClock = message.getInt("The data clock", 0, Integer.MAX_VALUE);
        long appliedToRow = message.getVar("The sequence", 0, link.made);
        long key = 0;
        do {
            key = message.getNext("The row", key, table.spec.rows());
            if (order.isTimeToApproach(key)) {
                approached = table.approach(key);
            }
            onRow(link, table, key, dataClock, appliedToRow, message, pushed);
        } while (message.more());
    }

    private void onRow(
            ServerLink link,
            ClientTable table,
            long key,
            int dataClock,
            long appliedToRow,
            WireReader message,
            boolean pushed) {
        long version = message.getVar("The version", 0, Long.MAX_VALUE);
        long base = message.getVar("The version", 0, version);
        ProcessRow row = table.find(key, dataClock);
        if (row == null) {
            // A row that was dropped, or a strict read that nobody waits for any more. Behind what is sent without a
            // question there is no answer to an older one under way.
            if (pushed) {
                link.toForget.add(new ServerLink.Forgotten(table, key));
            }
            passOver(table, base, message);
            return;
        }
        if (pushed && row.pushedOver != link.epoch()) {
            // It was dropped and is asked for again. Taken as that answer, this would let it be dropped once more, and
            // what the server is told then would end what begins with the answer under way.
            passOver(table, base, message);
            return;
        }
        if (base == 0) {
            takeAll(link, row, message, appliedToRow);
        } else if (link.versionOf(row) >= base) {
            takeChanged(link, row, message, appliedToRow);
        } else {
            // The row was dropped since it was asked for: what it is asked for now is still to come.
            passOver(table, base, message);
            return;
        }
        // Together, and only with the values that came: a version means something over this connection alone.
        row.dataClock = dataClock;
        row.serverVersion = version;
        row.epoch = link.epoch();
        prefetched.arrived(row);
        // Only an answer says that changes are sent from here on.
        if (!pushed && settings.subscribes(table.spec)) {
            row.pushedOver = link.epoch();
        }
        link.answered(row, dataClock);
    }

    /** Goes behind values that nobody wants any more; others follow. */
    private static void passOver(ClientTable table, long base, WireReader message) {
        if (base == 0) {
            Row.pass(table.spec, message);
        } else {
            Row.passColumns(table.spec, message);
        }
    }

    private void takeAll(ServerLink link, ProcessRow row, WireReader message, long appliedToRow) {
        // All that the process did is in these values, or will be done to them now.
        values.replaced(row);
        row.version = ++versions;
        if (values.mayOwe(row.table) && keep(row, message)) {
            // What the only worker completed was made to updates at once, so these are all there is.
            for (UpdatePart part : link.after(appliedToRow)) {
                RowLog missing = part.find(row.table.id, row.key);
                if (missing != null) {
                    values.owe(row, missing);
                }
            }
            return;
        }
        Row fresh = row.overwrite();
        fresh.read(message);
        // Strict values are the same for all; each worker adds its own to its copy.
        if (!row.table.strict) {
            link.applyMissing(row.table.id, row.key, fresh, appliedToRow);
            log.forEachUnsent(row, done -> done.applyTo(fresh));
        }
    }

    /**
     * Keeps the values that come as they are, for the only worker to read them straight to its own copy; returns
     * whether they are short enough for that.
     */
    private static boolean keep(ProcessRow row, WireReader message) {
        int since = message.position();
        Row.pass(row.table.spec, message);
        if (message.position() - since > MOST_AS_IT_CAME) {
            // Values so long are read once, now.
            message.goBack(since);
            return false;
        }
        row.keep(message, since);
        return true;
    }

    /**
     * Takes the columns that were written since the version that the row has. The others already hold what this process
     * did to them and the server does not have.
     */
    private void takeChanged(ServerLink link, ProcessRow row, WireReader message, long appliedToRow) {
        Row known = values.of(row);
        var changed = new ColumnSet(known.readColumns(message));
        if (!changed.isEmpty()) {
            row.version = ++versions;
            link.applyMissing(row.table.id, row.key, known, appliedToRow, changed);
            log.forEachUnsent(row, done -> done.applyTo(known, changed));
        }
    }
}
