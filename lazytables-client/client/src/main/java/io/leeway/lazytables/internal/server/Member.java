package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A client process as a server knows it, connected or not: how it began ({@link Begin}), whether the others wait for it
 * ({@link Life}), and how far its updates have come. What takes it from one to the other is here, one method for each
 * thing that a server hears or decides.
 *
 * <p><b>Staged updates.</b> Updates of a process that may be replaced wait until the process says that all servers have
 * the whole clock. So when it ends, however that happens, its servers agree on its last clock: the last that each of
 * them has whole. If one has applied a clock, all have it.
 */
final class Member {

    /*
     * What holds between its numbers, after each method: applied <= received, and what lies between waits in "staged";
     * clock <= complete; clock <= touched <= clock + 1, since a clock is begun only when the one before it is whole (so
     * that one bit of a snapshot says it); storedBefore <= stored <= snapshotted <= applied, but for the moment after a
     * snapshot was read. Of a process that does not commit nothing waits, and received = applied.
     *
     * A process's numbers are a pair's, of it and this server: another server has others of the same process. Only
     * clocks, legs and generations mean the same everywhere, which is why a successor agrees with servers on these.
     */

    // In snapshots, beside those of Life and Begin.
    private static final int IN_PART = 8;
    private static final int COMMITS = 256;
    private static final int FLAGS = 1023;

    final int process;
    private long incarnation;
    /** How many processes had this number before. */
    private int generation;

    private int workers;

    /** The number of its last update that came, and of its last that was applied. */
    private long received;

    private long applied;
    /** The last clock of which all has come, of which all was applied, and of which something was. */
    private int complete;

    private int clock;
    private int touched;
    /** Whether its updates wait until it says that all servers have them. */
    private boolean commits;
    /** Those that wait, in their order. */
    private final ArrayDeque<ClockPart> staged = new ArrayDeque<>();

    /**
     * The number of the last update that a snapshot holds: the one that is being stored, the last that was stored, and
     * the one before it.
     */
    private long snapshotted;

    private long stored;
    private long storedBefore;
    /**
     * The number of an update that is to be in stored snapshots soon; one that has come and is not applied, as soon as
     * it is.
     */
    private long urgent;

    /** The number of the last update that it had made when it came, or -1 if it has not come. */
    private long replayTo = -1;
    /** The leg of the run in which it takes part, or did last, see {@link Legs}. */
    private int leg;

    private Life life = new Life.Playing();
    private Begin begin = new Begin.Begun(false);

    /** Since when it is not connected, as {@link #isOverdue} saw it; 0 if it is. */
    private long goneSince;

    /** One that goes on from nothing. */
    Member(int process, long incarnation) {
        this.process = process;
        this.incarnation = incarnation;
    }

    /** One that has never been here, in the leg that has begun. */
    static Member first(Admission.Hello hello, int leg) {
        var member = new Member(hello.process(), hello.incarnation());
        member.leg = leg;
        if (hello.commits()) {
            // Nobody goes on without one that is waited for: where other servers know of clocks of it, this one has
            // lost them.
            member.begin = new Begin.Asked(Begin.Before.COUNTED);
        }
        return member;
    }

    // What is heard of it, and what becomes of it.

    /**
     * Others have gone on without anybody of this number: it counts from here on. Never back: what was applied of
     * somebody before it stays.
     */
    void joinAt(int globalClock) {
        begin = new Begin.Asked(Begin.Before.GONE_ON);
        clock = Math.max(clock, globalClock);
        touched = clock;
        complete = clock;
    }

    /**
     * Lets another process go on in the place of this one, in a leg of the run. Until it says where it goes on, it
     * holds the others back.
     */
    void takeOver(long successor, int inLeg, int globalClock) {
        incarnation = successor;
        leg = inLeg;
        replayTo = -1;
        goneSince = 0;
        begin = begin.again();
        // Asked of the life that ends here. The generation stays as it is: it is the successor's to say, when it has
        // heard all servers, and until then yet another one may come before it.
        boolean skips = life.isBehind(clock, globalClock);
        life = new Life.Playing();
        if (skips) {
            joinAt(globalClock);
        }
    }

    /** It has come, or come back over another connection. */
    void greets(Admission.Hello hello) {
        workers = hello.workers();
        commits = hello.commits();
        // What it made before is to come again, whichever connection it comes over.
        replayTo = Math.max(replayTo, hello.made());
    }

