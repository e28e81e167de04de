package io.leeway.lazytables.internal.sim;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.server.ClockTables;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.server.TablesSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random programs on the real code of clients and servers, and the check of everything that their reads return.
 *
 * <p>Every update adds 1 to a column of its row that no other update uses. So a row's values say which updates it holds: a column of 1 was applied, of 0 was not, and of anything else was applied
 * twice. The simulator knows who made each update and when, and compares. Each update also adds to one column that all share, which must show as many as the others.
 *
 * <p>In tables with limited steps the shared column makes the steps of many workers point nearly the same way, so that a row is nearly as far from another as it can be. Reads
 * within a radius are checked when the program is over: what the row was after the clock in question is known then, and so is the distance.
 *
 * <p>So are the tables that servers take of the ends of clocks: they hold the updates of these clocks and of no later one.
 */
public final class Simulation {

    private static final List<CellType> TYPES = List.of(CellType.values());
    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final int COLUMNS = 400;
    /** The column that all updates share, and what they add to it. */
    private static final int SHARED_COLUMN = COLUMNS - 1;

    private static final int SHARED_STEP = 3;
    /** How many frames a connection has room for, and about how long a message with updates is, in programs where that is not enough. */
    private static final int[] ROOMS = {1, 1, 2, Integer.MAX_VALUE};

    private static final int[] PART_BYTES = {1, 20, 60};
    private static final int WIDE = 30;
    private static final int[] WIDE_SLACKS = {5, WIDE, TableSpec.ASYNC};
    /** In one of so many steps a snapshot is taken or stored, or a server lost; the second where workers wait for it. */
    private static final int SNAPSHOTS = 300;

    private static final int AWAITED_SNAPSHOTS = 20;
    /** A server is lost so often instead of a snapshot that is taken or stored. */
    private static final int CRASHES = 4;

    private static final int MAX_STEPS = 400_000;
    private static final int TRACE = 60;
    private static final int[] SLOWNESS = {1, 1, 1, 8, 64};
    /** How often workers may ask again in vain before that counts as the end of all movement. */
    private static final int WAITS = 5_000;

    /** What became of an update whose process was lost: it counts, was given up, or either. */
    private enum Fate {
        COUNTS,
        GIVEN_UP,
        EITHER
    }

    private final Random random;
    private final long seed;
    private final int processes;
    private final int workersEach;
    private final int clocks;
    /** After how many clocks workers end that do so before others of their process. */
    private final int[] endsAt = new int[3];

    private final int slack;
    /** What workers of a process wait for behind a clock: until it keeps no more than this for its servers, which then store nothing but what somebody asks for. */
    private final long keptLimit;

    /** Whether connections have room for little at a time. */
    private final boolean narrow;

    private final int partBytes;
    private final int breaks;
    private final boolean recoverable;
    /** Whether processes may be lost, and others take their places or join. */
    private final boolean resumes;
    /** Each server's snapshots that are stored, the newest and the one before it, and the one that is being stored. */
    private final List<byte[]> stored = new ArrayList<>();

    private final List<byte[]> storedBefore = new ArrayList<>();

    private final List<byte[]> taken = new ArrayList<>();
    private final List<ClientCore> clients = new ArrayList<>();
    private final List<ServerCore> servers = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final Network network;
    private final List<TableSpec> specs = new ArrayList<>();
    private final Map<String, RowHistory> rows = new HashMap<>();
    private final List<BallRead> ballReads = new ArrayList<>();
    /** After how many clocks servers take their tables, and what they took: by clock and server. */
    private final int tablesEvery;

    private final Map<Integer, Map<Integer, byte[]>> tablesOfClocks = new TreeMap<>();
    /** Whether workers stop waiting for some reads within a radius and go on, as after a time-out. */
    private final boolean impatient;

    private final boolean[] unflushed;
    /** Processes that ended, before others. */
    private final boolean[] left;
    /** Processes that were lost, those of them that a server goes on without, and how many had been lost. */
    private final boolean[] dead;

    private final boolean[] dropped;
    /** Processes that have come back after they ended: then all are waited for again, where they ended. */
    private final boolean[] returned;
    /** In some programs processes come back after they ended; then each does so many clocks more. */
    private final int clocksOfSecondLeg;
    /** Whether servers may be lost while a process is, with what only that process could have sent again. */
    private final boolean losesBoth;
    /** Whether a server was lost before it had stored of which run it is, and a process was missed that it could have heard that from. */
    private boolean bothForgotten;
    /** Whether that has happened: a part of what a process did may be gone, which is said then, also to others that wait for it. */
    private boolean bothLost;
    /** Whether, after that, a process does again what others may have seen of the one before it. */
    private boolean redone;
    /** Processes that have come back and begun. */
    private final boolean[] hasBegunAgain = new boolean[4];
    /** The last clock of each process's predecessor that may have counted. */
    private final int[] committedBefore = new int[4];
    /** Whether the run cannot go on, as somebody was told. */
    private boolean isOver;

    /** The clock of each process that may have counted when a server was lost: the process is not lost before the server has it again. */
    private final int[] countedAtLoss;

