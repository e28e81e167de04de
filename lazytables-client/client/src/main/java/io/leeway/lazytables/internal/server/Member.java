package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A client process as a server knows it, connected or not.
 *
 * <p><b>Staged updates.</b> Updates of a process that may be replaced wait until the process says that all servers have the whole clock. So when it ends, however that happens, its servers agree on its
 * last clock: the last that each of them has whole. If one has applied a clock, all have it.
 */
final class Member {

    private static final int LEFT = 1;
    private static final int DROPPED = 2;
    private static final int NOT_RESUMED = 4;
    private static final int IN_PART = 8;
    private static final int SKIPPED = 16;
    private static final int FLAGS = 31;

    final int process;
    long incarnation;
    /** How many processes had this number before. */
    int generation;

    int workers;

    /** The number of its last update that came, and of its last that was applied. */
    long received;

    long applied;
    /** The last clock of which all has come, and the last of which all was applied. */
    int complete;

    int clock;
    /** Whether a part of the next clock was applied. */
    boolean inPart;
    /** Whether its updates wait until it says that all servers have them. */
    boolean commits;
    /** Those that wait, in their order. */
    final ArrayDeque<ClockPart> staged = new ArrayDeque<>();

    /** The number of the last update that a snapshot holds: the one that is being stored, the last that was stored, and the one before it. */
    private long snapshotted;

    private long stored;
    private long storedBefore;
    /** The number of an update that is to be in stored snapshots soon; one that has come and is not applied, as soon as it is. */
    long urgent;

    /** The number of the last update that it had made when it came, or -1 if it has not come. */
    long replayTo = -1;
    /** Whether the clocks of the others go on without it. */
    boolean left;
    /** Whether it was taken to be dead. */
    boolean dropped;
    /** Whether it said at which clock it goes on, if it is to say so. */
    boolean resumed = true;
    /** Whether the others had gone on without it when it came. */
    boolean joined;
    /** Whether clocks were skipped when it began, and it has done nothing since. */
    boolean skipped;
    /** Since when it is not connected, as {@link ServerCore#expire} saw it; 0 if it is. */
    long goneSince;

    Member(int process, long incarnation) {
        this.process = process;
        this.incarnation = incarnation;
    }

    /** Lets another process go on in the place of this one, or lets a new one in. Until it says where it goes on, it holds the others back. */
    void takeOver(long successor, int globalClock) {
        incarnation = successor;
        replayTo = -1;
        goneSince = 0;
        resumed = false;
        if (left) {
            left = false;
            dropped = false;
            joinAt(globalClock);
        }
    }

    /** Counts from here on. */
    void joinAt(int globalClock) {
        resumed = false;
        joined = true;
        inPart = false;
        clock = Math.max(clock, globalClock);
        complete = clock;
    }

    /** The last clock of which updates were applied. */
    int touched() {
        return inPart ? clock + 1 : clock;
    }

    /** Gives up what waits. */
    void forgetStaged() {
        staged.clear();
        received = applied;
        complete = clock;
    }

    /** What a snapshot holds from now on. */
    void snapshotTaken() {
        snapshotted = applied;
    }

    void snapshotStored() {
        storedBefore = stored;
        stored = snapshotted;
    }

    /**
     * The number of the last update that its client need not keep. Each is kept until two stored snapshots hold it, since the newest may turn out to be damaged; a process that ends does not wait for
     * the second.
     */
    long durable() {
        return left ? stored : storedBefore;
    }

    /** Whether a snapshot would bring it nearer to what it waits for: none holds what is not applied. */
    boolean waitsForStore() {
        return durable() < Math.min(urgent, applied);
    }

    /** Whether another server knows the same of the process: then both have exactly its clocks up to one, and nothing of later ones. */
    boolean agrees(Member other) {
        return clock == other.clock && !inPart && !other.inPart && left == other.left && workers == other.workers;
    }

    /** What servers that agree know of the process, for servers in their place. */
    static Member merged(List<Member> known) {
        Member first = known.get(0);
        // Its updates are numbered for each server, which the new ones are not: who is connected now must not send the
        // rest to them. As with a process that was replaced, only a successor goes on.
        var member = new Member(first.process, first.incarnation + 1);
        member.workers = first.workers;
        member.clock = first.clock;
        member.complete = first.clock;
        member.left = first.left;
        for (Member each : known) {
            member.generation = Math.max(member.generation, each.generation);
            member.applied = Math.max(member.applied, each.applied);
            member.dropped |= each.dropped;
            member.skipped |= each.skipped;
            member.resumed &= each.resumed;
        }
        member.received = member.applied;
        return member;
    }

    /** What it is, for people. */
    ServerStatus.OfProcess status(boolean connected) {
        ServerStatus.State state;
        if (dropped) {
            state = ServerStatus.State.DROPPED;
        } else if (left) {
            state = ServerStatus.State.ENDED;
        } else {
            state = connected ? ServerStatus.State.CONNECTED : ServerStatus.State.AWAY;
        }
        return new ServerStatus.OfProcess(process, state, workers, clock, applied);
    }

    /** Writes what is known of the process, for a snapshot. */
    void write(WireBuffer out) {
        out.putVar(process);
        out.putLong(incarnation);
        out.putVar(generation);
        out.putVar(workers);
        out.putVar(applied);
        out.putVar(clock);
        out.putByte((left ? LEFT : 0)
                | (dropped ? DROPPED : 0)
                | (resumed ? 0 : NOT_RESUMED)
                | (inPart ? IN_PART : 0)
                | (skipped ? SKIPPED : 0));
    }

    /** Reads what {@link #write} wrote. */
    static Member read(WireReader in) {
        int process = in.getInt("The process", 0, Protocol.MAX_PROCESSES - 1);
        var member = new Member(process, in.getLong());
        member.generation = in.getInt("The generation", 0, Integer.MAX_VALUE);
        member.workers = in.getInt("The number of workers", 1, Protocol.MAX_WORKERS);
        member.applied = in.getVar("The sequence", 0, Long.MAX_VALUE);
        member.received = member.applied;
        member.stored = member.applied;
        member.storedBefore = member.applied;
        member.clock = in.getInt("The clock", 0, Integer.MAX_VALUE);
        member.complete = member.clock;
        int flags = in.getInt("The flags", 0, FLAGS);
        member.left = (flags & LEFT) != 0;
        member.dropped = (flags & DROPPED) != 0;
        member.resumed = (flags & NOT_RESUMED) == 0;
        member.inPart = (flags & IN_PART) != 0;
        member.skipped = (flags & SKIPPED) != 0;
        return member;
    }
}
