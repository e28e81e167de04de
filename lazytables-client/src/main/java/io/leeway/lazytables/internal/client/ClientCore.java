package io.leeway.lazytables.internal.client;

import static io.leeway.lazytables.LazyTablesException.Code.BAD_TABLE;
import static io.leeway.lazytables.LazyTablesException.Code.PROTOCOL;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client process: the cache and the log that its workers share, its clock, and what it says to servers. Not for several threads at once: who uses it holds a lock, or is alone.
 *
 * <p><b>Clocks.</b> A worker's clock is the number of clocks it has completed; the process's clock is the least of them. What workers did in clock k leaves the process when the process's clock
 * becomes k, as one message for each server (or several parts of limited size), which also says that clock k of this process is complete.
 *
 * <p><b>What a cached row holds</b> (tables that are not strict): what a server answered, and each update of this process's workers in clocks they completed that the answer does not
 * hold. An answer says the number of this process's last update that the server had applied; updates with greater numbers, and those that were not sent, are done again. So answers
 * may be as fresh as the server has them, and a worker still reads its own writes.
 *
 * <p><b>Successors.</b> A process that resumes asks all servers where it goes on ({@link Succession}); its workers begin when all have let it in. Its updates count when it says that all servers have a
 * clock, so that a successor of its own finds servers that agree.
 *
 * <p><b>Strict tables.</b> An answer holds exactly the clocks up to the one required. It is kept as it is, and each worker adds its own later updates to its copy.
 */
public final class ClientCore implements FrameSink {

    private static final int PART_BYTES = 1 << 20;
    private static final int MAX_ASKED_AHEAD = 1 << 14;

    private final ClientSettings settings;
    private final List<ServerLink> links = new ArrayList<>();
    private final List<ClientTable> tables = new ArrayList<>();
    private final Map<String, ClientTable> tablesByName = new HashMap<>();
    private final List<WorkerCore> workers = new ArrayList<>();
    /** Logs of clocks that the process has not completed: for each clock, from the process's next one, a log or null for each worker. */
    private final List<@Nullable WorkerLog[]> unsent = new ArrayList<>();

    private final BallReads ballReads = new BallReads(workers, unsent);
    private final PrefetchCounters prefetched = new PrefetchCounters();

    private final WireReader frame = new WireReader();
    private final WireReader message = new WireReader();
    /** The columns of the message that is read. */
    private final IntOpenHashSet changed = new IntOpenHashSet();

    private final @Nullable Succession succession;

    private boolean leaving;
    private int processClock;
    /** The last clock that all servers have, and so may apply. */
    private int committed;

    private long versions;
    private @Nullable LazyTablesException failure;

    public ClientCore(ClientSettings settings) {
        this.settings = settings;
        succession = settings.resume() ? new Succession(settings.process(), settings.servers()) : null;
        for (int i = 0; i < settings.servers(); i++) {
            var link = new ServerLink(i);
            link.isPlaced = !settings.resume();
            links.add(link);
        }
        for (int i = 0; i < settings.workers(); i++) {
            workers.add(new WorkerCore(i));
        }
    }

    public WorkerCore worker(int index) {
        return workers.get(index);
    }

    /** The number of clocks that all workers of the process have completed. */
    public int processClock() {
        return processClock;
    }

    /** The last clock of which this process knows that all servers have it; only of one that resumes. */
    public int committed() {
        return committed;
    }

    /** Why nothing works any more, or null. */
    public @Nullable LazyTablesException failure() {
        return failure;
    }

    /** The table of that name, which is new or has the same specification. */
    public ClientTable define(String name, TableSpec spec) {
        ClientTable known = tablesByName.get(name);
        if (known != null) {
            if (!known.spec.equals(spec)) {
                throw LazyTablesException.of(
                        BAD_TABLE, "Table " + name + " is defined already, as " + known.spec + ", not " + spec);
            }
            return known;
        }
        if (tables.size() == Protocol.MAX_TABLES) {
            throw LazyTablesException.of(BAD_TABLE, "There are " + Protocol.MAX_TABLES + " tables already");
        }
        var table = new ClientTable(tables.size(), name, spec);
        tables.add(table);
        tablesByName.put(name, table);
        return table;
    }

