package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server: tables, clocks and the reads that wait. Not for several threads at once.
 *
 * <p><b>Clocks.</b> A process's clock is the last that it said to be complete; the server's global clock is the least of all processes' clocks, and 0 until as many processes as are expected have said
 * who they are. A process's updates come in order, so when the global clock is g, every update of clocks up to g is applied.
 * A process that ends, or is not connected for too long, does not count any more.
 *
 * <p><b>Reads.</b> A read that requires clock r is answered when g &ge; r, with all that is applied by then (strict tables: with exactly the clocks up to r). The answer names the
 * last update of the reader's own process that was applied, so that the reader can add its later ones.
 *
 * <p><b>Once.</b> Updates of a process are numbered. One that has come before is passed over; one that skips a number ends the connection, since something was lost.
 *
 * <p><b>Successors.</b> A process may go on where one that ended was. Updates of such processes are staged, see {@link Member}. A process that comes anew while others are at work begins at the
 * global clock, which it holds back from then on.
 */
public final class ServerCore implements FrameSink {

    private static final int SNAPSHOT_VERSION = 2;

    private final int processes;
    private final CombineOps ops;
    final Map<String, ServerTable> tables = new HashMap<>();
    final Members members;
    final Memory memory = new Memory();
    private final Int2ObjectLinkedOpenHashMap<Session> sessions = new Int2ObjectLinkedOpenHashMap<>();
    final Admission admission;
    private final RowReads rowReads = new RowReads();
    private final BallReads ballReads;

    private final WireReader frame = new WireReader();
    private final WireReader message = new WireReader();

    /** Whether clients keep what they sent until a snapshot holds it. */
    private boolean recoverable;
    /** Whether clients may still send what this server had before it was restarted. */
    private boolean recovering;
    /** Whether who stays away is dropped some time, so that nobody waits in vain. */
    private boolean dropsAbsent;
    /** Counts what makes a snapshot another one. */
    private long changes;

    /** Whether the present message has begun to change tables. */
    private boolean changing;
    /** Why nothing is done any more: a message was done by half. */
    private @Nullable String broken;

    private @Nullable ClockEnds ends;

    private int globalClock;
    private int slowest;
    private Supplier<Statistics.Traffic> traffic = () -> Statistics.Traffic.NONE;

    /** A server that waits for so many processes. */
    public ServerCore(int processes, CombineOps ops) {
        this.processes = processes;
        this.ops = ops;
        members = new Members(processes);
        admission = new Admission(processes, members, sessions.values());
        ballReads = new BallReads(members.values());
    }

    /**
     * A server that can be restarted: clients keep their updates until a stored snapshot holds them. It answers reads when all processes have come and have sent what a server before it had, so that
     * no row goes back.
     */
    public static ServerCore recoverable(int processes, CombineOps ops) {
        var server = new ServerCore(processes, ops);
        server.recoverable = true;
        server.recovering = true;
        return server;
    }

    /** An empty server that takes up what others had at a clock, see {@link Resharding}. */
    static ServerCore at(int globalClock, int processes, CombineOps ops) {
        ServerCore server = recoverable(processes, ops);
        server.globalClock = globalClock;
        return server;
    }

    /** A server as a snapshot left it; the rest comes from the clients. */
    public static ServerCore restore(byte[] snapshot, CombineOps ops) {
        var in = new WireReader();
        in.open(snapshot, 0, snapshot.length);
        in.getInt("The version of the snapshot", SNAPSHOT_VERSION, SNAPSHOT_VERSION);
        ServerCore server = recoverable(in.getInt("The number of processes", 1, Protocol.MAX_PROCESSES), ops);
        server.globalClock = in.getInt("The clock", 0, Integer.MAX_VALUE);
        server.admission.read(in);
        int members = in.getCount("The number of members", 13);
        for (int i = 0; i < members; i++) {
            server.members.add(Member.read(in));
        }
        int tables = in.getCount("The number of tables", 2);
        for (int i = 0; i < tables; i++) {
            ServerTable table = ServerTable.read(in, ops, server.memory);
            server.tables.put(table.name, table);
        }
        return server;
    }

