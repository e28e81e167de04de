package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
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
 * <p><b>Clocks.</b> A process's clock is the last that it said to be complete; the server's global clock is the least
 * of all processes' clocks, and 0 until as many processes as are expected have said who they are. A process's updates
 * come in order, so when the global clock is g, every update of clocks up to g is applied. A process that ends, or is
 * not connected for too long, does not count any more.
 *
 * <p><b>Reads.</b> A read that requires clock r is answered when g &ge; r, with all that is applied by then (strict
 * tables: with exactly the clocks up to r). The answer names the last update of the reader's own process that was
 * applied, so that the reader can add its later ones.
 *
 * <p><b>Once.</b> Updates of a process are numbered. One that has come before is passed over; one that skips a number
 * ends the connection, since something was lost.
 *
 * <p><b>Successors.</b> A process may go on where one that ended was. Updates of such processes are staged, see
 * {@link Member}. A process that comes anew while others are at work begins at the global clock, which it holds back
 * from then on.
 *
 * <p>What messages do is elsewhere: {@link Attendance} has those with which processes come and go, {@link Updates} what
 * changes tables, {@link RowReads} and {@link BallReads} the questions. Here is who is connected, in which order one
 * thing follows from the other, and what is left when something fails.
 */
public final class ServerCore implements FrameSink {

    /*
     * What James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.4.3 "Parameter
     * Server Cluster", has and what differs. There, every update of a clock beyond the global one waits in a queue of
     * pending writes, so that a client can tell by clocks which of its own updates an answer lacks; the price, as its
     * section 4.4.4 says, is an answer almost as stale as it may be. Here an answer names the number of the asker's
     * last update that was applied, which says the same without a queue: updates are applied when they come, and only
     * strict tables and those with limited steps put them off. Pending reads are as there. Loading a snapshot, which is
     * left open there, is what recovery and successions are for.
     *
     * Threads: all runs on the network thread, also what Upkeep does from time to time. There is no lock because there
     * is nothing to guard, and nothing here may wait: whatever did would hold up every client of the server, and the
     * clock of all.
     *
     * Order within a message: all of it is read and checked before the first change (a WireException means that nothing
     * was done), then tables change, then the clock, then answers are written. What was written leaves with the next
     * flush, so a client never hears of a clock before the answers that came of it.
     */

    private static final int SNAPSHOT_VERSION = 2;

    private final int processes;
    private final CombineOps ops;
    final Map<String, ServerTable> tables = new HashMap<>();
    final Members members;
    final Memory memory = new Memory();
    // Linked: who is served first must not depend on a hash, or a program of the simulator could not be run again.
    private final Int2ObjectLinkedOpenHashMap<Session> sessions = new Int2ObjectLinkedOpenHashMap<>();
    final Admission admission;
    private final RowReads rowReads = new RowReads();
    private final BallReads ballReads;

    /** The frame that has come, and the message of it that is read: one at a time, so they are used again. */
    private final WireReader frame = new WireReader();

    private final WireReader message = new WireReader();

    private final Clocks clocks;
    private final Changes changes = new Changes();
    private final Updates updates;
    private final Attendance attendance;

    /** Whether clients keep what they sent until a snapshot holds it. */
    private final boolean recoverable;
    /** Whether clients may still send what this server had before it was restarted. */
    private boolean recovering;
    /** Why nothing is done any more: a message was done by half. */
    private @Nullable String broken;

    /** If tables are taken as they were at the ends of clocks. */
    private @Nullable ClockEnds ends;

    private Supplier<Statistics.Traffic> traffic = () -> Statistics.Traffic.NONE;

    /** A server that waits for so many processes. */
    public ServerCore(int processes, CombineOps ops) {
        this(processes, ops, false, 0);
    }

    private ServerCore(int processes, CombineOps ops, boolean recoverable, int globalClock) {
        this.processes = processes;
        this.ops = ops;
        this.recoverable = recoverable;
        // Also where there is no snapshot: the server before this one may have ended before its first, and clients have
        // all that they sent it still. A server of a new run has recovered when the last process has come.
        recovering = recoverable;
        members = new Members(processes);
        clocks = new Clocks(members, recoverable, globalClock);
        admission = new Admission(processes, members, sessions.values(), changes);
        ballReads = new BallReads(members.values());
        updates = new Updates(clocks, memory, changes, this::advance);
        attendance = new Attendance(members, admission, clocks, updates, changes, sessions.values(), new Effects());
    }

    /**
     * A server that can be restarted: clients keep their updates until a stored snapshot holds them. It answers reads
     * when all processes have come and have sent what a server before it had, so that no row goes back.
     */
    public static ServerCore recoverable(int processes, CombineOps ops) {
        return new ServerCore(processes, ops, true, 0);
    }