    /** The row with at least what the slack requires; null if a server has to be asked first, which the next {@link #flush} does. */
    public @Nullable RowView read(WorkerCore worker, ClientTable table, long key, int slack) {
        int required = worker.required(slack);
        CachedRow row = worker.row(table, key);
        if (worker.isGood(row, required)) {
            worker.counters().served(worker.clock - row.dataClock);
            return row;
        }
        ProcessRow shared = shared(table, key, required);
        ServerLink link = links.get(shared.server);
        if (shared.values == null || link.dataClock(shared) < required) {
            if (!link.isPushed(shared)) {
                link.ask(shared, required);
            }
            return null;
        }
        if (table.strict) {
            copyStrict(worker, shared, row);
        } else if (row.version != shared.version) {
            copy(shared, row);
            row.tookShared();
        }
        row.dataClock = link.dataClock(shared);
        row.checkedAt = worker.clock;
        shared.usedAt = worker.clock;
        prefetched.used(shared);
        worker.counters().served(worker.clock - row.dataClock);
        readAhead(worker, shared, row, slack);
        return row;
    }

    /** The row no further than the radius from its state after the worker's clock; null if it is not known to be, in which case a server is asked. */
    public @Nullable RowView readWithin(WorkerCore worker, ClientTable table, long key, double radius) {
        ServerLink link = links.get(table.server(key, settings.servers()));
        RowView row = ballReads.read(worker, worker.row(table, key), radius, link, processClock);
        if (row != null) {
            worker.counters().served(worker.clock - row.dataClock());
        }
        return row;
    }

    /**
     * Asks for the row as a read that requires this clock would, if the cache does not have it, without waiting.
     *
     * @return whether a question is to be sent
     */
    public boolean refresh(ClientTable table, long key, int required) {
        table.checkKey(key);
        ProcessRow shared = shared(table, key, required);
        shared.usedAt = Math.max(shared.usedAt, processClock);
        return refresh(shared, required, MAX_ASKED_AHEAD);
    }

    /**
     * Asks for rows as reads that require this clock would, where the cache does not have them, without waiting.
     *
     * @param best the latest clock to ask for: where the cache has what is required, one clock more than it has is asked for up to this
     * @return whether a question is to be sent
     */
    public boolean refresh(ClientTable table, long[] keys, int required, int best) {
        for (long key : keys) {
            table.checkKey(key);
        }
        boolean asks = false;
        for (long key : keys) {
            int next = best > required ? Math.min(best, dataClock(table, key, required) + 1) : required;
            asks |= refresh(table, key, Math.max(required, next));
        }
        return asks;
    }

    /** The data clock of the row in the shared cache, or -1. */
    private int dataClock(ClientTable table, long key, int required) {
        ProcessRow shared = table.find(key, required);
        return shared == null || shared.values == null
                ? ProcessRow.NOTHING
                : links.get(shared.server).dataClock(shared);
    }

    /** Ends a clock of the worker: what it did goes to the shared cache and, when all workers have completed the clock, to the servers. */
    public void clock(WorkerCore worker) {
        BallReads.checkSteps(worker);
        WorkerLog log = worker.endClock();
        for (CachedRow row : worker.dirty()) {
            toShared(row, log);
        }
        worker.dirty().clear();
        worker.clock++;
        keepForStrictReads(worker, log);
        int behind = worker.clock - processClock;
        while (unsent.size() < behind) {
            unsent.add(new WorkerLog[workers.size()]);
        }
        unsent.get(behind - 1)[worker.index] = log;
        worker.trim(settings.workerRows());
        completeClocks();
        askForLearned(worker);
    }

    /** Tells servers, after all that was completed, that the others go on without this process. */
    public void leave() {
        leaving = true;
    }

    /** Whether the servers have all updates of the clocks that the process completed, for good, and its end if it ends. */
    public boolean isDelivered() {
        return links.stream().allMatch(link -> link.kept.isEmpty() && (link.endMade || !leaving));
    }

    /** Whether workers may begin: all servers have let the process in, at the clock at which its workers are. */
    public boolean isPlaced() {
        return links.stream().allMatch(link -> link.isPlaced);
    }

    /** Whether servers that are lost from now on lose nothing that a process before this one sent. */
    public boolean isInheritanceStored() {
        return links.stream().allMatch(link -> link.isPlaced && link.durable >= link.inherited);
    }