    /**
     * All that a server needs to go on from here, with what clients keep. They keep it until {@link #snapshotStored} says that nobody needs it any more; a snapshot is stored before the
     * next is taken.
     */
    public byte[] snapshot() {
        if (broken != null) {
            throw new IllegalStateException(broken);
        }
        var out = new WireBuffer(1 << 12);
        out.putVar(SNAPSHOT_VERSION);
        out.putVar(processes);
        out.putVar(globalClock);
        admission.write(out);
        out.putVar(members.values().size());
        for (Member member : members.values()) {
            member.snapshotTaken();
            member.write(out);
        }
        out.putVar(tables.size());
        tables.values().forEach(table -> table.write(out));
        return Arrays.copyOf(out.array(), out.size());
    }

    /**
     * Has the tables taken as they were at the end of a clock, of one in so many, see {@link ClockEnds}. To be called before the first message comes.
     *
     * @param every how many clocks there are from one such end to the next
     */
    public void takesTables(int every, TablesSink sink) {
        int touched = members.values().stream().mapToInt(Member::touched).max().orElse(0);
        ends = new ClockEnds(every, touched, tables.values(), sink);
    }

    /** Lets clients drop what the last snapshot holds and the one before it, too; to be followed by {@link #flush}. */
    public void snapshotStored() {
        members.values().forEach(Member::snapshotStored);
    }

    /** Whether somebody waits for a snapshot to be stored. */
    public boolean wantsSnapshot() {
        return recoverable && members.values().stream().anyMatch(Member::waitsForStore);
    }

    /** Another number when a snapshot would be another one. */
    public long changes() {
        return changes + admission.changes();
    }

    /** The number of processes that the server waits for. */
    public int processes() {
        return processes;
    }

    /** What tells the run from others; 0 before its first process has come. */
    public long run() {
        return admission.run();
    }

    /** The clock that all processes have completed. */
    public int globalClock() {
        return globalClock;
    }

    /** Says where to ask for what was sent and received. */
    public void countsTraffic(Supplier<Statistics.Traffic> counted) {
        traffic = counted;
    }

    /** What the server knows, for people. */
    public ServerStatus status() {
        var connected = new HashSet<Member>();
        long waiting = 0;
        for (Session session : sessions.values()) {
            if (session.member != null) {
                connected.add(session.member);
            }
            waiting += session.closing ? 0 : session.waiting();
        }
        return new ServerStatus(
                processes,
                globalClock,
                slowest,
                recovering,
                waiting,
                members.values().stream()
                        .map(member -> member.status(connected.contains(member)))
                        .toList(),
                new TreeMap<>(tables).values().stream().map(ServerTable::status).toList(),
                traffic.get());
    }

    /** Sets about how much memory tables and what waits may take; any amount if not said. */
    public void limitsMemory(long bytes) {
        memory.limit(bytes);
    }

    /** Says that who stays away is dropped some time. */
    public void dropsAbsent() {
        dropsAbsent = true;
    }

    /**
     * Drops processes that are not connected for longer than the limit: the clocks of the others go on without them. What they sent stays. To be called now and then, with the time; then
     * {@link #flush}.
     *
     * @return the processes that were dropped
     */
    public List<Integer> expire(long nowNanos, long limitNanos) {
        if (broken != null) {
            return List.of();
        }
        var dropped = new ArrayList<Member>();
        for (Member member : members.values()) {
            if (member.isOverdue(isConnected(member), nowNanos, limitNanos)) {
                dropped.add(member);
            }
        }
        changing = false;
        try {
            for (Member member : dropped) {
                settle(member);
                member.drop();
                goOnWithout();
            }
            recover();
        } catch (RuntimeException | Error e) {
            breakIfChanging(e);
            throw e;
        }
        return dropped.stream().map(member -> member.process).toList();
    }

