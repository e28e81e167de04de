package io.leeway.lazytables.internal.client;

import static io.leeway.lazytables.LazyTablesException.Code.BAD_TABLE;
import static io.leeway.lazytables.LazyTablesException.Code.PROTOCOL;

import io.leeway.lazytables.Combine;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client process: the cache and the log that its workers share, its clock, and what it says to servers. Not for
 * several threads at once: who uses it holds a lock, or is alone.
 *
 * <p><b>Clocks.</b> A worker's clock is the number of clocks it has completed; the process's clock is the least of
 * those that have not ended, and when all have, the greatest of all. What workers did in clock k leaves the process
 * when the process's clock becomes k, as one message for each server (or several parts of limited size), which also
 * says that clock k of this process is complete.
 *
 * <p><b>Successors.</b> A process that resumes asks all servers where it goes on ({@link Succession}); its workers
 * begin when all have let it in. Its updates count when it says that all servers have a clock, so that a successor of
 * its own finds servers that agree.
 */
public final class ClientCore implements FrameSink {

    /*
     * The notions of time are those of James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014),
     * section 4.4.2 "Client": a clock of each thread (WorkerCore.clock), the process's as their minimum, and the global
     * one as servers tell it (ServerLink.globalClock; each server has its own view, none of which is ahead of the
     * truth). What differs: there, the end of a clock is a message of its own, behind the updates; here the last update
     * message of a clock says it, so that both come or neither does. There, updates are retained to be done again to
     * rows that come; here for that, and until a server has them for good, so that neither a server that is lost nor a
     * connection that breaks costs any.
     *
     * Threads: workers and the network thread come in here one at a time (ClientProcess holds the lock). The parts of
     * WorkerCore that hits use are the worker's alone; the fields that others read (its clock, whether it has ended,
     * the strict history) change only under the lock.
     *
     * What may fail leaves the core as it was, or ends it (fail): there is no state in between to which a caller could
     * come back. An operation of the program's own that throws in the midst of a clock ends it.
     */

    /** So much of a name that is too long. */
    private static final int SHOWN = 40;

    private final ClientSettings settings;
    private final List<ServerLink> links = new ArrayList<>();
    private final List<ClientTable> tables = new ArrayList<>();
    private final Map<String, ClientTable> tablesByName = new HashMap<>();
    private final List<WorkerCore> workers = new ArrayList<>();
    private final ProcessLog unsent;
    private final PrefetchCounters prefetched = new PrefetchCounters();
    private final ProcessCache cache;
    private final BallReads ballReads;
    private final LinkWriter writer;
    private final @Nullable Succession succession;

    private final WireReader frame = new WireReader();
    private final WireReader message = new WireReader();

    // Never goes back; updates of clocks beyond it have not left the process.
    private int processClock;
    /** The last clock that all servers have, and so may apply. */
    private int committed;

    private @Nullable LazyTablesException failure;
    /** Whether nobody can go on where this process is, since a server has lost what it did. */
    private boolean forsaken;

    public ClientCore(ClientSettings settings) {
        this(settings, ProcessLog.PART_BYTES);
    }

    /** One whose updates are divided into messages of another size than usual. */
    public ClientCore(ClientSettings settings, int partBytes) {
        this.settings = settings;
        succession = settings.resume() ? new Succession(settings.process(), settings.servers()) : null;
        unsent = new ProcessLog(settings.workers(), settings.servers(), partBytes);
        cache = new ProcessCache(settings, links, tables, unsent, prefetched);
        ballReads = new BallReads(workers, unsent.unsent());
        writer = new LinkWriter(settings, links, tables, succession);
        for (int i = 0; i < settings.servers(); i++) {
            links.add(new ServerLink(i, settings.resume()));
        }
        for (int i = 0; i < settings.workers(); i++) {
            workers.add(new WorkerCore(i));
        }
    }

    public WorkerCore worker(int index) {
        return workers.get(index);
    }

    /** Does something with each worker. */
    public void forEachWorker(Consumer<WorkerCore> action) {
        workers.forEach(action);
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
        // Here and not at the server: the definition travels with the first question or update, and what a server
        // refuses ends the whole instance then.
        requireName("a table", name);
        requireOperation(spec.op());
        if (tables.size() == Protocol.MAX_TABLES) {
            throw LazyTablesException.of(BAD_TABLE, "There are " + Protocol.MAX_TABLES + " tables already");
        }
        var table = new ClientTable(tables.size(), name, spec);
        tables.add(table);
        tablesByName.put(name, table);
        return table;
    }

