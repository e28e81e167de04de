package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;

/**
 * The server's clock, and what clients are told of it.
 *
 * <p>It is the least clock of all processes that the others wait for, and 0 until as many as are expected have come. It
 * never goes back: what was read at a clock was told to be complete. A process that comes where the others have gone on
 * without it therefore begins at it, and counts from its first word on.
 */
final class Clocks {

    private final Members members;
    /** Whether clients keep what they sent until a snapshot holds it. */
    private final boolean recoverable;
    /** Whether who stays away is dropped some time, so that nobody waits in vain. */
    private boolean dropsAbsent;

    private int globalClock;
    private int slowest;

    /** Those of a server that goes on from a clock. */
    Clocks(Members members, boolean recoverable, int globalClock) {
        this.members = members;
        this.recoverable = recoverable;
        this.globalClock = globalClock;
    }

    /** Says that who stays away is dropped some time. */
    void dropsAbsent() {
        dropsAbsent = true;
    }

    /** The clock that all processes have completed. */
    int global() {
        return globalClock;
    }

    /** The process that holds it back. */
    int slowest() {
        return slowest;
    }

    /** Computes the global clock; returns whether it is a later one. */
    boolean advance() {
        if (members.missing() > 0) {
            // Nobody knows how far it is: a server that is started anew hears of all before it goes on.
            slowest = members.firstMissing();
            return false;
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
        // A process that joins, or begins behind, holds the clock back and never takes it back.
        boolean isLater = least > globalClock;
        globalClock = Math.max(globalClock, least);
        return isLater;
    }

    /** The process that is waited for: one that cannot come any more before all others. */
    int awaited() {
        for (Member member : members.values()) {
            if (member.isLost()) {
                return member.process;
            }
        }
        return slowest;
    }

    /** Whether that one comes; see {@link Protocol#COMES}. */
    int outlook() {
        Member member = dropsAbsent ? null : members.find(awaited());
        return member == null || member.hasLeft() ? Protocol.COMES : member.outlook();
    }

    /**
     * Tells a client what it was not told yet: the clock, what became of its updates, and whether the one that is
     * waited for comes.
     */
    void write(Session session) {
        Member member = session.member;
        if (member == null || !member.hasBegun()) {
            // To one that is asked where it goes on, clocks and numbers of updates are of another process still.
            return;
        }
        // What has come counts when all servers say so: the process waits for this word of each.
        if (member.commits() && session.stagedTold != member.complete()) {
            session.outbox.begin(Protocol.STAGED).putVar(member.complete());
            session.outbox.end();
            session.stagedTold = member.complete();
        }
        // Of a clock a client is told behind the rows that it changed.
        int clock = session.isBehind() ? session.clockTold : globalClock;
        int outlook = outlook();
        long durable = durable(member);
        if (clock < 0
                || session.clockTold == clock
                        && session.outlookTold == outlook
                        && session.appliedTold == member.applied()
                        && session.durableTold == durable) {
            return;
        }
        WireBuffer out = session.outbox.begin(Protocol.CLOCKS);
        out.putVar(clock);
        // Who waits is told of the process that does not come, and else of the slowest.
        out.putVar(outlook == Protocol.COMES ? slowest : awaited());
        out.putVar(member.applied());
        out.putVar(durable);
        out.putVar(outlook);
        session.outbox.end();
        session.outlookTold = outlook;
        session.clockTold = clock;
        session.appliedTold = member.applied();
        session.durableTold = durable;
    }

    /**
     * The last update that a client need not keep: where there are no snapshots, what is applied will never be asked
     * for again.
     */
    private long durable(Member member) {
        return recoverable ? member.durable() : member.applied();
    }
}