    /** Sends what there is to say and room for, and closes the connections that were refused. To be called again when a client has room again. */
    public void flush(FrameSender sender) {
        if (!recovering && members.missing() == 0) {
            ballReads.answer();
        }
        var refused = new IntArrayList();
        for (Session session : sessions.values()) {
            send(session, sender);
            if (session.closing) {
                refused.add(session.peer);
            }
        }
        // A sender may tell of the end at once, and so change what was gone through.
        refused.forEach(sender::close);
    }

    /** What fails for one keeps nothing from the others: it is told, or else its connection just ends. */
    private void send(Session session, FrameSender sender) {
        try {
            if (!session.closing) {
                sendWhileRoom(session, sender);
            }
            if (session.closing) {
                session.outbox.sendTo(sender, session.peer);
            }
        } catch (RuntimeException | Error e) {
            session.refuse(
                    e instanceof LazyTablesException own ? own.code() : Code.FAILED,
                    "What there is for this process cannot be sent: "
                            + (e instanceof LazyTablesException own ? own.reason() : e));
            tellWhy(session, sender);
        }
    }

    /** What a client has no room for is not written before it has. */
    private void sendWhileRoom(Session session, FrameSender sender) {
        if (session.isHeldUp() && !session.send(sender)) {
            return;
        }
        do {
            writeClocks(session);
        } while (session.send(sender) && session.writeDue(globalClock) && !session.closing);
    }

    private static void tellWhy(Session session, FrameSender sender) {
        try {
            session.outbox.sendTo(sender, session.peer);
        } catch (RuntimeException | Error e) {
            session.outbox.clear();
        }
    }

    @Override
    public void onOpen(int peer) {
        onOpen(peer, Integer.MAX_VALUE);
    }

    /** Tells that the peer can be sent to, in frames of limited size. */
    public void onOpen(int peer, int frameLimit) {
        sessions.put(peer, new Session(peer, frameLimit, memory));
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {
        Session session = sessions.remove(peer);
        if (session == null) {
            return;
        }
        session.end();
        rowReads.drop(session);
        ballReads.drop(session);
    }

    @Override
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        Session session = sessions.get(peer);
        if (session == null || session.closing) {
            return;
        }
        if (broken != null) {
            session.refuse(Code.FAILED, broken);
            return;
        }
        try {
            frame.open(buffer, offset, length);
            while (frame.more() && !session.closing) {
                int kind = frame.getByte();
                frame.slice(frame.getInt(), message);
                changing = false;
                onMessage(session, kind);
            }
        } catch (WireException e) {
            session.refuse(e.code(), e.reason());
        } catch (RuntimeException | Error e) {
            breakIfChanging(e);
            throw e;
        }
    }

    /** Such as of an operation of the program's own that throws: what is there cannot be told from what is missing. */
    private void breakIfChanging(Throwable cause) {
        if (changing) {
            broken = "The server failed at an update, of which a part may be applied: " + cause;
            refuseAll(broken);
        }
    }

    private void refuseAll(String why) {
        for (Session session : sessions.values()) {
            if (!session.closing) {
                session.refuse(Code.FAILED, why);
            }
        }
    }

    private void onMessage(Session session, int kind) {
        if (kind == Protocol.HELLO) {
            onHello(session);
            return;
        }
        if (kind == Protocol.STATUS) {
            onStatus(session);
            return;
        }
        Member member = session.member;
        if (member == null) {
            throw new WireException("The first message is of kind " + kind + ", not HELLO");
        }
        if (!member.hasBegun() && kind != Protocol.RESUME && kind != Protocol.FORSAKE) {
            throw new WireException("A message of kind " + kind + " came before the process said where it goes on");
        }
        switch (kind) {
            case Protocol.TABLE -> onTable(session);
            case Protocol.READ -> rowReads.onRead(session, member, message, globalClock, recovering);
            case Protocol.UPDATE -> onUpdate(session, member);
            case Protocol.BYE -> onEnd(member, true);
            case Protocol.QUIT -> onEnd(member, false);
            case Protocol.FORSAKE -> onForsaken(member);
            case Protocol.COMMIT -> onCommit(member);
            case Protocol.STORE -> member.hurry();
            case Protocol.RESUME -> onResume(session, member);
            case Protocol.FORGET -> RowReads.onForget(session, message);
            case Protocol.WITHIN -> ballReads.onRead(session, message);
            default -> throw new WireException("There is no message of kind " + kind);
        }
    }