    /** Servers find an operation by its name alone: under that of a built-in one they would take that. */
    private static void requireOperation(CombineOp op) {
        if (op instanceof Combine) {
            return;
        }
        requireName("an operation", op.name());
        for (Combine builtIn : Combine.values()) {
            if (builtIn.name().equals(op.name())) {
                throw LazyTablesException.of(
                        BAD_TABLE,
                        "The operation " + op.getClass().getName() + " has the name of the built-in " + builtIn
                                + ", which servers would use in its place: give it a name of its own");
            }
        }
    }

    /**
     * A name that servers would not read ends the instance when it is sent; one that is no text would be another
     * table's.
     */
    private static void requireName(String of, String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw LazyTablesException.of(
                    BAD_TABLE,
                    "The name of " + of + " has half a surrogate pair, so it is no text: give it another name");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Protocol.MAX_NAME) {
            throw LazyTablesException.of(
                    BAD_TABLE,
                    "The name of " + of + " takes " + bytes + " bytes as UTF-8, and may take " + Protocol.MAX_NAME
                            + ": it begins with " + name.substring(0, name.offsetByCodePoints(0, SHOWN)));
        }
    }

    /**
     * The row with at least what the slack requires; null if a server has to be asked first, which the next
     * {@link #flush} does.
     */
    public @Nullable RowView read(WorkerCore worker, ClientTable table, long key, int slack) {
        return cache.read(worker, table, key, slack);
    }

    /**
     * The row no further than the radius from its state after the worker's clock; null if it is not known to be, in
     * which case a server is asked.
     */
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
        return cache.ahead().refresh(table, key, required, processClock);
    }

    /**
     * Asks for rows as reads that require this clock would, where the cache does not have them, without waiting.
     *
     * @param best the latest clock to ask for: where the cache has what is required, one clock more than it has is
     *     asked for up to this
     * @return whether a question is to be sent
     */
    public boolean refresh(ClientTable table, long[] keys, int required, int best) {
        return cache.ahead().refresh(table, keys, required, best, processClock);
    }

    /** Whether the next {@link #flush} asks servers for something. */
    public boolean hasQuestions() {
        // Asked at each read: no iterator.
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).hasQuestions()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends a clock of the worker: what it did goes to the shared cache and, when all workers have completed the clock,
     * to the servers.
     */
    public void clock(WorkerCore worker) {
        // First of all, as it may refuse the clock: nothing has changed then, and the worker may take a step back.
        BallReads.checkSteps(worker);
        WorkerLog log = worker.endClock();
        for (int i = 0; i < worker.dirty().size(); i++) {
            cache.toShared(worker.dirty().get(i), worker.logOfDirty(i));
        }
        // Only now: above, it says which rows the logs are of.
        worker.clearDirty();
        worker.clock++;
        keepForStrictReads(worker, log);
        // Before the clock may be complete, as this log is part of it.
        unsent.add(worker.index, log, worker.clock - processClock);
        worker.trim(settings.workerRows());
        completeClocks();
        // Last: what is asked for now is asked at the clock that begins.
        cache.ahead().onClock(worker);
    }

    /**
     * Ends the worker: what it did since its last clock is one more, and nobody waits for others of it. When all have
     * ended the process leaves.
     */
    public void end(WorkerCore worker) {
        if (!worker.dirty().isEmpty()) {
            clock(worker);
        }
        // What others did ahead of it may have waited for it alone.
        // Behind what it did: from here on it holds nobody back, and its log must be there when its clock completes.
        worker.end();
        completeClocks();
        if (workers.stream().allMatch(WorkerCore::hasEnded)) {
            leave();
        }
    }

    /** Tells servers, after all that was completed, that the others go on without this process. */
    public void leave() {
        writer.leave(true);
    }

    /**
     * Tells servers, after all that was completed, that this process ends; unless all its workers have ended it is not
     * done, and its place stays.
     */
    public void close() {
        writer.leave(workers.stream().allMatch(WorkerCore::hasEnded));
    }

    /**
     * Whether the servers have all updates of the clocks that the process completed, for good, and its end if it ends.
     */
    public boolean isDelivered() {
        return links.stream().allMatch(link -> link.kept.isEmpty() && (link.hasEnd() || !writer.isLeaving()));
    }

    /** Whether workers may begin: all servers have let the process in, at the clock at which its workers are. */
    public boolean isPlaced() {
        return links.stream().allMatch(ServerLink::isPlaced);
    }

    /** Whether all servers have let the process in over a connection that stands. */
    public boolean isWelcome() {
        return links.stream().allMatch(ServerLink::isWelcome);
    }

    /** Whether servers that are lost from now on lose nothing that a process before this one sent. */
    public boolean isInheritanceStored() {
        return links.stream().allMatch(ServerLink::isInheritanceStored);
    }

    /**
     * Whether all servers are connected and have said that all up to this clock has come; only of a process that
     * resumes.
     */
    public boolean isEverywhere(int clock) {
        return links.stream().allMatch(link -> link.isWelcome() && link.staged >= clock);
    }

    /** About how many bytes of updates are kept for servers that may lose them. */
    public long keptBytes() {
        long bytes = 0;
        for (ServerLink link : links) {
            bytes += link.keptBytes;
        }
        return bytes;
    }

    /**
     * Whether the worker may go on, where no more than a number of bytes is to be kept. What waits until all workers of
     * the process have completed its clock counts only for those who are ahead: who is waited for goes on.
     */
    public boolean hasRoom(WorkerCore worker, long limit) {
        return keptBytes() + (worker.clock > processClock ? unsent.bytes() : 0) <= limit;
    }

    /** Why the worker may not go on, as a text for people. */
    public String describeFull(long limit) {
        return keptBytes() > limit ? LinkTexts.kept(links) : LinkTexts.unsent(unsent.bytes(), workers);
    }

    /** What servers do not have of what the process completed, as a text for people. */
    public String describeUndelivered() {
        return LinkTexts.undelivered(links);
    }

    /** What was done so far, and what waits. */
    public Statistics statistics(Statistics.Traffic traffic) {
        return ClientStatistics.of(workers, processClock, unsent.unsent(), links, prefetched.sums(), traffic);
    }

    /** Whom a read waits for, as a text for people. */
    public String describe(ClientTable table, long key, int required) {
        ServerLink link = links.get(table.server(key, settings.servers()));
        return LinkTexts.waiting(
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
        return LinkTexts.waiting(links.get(table.server(key, settings.servers())), what, worker.clock);
    }

    /** Why a read that needs this clock waits in vain; null if it need not. */
    public @Nullable LazyTablesException hopeless(ClientTable table, long key, int required) {
        return LinkTexts.hopeless(links.get(table.server(key, settings.servers())), required);
    }

    /** Why a read within a radius waits in vain; null if it need not. */
    public @Nullable LazyTablesException hopelessWithin(WorkerCore worker, ClientTable table, long key, double radius) {
        // The one that does not come is missing with as many clocks as lie between.
        return hopeless(
                table,
                key,
                worker.clock - (int) Math.min(BallReads.clocksWithin(radius, table.spec.maxStep()), worker.clock));
    }

    /** Sends what there is to say and room for; to be called again when there is more room. */
    public void flush(FrameSender sender) {
        for (ServerLink link : links) {
            if (link.isConnected() && forsaken) {
                writer.forsake(link, sender);
            } else if (link.isConnected()) {
                writer.write(link, sender, processClock, committed);
            }
        }
    }

    @Override
    public void onOpen(int peer) {
        ServerLink link = links.get(peer);
        link.opened();
        if (failure != null && !forsaken) {
            // Who was sent away does not come again: it would take the place of the one that has its own.
            return;
        }
        writer.hello(link);
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {
        links.get(peer).closed();
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
            // Others wait for this process: only a loss cannot be made good by another one in its place.
            // The first cause counts. What comes of it, such as waits that end, would only hide it.
            forsaken = cause.code() == LazyTablesException.Code.LOST;
        }
    }

    private void onMessage(ServerLink link, int kind) {
        switch (kind) {
            case Protocol.WELCOME -> onWelcome(link);
            case Protocol.ROW -> cache.onRows(link, tableOfMessage(), message, false);
            case Protocol.PUSH -> cache.onRows(link, tableOfMessage(), message, true);
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
        // Decided once, when the last server has answered; one that asks again is told the same.
        boolean before = succession.isDecided();
        try {
            int generation = message.getInt("The generation", 0, Integer.MAX_VALUE - 1);
            int complete = message.getInt("The clock", 0, Integer.MAX_VALUE);
            int touched = message.getInt("The clock", 0, Integer.MAX_VALUE);
            int counted = message.getInt("Whether it was counted", 0, Protocol.SKIPPED);
            succession.said(
                    link.server,
                    new Succession.Place(
                            generation,
                            complete,
                            touched,
                            counted == Protocol.JOINED,
                            counted == Protocol.SKIPPED,
                            message.getInt("The leg", 0, Integer.MAX_VALUE),
                            message.getLong()));
        } catch (LazyTablesException e) {
            fail(e);
            return;
        }
        link.asked();
        if (!before && succession.isDecided()) {
            // Before any server lets the process in, so workers have not begun: their clocks can still be set.
            processClock = succession.clock();
            committed = processClock;
            workers.forEach(worker -> worker.clock = processClock);
        }
    }

    private void onStaged(ServerLink link) {
        // What a server says is checked against what was sent: none has more than there is.
        link.staged = message.getInt("The clock", 0, processClock);
        int least = Integer.MAX_VALUE;
        for (ServerLink each : links) {
            least = Math.min(least, each.staged);
        }
        // A server that was lost begins to count anew, but what all of them had they will have again.
        committed = Math.max(committed, least);
    }

    /** Sends again what the server does not have, and asks again what it has not answered. */
    private void onWelcome(ServerLink link) {
        message.getInt("The version", Protocol.VERSION, Protocol.VERSION);
        link.globalClock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        long applied = message.getVar("The sequence", 0, link.isPlaced() ? link.made : Long.MAX_VALUE);
        // Of a process that resumes, the first WELCOME tells how many updates its predecessor had made there; its own
        // are numbered behind them, on each server from another number.
        link.letIn(applied);
        long received = message.getVar("The sequence", applied, link.made);
        // A snapshot that is older than what the server promised: nobody can send the difference again.
        if (link.lacksDropped(applied)) {
            fail(LazyTablesException.of(
                    LazyTablesException.Code.LOST,
                    "Server " + link.server + " has this process's updates up to " + applied
                            + " only, and later ones were dropped after it said that it had them: was it"
                            + " started without its snapshot?"));
            return;
        }
        // Two numbers: what was applied need never come again; what has come and waits for its word, neither, but it
        // may still be given up with the connection's server.
        link.welcomed(applied, received);
    }

    private void onClocks(ServerLink link) {
        link.globalClock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        link.slowest = message.getInt("The process", 0, Protocol.MAX_PROCESSES);
        link.applied = message.getVar("The sequence", 0, link.made);
        link.durable(message.getVar("The sequence", 0, link.made));
        link.outlook = message.getInt("Whether the process comes", 0, Protocol.GONE);
    }

    private ClientTable tableOfMessage() {
        int id = message.getInt("The table", 0, Protocol.MAX_TABLES);
        if (id >= tables.size()) {
            throw new WireException("There is no table of number " + id);
        }
        return tables.get(id);
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

    private void completeClocks() {
        int most = 0;
        int least = Integer.MAX_VALUE;
        for (WorkerCore worker : workers) {
            least = Math.min(least, worker.holdsBackAt());
            most = Math.max(most, worker.clock);
        }
        // When all workers have ended there is no least clock: what the one furthest ahead did counts, too.
        while (processClock < Math.min(least, most)) {
            // Clock by clock, though a worker that ends may complete many at once: servers take each as one, and parts
            // of two are never joined.
            processClock++;
            @Nullable WorkerLog[] logs = unsent.next();
            for (ServerLink link : links) {
                unsent.makeUpdates(link, tables, processClock, logs);
            }
            // Strict rows of clocks that no worker can require any more go, and with them whatever was asked of them.
            tables.forEach(table -> table.processReached(processClock, cache::dropped));
            cache.trim(processClock);
        }
    }
}