    /** It says where it goes on, as all servers are told. What waited beyond that was given up before. */
    void resumeAt(int at, int ofGeneration, boolean skips) {
        clock = at;
        touched = at;
        complete = at;
        generation = ofGeneration;
        begin = new Begin.Begun(skips);
        // Counted like an update: when a stored snapshot holds it, the process is known here whatever happens, and with
        // it all that was made before it came, which its client does not have.
        applied++;
        received = applied;
        urgent = applied;
    }

    /** It takes part in this leg, or a later one. */
    void takesPartIn(int inLeg) {
        leg = Math.max(leg, inLeg);
    }

    /** A part of a clock has come. */
    void has(ClockPart part) {
        received = part.sequence();
        complete = part.last() ? part.clock() : complete;
    }

    /** A part of a clock has come that waits for its word. */
    void stage(ClockPart part, Memory memory) {
        part.waits(memory);
        staged.add(part);
    }

    /**
     * The next of what waits that is of a clock up to this one, which waits no more; its clocks are applied in their
     * order.
     */
    boolean hasStaged(int upTo) {
        return !staged.isEmpty() && staged.element().clock() <= upTo;
    }

    /** Takes the first of what waits. */
    ClockPart unstage(Memory memory) {
        ClockPart part = staged.remove();
        part.waitsNoMore(memory);
        return part;
    }

    /** Gives up what waits. */
    void forgetStaged(Memory memory) {
        staged.forEach(part -> part.isGivenUp(memory));
        staged.clear();
        received = applied;
        // As after the last whole clock: what was given up may come once more, with the same numbers and another
        // content.
        complete = clock;
    }

    /** A part of a clock was applied. */
    void did(ClockPart part) {
        applied = part.sequence();
        touched = part.clock();
        begin = begin.applied();
        if (part.last()) {
            clock = part.clock();
        }
    }

    /** It has said, with this number, that it is done: the others go on without it. */
    void end() {
        life = new Life.Ended();
    }

    /** It has said that it closes before it is done. */
    void close() {
        life = life.closed();
    }

    /** Its last word has a number like an update, so that it is told when a stored snapshot holds it. */
    void hasSaid(long sequence) {
        received = sequence;
        applied = sequence;
        urgent = sequence;
    }

    /** It says, or this server sees, that a part of what it did is gone for good. */
    void forsake() {
        life = life.forsaken();
    }

    /** Is taken to be dead: the others go on without it. */
    void drop() {
        life = new Life.Dropped();
    }

    /** Is waited for again, in the leg that has begun: where it ended, or where the others went on to without it. */
    void await(int globalClock) {
        life = life.awaited(globalClock);
    }

    // What follows from it.

    /** Whether this is that process, and none before or behind it. */
    boolean is(long ofIncarnation) {
        return incarnation == ofIncarnation;
    }

    int generation() {
        return generation;
    }

    int workers() {
        return workers;
    }

    int leg() {
        return leg;
    }

    /** Whether others may go on where it is, since its updates count when it says so. */
    boolean commits() {
        return commits;
    }

    /** The number of the last of its updates that was applied. */
    long applied() {
        return applied;
    }

    /** The number of the last of its updates that came. */
    long received() {
        return received;
    }

    /** The last clock of which all was applied. */
    int clock() {
        return clock;
    }

    /** The last clock of which all has come. */
    int complete() {
        return complete;
    }

    /** The last clock of which updates were applied. */
    int touched() {
        return touched;
    }

    /** The clock of which nothing is missing: of one that ended, what the others did without it, too. */
    int counted() {
        return life.counted(clock);
    }

    /** Whether the clocks of the others go on without it. */
    boolean hasLeft() {
        return life.hasLeft();
    }

    /** Whether it ended in a leg of the run and takes part in none since. */
    boolean hasEndedLeg() {
        return life.hasEndedLeg();
    }

    /** Whether it said that it is done, and nobody waits for it again. */
    boolean hasEndedByItself() {
        return life instanceof Life.Ended;
    }

    boolean isDropped() {
        return life instanceof Life.Dropped;
    }

    boolean isLost() {
        return life instanceof Life.Lost;
    }

    /** Whether it has said at which clock it goes on, if it is to say so. */
    boolean hasBegun() {
        return begin instanceof Begin.Begun;
    }

    /** What PLACE says of how the one before it began; only of one that is asked. */
    int saidOfBefore() {
        return begin instanceof Begin.Asked asked ? asked.before().said() : 0;
    }

    /** Whether it sends nothing more that a server before this one may have had. */
    boolean isComplete() {
        return life.hasEnded() || replayTo >= 0 && applied >= replayTo;
    }