    /** Whether all servers are connected and have said that all up to this clock has come; only of a process that resumes. */
    public boolean isEverywhere(int clock) {
        return links.stream().allMatch(link -> link.welcomed && link.staged >= clock);
    }

    /** About how many bytes of updates are kept for servers that may lose them. */
    public long keptBytes() {
        long bytes = 0;
        for (ServerLink link : links) {
            bytes += link.keptBytes;
        }
        return bytes;
    }

    /** Why so much is kept, as a text for people. */
    public String describeKept() {
        ServerLink most = links.get(0);
        for (ServerLink link : links) {
            most = link.keptBytes > most.keptBytes ? link : most;
        }
        return "About " + keptBytes() + " bytes of updates are kept, of which " + most.keptBytes + " are for server "
                + most.server
                + (most.welcomed
                        ? ", which has not stored a snapshot that holds them: see its log"
                        : ", which is not connected");
    }

    /** What was done so far, and what waits. */
    public Statistics statistics(Statistics.Traffic traffic) {
        return ClientStatistics.of(workers, processClock, unsent, links, prefetched.sums(), traffic);
    }

    /** Whom a read waits for, as a text for people. */
    public String describe(ClientTable table, long key, int required) {
        ServerLink link = links.get(table.server(key, settings.servers()));
        return describe(
                link,
                "Row " + key + " of table " + table.name + " is needed with all updates of clock " + required,
                required);
    }

    /** Whom a read within a radius waits for, as a text for people. */
    public String describeWithin(WorkerCore worker, ClientTable table, long key, double radius) {
        String what =
                "Row " + key + " of table " + table.name + " is needed within " + radius + " of clock " + worker.clock;
        if (ballReads.missingHere(worker.clock) > BallReads.clocksWithin(radius, table.spec.maxStep())) {
            return what + ", and workers of this process are still at clock " + processClock;
        }
        return describe(links.get(table.server(key, settings.servers())), what, worker.clock);
    }

    private static String describe(ServerLink link, String what, int required) {
        if (!link.connected) {
            return what + ", and server " + link.server + ", which has it, is not connected";
        }
        if (!link.welcomed) {
            return what + ", and server " + link.server
                    + ", which has it, has not answered this process's first message";
        }
        if (link.globalClock < required) {
            return what + ", and server " + link.server + " is at clock " + link.globalClock + ", held back by process "
                    + link.slowest;
        }
        return what + ", and server " + link.server + " has not answered";
    }

    /** Sends what there is to say. */
    public void flush(FrameSender sender) {
        for (ServerLink link : links) {
            if (link.connected) {
                if (link.welcomed) {
                    makeEnd(link);
                    writeTables(link);
                    writeUpdates(link);
                    writeCommit(link);
                    writeReads(link);
                    askToStore(link);
                } else {
                    writeResume(link);
                }
                link.outbox.sendTo(sender, link.server);
            }
        }
    }

    @Override
    public void onOpen(int peer) {
        ServerLink link = links.get(peer);
        link.connected = true;
        link.welcomed = false;
        link.isAsked = false;
        link.isTold = false;
        link.outbox.clear();
        if (failure != null) {
            // Who was sent away does not come again: it would take the place of the one that has its own.
            return;
        }
        WireBuffer out = link.outbox.begin(Protocol.HELLO);
        out.putVar(Protocol.VERSION);
        out.putVar(flags());
        out.putVar(succession == null ? 0 : succession.generation());
        out.putVar(settings.process());
        out.putVar(settings.processes());
        out.putVar(settings.workers());
        out.putLong(settings.incarnation());
        out.putVar(link.made);
        out.putVar(link.server);
        out.putVar(settings.servers());
        link.outbox.end();
    }

    private int flags() {
        if (succession == null) {
            return 0;
        }
        return Protocol.COMMITS | (succession.isDecided() ? 0 : Protocol.ASKS);
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {
        ServerLink link = links.get(peer);
        link.connected = false;
        link.welcomed = false;
        link.outbox.clear();
    }

    @Override
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        ServerLink link = links.get(peer);
        try {
            frame.open(buffer, offset, length);
            while (frame.more()) {
                int kind = frame.getByte();
                frame.slice(frame.getInt(), message);
                onMessage(link, kind);
            }
        } catch (WireException e) {
            fail(LazyTablesException.of(PROTOCOL, "Server " + peer + " sent what cannot be read: " + e.reason(), e));
        }
    }

