package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.ColumnSet;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a process's workers share: reads of them, questions for them and answers to these.
 *
 * <p><b>What a cached row holds</b> (tables that are not strict): what a server answered, and each update of this process's workers in clocks they completed that the answer does not
 * hold. An answer says the number of this process's last update that the server had applied; updates with greater numbers, and those that were not sent, are done again. So answers
 * may be as fresh as the server has them, and a worker still reads its own writes. Of a process with one worker an answer is kept as it came, with the updates that it does not hold, until the worker
 * reads the row: the values go straight to the worker's copy.
 *
 * <p><b>Strict tables.</b> An answer holds exactly the clocks up to the one required. It is kept as it is, and each worker adds its own later updates to its copy.
 */
final class ProcessCache {

    private static final int MAX_ASKED_AHEAD = 1 << 14;
    /** Bytes of an answer that is kept as it came: of longer ones to read them twice takes more than what it saves. */
    private static final int MOST_AS_IT_CAME = 512;
    /** So many clocks a row is taken ahead of reads, until one comes. */
    static final int MOST_TIMES_AHEAD = 7;

    private final ClientSettings settings;
    private final List<ServerLink> links;
    private final List<ClientTable> tables;
    private final ProcessLog log;
    private final PrefetchCounters prefetched;

    private final OwedLogs owed = new OwedLogs();
    /** Of answers that are kept as they came. */
    private final WireReader reader = new WireReader();

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
    }

    /** The row with at least what the slack requires; null if a server has to be asked first, which the next {@link ClientCore#flush} does. */
    @Nullable
    RowView read(WorkerCore worker, ClientTable table, long key, int slack) {
        int required = worker.required(slack);
        CachedRow row = worker.row(table, key);
        if (worker.isGood(row, required)) {
            worker.counters().served(worker.clock - row.dataClock);
            return row;
        }
        boolean isAhead = worker.order.isTimeToApproach(key);
        if (isAhead) {
            approached = approach(table, key) + worker.approach(table, key, key + Row.AT_ONCE);
        }
        ProcessRow shared = shared(table, key, required);
        ServerLink link = links.get(shared.server);
        if (!shared.hasCome() || link.dataClock(shared) < required) {
            if (!link.isPushed(shared)) {
                link.ask(shared, required);
            }
            return null;
        }
        take(worker, shared, row);
        row.aheadTimes = 0;
        worker.counters().served(worker.clock - row.dataClock);
        readAhead(worker, shared, row, slack);
        if (isAhead && mayTakeAhead(table, slack)) {
            takeAhead(worker, table, key, required);
        }
        return row;
    }

    /** Brings the worker's row to what the shared one has. */
    private void take(WorkerCore worker, ProcessRow shared, CachedRow row) {
        if (row.table.strict) {
            copyStrict(worker, shared, row);
        } else if (row.version != shared.version) {
            copy(worker, shared, row);
            row.tookShared();
        }
        row.dataClock = links.get(shared.server).dataClock(shared);
        row.checkedAt = worker.clock;
        shared.usedAt = worker.clock;
        prefetched.used(shared);
    }

    /** Whether nothing depends on which rows workers read, and when; an operation of the application's own may fail, for a row that is not read. */
    private boolean mayTakeAhead(ClientTable table, int slack) {
        Prefetch.Kind kind = settings.prefetch().kind();
        return table.adds && slack != TableSpec.ASYNC && (kind == Prefetch.Kind.NONE || kind == Prefetch.Kind.PUSHED);
    }

    /**
     * Brings rows behind one that was read, too, to what the shared ones have, if that is what reads with the same slack require: a worker that goes through rows in their order will read them next, and then need not
     * look here, where it may have to wait for others who do. Only rows that it read in the clock before; what it does not read any more is brought here a few times in vain.
     */
    private void takeAhead(WorkerCore worker, ClientTable table, long key, int required) {
        for (long next = key + 1; next < key + Row.AT_ONCE; next++) {
            CachedRow row = worker.known(table, next);
            if (row == null
                    || !row.wasRead()
                    || row.checkedAt != worker.clock - 1
                    || row.aheadTimes == MOST_TIMES_AHEAD) {
                continue;
            }
            ProcessRow shared = table.find(next, required);
            if (shared != null && shared.hasCome() && links.get(shared.server).dataClock(shared) >= required) {
                take(worker, shared, row);
                row.aheadTimes++;
            }
        }
    }

    /**
     * Asks for the row as a read that requires this clock would, if the cache does not have it, without waiting.
     *
     * @return whether a question is to be sent
     */
    boolean refresh(ClientTable table, long key, int required, int processClock) {
        table.checkKey(key);
        return refresh(table, key, required, required, processClock);
    }

    /**
     * Asks for rows as reads that require this clock would, where the cache does not have them, without waiting.
     *
     * @param best the latest clock to ask for: where the cache has what is required, one clock more than it has is asked for up to this
     * @return whether a question is to be sent
     */
    boolean refresh(ClientTable table, long[] keys, int required, int best, int processClock) {
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
        ProcessRow row = known == null || table.strict ? shared(table, key, wanted) : known;
        row.usedAt = Math.max(row.usedAt, processClock);
        boolean underWay = row.isAsked(wanted);
        boolean asks = refresh(row, wanted, MAX_ASKED_AHEAD);
        if (asks && !underWay) {
            row.newerAskedIn = best;
        }
        return asks;
    }

    /** Does to the shared row what a worker did in the clock that it ends. */
    void toShared(CachedRow row, RowLog log) {
        ProcessRow shared = row.table.strict ? null : row.table.find(row.key, 0);
        if (shared == null || !shared.hasCome()) {
            return;
        }
        if (mayOwe(row.table)) {
            owe(shared, log);
        } else {
            log.applyTo(values(shared));
        }
        // The worker's own copy has it already.
        boolean same = row.version == shared.version;
        shared.version = ++versions;
        if (same) {
            row.version = shared.version;
        }
    }

    /** Whether rows may owe logs. Those of several workers are joined, in place; and an operation of the application's own may fail, now or never. */
    private boolean mayOwe(ClientTable table) {
        return settings.workers() == 1 && table.adds && !table.strict;
    }

    private void owe(ProcessRow row, RowLog log) {
        if (row.owedAt == OwedLogs.NONE) {
            row.owedAt = owed.take();
        }
        if (owed.isFull(row.owedAt)) {
            values(row);
        }
        owed.owe(row.owedAt, log);
    }

    /** Asks for what the worker read in the clock that it ended. */
    void askForLearned(WorkerCore worker) {
        worker.forEachRemembered((row, slack) -> {
            int required = worker.required(slack);
            refresh(
                    shared(row.table, row.key, required),
                    required,
                    settings.prefetch().requests());
        });
    }

    /** Takes note that a row was dropped which no worker will read again, whether it has come or not. */
    void dropped(ProcessRow row) {
        forget(row);
        links.get(row.server).answered(row, Integer.MAX_VALUE);
    }

    /** What is kept for the row elsewhere goes with it. */
    private void forget(ProcessRow row) {
        prefetched.dropped(row);
        if (row.owedAt != OwedLogs.NONE) {
            owed.giveBack(row.owedAt);
            row.owedAt = OwedLogs.NONE;
        }
    }

    /** Brings the cache to its limit: first go rows that were not used in the last clock. */
    void trim(int processClock) {
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
                approached = approach(table, key);
            }
            onRow(link, table, key, dataClock, appliedToRow, message, pushed);
        } while (message.more());
    }

    /** The rows from this one on are about to be used, see {@link Row#approach}. */
    private static long approach(ClientTable table, long from) {
        long sum = 0;
        for (long key = from; key < from + Row.AT_ONCE && !table.strict; key++) {
            ProcessRow row = table.find(key, 0);
            sum += row == null ? 0 : row.approach();
        }
        return sum;
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
        row.dataClock = dataClock;
        row.serverVersion = version;
        row.epoch = link.epoch();
        prefetched.arrived(row);
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
        if (row.owedAt != OwedLogs.NONE) {
            // All that the process did is in these values, or will be done to them now.
            owed.forget(row.owedAt);
        }
        row.version = ++versions;
        if (mayOwe(row.table) && keep(row, message)) {
            // What the only worker completed was made to updates at once, so these are all there is.
            for (UpdatePart part : link.after(appliedToRow)) {
                RowLog missing = part.find(row.table.id, row.key);
                if (missing != null) {
                    owe(row, missing);
                }
            }
            return;
        }
        Row values = row.overwrite();
        values.read(message);
        if (!row.table.strict) {
            link.applyMissing(row.table.id, row.key, values, appliedToRow);
            log.forEachUnsent(row, done -> done.applyTo(values));
        }
    }

    /** Keeps the values that come as they are, for the only worker to read them straight to its own copy; returns whether they are short enough for that. */
    private static boolean keep(ProcessRow row, WireReader message) {
        int since = message.position();
        Row.pass(row.table.spec, message);
        if (message.position() - since > MOST_AS_IT_CAME) {
            message.goBack(since);
            return false;
        }
        row.keep(message, since);
        return true;
    }

    /** Takes the columns that were written since the version that the row has. The others already hold what this process did to them and the server does not have. */
    private void takeChanged(ServerLink link, ProcessRow row, WireReader message, long appliedToRow) {
        Row values = values(row);
        var changed = new ColumnSet(values.readColumns(message));
        if (!changed.isEmpty()) {
            row.version = ++versions;
            link.applyMissing(row.table.id, row.key, values, appliedToRow, changed);
            log.forEachUnsent(row, done -> done.applyTo(values, changed));
        }
    }

    private boolean refresh(ProcessRow row, int required, int mostAsked) {
        ServerLink link = links.get(row.server);
        if (row.hasCome() && link.dataClock(row) >= required || link.isPushed(row) || link.askedRows() >= mostAsked) {
            return false;
        }
        link.askAhead(row, required);
        return true;
    }

    /** What prefetching does at the first read of a row in a clock. */
    private void readAhead(WorkerCore worker, ProcessRow shared, CachedRow row, int slack) {
        Prefetch prefetch = settings.prefetch();
        if (slack == TableSpec.ASYNC) {
            askForNewer(worker, shared);
        }
        if (prefetch.kind() == Prefetch.Kind.LEARNED) {
            worker.remember(row, slack);
        } else if (prefetch.kind() == Prefetch.Kind.AUTOMATIC
                && slack != TableSpec.ASYNC
                && !row.table.strict
                && !shared.isAsked()
                && links.get(shared.server).askedRows() < prefetch.requests()
                && (long) slack - (worker.clock - shared.dataClock) < prefetch.margin()) {
            links.get(shared.server).askAhead(shared, shared.dataClock + 1);
        }
    }

    /** Asks for what there is now, once in a clock. To a read that waits for nobody no row is ever too old: without that it would read the same for ever. */
    private void askForNewer(WorkerCore worker, ProcessRow shared) {
        ServerLink link = links.get(shared.server);
        Prefetch prefetch = settings.prefetch();
        int most = prefetch.kind() == Prefetch.Kind.AUTOMATIC ? prefetch.requests() : MAX_ASKED_AHEAD;
        if (shared.newerAskedIn != worker.clock
                && !shared.isAsked(0)
                && !link.isPushed(shared)
                && link.askedRows() < most) {
            shared.newerAskedIn = worker.clock;
            link.askAhead(shared, 0);
        }
    }

    private ProcessRow shared(ClientTable table, long key, int required) {
        ProcessRow shared = table.find(key, required);
        if (shared == null) {
            shared = new ProcessRow(table, key, table.server(key, settings.servers()));
            table.add(shared, required);
        }
        return shared;
    }

    private void copy(WorkerCore worker, ProcessRow shared, CachedRow row) {
        RowLog log = worker.logOf(row);
        Row values = row.writable(log);
        if (shared.isAsItCame()) {
            shared.readAnswer(reader, values);
            if (shared.owedAt != OwedLogs.NONE) {
                owed.applyTo(shared.owedAt, values);
            }
        } else {
            values.copyFrom(values(shared));
        }
        row.version = shared.version;
        if (log != null) {
            log.applyTo(values);
        }
    }

    private void copyStrict(WorkerCore worker, ProcessRow shared, CachedRow row) {
        RowLog log = worker.logOf(row);
        Row values = row.writable(log);
        values.copyFrom(values(shared));
        for (WorkerLog own : worker.history) {
            RowLog done = own.clock > shared.dataClock ? own.find(row.table.id, row.key) : null;
            if (done != null) {
                done.applyTo(values);
            }
        }
        if (log != null) {
            log.applyTo(values);
        }
    }

    /** The values of a row that has come. */
    private Row values(ProcessRow row) {
        Row values = row.values(reader);
        if (row.owedAt != OwedLogs.NONE) {
            owed.pay(row.owedAt, values);
        }
        return values;
    }
}
