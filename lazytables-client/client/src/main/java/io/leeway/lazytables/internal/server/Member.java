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
    private static final int AWAITED = 32;
    private static final int UNFINISHED = 64;
    private static final int JOINED = 128;
    private static final int COMMITS = 256;
    private static final int LOST = 512;
    private static final int FLAGS = 1023;

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
    /** The leg of the run in which it takes part, or did last, see {@link Legs}. */
    int leg;
    /** Whether it ended in an earlier leg and is waited for again: nothing is missing of what it did. */
    boolean awaited;
    /** The global clock since when it is; its own may be an earlier one, of which its client may still ask. */
    private int awaitedAt;
    /** Whether it closed before it was done: it is waited for, and nothing is missing of what it completed. */
    boolean unfinished;
    /** Whether nobody can go on where it was, since a part of what it did is gone with it and with a server. */
    boolean lost;
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
        boolean isBehind = awaited && clock < globalClock;
        awaited = false;
        unfinished = false;
        lost = false;
        if (left || isBehind) {
            left = false;
            dropped = false;
            joinAt(globalClock);
        }
    }

    /** Is taken to be dead: others go on without it. */
    void drop() {
        dropped = true;
        lost = false;
    }

    /** Is waited for again, in the leg that has begun: where it ended, or where the others went on to without it. */
    void await(int globalClock) {
        left = false;
        dropped = false;
        awaited = true;
        awaitedAt = globalClock;
    }

    /** The clock of which nothing is missing: of one that ended, what the others did without it, too. */
    int counted() {
        return awaited ? Math.max(clock, awaitedAt) : clock;
    }

    /** Whether it sends nothing more that a server before this one may have had. */
    boolean isComplete() {
        return left || awaited || unfinished || replayTo >= 0 && applied >= replayTo;
    }

    /** Whether it has said that nothing more comes of it. */
    boolean hasEnded() {
        return left || awaited || unfinished;
    }

    /** Why whoever waits for it may wait in vain, where nobody is dropped who stays away. */
    int outlook() {
        return lost ? Protocol.GONE : unfinished && !commits ? Protocol.UNFINISHED : Protocol.COMES;
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
    void forgetStaged(Memory memory) {
        staged.forEach(part -> memory.give(part.bytes()));
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
        return clock == other.clock
                && !inPart
                && !other.inPart
                && (left || awaited) == (other.left || other.awaited)
                && workers == other.workers;
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
            member.leg = Math.max(member.leg, each.leg);
            member.awaited |= each.awaited;
            member.left &= !each.awaited;
            member.unfinished |= each.unfinished;
            member.commits |= each.commits;
            member.lost |= each.lost;
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
        } else if (lost) {
            state = ServerStatus.State.LOST;
        } else if (unfinished) {
            state = ServerStatus.State.UNFINISHED;
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
        out.putVar(leg);
        out.putVar((left ? LEFT : 0)
                | (dropped ? DROPPED : 0)
                | (resumed ? 0 : NOT_RESUMED)
                | (inPart ? IN_PART : 0)
                | (skipped ? SKIPPED : 0)
                | (awaited ? AWAITED : 0)
                | (unfinished ? UNFINISHED : 0)
                | (joined ? JOINED : 0)
                | (commits ? COMMITS : 0)
                | (lost ? LOST : 0));
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
        member.leg = in.getInt("The leg", 0, Integer.MAX_VALUE);
        int flags = in.getInt("The flags", 0, FLAGS);
        member.left = (flags & LEFT) != 0;
        member.dropped = (flags & DROPPED) != 0;
        member.resumed = (flags & NOT_RESUMED) == 0;
        member.inPart = (flags & IN_PART) != 0;
        member.skipped = (flags & SKIPPED) != 0;
        member.awaited = (flags & AWAITED) != 0;
        member.unfinished = (flags & UNFINISHED) != 0;
        member.joined = (flags & JOINED) != 0;
        member.commits = (flags & COMMITS) != 0;
        member.lost = (flags & LOST) != 0;
        return member;
    }
}