    private long incarnations;
    private boolean hasJoined;
    /** Whether a process has joined, or servers have gone on without one. */
    private boolean membersChanged;

    private final Map<String, Integer> slowness = new HashMap<>();
    /** Slow links get nothing done where connections break for ever. */
    private int faultsLeft = 30;

    private int waits;
    private final ArrayDeque<String> trace = new ArrayDeque<>();

    private Simulation(long seed) {
        this.seed = seed;
        random = new Random(seed);
        processes = 1 + random.nextInt(3);
        workersEach = 1 + random.nextInt(3);
        clocks = 2 + random.nextInt(6);
        // Numbers of their own, so that what is drawn seldom leaves the other programs as they are.
        var seldom = new SplittableRandom(~seed);
        int usual = random.nextInt(4);
        slack = seldom.nextInt(8) > 0 ? usual : WIDE_SLACKS[seldom.nextInt(WIDE_SLACKS.length)];
        breaks = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(60);
        recoverable = random.nextBoolean();
        resumes = random.nextBoolean();
        impatient = random.nextInt(4) == 0;
        int serverCount = 1 + random.nextInt(3);
        for (int i = 0; i < serverCount; i++) {
            servers.add(recoverable ? ServerCore.recoverable(processes, OPS) : new ServerCore(processes, OPS));
            stored.add(null);
            storedBefore.add(null);
            taken.add(null);
        }
        keptLimit =
                recoverable && seldom.nextInt(3) == 0 ? serverCount * (500L + seldom.nextInt(1_000)) : Long.MAX_VALUE;
        boolean someEnd = seldom.nextInt(3) == 0;
        for (int i = 0; i < endsAt.length; i++) {
            endsAt[i] = someEnd && seldom.nextBoolean() ? 1 + seldom.nextInt(clocks) : Integer.MAX_VALUE;
        }
        narrow = seldom.nextBoolean();
        partBytes = narrow ? PART_BYTES[seldom.nextInt(PART_BYTES.length)] : 1 << 20;
        clocksOfSecondLeg = resumes && seldom.nextInt(3) == 0 ? 1 + seldom.nextInt(4) : 0;
        losesBoth = resumes && recoverable && seldom.nextInt(4) == 0;
        tablesEvery = 1 + (int) Math.floorMod(seed, 3L);
        for (int i = 0; i < serverCount; i++) {
            takeTables(i, servers.get(i));
        }
        makeSpecs();
        for (int p = 0; p < processes; p++) {
            clients.add(newClient(p));
            for (int w = 0; w < workersEach; w++) {
                workers.add(new Worker(p, w));
            }
        }
        // One more place, for a process that joins.
        unflushed = new boolean[processes + 1];
        left = new boolean[processes + 1];
        dead = new boolean[processes + 1];
        dropped = new boolean[processes + 1];
        returned = new boolean[processes + 1];
        countedAtLoss = new int[processes + 1];
        network = new Network(clients, servers, () -> narrow ? ROOMS[seldom.nextInt(ROOMS.length)] : Integer.MAX_VALUE);
    }

    /** A server that is restarted may come to a clock again; what it took first counts, as where it is stored. */
    private void takeTables(int number, ServerCore server) {
        server.takesTables(tablesEvery, new TablesSink() {
            @Override
            public boolean hasRoom() {
                return true;
            }

            @Override
            public void take(int clock, byte[] tables) {
                tablesOfClocks.computeIfAbsent(clock, c -> new TreeMap<>()).putIfAbsent(number, tables);
            }
        });
    }

    private ClientCore newClient(int process) {
        Prefetch any = prefetch();
        // What is sent unasked waits for room, too.
        Prefetch prefetch = narrow && incarnations % 2 == 0 ? Prefetch.pushed() : any;
        var settings = new ClientSettings(
                process,
                processes,
                workersEach,
                servers.size(),
                ++incarnations,
                prefetch,
                cacheRows(),
                cacheRows(),
                resumes,
                keptLimit(random.nextBoolean()));
        return new ClientCore(settings, partBytes);
    }

    /** What a process is told: the limit at which workers wait, or none, or one at which they ask for snapshots and do not wait. */
    private long keptLimit(boolean none) {
        if (keptLimit < Long.MAX_VALUE) {
            return keptLimit;
        }
        return none ? Long.MAX_VALUE : 1_000;
    }

    /** Runs the random program of the seed; an {@link AssertionError} says which promise was broken. */
    public static void run(long seed) {
        new Simulation(seed).run();
    }

