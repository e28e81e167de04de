package io.leeway.lazytables.internal.server;

import java.util.Collection;

/**
 * The legs of a run. A process that ends says that the others go on without it; one that comes back after that begins
 * another leg, in which all are waited for again: who has ended in an earlier one is expected where it ended, as every
 * process is when a run begins. So nobody is ahead of those that have not come back yet, in whatever order processes
 * end and come.
 *
 * <p>Processes that were not in the number for which the run was made join and leave as they like: one of them begins
 * another leg only if nobody else is at work.
 *
 * <p>Servers hear of ends and beginnings each in an order of its own. A process takes the latest leg that any server
 * offers to all of them, and whoever ends in an earlier leg than the latest is waited for at once; so all servers wait
 * for the same processes once they have heard the same.
 */
final class Legs {

    private final int processes;
    private final Collection<Member> members;

    /** For so many processes that are waited for, of those that have come. */
    Legs(int processes, Collection<Member> members) {
        this.processes = processes;
        this.members = members;
    }

    /** The leg in which somebody begins who takes this place, or joins. */
    int offered(Member member) {
        if (!member.hasEndedLeg()) {
            // It goes on with what its predecessor did, whose end is still to come.
            return member.leg();
        }
        // Of one that was dropped the leg goes on: it had not ended.
        boolean begins = member.hasEndedByItself() && (member.process < processes || isAtRest());
        return Math.max(latest(), begins ? member.leg() + 1 : 0);
    }

    /**
     * Waits again for all that have ended in an earlier leg than the latest; to be called when somebody has come or
     * ended, before clocks advance.
     */
    void waitForAll(int globalClock) {
        int latest = latest();
        for (Member member : members) {
            if (member.hasLeft() && member.leg() < latest && member.process < processes) {
                member.await(globalClock);
            }
        }
    }

    /** The latest leg that has begun. */
    int latest() {
        int latest = 0;
        for (Member member : members) {
            latest = Math.max(latest, member.leg());
        }
        return latest;
    }

    private boolean isAtRest() {
        return members.stream().allMatch(Member::hasEndedLeg);
    }
}
