package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part: lets processes in, in the place of others where they may, and looks whether they take this server for
 * what it is.
 *
 * <p><b>Who is who.</b> A process is told from the others by its number, and from those that had the number before by
 * its incarnation, which it makes up. Incarnations have no order. Who is the later says the generation: how many had
 * the number before, which a process learns from all servers together. So one that was replaced is refused when it
 * comes back, and a server that goes on from a snapshot of before the replacement lets the successor in.
 *
 * <p>What a process must be told before it does harm is checked here, before anything of it is noted.
 */
final class Admission {

    private final int processes;
    private final Members members;
    private final Collection<Session> sessions;
    private final Legs legs;
    /**
     * The place of this server in the clients' list of servers, and their number; 0 servers before a client has said
     * so.
     */
    private int place;

    private int servers;
    /** What tells the run from others: the incarnation of its first process 0; 0 before that has come. */
    private long run;

    private final Changes changes;

    /** For so many processes that are waited for. */
    Admission(int processes, Members members, Collection<Session> sessions, Changes changes) {
        this.processes = processes;
        this.members = members;
        this.sessions = sessions;
        this.changes = changes;
        legs = new Legs(processes, members.values());
    }

    /** Reads what a process says of itself, and checks that it takes this server for what it is. */
    Hello hello(WireReader message) {
        // First of all: of another version, what follows may mean something else.
        int version = message.getInt("The version", 0, Integer.MAX_VALUE);
        if (version != Protocol.VERSION) {
            throw new WireException("It speaks version " + version + " of the protocol, this server version "
                    + Protocol.VERSION + ": use the same release on both sides");
        }
        int flags = message.getInt("The flags", 0, Protocol.COMMITS | Protocol.ASKS);
        boolean commits = (flags & Protocol.COMMITS) != 0;
        int generation = message.getInt("The generation", 0, Integer.MAX_VALUE);
        // Its updates would be applied on some servers and not on others when it ends, and its successor find no clock.
        if ((flags & Protocol.ASKS) != 0 && !commits) {
            throw new WireException("It asks where to go on, and does not commit its clocks");
        }
        int process = message.getInt("The process", 0, Protocol.MAX_PROCESSES - 1);
        int expected = message.getInt("The number of processes", 1, Protocol.MAX_PROCESSES);
        // The global clock is that of all who are expected: with other numbers, processes and servers would wait for
        // different ones.
        if (expected != processes) {
            throw new WireException(
                    Code.CONFIGURATION,
                    "It expects " + expected + " processes, this server " + processes
                            + ": give all the same lazytables.processes");
        }
        if (!commits && process >= processes) {
            throw new WireException(
                    Code.CONFIGURATION,
                    "Its number is " + process + ", and there are processes 0 to " + (processes - 1)
                            + ": one that joins them sets lazytables.resume");
        }
        int workers = message.getInt("The number of workers", 1, Protocol.MAX_WORKERS);
        long incarnation = message.getLong();
        long made = message.getVar("The sequence", 0, Long.MAX_VALUE);
        checkPlace(message);
        return new Hello(process, incarnation, workers, commits, (flags & Protocol.ASKS) != 0, generation, made);
    }

    /**
     * Whether the process begins at the clock of the others: one more than was waited for, or where the others had gone
     * on without its predecessor.
     */
    boolean joins(Hello hello) {
        Member before = members.find(hello.process);
        return before == null ? hello.process >= processes : before.hasLeft() && !before.is(hello.incarnation);
    }

    /** Lets the process in that says HELLO over a session; null if it is refused. */
    @Nullable
    Member admit(Session session, Hello hello, int globalClock) {
        Member member = members.find(hello.process);
        if (member == null) {
            member = Member.first(hello, legs.latest());
            if (hello.commits && hello.process >= processes) {
                member.joinAt(globalClock);
            }
            members.add(member);
            changes.count();
        } else if (!member.is(hello.incarnation)) {
            // One that resumes asks, or has asked before; what it goes on with is of one that could be replaced.
            boolean resumes = hello.asks || hello.commits && hello.generation > member.generation();
            if (!resumes) {
                // Two at work under one number would number their updates alike, and of each pair one be passed over.
                session.refuse(Code.DROPPED, twin(member, hello.generation));
                return null;
            }
            // It may have been applied in part, on some servers: while it lives, only it can complete its clock.
            if (!member.commits() && isAtWork(member)) {
                session.refuse(
                        Code.DROPPED,
                        "Process " + member.process
                                + " is at work, and was started without lazytables.resume, so nobody takes its place:"
                                + " end it first, or give this process a number of its own");
                return null;
            }
            // Before the place changes hands: nothing that the one before still sends may count as its successor's.
            turnAway(member);
            member.takeOver(hello.incarnation, legs.offered(member), globalClock);
            legs.waitForAll(globalClock);
            changes.count();
        } else if (member.isDropped()) {
            session.refuse(
                    Code.DROPPED,
                    "Process " + hello.process + " was not connected for so long that the others go on without it:"
                            + " start it anew with lazytables.resume=true");
            return null;
        }
        // One that resumes learns the run from the servers that know it, and says so with RESUME.
        // Only process 0 has a say, so that all servers get the same name for the run, from whomever they hear first.
        if (run == 0 && hello.process == 0 && !hello.commits) {
            run = hello.incarnation;
        }
        for (Session other : sessions) {
            if (other != session && other.member == member) {
                // What the process sent there is lost or applied; it goes on here.
                other.closing = true;
                other.member = null;
            }
        }
        session.member = member;
        member.greets(hello);
        return member;
    }