    /** Whether a peer has said who it is; others give way where there are too many. */
    @Override
    public boolean isKnown(int peer) {
        Session session = sessions.get(peer);
        return session != null && (session.member != null || session.joining != null);
    }

    private boolean isConnected(Member member) {
        return sessions.values().stream().anyMatch(session -> session.member == member);
    }

    /** What the process sent stays: also clocks that wait for its word, which may be there on other servers. */
    private void settle(Member member) {
        commit(member, member.complete());
        member.forgetStaged(memory);
    }

    /** Of one that has left; unless it ended in a leg that others have gone beyond, in which it is waited for again. */
    private void goOnWithout() {
        admission.waitForAll(globalClock);
        changes++;
        advance();
    }

    /** Of one that is done the others go on without; one that is not keeps its place for somebody else, who finds what it completed. */
    private void onEnd(Member member, boolean done) {
        long sequence = message.getVar("The sequence", 1, Long.MAX_VALUE);
        if (member.expects(sequence)) {
            settle(member);
            if (done) {
                member.end();
                goOnWithout();
            } else {
                member.close();
                changes++;
            }
            member.hasSaid(sequence);
            recover();
        }
    }

    /** A part of what the process did is gone for good: who waits for it waits in vain. */
    private void onForsaken(Member member) {
        member.forsake();
        changes++;
        refuseJoining();
    }

    /** Who waits to join until all is back would wait in vain. */
    private void refuseJoining() {
        if (outlook() != Protocol.GONE) {
            return;
        }
        for (Session session : sessions.values()) {
            if (session.joining != null && !session.closing) {
                session.joining = null;
                session.refuse(
                        Code.LOST,
                        "Process " + awaited()
                                + " cannot be continued, since a part of its updates is gone with a server:"
                                + " begin the run anew");
            }
        }
    }

    private void onHello(Session session) {
        if (session.member != null || session.joining != null) {
            throw new WireException("HELLO came again");
        }
        Admission.Hello hello = admission.hello(message);
        // The clock is not yet again what others were told before this server was restarted: what is done from here on
        // would be missing in what they have of later clocks.
        session.joining = recovering && admission.joins(hello) ? hello : null;
        if (session.joining == null) {
            admit(session, hello);
        } else {
            // Perhaps all others have ended, and nothing is to come any more.
            recover();
            refuseJoining();
        }
    }

    private void admit(Session session, Admission.Hello hello) {
        Member member = admission.admit(session, hello, globalClock);
        if (member == null) {
            return;
        }
        if (member.hasBegun()) {
            welcome(session, member);
        } else {
            admission.askPlace(session, member);
        }
        advance();
        recover();
    }

    private void onResume(Session session, Member member) {
        if (member.hasBegun()) {
            throw new WireException("Process " + member.process + " goes on already");
        }
        int generation = message.getInt("The generation", 0, Integer.MAX_VALUE);
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        boolean skips = message.getInt("Whether clocks are skipped", 0, 1) == 1;
        int leg = message.getInt("The leg", 0, Integer.MAX_VALUE);
        long run = message.getLong();
        if (clock < member.touched() || clock > member.complete() && !skips) {
            onForsaken(member);
            session.refuse(
                    Code.LOST,
                    "Process " + member.process + " is to go on at clock " + clock
                            + ", and this server has its clocks up to "
                            + member.complete()
                            + ": the process before it ended, and then this server before it had stored what it got");
            return;
        }
        commit(member, clock);
        member.forgetStaged(memory);
        member.resumeAt(clock, generation, skips);
        admission.takesPart(member, leg, run, globalClock);
        changes++;
        welcome(session, member);
        advance();
        recover();
    }