    /** Makes all that is asked of this process from now on end with this. */
    public void fail(LazyTablesException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    private void onMessage(ServerLink link, int kind) {
        switch (kind) {
            case Protocol.WELCOME -> onWelcome(link);
            case Protocol.ROW -> onRow(link, false);
            case Protocol.PUSH -> onRow(link, true);
            case Protocol.BALL -> ballReads.onAnswer(link, tableOfMessage(), message, processClock);
            case Protocol.CLOCKS -> onClocks(link);
            case Protocol.REFUSED ->
                fail(LazyTablesException.of(
                        code(message.getInt("The error", 0, Integer.MAX_VALUE)),
                        "Server " + link.server + " refuses this process: "
                                + message.getText("The reason", Protocol.MAX_TEXT)));
            case Protocol.PLACE -> onPlace(link);
            case Protocol.STAGED -> onStaged(link);
            default -> throw new WireException("There is no message of kind " + kind);
        }
    }

    private static LazyTablesException.Code code(int number) {
        for (LazyTablesException.Code code : LazyTablesException.Code.values()) {
            if (code.number() == number) {
                return code;
            }
        }
        return PROTOCOL;
    }

    private void onPlace(ServerLink link) {
        if (succession == null) {
            throw new WireException("It asks a process that does not resume where it goes on");
        }
        boolean before = succession.isDecided();
        try {
            int generation = message.getInt("The generation", 0, Integer.MAX_VALUE - 1);
            int complete = message.getInt("The clock", 0, Integer.MAX_VALUE);
            int touched = message.getInt("The clock", 0, Integer.MAX_VALUE);
            int counted = message.getInt("Whether it was counted", 0, Protocol.SKIPPED);
            succession.said(
                    link.server,
                    new Succession.Place(
                            generation, complete, touched, counted == Protocol.JOINED, counted == Protocol.SKIPPED));
        } catch (LazyTablesException e) {
            fail(e);
            return;
        }
        link.isAsked = true;
        if (!before && succession.isDecided()) {
            processClock = succession.clock();
            committed = processClock;
            workers.forEach(worker -> worker.clock = processClock);
        }
    }

    private void onStaged(ServerLink link) {
        link.staged = message.getInt("The clock", 0, processClock);
        int least = Integer.MAX_VALUE;
        for (ServerLink each : links) {
            least = Math.min(least, each.staged);
        }
        committed = Math.max(committed, least);
    }

    /** Sends again what the server does not have, and asks again what it has not answered. */
    private void onWelcome(ServerLink link) {
        message.getInt("The version", Protocol.VERSION, Protocol.VERSION);
        link.globalClock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        long applied = message.getVar("The sequence", 0, link.isPlaced ? link.made : Long.MAX_VALUE);
        if (!link.isPlaced) {
            link.isPlaced = true;
            link.inherited = applied;
            link.made = applied;
        }
        long received = message.getVar("The sequence", applied, link.made);
        if (!link.kept.isEmpty() && link.kept.element().sequence > applied + 1
                || link.kept.isEmpty() && applied < link.made) {
            fail(LazyTablesException.of(
                    LazyTablesException.Code.LOST,
                    "Server " + link.server + " has this process's updates up to " + applied
                            + " only, and later ones were dropped after it said that it had them: was it"
                            + " started without its snapshot?"));
            return;
        }
        link.applied = applied;
        link.sent = received;
        link.staged = 0;
        link.commitSent = 0;
        link.tablesSent = 0;
        link.storeAsked = false;
        link.welcomed = true;
        link.epoch++;
        link.toForget.clear();
        link.askAgain();
    }

    private void onRow(ServerLink link, boolean pushed) {
        ClientTable table = tableOfMessage();
        long key = message.getVar("The row", 0, table.spec.rows() - 1);
        int dataClock = message.getInt("The data clock", 0, Integer.MAX_VALUE);
        long appliedToRow = message.getVar("The sequence", 0, link.made);
        ProcessRow row = table.find(key, dataClock);
        if (row == null) {
            // A row that was dropped, or a strict read that nobody waits for any more. Behind what is sent without a
            // question there is no answer to an older one under way.
            if (pushed) {
                link.toForget.add(new ServerLink.Forgotten(table, key));
            }
            return;
        }
        long version = message.getVar("The version", 0, Long.MAX_VALUE);
        long base = message.getVar("The version", 0, version);
        if (base == 0) {
            takeAll(link, row, appliedToRow);
        } else if (link.versionOf(row) >= base) {
            takeChanged(link, row, appliedToRow);
        } else {
            // The row was dropped since it was asked for: what it is asked for now is still to come.
            return;
        }
        row.dataClock = dataClock;
        row.serverVersion = version;
        row.epoch = link.epoch;
        prefetched.arrived(row);
        if (!pushed && subscribes(table)) {
            row.pushedOver = link.epoch;
        }
        link.answered(row, dataClock);
    }

    /** Whether servers send what they are asked for once also when it changes. */
    private boolean subscribes(ClientTable table) {
        return settings.prefetch().kind() == Prefetch.Kind.PUSHED && !table.strict && table.spec.maxStep() == 0;
    }

    private void takeAll(ServerLink link, ProcessRow row, long appliedToRow) {
        Row values = row.values == null ? new Row(row.table.spec) : row.values;
        values.read(message);
        row.values = values;
        row.version = ++versions;
        if (!row.table.strict) {
            link.applyMissing(row.table.id, row.key, values, appliedToRow);
            applyUnsent(row, values);
        }
    }

    /** Takes the columns that were written since the version that the row has. The others already hold what this process did to them and the server does not have. */
    private void takeChanged(ServerLink link, ProcessRow row, long appliedToRow) {
        changed.clear();
        row.values().readColumns(message, changed);
        if (!changed.isEmpty()) {
            row.version = ++versions;
            link.applyMissing(row.table.id, row.key, row.values(), appliedToRow, changed);
            forEachUnsent(row, log -> log.applyTo(row.values(), changed));
        }
    }

    private void onClocks(ServerLink link) {
        link.globalClock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        link.slowest = message.getInt("The process", 0, Protocol.MAX_PROCESSES);
        link.applied = message.getVar("The sequence", 0, link.made);
        link.durable(message.getVar("The sequence", 0, link.made));
    }

    private ClientTable tableOfMessage() {
        int id = message.getInt("The table", 0, Protocol.MAX_TABLES);
        if (id >= tables.size()) {
            throw new WireException("There is no table of number " + id);
        }
        return tables.get(id);
    }

    private boolean refresh(ProcessRow row, int required, int mostAsked) {
        ServerLink link = links.get(row.server);
        if (row.values != null && link.dataClock(row) >= required
                || link.isPushed(row)
                || link.asked.size() >= mostAsked) {
            return false;
        }
        link.askAhead(row, required);
        return true;
    }

    /** What prefetching does at the first read of a row in a clock. */
    private void readAhead(WorkerCore worker, ProcessRow shared, CachedRow row, int slack) {
        Prefetch prefetch = settings.prefetch();
        if (prefetch.kind() == Prefetch.Kind.LEARNED) {
            worker.remember(row, slack);
        } else if (prefetch.kind() == Prefetch.Kind.AUTOMATIC
                && !row.table.strict
                && shared.asked.isEmpty()
                && links.get(shared.server).asked.size() < prefetch.requests()) {
            if (slack == TableSpec.ASYNC) {
                // No clock is ever too old: what there is now.
                links.get(shared.server).askAhead(shared, 0);
            } else if ((long) slack - (worker.clock - shared.dataClock) < prefetch.margin()) {
                links.get(shared.server).askAhead(shared, shared.dataClock + 1);
            }
        }
    }

    /** Asks for what the worker read in the clock that it ended. */
    private void askForLearned(WorkerCore worker) {
        worker.forEachRemembered((row, slack) -> {
            int required = worker.required(slack);
            refresh(
                    shared(row.table, row.key, required),
                    required,
                    settings.prefetch().requests());
        });
    }

    private ProcessRow shared(ClientTable table, long key, int required) {
        ProcessRow shared = table.find(key, required);
        if (shared == null) {
            shared = new ProcessRow(table, key, table.server(key, settings.servers()));
            table.add(shared, required);
        }
        return shared;
    }

    private void copy(ProcessRow shared, CachedRow row) {
        Row values = row.writable();
        values.copyFrom(shared.values());
        row.version = shared.version;
        if (row.log != null) {
            row.log.applyTo(values);
        }
    }

    private void copyStrict(WorkerCore worker, ProcessRow shared, CachedRow row) {
        Row values = row.writable();
        values.copyFrom(shared.values());
        for (WorkerLog own : worker.history) {
            RowLog log = own.clock > shared.dataClock ? own.find(row.table.id, row.key) : null;
            if (log != null) {
                log.applyTo(values);
            }
        }
        if (row.log != null) {
            row.log.applyTo(values);
        }
    }

    /** Does to the shared row what a worker did in the clock that it ends. */
    private void toShared(CachedRow row, WorkerLog done) {
        RowLog log = done.find(row.table.id, row.key);
        ProcessRow shared = row.table.strict || log == null ? null : row.table.find(row.key, 0);
        if (shared == null || shared.values == null || log == null) {
            return;
        }
        log.applyTo(shared.values);
        // The worker's own copy has it already.
        boolean same = row.version == shared.version;
        shared.version = ++versions;
        if (same) {
            row.version = shared.version;
        }
    }

    private void keepForStrictReads(WorkerCore worker, WorkerLog log) {
        int longest = -1;
        for (ClientTable table : tables) {
            if (table.strict) {
                longest = Math.max(longest, table.spec.slack());
            }
        }
        if (longest >= 0) {
            worker.history.add(log);
            while (!worker.history.isEmpty() && worker.history.element().clock <= worker.clock - longest) {
                worker.history.remove();
            }
        }
    }

    private void applyUnsent(ProcessRow row, Row values) {
        forEachUnsent(row, log -> log.applyTo(values));
    }

    private void forEachUnsent(ProcessRow row, Consumer<RowLog> action) {
        for (WorkerLog[] ofClock : unsent) {
            for (WorkerLog log : ofClock) {
                RowLog done = log == null ? null : log.find(row.table.id, row.key);
                if (done != null) {
                    action.accept(done);
                }
            }
        }
    }

    private void completeClocks() {
        int least = Integer.MAX_VALUE;
        for (WorkerCore worker : workers) {
            least = Math.min(least, worker.clock);
        }
        while (processClock < least) {
            processClock++;
            @Nullable WorkerLog[] logs = unsent.remove(0);
            for (ServerLink link : links) {
                makeUpdates(link, logs);
            }
            tables.forEach(table -> table.processReached(processClock, prefetched));
            trim();
        }
    }

    /** Brings the cache to its limit: first go rows that were not used in the last clock. */
    private void trim() {
        int over = -settings.processRows();
        for (ClientTable table : tables) {
            over += table.size();
        }
        for (ClientTable table : tables) {
            over -= over > 0 ? table.dropUsedBefore(processClock - 1, over, prefetched) : 0;
        }
        for (ClientTable table : tables) {
            over -= over > 0 ? table.dropUsedBefore(Integer.MAX_VALUE, over, prefetched) : 0;
        }
    }

    /** Makes of what the workers did in a clock one log for each row, in the order of workers, in parts of limited size. */
    private void makeUpdates(ServerLink link, @Nullable WorkerLog[] logs) {
        List<@Nullable Long2ObjectOpenHashMap<RowLog>> part = new ArrayList<>();
        long bytes = 0;
        for (ClientTable table : tables) {
            Collection<RowLog> joined = joined(table, link.server, logs);
            for (RowLog log : joined) {
                if (bytes > 0 && bytes + log.wireBytes() > PART_BYTES) {
                    link.keep(new UpdatePart(++link.made, processClock, false, bytes, part));
                    part.clear();
                    bytes = 0;
                }
                bytes += log.wireBytes();
                table.balls.apply(log);
                WorkerLog.rows(part, table.id, Math.min(joined.size(), PART_BYTES / log.wireBytes() + 1))
                        .put(log.key(), log);
            }
        }
        link.keep(new UpdatePart(++link.made, processClock, true, bytes, part));
    }

    private Collection<RowLog> joined(ClientTable table, int server, @Nullable WorkerLog[] logs) {
        if (logs.length == 1 && settings.servers() == 1) {
            // Nothing is to be joined, nor divided.
            WorkerLog only = logs[0];
            Long2ObjectOpenHashMap<RowLog> rows = only == null ? null : only.rows(table.id);
            return rows == null ? List.of() : rows.values();
        }
        var joined = new Long2ObjectOpenHashMap<RowLog>();
        for (WorkerLog log : logs) {
            Long2ObjectOpenHashMap<RowLog> rows = log == null ? null : log.rows(table.id);
            if (rows == null) {
                continue;
            }
            for (RowLog row : rows.values()) {
                if (table.server(row.key(), settings.servers()) == server) {
                    RowLog before = joined.get(row.key());
                    if (before == null) {
                        // A strict read does the workers' own logs again, so they stay as they are.
                        joined.put(row.key(), table.strict ? row.copy() : row);
                    } else {
                        before.append(row);
                    }
                }
            }
        }
        return joined.values();
    }

    private static void writeUpdate(UpdatePart part, Outbox outbox) {
        WireBuffer out = outbox.begin(Protocol.UPDATE);
        out.putVar(part.sequence);
        out.putVar(part.clock);
        out.putByte(part.last ? 1 : 0);
        out.putVar(part.tableCount());
        for (int table = 0; table < part.tables.size(); table++) {
            Long2ObjectOpenHashMap<RowLog> rows = part.tables.get(table);
            if (rows != null) {
                out.putVar(table);
                out.putVar(rows.size());
                rows.values().forEach(log -> log.write(out));
            }
        }
        outbox.end();
    }

    private void writeTables(ServerLink link) {
        for (; link.tablesSent < tables.size(); link.tablesSent++) {
            ClientTable table = tables.get(link.tablesSent);
            WireBuffer out = link.outbox.begin(Protocol.TABLE);
            out.putVar(table.id);
            out.putText(table.name);
            SpecCodec.write(table.spec, out);
            link.outbox.end();
        }
    }

    private void writeUpdates(ServerLink link) {
        if (link.sent == link.made) {
            return;
        }
        for (UpdatePart part : link.after(link.sent)) {
            if (part.end) {
                link.outbox.begin(Protocol.BYE).putVar(part.sequence);
                link.outbox.end();
            } else {
                writeUpdate(part, link.outbox);
            }
        }
        link.sent = link.made;
    }

    /** The end comes behind all updates, and when they count. */
    private void makeEnd(ServerLink link) {
        if (leaving && !link.endMade && (succession == null || allCommitted())) {
            link.endMade = true;
            link.keep(UpdatePart.end(++link.made, processClock));
        }
    }

    /** A single server has the whole clock when it has its last part. */
    private boolean allCommitted() {
        return links.size() == 1 || committed == processClock;
    }

    private void writeCommit(ServerLink link) {
        if (succession == null) {
            return;
        }
        int clock = links.size() == 1 ? processClock : committed;
        if (clock > link.commitSent) {
            link.outbox.begin(Protocol.COMMIT).putVar(clock);
            link.outbox.end();
            link.commitSent = clock;
        }
    }

    /** Says where this process goes on, when all servers have said what they have of it. */
    private void writeResume(ServerLink link) {
        if (succession != null && succession.isDecided() && link.isAsked && !link.isTold) {
            link.isTold = true;
            WireBuffer out = link.outbox.begin(Protocol.RESUME);
            out.putVar(succession.generation());
            out.putVar(succession.clock());
            out.putVar(succession.skips() ? 1 : 0);
            link.outbox.end();
        }
    }

    private void askToStore(ServerLink link) {
        if (link.keptBytes > settings.keptLimit() / 2 && !link.storeAsked) {
            link.storeAsked = true;
            link.outbox.begin(Protocol.STORE);
            link.outbox.end();
        }
    }

    private void writeReads(ServerLink link) {
        // First, so that what is asked for again is sent again.
        for (ServerLink.Forgotten row : link.toForget) {
            WireBuffer out = link.outbox.begin(Protocol.FORGET);
            out.putVar(row.table().id);
            out.putVar(row.key());
            link.outbox.end();
        }
        link.toForget.clear();
        for (ServerLink.Question question : link.toAsk) {
            WireBuffer out = link.outbox.begin(Protocol.READ);
            out.putVar(question.row().table.id);
            out.putVar(question.row().key);
            out.putVar(question.required());
            out.putVar(link.versionOf(question.row()));
            out.putByte(subscribes(question.row().table) ? 1 : 0);
            link.outbox.end();
        }
        link.toAsk.clear();
        link.balls.write(link.outbox);
    }
}