    /** Asks a process that resumes where it goes on, and says what there is of the one before it. */
    void askPlace(Session session, Member member) {
        WireBuffer out = session.outbox.begin(Protocol.PLACE);
        out.putVar(member.generation());
        out.putVar(member.complete());
        out.putVar(member.touched());
        out.putVar(member.saidOfBefore());
        out.putVar(member.leg());
        out.putLong(run);
        session.outbox.end();
    }

    /** Takes note of the leg and the run in which a process that resumes takes part, as all servers are told. */
    void takesPart(Member member, int leg, long inRun, int globalClock) {
        member.takesPartIn(leg);
        legs.waitForAll(globalClock);
        if (run == 0) {
            run = inRun;
        }
    }

    /** Has the processes waited for that ended in a leg before the latest. */
    void waitForAll(int globalClock) {
        legs.waitForAll(globalClock);
    }

    /** What tells the run from others; 0 before its first process has come. */
    long run() {
        return run;
    }

    /** Takes the identity of a run before anybody says so. */
    void takeRun(long ofRun) {
        run = ofRun;
    }

    /** The place of this server among the run's; -1 if nobody has said so. */
    int place() {
        return servers == 0 ? -1 : place;
    }

    /** How many servers the run has; 0 if nobody has said so. */
    int servers() {
        return servers;
    }

    /** Takes a place before anybody says so. */
    void takePlace(int ofServer, int ofServers) {
        place = ofServer;
        servers = ofServers;
    }

    /** Writes which of the servers this is. */
    void write(WireBuffer out) {
        out.putVar(servers);
        out.putVar(place);
        out.putLong(run);
    }

    /** Reads what {@link #write} wrote. */
    void read(WireReader in) {
        servers = in.getInt("The number of servers", 0, Protocol.MAX_SERVERS);
        place = in.getInt("The server's place", 0, Protocol.MAX_SERVERS - 1);
        run = in.getLong();
    }

    /** All processes must name the same servers in the same order: rows would be looked for where they are not. */
    private void checkPlace(WireReader message) {
        int said = message.getInt("The server's place", 0, Protocol.MAX_SERVERS - 1);
        int saidServers = message.getInt("The number of servers", said + 1, Protocol.MAX_SERVERS);
        // The first to come says what the others must agree with.
        if (servers == 0) {
            place = said;
            servers = saidServers;
        } else if (place != said || servers != saidServers) {
            throw new WireException(
                    Code.CONFIGURATION,
                    "It takes this server for number " + said + " of " + saidServers
                            + ", which is number " + place + " of " + servers
                            + ": name the same servers in the same order everywhere, and start each with its own snapshots");
        }
    }

    private static String twin(Member member, int generation) {
        return generation < member.generation()
                ? "Another process has taken the place of process " + member.process
                : "There is a process " + member.process
                        + " already: give each process a number of its own. If it ended, set lazytables.resume on all;"
                        + " if the server has it from an earlier run, begin with an empty snapshot directory";
    }

    private boolean isAtWork(Member member) {
        return sessions.stream().anyMatch(session -> session.member == member && !session.closing);
    }

    private void turnAway(Member member) {
        for (Session session : sessions) {
            if (session.member == member) {
                session.refuse(Code.DROPPED, "Another process has taken the place of process " + member.process);
                session.member = null;
            }
        }
    }

    /**
     * What a process says of itself when it comes.
     *
     * @param commits whether it can be replaced, so that its updates count when it says so
     * @param asks whether it asks where to go on
     * @param generation how many had its number before, as far as it knows
     * @param made the number of the last update that it has made
     */
    record Hello(
            int process, long incarnation, int workers, boolean commits, boolean asks, int generation, long made) {}
}