    private void welcome(Session session, Member member) {
        WireBuffer out = session.outbox.begin(Protocol.WELCOME);
        out.putVar(Protocol.VERSION);
        out.putVar(globalClock);
        out.putVar(member.applied());
        out.putVar(member.received());
        session.outbox.end();
    }

    /** Also for somebody who is no client process. */
    private void onStatus(Session session) {
        message.getInt("The version", Protocol.VERSION, Protocol.VERSION);
        if (session.hasRoom()) {
            writeStatus(session);
        } else {
            session.putOffStatus(clock -> writeStatus(session));
        }
    }

    private void writeStatus(Session session) {
        WireBuffer out = session.outbox.begin(Protocol.IS);
        out.putVar(Protocol.VERSION);
        status().write(out);
        session.outbox.end();
    }

    private void onTable(Session session) {
        int id = message.getInt("The table", 0, Protocol.MAX_TABLES - 1);
        String name = message.getText("The table's name", Protocol.MAX_NAME);
        TableSpec spec = SpecCodec.read(message, ops);
        if (id != session.tables.size()) {
            throw new WireException("Table " + name + " has number " + id + ", not " + session.tables.size());
        }
        long rowBytes = Row.leastWireBytes(spec);
        if (!session.room.holds(rowBytes)) {
            session.refuse(
                    Code.FRAME_TOO_LARGE,
                    "A row of table " + name + " takes " + rowBytes + " bytes when all its columns are written"
                            + session.room.remedy(rowBytes));
            return;
        }
        ServerTable table = tables.computeIfAbsent(name, n -> made(n, spec));
        if (!table.spec.equals(spec)) {
            throw new WireException(
                    Code.BAD_TABLE,
                    "Table " + name + " is defined as " + table.spec + ", not " + spec
                            + ": every process must define it alike");
        }
        session.tables.add(table);
    }

    private ServerTable made(String name, TableSpec spec) {
        var table = new ServerTable(name, spec, memory);
        if (ends != null) {
            ends.made(table);
        }
        return table;
    }

    private void onUpdate(Session session, Member member) {
        long sequence = message.getVar("The sequence", 1, Long.MAX_VALUE);
        if (!member.expects(sequence)) {
            return;
        }
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        if (clock != member.complete() + 1) {
            throw new WireException(
                    "An update of clock " + clock + " came where clock " + (member.complete() + 1) + " goes on");
        }
        boolean last = message.getInt("The last part", 0, 1) == 1;
        int bytes = message.remaining();
        var part = new ClockPart(sequence, clock, last, bytes, parsed(session, member));
        memory.require(part.needs(), "An update of process " + member.process);
        member.has(part);
        if (member.commits()) {
            member.stage(part, memory);
        } else {
            apply(member, part);
        }
        recover();
    }

    private void onCommit(Member member) {
        commit(member, message.getInt("The clock", 0, member.complete()));
        recover();
    }

    /** Applies what waited, up to this clock. */
    private void commit(Member member, int clock) {
        while (member.hasStaged(clock)) {
            apply(member, member.unstage(memory));
        }
    }

    private void apply(Member member, ClockPart part) {
        if (ends != null) {
            ends.before(part.clock(), globalClock);
        }
        changing = true;
        part.applyFor(member.process);
        member.did(part);
        changes++;
        if (part.last()) {
            advance();
        }
    }

    /** Begins to answer when nothing is missing any more that a server before this one had. */
    private void recover() {
        if (recovering && members.missing() == 0 && members.values().stream().allMatch(Member::isComplete)) {
            recovering = false;
            rowReads.answerPending(globalClock);
            ballReads.clocksMoved();
            admitJoining();
        }
    }