    private void makeSpecs() {
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            CellType type = TYPES.get(random.nextInt(TYPES.size()));
            TableSpec spec = random.nextBoolean() ? TableSpec.dense(type, COLUMNS) : TableSpec.sparse(type);
            spec = spec.rows(1 + random.nextInt(6)).slack(slack);
            specs.add(
                    switch (random.nextInt(6)) {
                        case 0, 1 -> slack == TableSpec.ASYNC ? spec : spec.asStrict();
                        case 2, 3 -> spec.maxStep(length(1 + random.nextInt(2)));
                        default -> spec;
                    });
        }
    }

    /** How far so many updates move a row of a table with limited steps. */
    private static double length(int updates) {
        return Math.sqrt(updates + (double) SHARED_STEP * SHARED_STEP * updates * updates);
    }

    private Prefetch prefetch() {
        return List.of(
                        Prefetch.NONE,
                        Prefetch.learned(),
                        Prefetch.pushed(),
                        Prefetch.automatic(1, 1),
                        Prefetch.automatic(100, Integer.MAX_VALUE))
                .get(random.nextInt(5));
    }

    private int cacheRows() {
        return random.nextInt(3) == 0 ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
    }

    private void run() {
        for (int step = 0; step < MAX_STEPS; step++) {
            if (redone || bothForgotten && clients.stream().anyMatch(Simulation::isOfAnotherRun)) {
                // Who was told that begins the run anew.
                return;
            }
            if (isOver && workers.stream().allMatch(worker -> worker.done || isLost(worker.client))) {
                return;
            }
            if (!isOver && workers.stream().allMatch(worker -> worker.done) && allHaveReturned()) {
                ballReads.forEach(this::checkDistance);
                tablesOfClocks.forEach(this::checkTables);
                return;
            }
            step();
        }
        throw failure("The program does not end");
    }

    /** Compares what a read within a radius returned with what the row was after the clock, which is known now. */
    private void checkDistance(BallRead read) {
        // Who comes later adds steps to clocks that others are ahead of. What a process did that was lost is not there
        // any more.
        if (membersChanged || read.by.client != clients.get(read.by.process)) {
            return;
        }
        List<Update> updates = read.history.updates;
        int apart = 0;
        int surplus = 0;
        for (int i = 0; i < updates.size(); i++) {
            Update update = updates.get(i);
            boolean belongs = update.clock <= read.clock && !update.takenBack && update.fate == Fate.COUNTS;
            boolean there = read.held.get(i);
            apart += belongs == there ? 0 : 1;
            surplus += (there ? 1 : 0) - (belongs ? 1 : 0);
        }
        double distance = Math.sqrt(apart + (double) SHARED_STEP * SHARED_STEP * surplus * surplus);
        if (distance > read.radius * (1 + 1e-12)) {
            throw failure("Ball: " + read.what + " within " + read.radius + " and is " + distance + " away");
        }
    }

    /** Looks at what all servers took of a clock; in some programs one of them was lost when it had passed its end. */
    private void checkTables(int clock, Map<Integer, byte[]> byServer) {
        if (byServer.size() < servers.size()) {
            return;
        }
        ClockTables tables = ClockTables.of(clock, List.copyOf(byServer.values()), OPS);
        for (int i = 0; i < specs.size(); i++) {
            ClockTables.OfTable table = tables.tables().get("t" + i);
            for (long row = 0; row < specs.get(i).rows(); row++) {
                RowHistory history = rows.get(Worker.key(i, row));
                Row held = table == null ? null : table.rows().get(row);
                checkEnd(clock, Worker.key(i, row), history == null ? List.of() : history.updates, held);
            }
        }
    }

    private void checkEnd(int clock, String key, List<Update> updates, @Nullable Row row) {
        int all = 0;
        for (int i = 0; i < updates.size(); i++) {
            Update update = updates.get(i);
            boolean there = row != null && row.getDouble(i) == 1;
            all += there ? 1 : 0;
            boolean belongs = !update.takenBack && update.clock <= clock && update.fate != Fate.GIVEN_UP;
            if (there != belongs && (there || update.fate == Fate.COUNTS)) {
                throw failure("Tables of clock " + clock + " have " + key + (there ? " with" : " without") + " column "
                        + i + " of " + update.by.name + " in clock " + update.clock);
            }
        }
        if (row != null && row.getDouble(SHARED_COLUMN) != all * SHARED_STEP) {
            throw failure("Tables of clock " + clock + " have " + key + " with " + row.getDouble(SHARED_COLUMN)
                    + " for " + all + " updates");
        }
    }

    private boolean allHaveReturned() {
        for (int i = 0; i < processes && clocksOfSecondLeg > 0; i++) {
            if (!returned[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the process was told that what one before it did is gone; which may be only where both it and a server were lost. */
    private boolean isLost(ClientCore client) {
        return bothLost && client.failure() != null && client.failure().code() == LazyTablesException.Code.LOST;
    }

    /**
     * Whether the process was told that servers are of different runs. Of which run they are they hear from processes: where both
     * a server and a process were lost before that was stored, two of them may have heard different things.
     */
    private static boolean isOfAnotherRun(ClientCore client) {
        return client.failure() != null && client.failure().code() == LazyTablesException.Code.SNAPSHOT;
    }

    private void step() {
        for (int i = 0; i < clients.size(); i++) {
            if (isLost(clients.get(i))) {
                isOver = true;
                unflushed[i] |= !dead[i];
            } else if (clients.get(i).failure() != null && !dead[i]) {
                throw failure("Process " + i + " failed: " + clients.get(i).failure());
            }
        }
        List<Runnable> possible = new ArrayList<>();
        for (Worker worker : workers) {
            if (!worker.done
                    && worker.client.isPlaced()
                    && (!losesBoth || worker.client.isInheritanceStored())
                    && !dead[worker.process]
                    && !isLost(worker.client)
                    && isItsTurn(worker.name)) {
                possible.add(worker::step);
            }
        }
        for (int i = 0; i < clients.size(); i++) {
            if (unflushed[i]) {
                int process = i;
                possible.add(() -> flush(process));
            }
        }
        for (Network.Link link : network.links()) {
            if (link.isBusy() && isItsTurn("link" + link.client + "-" + link.server)) {
                possible.add(() -> link.step(random));
            }
        }
        if (waits == workers.size() * WAITS) {
            throw failure("Every worker waits, and nothing is under way");
        }
        int snapshots = keptLimit == Long.MAX_VALUE ? SNAPSHOTS : AWAITED_SNAPSHOTS;
        if (faultsLeft > 0 && random.nextInt(10_000) < breaks) {
            faultsLeft--;
            Network.Link link =
                    network.links().get(random.nextInt(network.links().size()));
            note("break " + link.client + "-" + link.server);
            link.breakDown(random);
            return;
        }
        if (recoverable && random.nextInt(snapshots) == 0) {
            snapshotOrCrash(random.nextInt(servers.size()));
            return;
        }
        if (resumes && random.nextInt(400) == 0) {
            loseOrReplace(random.nextInt(clients.size()));
            return;
        }
        if (clocksOfSecondLeg > 0 && random.nextInt(100) == 0) {
            comeBack(random.nextInt(processes));
            return;
        }
        if (possible.isEmpty()) {
            return;
        }
        possible.get(random.nextInt(possible.size())).run();
        boolean moved = network.links().stream().anyMatch(Network.Link::isBusy)
                || workers.stream().anyMatch(worker -> !worker.blocked && !worker.done && !worker.isInClock());
        waits = moved ? 0 : waits + 1;
    }

    /** A snapshot of a server is taken, or stored, or the server is lost and goes on from the one that was stored last. */
    private void snapshotOrCrash(int number) {
        boolean awaited = keptLimit < Long.MAX_VALUE;
        int crashes = awaited ? CRASHES * SNAPSHOTS / AWAITED_SNAPSHOTS : CRASHES;
        if (faultsLeft > 0 && random.nextInt(crashes) == 0 && (losesBoth && !isOver || noClientIsMissed())) {
            faultsLeft--;
            bothLost |= !noClientIsMissed();
            if (noneHasLeft() && random.nextInt(3) == 0) {
                note("the newest snapshot of server " + number + " is damaged");
                stored.set(number, storedBefore.get(number));
            }
            for (int i = 0; i < clients.size(); i++) {
                // A single server is told at once.
                countedAtLoss[i] = servers.size() == 1
                        ? clients.get(i).processClock()
                        : clients.get(i).committed();
            }
            storedBefore.set(number, stored.get(number));
            byte[] snapshot = stored.get(number);
            note("server " + number + " is lost and has " + (snapshot == null ? "no" : "a") + " snapshot");
            taken.set(number, null);
            ServerCore next =
                    snapshot == null ? ServerCore.recoverable(processes, OPS) : ServerCore.restore(snapshot, OPS);
            bothForgotten |= next.run() == 0 && !noClientIsMissed();
            takeTables(number, next);
            network.replaceServer(number, next);
        } else if (taken.get(number) == null && (!awaited || servers.get(number).wantsSnapshot())) {
            note("snapshot of server " + number);
            taken.set(number, servers.get(number).snapshot());
        } else if (taken.get(number) != null) {
            note("snapshot of server " + number + " is stored");
            storedBefore.set(number, stored.get(number));
            stored.set(number, taken.get(number));
            taken.set(number, null);
            servers.get(number).snapshotStored();
            network.flushServer(number);
        }
    }

    /** A server that is lost while a process is, takes with it what only that process could send again. */
    private boolean noClientIsMissed() {
        for (int i = 0; i < clients.size(); i++) {
            if (dead[i] || !clients.get(i).isInheritanceStored()) {
                return !resumes;
            }
        }
        return true;
    }

    /** Who ends does not wait until two snapshots hold all that it did. */
    private boolean noneHasLeft() {
        for (boolean hasLeft : left) {
            if (hasLeft) {
                return false;
            }
        }
        return true;
    }

    /** A process is lost, or a server goes on without it, or another takes its place; or one more joins. */
    private void loseOrReplace(int process) {
        ClientCore client = clients.get(process);
        if (dead[process]) {
            int server = random.nextInt(servers.size());
            if (!losesBoth && random.nextInt(3) == 0 && network.missesOnly(server, process)) {
                drop(process, server);
            } else {
                replace(process);
            }
        } else if (!hasJoined && random.nextInt(6) == 0) {
            join();
        } else if (faultsLeft > 0
                && !left[process]
                && (!client.isPlaced()
                        || client.isEverywhere(countedAtLoss[process]) && network.isConnected(process))) {
            faultsLeft--;
            note("process " + process + " is lost at clock " + client.processClock() + ", committed "
                    + client.committed());
            dead[process] = true;
            network.killClient(process, random);
        }
    }

    /** A process that has ended is started again and goes on. */
    private void comeBack(int process) {
        // Those that others wait for come once more.
        boolean awaited = !returned[process] || waits > workers.size() * 20;
        if (left[process] && awaited && !dead[process] && clients.get(process).isDelivered()) {
            note("process " + process + " comes back after its end at clock "
                    + clients.get(process).processClock());
            returned[process] = true;
            left[process] = false;
            network.killClient(process, random);
            replace(process);
        }
    }

    private void drop(int process, int server) {
        ServerCore core = servers.get(server);
        core.expire(1, 1);
        if (!core.expire(3, 1).isEmpty()) {
            note("server " + server + " goes on without process " + process);
            dropped[process] = true;
            membersChanged = true;
            network.flushServer(server);
            for (RowHistory row : rows.values()) {
                for (Update update : row.updates) {
                    // The server keeps what has come, and what others have of it is theirs to say.
                    if (update.by.process == process && update.clock > update.by.client.committed()) {
                        update.fate = Fate.EITHER;
                    }
                }
            }
        }
    }

    private void replace(int process) {
        note("another process " + process + " begins");
        ClientCore before = clients.get(process);
        committedBefore[process] =
                Math.max(committedBefore[process], servers.size() == 1 ? before.processClock() : before.committed());
        clients.set(process, newClient(process));
        dead[process] = false;
        unflushed[process] = false;
        for (int i = 0; i < workers.size(); i++) {
            Worker worker = workers.get(i);
            if (worker.process == process) {
                workers.set(i, new Worker(process, worker.core.index()));
            }
        }
        network.reviveClient(process);
    }

    private void join() {
        hasJoined = true;
        membersChanged = true;
        int process = clients.size();
        note("process " + process + " joins");
        clients.add(newClient(process));
        for (int w = 0; w < workersEach; w++) {
            workers.add(new Worker(process, w));
        }
        network.addClient();
    }

    /** The last clock of the process that may have counted. */
    private int countedOf(int process) {
        return Math.max(countedAtLoss[process], committedBefore[process]);
    }

    /** What a process that was lost had done behind the clock at which the next one goes on is given up. */
    private void giveUp(int process, int clock) {
        for (RowHistory row : rows.values()) {
            for (Update update : row.updates) {
                if (update.by.process == process
                        && update.by.client != clients.get(process)
                        && update.fate == Fate.COUNTS
                        && update.clock > clock) {
                    update.fate = Fate.GIVEN_UP;
                }
            }
        }
        dropped[process] = false;
    }

    /** Some workers and links are slow for the whole run. */
    private boolean isItsTurn(String name) {
        return random.nextInt(slowness.computeIfAbsent(name, n -> SLOWNESS[random.nextInt(SLOWNESS.length)])) == 0;
    }

    /** Some processes end earlier than others. */
    private int clocksOf(int process) {
        int first = process % 2 == 0 || haveEqualClocks() ? clocks : (clocks + 1) / 2;
        return first + (returned[process] ? clocksOfSecondLeg : 0);
    }

    /** Whether all processes end at the same clock, so that each goes on from there when it comes back; where some end before others these go on without them. */
    private boolean haveEqualClocks() {
        return clocksOfSecondLeg % 2 == 1;
    }

    /** Whether nobody may be beyond the clock at which a process has ended before that has come back. */
    private boolean isAwaited(int process) {
        return left[process]
                && !returned[process]
                && process < processes
                && clocksOfSecondLeg > 0
                && haveEqualClocks()
                && !membersChanged;
    }

    private void flush(int process) {
        unflushed[process] = false;
        network.flushClient(process);
    }

    private void note(String event) {
        trace.add(event);
        if (trace.size() > TRACE) {
            trace.remove();
        }
    }

    private AssertionError failure(String what) {
        return new AssertionError(what + "\nseed " + seed + ", " + processes + " processes of " + workersEach
                + " workers, " + servers.size() + " servers, slack " + slack + ", kept limit "
                + keptLimit + ", tables " + specs + "\n"
                + servers.stream()
                        .map(server ->
                                server.status().processes() + (server.status().recovering() ? " recovering\n" : "\n"))
                        .collect(Collectors.joining())
                + String.join("\n", trace));
    }

    /** What happened to a row: its updates by column. */
    private static final class RowHistory {

        final List<Update> updates = new ArrayList<>();
    }

    /** An update and who made it, in which of its clocks, from 1. */
    private static final class Update {

        final Worker by;
        final int clock;
        Fate fate = Fate.COUNTS;
        /** Whether it was undone before the clock was over, so that nobody else may see it. */
        boolean takenBack;

        Update(Worker by, int clock) {
            this.by = by;
            this.clock = clock;
        }
    }

    /** What a read within a radius returned at a clock: the updates that the row held but for those that the reader made later. */
    private record BallRead(Worker by, String what, RowHistory history, int clock, double radius, BitSet held) {}

    /** A thread of a client process: a random program. */
    private final class Worker {

        private final int process;
        private final String name;
        private final ClientCore client;
        private final WorkerCore core;
        private final List<ClientTable> tables = new ArrayList<>();
        /** What this worker saw of each row when it read it last. */
        private final Map<String, BitSet> seen = new HashMap<>();

        private boolean begun;
        private int actionsLeft;
        private boolean readThisClock;
        private boolean blocked;
        private boolean done;
        private int wantedTable;
        private long wantedRow;
        private int wantedSlack;
        /** The radius within which the row is read; negative for a read by clocks. */
        private double wantedRadius;

        Worker(int process, int index) {
            this.process = process;
            name = process + "." + index;
            client = clients.get(process);
            core = client.worker(index);
            for (int i = 0; i < specs.size(); i++) {
                tables.add(client.define("t" + i, specs.get(i)));
            }
        }

        /** Where the process goes on; it may be that nothing is left to do. */
        private void begin() {
            begun = true;
            if (bothLost && client.processClock() < countedOf(process)) {
                // What the one before it did is done again; what others have seen of it is theirs.
                redone = true;
            }
            if (returned[process] && haveEqualClocks() && !membersChanged && !bothLost) {
                checkReturn();
            }
            giveUp(process, client.processClock());
            if (core.clock() < clocksOf(process)) {
                beginClock();
            } else {
                actionsLeft = 0;
            }
        }

        private void checkReturn() {
            if (client.processClock() < clocks || !hasBegunAgain[process] && client.processClock() != clocks) {
                throw failure(name + " ended at clock " + clocks + " and goes on at " + client.processClock());
            }
            hasBegunAgain[process] = true;
        }

        void step() {
            LazyTablesException broken = client.failure();
            if (broken != null) {
                throw failure("Process " + process + " failed: " + broken);
            }
            if (!begun) {
                begin();
            }
            if (isInClock()) {
                return;
            }
            if (blocked && impatient && wantedRadius >= 0 && random.nextInt(10) == 0) {
                blocked = false;
                readThisClock = true;
            } else if (blocked) {
                read();
            } else if (!readThisClock) {
                // One read in each clock keeps workers together.
                wantRead(core.clock() < clocksOf(process) ? slack : 0, core.clock() < clocksOf(process));
            } else if (actionsLeft-- > 0) {
                act();
            } else {
                endClock();
            }
            unflushed[process] = true;
        }

        /** Whether it still waits for servers to store what the process keeps. */
        private boolean isInClock() {
            return client.keptBytes() > keptLimit;
        }

        private void act() {
            if (random.nextInt(8) == 0) {
                ClientTable table = tables.get(random.nextInt(tables.size()));
                int ahead = table.spec().strict() ? 0 : random.nextInt(2);
                client.refresh(table, random.nextInt((int) table.spec().rows()), core.required(slack) + ahead);
            } else if (random.nextBoolean()) {
                wantRead(anySlack(), true);
            } else {
                update(random.nextInt(tables.size()));
            }
        }

        private int anySlack() {
            return slack == TableSpec.ASYNC && random.nextBoolean() ? slack : random.nextInt(Math.min(slack, WIDE) + 1);
        }

        private void update(int number) {
            ClientTable table = tables.get(number);
            long row = random.nextInt((int) table.spec().rows());
            List<Update> updates = history(number, row).updates;
            if (updates.size() == SHARED_COLUMN) {
                return;
            }
            int column = updates.size();
            updates.add(new Update(this, core.clock() + 1));
            note(name + " at " + core.clock() + " updates " + key(number, row) + " column " + column);
            add(table, row, column, 1);
        }

        private void add(ClientTable table, long row, int column, int times) {
            addTo(table, row, column, times);
            addTo(table, row, SHARED_COLUMN, times * SHARED_STEP);
        }

        private void addTo(ClientTable table, long row, int column, int value) {
            if (table.spec().type().integral()) {
                core.updateLong(table, row, column, value);
            } else {
                core.updateDouble(table, row, column, value);
            }
        }

        private void endClock() {
            note(name + " ends clock " + (core.clock() + 1));
            for (int i = 0; i < tables.size(); i++) {
                if (tables.get(i).spec().maxStep() > 0) {
                    takeBackWhatIsTooMuch(i);
                }
            }
            client.clock(core);
            if (core.clock() >= endsAt[(process + core.index()) % endsAt.length]
                    && !returned[process]
                    && !(clocksOfSecondLeg > 0 && haveEqualClocks())) {
                end();
            } else if (core.clock() < clocksOf(process)) {
                beginClock();
            } else {
                // A last clock of nothing but reads that see all.
                actionsLeft = 0;
                wantRead(0, false);
            }
        }

        /** Some have done something since their last clock, which is one more then. */
        private void end() {
            if (random.nextBoolean()) {
                update(random.nextInt(tables.size()));
                for (int i = 0; i < tables.size(); i++) {
                    if (tables.get(i).spec().maxStep() > 0) {
                        takeBackWhatIsTooMuch(i);
                    }
                }
            }
            client.end(core);
            note(name + " ends after " + core.clock());
            done = true;
            leaveIfAllAreDone();
        }

        private void takeBackWhatIsTooMuch(int number) {
            ClientTable table = tables.get(number);
            for (long row = 0; row < table.spec().rows(); row++) {
                List<Update> updates = history(number, row).updates;
                int most = 0;
                while (length(most + 1) <= table.spec().maxStep()) {
                    most++;
                }
                boolean refused = false;
                for (int column = 0; column < updates.size(); column++) {
                    Update update = updates.get(column);
                    if (update.by != this || update.clock != core.clock() + 1 || most-- > 0) {
                        continue;
                    }
                    if (!refused) {
                        mustRefuse(key(number, row));
                        refused = true;
                    }
                    note(name + " takes back column " + column + " of " + key(number, row));
                    add(table, row, column, -1);
                    update.takenBack = true;
                }
            }
        }

        private void mustRefuse(String key) {
            int before = core.clock();
            try {
                client.clock(core);
            } catch (LazyTablesException e) {
                if (e.code() == LazyTablesException.Code.STEP_TOO_LONG && core.clock() == before) {
                    return;
                }
                throw e;
            }
            throw failure(name + " completes clock " + core.clock() + " and moved " + key + " too far");
        }

        private void beginClock() {
            actionsLeft = random.nextInt(8);
            readThisClock = false;
        }

        private void wantRead(int allowed, boolean anyKind) {
            wantedTable = random.nextInt(tables.size());
            TableSpec spec = tables.get(wantedTable).spec();
            wantedRow = random.nextInt((int) spec.rows());
            wantedSlack = allowed;
            wantedRadius = anyKind && spec.maxStep() > 0 && random.nextInt(3) > 0 ? radius(spec.maxStep()) : -1;
            read();
        }

        private double radius(double step) {
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1 -> step / 2;
                case 2 -> Double.POSITIVE_INFINITY;
                default -> step * random.nextInt(2 * workers.size());
            };
        }

        private void read() {
            RowView view = wantedRadius < 0 ? readByClock() : readWithin();
            blocked = view == null;
            if (blocked && isVain()) {
                // As a program does that is told so: it ends.
                done = true;
                isOver = true;
            }
            if (view != null) {
                note(name + " at " + core.clock() + " reads " + key(wantedTable, wantedRow)
                        + (wantedRadius < 0 ? " slack " + wantedSlack : " within " + wantedRadius));
                if (wantedRadius < 0) {
                    check(view, core.clock() - wantedSlack);
                    done = core.clock() >= clocksOf(process);
                } else {
                    checkBall(view);
                }
                readThisClock = true;
                leaveIfAllAreDone();
            }
        }

        private boolean isVain() {
            ClientTable table = tables.get(wantedTable);
            LazyTablesException why = wantedRadius < 0
                    ? client.hopeless(table, wantedRow, core.required(wantedSlack))
                    : client.hopelessWithin(core, table, wantedRow, wantedRadius);
            if (why != null && !bothLost) {
                throw failure(name + " is told that it waits in vain: " + why);
            }
            return why != null;
        }

        private @Nullable RowView readByClock() {
            ClientTable table = tables.get(wantedTable);
            RowView view = core.cached(table, wantedRow, core.required(wantedSlack));
            return view != null ? view : client.read(core, table, wantedRow, wantedSlack);
        }

        private @Nullable RowView readWithin() {
            ClientTable table = tables.get(wantedTable);
            RowView view = core.cachedWithin(table, wantedRow, wantedRadius);
            return view != null ? view : client.readWithin(core, table, wantedRow, wantedRadius);
        }

        private void leaveIfAllAreDone() {
            if (workers.stream().allMatch(worker -> worker.process != process || worker.done)) {
                left[process] = true;
                List<WorkerCore> own = workers.stream()
                        .filter(worker -> worker.process == process)
                        .map(worker -> worker.core)
                        .toList();
                if (own.stream().anyMatch(WorkerCore::hasEnded)) {
                    // A clock that one of them ended with, ahead of the others, counts when these have ended, too.
                    own.stream().filter(each -> !each.hasEnded()).forEach(client::end);
                } else {
                    client.leave();
                }
            }
        }

        private void check(RowView view, int required) {
            String key = key(wantedTable, wantedRow);
            List<Update> updates = history(wantedTable, wantedRow).updates;
            BitSet held = held(view, updates.size());
            for (Worker other : workers) {
                if (other.core.clock() < required
                        && (!other.core.hasEnded() || isAwaited(other.process))
                        && (!left[other.process] || isAwaited(other.process))
                        && !dropped[other.process]
                        && other.client.isPlaced()
                        && (!losesBoth || other.client.isInheritanceStored())) {
                    throw failure("I5: " + name + " reads at clock " + core.clock() + " while " + other.name + " is at "
                            + other.core.clock());
                }
            }
            checkWhole(key, updates, held);
            boolean strict = tables.get(wantedTable).spec().strict();
            for (int i = 0; i < updates.size(); i++) {
                Update update = updates.get(i);
                boolean there = held.get(i);
                if (!there && update.fate != Fate.COUNTS) {
                    continue;
                }
                String what = name + " at clock " + core.clock() + " with slack " + wantedSlack + " reads " + key
                        + (there ? " with" : " without") + " column " + i + " of " + update.by.name + " in clock "
                        + update.clock;
                if (!there && !update.takenBack && update.clock <= required) {
                    throw failure("I1: " + what);
                }
                if (there && strict && update.by != this && update.clock > Math.max(0, required)) {
                    throw failure("I8: " + what);
                }
            }
            BitSet before = seen.put(key, held);
            // A strict read with more slack sees less, as it must.
            if (before != null && !strict) {
                before.andNot(held);
                for (int i = 0; i < updates.size(); i++) {
                    before.set(i, before.get(i) && !updates.get(i).takenBack);
                }
                if (!before.isEmpty()) {
                    throw failure("I7: " + name + " read " + before + " of " + key + " before and does not any more");
                }
            }
        }

        private void checkBall(RowView view) {
            String key = key(wantedTable, wantedRow);
            RowHistory history = history(wantedTable, wantedRow);
            BitSet held = held(view, history.updates.size());
            if (view.radius() > wantedRadius) {
                throw failure("Ball: " + name + " reads " + key + " within " + view.radius() + ", not " + wantedRadius);
            }
            checkWhole(key, history.updates, held);
            for (int i = 0; i < history.updates.size(); i++) {
                Update update = history.updates.get(i);
                boolean counts = !update.takenBack && update.fate == Fate.COUNTS;
                if (!held.get(i) && counts && update.clock <= view.dataClock()) {
                    throw failure("Ball: " + name + " reads " + key + " of clock " + view.dataClock()
                            + " without column " + i + " of " + update.by.name + " in clock " + update.clock);
                }
                if (update.by == this && update.clock > core.clock()) {
                    held.clear(i);
                }
            }
            String what = name + " at clock " + core.clock() + " reads " + key + " with " + held;
            ballReads.add(new BallRead(this, what, history, core.clock(), view.radius(), held));
        }

        /** Checks what holds for every read: own updates are there, those of others only with all that they did before, and not too early. */
        private void checkWhole(String key, List<Update> updates, BitSet held) {
            boolean strict = tables.get(wantedTable).spec().strict();
            Map<String, Integer> newest = new HashMap<>();
            for (int i = 0; i < updates.size(); i++) {
                Update update = updates.get(i);
                if (!held.get(i)) {
                    continue;
                }
                newest.merge(update.by.name, update.clock, Math::max);
                if (update.fate == Fate.GIVEN_UP) {
                    throw failure("I3: " + name + " sees column " + i + " of " + key + " of clock " + update.clock
                            + " of " + update.by.name + ", which was given up");
                }
                if (update.takenBack || update.by != this && update.clock > update.by.core.clock()) {
                    throw failure("I6: " + name + " sees column " + i + " of " + key + " before its clock is complete");
                }
            }
            for (int i = 0; i < updates.size(); i++) {
                Update update = updates.get(i);
                if (held.get(i) || update.takenBack || update.fate != Fate.COUNTS) {
                    continue;
                }
                String what = name + " at clock " + core.clock() + " reads " + key + " without column " + i + " of "
                        + update.by.name + " in clock " + update.clock;
                // Of the worker before it in this place a worker sees all, too, unless the table is strict.
                if (update.by == this || !strict && update.by.name.equals(name)) {
                    throw failure("I2: " + what);
                }
                // In a strict table its own updates come behind a gap: what the worker before it did shows when others
                // see it.
                boolean inGap = strict && update.by.name.equals(name);
                if (!inGap && update.clock <= newest.getOrDefault(update.by.name, 0)) {
                    throw failure("I4, I6: " + what + " but with others of clock " + newest.get(update.by.name));
                }
            }
        }

        private BitSet held(RowView view, int known) {
            double shared = 0;
            var held = new BitSet();
            for (int i = 0; i < view.entries(); i++) {
                int column = view.columnAt(i);
                double value = view.valueAt(i);
                if (column == SHARED_COLUMN) {
                    shared = value;
                } else if (value == 1 && column < known) {
                    held.set(column);
                } else if (value != 0) {
                    throw failure("I3: " + name + " at " + core.clock() + " reads " + value + " in column " + column
                            + " of " + key(wantedTable, wantedRow));
                }
            }
            if (shared != held.cardinality() * SHARED_STEP) {
                throw failure("I3: " + name + " at " + core.clock() + " reads " + shared + " for " + held.cardinality()
                        + " updates of " + key(wantedTable, wantedRow));
            }
            return held;
        }

        private RowHistory history(int table, long row) {
            return rows.computeIfAbsent(key(table, row), k -> new RowHistory());
        }

        private static String key(int table, long row) {
            return "t" + table + "/" + row;
        }
    }
}