    /** Why whoever waits for it may wait in vain, where nobody is dropped who stays away. */
    int outlook() {
        return life.outlook(commits);
    }

    /**
     * Whether an update is new, and not one that came before. That numbers come without a gap is what makes each count
     * once: a connection that breaks loses what was under way, and the client begins again behind what the server says
     * that it has.
     */
    boolean expects(long sequence) {
        if (sequence <= received) {
            return false;
        }
        if (sequence != received + 1) {
            throw new WireException("Update " + sequence + " came behind update " + received);
        }
        if (life.hasEnded()) {
            throw new WireException("Update " + sequence + " came after the end of process " + process);
        }
        return true;
    }

    /**
     * Whether it is to be dropped, as one that is away for longer than the limit; to be asked now and then, with the
     * time.
     */
    boolean isOverdue(boolean isConnected, long nowNanos, long limitNanos) {
        if (life.hasLeft() || isConnected) {
            goneSince = 0;
        } else if (goneSince == 0) {
            // Since when it was noticed, not since when it is gone: a server that was started again, or stood still,
            // drops nobody for the time in which nobody could reach it.
            goneSince = nowNanos == 0 ? 1 : nowNanos;
        } else {
            return nowNanos - goneSince > limitNanos;
        }
        return false;
    }

    // What is stored of it.

    /** What a snapshot holds from now on. */
    void snapshotTaken() {
        snapshotted = applied;
    }

    void snapshotStored() {
        storedBefore = stored;
        stored = snapshotted;
    }

    /** Asks for all that has come to be stored soon. */
    void hurry() {
        urgent = received;
    }

    /**
     * The number of the last update that its client need not keep. Each is kept until two stored snapshots hold it,
     * since the newest may turn out to be damaged; a process that ends does not wait for the second.
     */
    long durable() {
        return life.hasLeft() ? stored : storedBefore;
    }

    /** Whether a snapshot would bring it nearer to what it waits for: none holds what is not applied. */
    boolean waitsForStore() {
        return durable() < Math.min(urgent, applied);
    }

    /**
     * Whether another server knows the same of the process: then both have exactly its clocks up to one, and nothing of
     * later ones.
     */
    boolean agrees(Member other) {
        return clock == other.clock
                && touched == clock
                && other.touched == other.clock
                && life.hasEndedLeg() == other.life.hasEndedLeg()
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
        member.touched = first.clock;
        member.complete = first.clock;
        var lives = new ArrayList<Life>();
        int began = 0;
        for (Member each : known) {
            member.generation = Math.max(member.generation, each.generation);
            member.applied = Math.max(member.applied, each.applied);
            member.leg = Math.max(member.leg, each.leg);
            member.commits |= each.commits;
            lives.add(each.life);
            began |= each.begin.flags();
        }
        member.life = Life.merged(lives);
        // All of the new servers know the same: none has gone on where others have not.
        member.begin = Begin.of(began & ~Begin.JOINED);
        member.received = member.applied;
        return member;
    }

    /** What it is, for people. */
    ServerStatus.OfProcess status(boolean isConnected) {
        return new ServerStatus.OfProcess(process, life.state(isConnected), workers, clock, applied);
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
        out.putVar(life.flags() | begin.flags() | (touched > clock ? IN_PART : 0) | (commits ? COMMITS : 0));
    }

    /** Reads what {@link #write} wrote. */
    static Member read(WireReader in) {
        int process = in.getInt("The process", 0, Protocol.MAX_PROCESSES - 1);
        var member = new Member(process, in.getLong());
        member.generation = in.getInt("The generation", 0, Integer.MAX_VALUE);
        member.workers = in.getInt("The number of workers", 1, Protocol.MAX_WORKERS);
        member.applied = in.getVar("The sequence", 0, Long.MAX_VALUE);
        member.received = member.applied;
        // What was read is sound: two that hold it are asked for only of what is not known to be.
        member.stored = member.applied;
        member.storedBefore = member.applied;
        member.clock = in.getInt("The clock", 0, Integer.MAX_VALUE);
        member.complete = member.clock;
        member.leg = in.getInt("The leg", 0, Integer.MAX_VALUE);
        int flags = in.getInt("The flags", 0, FLAGS);
        member.life = Life.of(flags);
        member.begin = Begin.of(flags);
        // No more than one clock is begun beyond the last whole one.
        member.touched = (flags & IN_PART) != 0 ? member.clock + 1 : member.clock;
        member.commits = (flags & COMMITS) != 0;
        return member;
    }
}