    private void admitJoining() {
        for (Session session : sessions.values()) {
            Admission.Hello hello = session.joining;
            session.joining = null;
            if (hello != null && !session.closing) {
                admit(session, hello);
            }
        }
    }

    /** Reads all of a message before any of it is applied, so that a bad one changes nothing. */
    private List<TableUpdates> parsed(Session session, Member member) {
        int count = message.getCount("The number of tables", 2);
        var parsed = new ArrayList<TableUpdates>(count);
        for (int i = 0; i < count; i++) {
            ServerTable table = session.tables.get(message.getInt("The table", 0, session.tables.size() - 1));
            int rows = message.getCount("The number of rows", 3);
            var logs = new ArrayList<RowLog>(rows);
            for (int j = 0; j < rows; j++) {
                RowLog log = RowLog.read(table.spec, message);
                table.check(log, member.workers());
                logs.add(log);
            }
            parsed.add(new TableUpdates(table, logs));
        }
        return parsed;
    }

    /** Computes the global clock, and does what waited for it. */
    private void advance() {
        ballReads.clocksMoved();
        if (members.missing() > 0) {
            slowest = members.firstMissing();
            return;
        }
        int least = Integer.MAX_VALUE;
        int last = 0;
        for (Member member : members.values()) {
            if (!member.hasLeft() && member.clock() < least) {
                least = member.clock();
                slowest = member.process;
            }
            last = Math.max(last, member.clock());
        }
        if (least == Integer.MAX_VALUE) {
            // All have ended. In which order a server hears of it is chance, and another one when it was restarted: who
            // ended first may have been told of clocks that those who ended last never reached.
            least = last;
        }
        if (least > globalClock) {
            int before = globalClock;
            globalClock = least;
            if (ends != null) {
                ends.reached(
                        before,
                        globalClock,
                        // Nobody has if all go on without a process 0 that never came to this server.
                        run() != 0,
                        end -> ClockTables.encode(end, run(), admission.place(), admission.servers(), tables.values()));
            }
            changing = true;
            tables.values().forEach(table -> table.clockReached(globalClock));
            if (!recovering) {
                rowReads.answerPending(globalClock);
            }
            RowReads.push(tables.values(), globalClock);
        }
    }

    private void writeClocks(Session session) {
        Member member = session.member;
        if (member == null || !member.hasBegun()) {
            return;
        }
        if (member.commits() && session.stagedTold != member.complete()) {
            session.outbox.begin(Protocol.STAGED).putVar(member.complete());
            session.outbox.end();
            session.stagedTold = member.complete();
        }
        // Of a clock a client is told behind the rows that it changed.
        int clock = session.isBehind() ? session.clockTold : globalClock;
        int outlook = outlook();
        if (clock < 0
                || session.clockTold == clock
                        && session.outlookTold == outlook
                        && session.appliedTold == member.applied()
                        && session.durableTold == durable(member)) {
            return;
        }
        WireBuffer out = session.outbox.begin(Protocol.CLOCKS);
        out.putVar(clock);
        out.putVar(outlook == Protocol.COMES ? slowest : awaited());
        out.putVar(member.applied());
        out.putVar(durable(member));
        out.putVar(outlook);
        session.outbox.end();
        session.outlookTold = outlook;
        session.clockTold = clock;
        session.appliedTold = member.applied();
        session.durableTold = durable(member);
    }

    /** The process that is waited for: one that cannot come any more before all others. */
    private int awaited() {
        for (Member member : members.values()) {
            if (member.isLost()) {
                return member.process;
            }
        }
        return slowest;
    }

    /** Whether that one comes. */
    private int outlook() {
        Member member = dropsAbsent ? null : members.find(awaited());
        return member == null || member.hasLeft() ? Protocol.COMES : member.outlook();
    }

    private long durable(Member member) {
        return recoverable ? member.durable() : member.applied();
    }
}