    /** An empty server that takes up what others had at a clock, see {@link Resharding}. */
    static ServerCore at(int globalClock, int processes, CombineOps ops) {
        return new ServerCore(processes, ops, true, globalClock);
    }

    /** A server as a snapshot left it; the rest comes from the clients. */
    public static ServerCore restore(byte[] snapshot, CombineOps ops) {
        var in = new WireReader();
        in.open(snapshot, 0, snapshot.length);
        in.getInt("The version of the snapshot", SNAPSHOT_VERSION, SNAPSHOT_VERSION);
        int processes = in.getInt("The number of processes", 1, Protocol.MAX_PROCESSES);
        ServerCore server = at(in.getInt("The clock", 0, Integer.MAX_VALUE), processes, ops);
        // The version first, then which server of which run it was: the layout behind it may be another in each
        // version, and Admission compares the rest with what clients say.
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
     * All that a server needs to go on from here, with what clients keep. They keep it until {@link #snapshotStored}
     * says that nobody needs it any more; a snapshot is stored before the next is taken.
     */
    public byte[] snapshot() {
        if (broken != null) {
            // What was done by half must not outlive this server: the snapshot before and what clients keep are whole.
            throw new IllegalStateException(broken);
        }
        var out = new WireBuffer(1 << 12);
        out.putVar(SNAPSHOT_VERSION);
        out.putVar(processes);
        out.putVar(clocks.global());
        admission.write(out);
        out.putVar(members.values().size());
        for (Member member : members.values()) {
            // Before it is known whether the bytes reach the disk. That is enough since there is one under way at a
            // time: what snapshotStored() confirms is what was noted here last.
            member.snapshotTaken();
            member.write(out);
        }
        out.putVar(tables.size());
        tables.values().forEach(table -> table.write(out));
        return Arrays.copyOf(out.array(), out.size());
    }

    /**
     * Has the tables taken as they were at the end of a clock, of one in so many, see {@link ClockEnds}. To be called
     * before the first message comes.
     *
     * @param every how many clocks there are from one such end to the next
     */
    public void takesTables(int every, TablesSink sink) {
        // Of clocks up to there, a server that goes on from a snapshot cannot tell what came before their ends.
        int touched = members.values().stream().mapToInt(Member::touched).max().orElse(0);
        var clockEnds = new ClockEnds(every, touched, tables.values(), sink);
        ends = clockEnds;
        updates.keepFor(clockEnds);
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
        return changes.number();
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
        return clocks.global();
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
                clocks.global(),
                clocks.slowest(),
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
        clocks.dropsAbsent();
    }

    /**
     * Drops processes that are not connected for longer than the limit: the clocks of the others go on without them.
     * What they sent stays. To be called now and then, with the time; then {@link #flush}.
     *
     * @return the processes that were dropped
     */
    public List<Integer> expire(long nowNanos, long limitNanos) {
        if (broken != null) {
            return List.of();
        }
        // What waits for the word of who is dropped is applied now, and may fail by half as that of a message may.
        List<Member> dropped = attendance.overdue(nowNanos, limitNanos);
        changes.next();
        try {
            dropped.forEach(attendance::drop);
            recover();
        } catch (RuntimeException | Error e) {
            breakIfChanging(e);
            throw e;
        }
        return dropped.stream().map(member -> member.process).toList();
    }

    /**
     * Sends what there is to say and room for, and closes the connections that were refused. To be called again when a
     * client has room again.
     */
    public void flush(FrameSender sender) {
        // Before that a row may lack what a server before this one had told others of.
        if (!recovering && members.missing() == 0) {
            // Not when a question comes: several that wait for the same clock are looked at together.
            ballReads.answer();
        }
        var refused = new IntArrayList();
        for (Session session : sessions.values()) {
            send(session, sender);
            if (session.closing) {
                // What it was told is sent already, or never will be.
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
            // What may be told by now; then, if all was taken, as much of what was put off as is sent at once. With the
            // last row that was due the client may hear of a later clock, hence again.
            clocks.write(session);
        } while (session.send(sender) && session.writeDue(clocks.global()) && !session.closing);
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
            // It was sent away, and may not know it yet.
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
                // For each message, not each frame: those before it in the frame were done whole.
                changes.next();
                onMessage(session, kind);
            }
        } catch (WireException e) {
            // Nothing of the message was applied: only its sender has to go.
            session.refuse(e.code(), e.reason());
        } catch (RuntimeException | Error e) {
            breakIfChanging(e);
            throw e;
        }
    }

    /** Such as of an operation of the program's own that throws: what is there cannot be told from what is missing. */
    private void breakIfChanging(Throwable cause) {
        if (changes.hasBegun()) {
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
            attendance.onHello(session, message, recovering);
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
        // Until it says where it goes on, its updates and reads would be of a clock that nobody has agreed on.
        if (!member.hasBegun() && kind != Protocol.RESUME && kind != Protocol.FORSAKE) {
            throw new WireException("A message of kind " + kind + " came before the process said where it goes on");
        }
        switch (kind) {
            case Protocol.TABLE -> onTable(session);
            case Protocol.READ -> rowReads.onRead(session, member, message, clocks.global(), recovering);
            case Protocol.UPDATE -> onUpdate(session, member);
            case Protocol.BYE -> attendance.onEnd(member, message, true);
            case Protocol.QUIT -> attendance.onEnd(member, message, false);
            case Protocol.FORSAKE -> attendance.onForsaken(member);
            case Protocol.COMMIT -> onCommit(member);
            // Not answered: what is durable is told with CLOCKS, whenever that was stored.
            case Protocol.STORE -> member.hurry();
            case Protocol.RESUME -> attendance.onResume(session, member, message);
            case Protocol.FORGET -> RowReads.onForget(session, message);
            case Protocol.WITHIN -> ballReads.onRead(session, message);
            default -> throw new WireException("There is no message of kind " + kind);
        }
    }

    /**
     * Whether a peer has said who it is; others give way where there are too many. One that waits to join has said so,
     * too.
     */
    @Override
    public boolean isKnown(int peer) {
        Session session = sessions.get(peer);
        return session != null && (session.member != null || session.joining != null);
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
        // In their order, so that a list finds them, and nobody has it made long by a single number.
        if (id != session.tables.size()) {
            throw new WireException("Table " + name + " has number " + id + ", not " + session.tables.size());
        }
        long rowBytes = Row.leastWireBytes(spec);
        // Here, and not when the first full row is to be sent: that would end the connection in the midst of the run,
        // and again whenever it is made anew.
        if (!session.room.holds(rowBytes)) {
            session.refuse(
                    Code.FRAME_TOO_LARGE,
                    "A row of table " + name + " takes " + rowBytes + " bytes when all its columns are written"
                            + session.room.remedy(rowBytes));
            return;
        }
        // Whoever comes first defines it for all; nobody takes a definition back, since others may have rows there.
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
        if (updates.onUpdate(session, member, message)) {
            recover();
        }
    }

    private void onCommit(Member member) {
        updates.commit(member, message.getInt("The clock", 0, member.complete()));
        recover();
    }

    /** Begins to answer when nothing is missing any more that a server before this one had. */
    private void recover() {
        if (recovering && members.missing() == 0 && members.values().stream().allMatch(Member::isComplete)) {
            // All must have come, also those that are far ahead: the server before this one may have told any of them
            // of a clock that is reached here only with what others are to send again. A row that was answered before
            // that could be older than the one that its reader had.
            recovering = false;
            rowReads.answerPending(clocks.global());
            ballReads.clocksMoved();
            // Last: who joins begins at the global clock, which is right again from here on.
            attendance.admitJoining();
        }
    }

    /** Computes the global clock, and does what waited for it. */
    private void advance() {
        // Also where the global clock stays: reads within a radius count what each process lacks, not the slowest
        // alone.
        ballReads.clocksMoved();
        // The order counts: first the ends of clocks, before tables apply what they put off; then the reads that wait,
        // which need that; and behind them the rows that changed, of which a client must know before it is told of the
        // clock.
        int before = clocks.global();
        if (!clocks.advance()) {
            return;
        }
        int globalClock = clocks.global();
        if (ends != null) {
            ends.reached(
                    before,
                    globalClock,
                    // Nobody has if all go on without a process 0 that never came to this server.
                    run() != 0,
                    end -> ClockTables.encode(end, run(), admission.place(), admission.servers(), tables.values()));
        }
        // What strict tables put off is applied: by half, if an operation fails.
        changes.begin();
        tables.values().forEach(table -> table.clockReached(globalClock));
        // Answers first: who is answered has the row as it is, and is not sent it once more.
        if (!recovering) {
            rowReads.answerPending(globalClock);
        }
        RowReads.push(tables.values(), globalClock);
    }

    /** What comings and goings of processes lead to. */
    private final class Effects implements Attendance.Effects {

        @Override
        public void clocksMayMove() {
            advance();
        }

        @Override
        public void mayHaveRecovered() {
            recover();
        }
    }
}
