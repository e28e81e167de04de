package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How processes come, go on where others were, and leave: HELLO and what follows it up to WELCOME, and the ways in
 * which they end. Who is let in is {@link Admission}'s to say, and what that makes of a process {@link Member}'s.
 *
 * <p>A process that resumes is asked where it goes on (PLACE) and told nothing before it has said so (RESUME), which it
 * does when it has heard all servers. Until then it counts at the clock that its predecessor completed, so the others
 * cannot pass by. One that would join, or begin where the others have gone on without it, waits until this server has
 * recovered: its clock is not yet again what others were told.
 */
final class Attendance {

    private final Members members;
    private final Admission admission;
    private final Clocks clocks;
    private final Updates updates;
    private final Changes changes;
    private final Collection<Session> sessions;
    private final Effects effects;

    /** What follows for the rest of the server. */
    interface Effects {

        /** Who counts has changed, so the global clock may be another. */
        void clocksMayMove();

        /** Perhaps nothing is missing any more that a server before this one had. */
        void mayHaveRecovered();
    }

    Attendance(
            Members members,
            Admission admission,
            Clocks clocks,
            Updates updates,
            Changes changes,
            Collection<Session> sessions,
            Effects effects) {
        this.members = members;
        this.admission = admission;
        this.clocks = clocks;
        this.updates = updates;
        this.changes = changes;
        this.sessions = sessions;
        this.effects = effects;
    }

    /** A process says who it is. */
    void onHello(Session session, WireReader message, boolean recovering) {
        if (session.member != null || session.joining != null) {
            throw new WireException("HELLO came again");
        }
        // Whoever takes this server for another one is told before anything is noted of it.
        Admission.Hello hello = admission.hello(message);
        // The clock is not yet again what others were told before this server was restarted: what is done from here on
        // would be missing in what they have of later clocks.
        session.joining = recovering && admission.joins(hello) ? hello : null;
        if (session.joining == null) {
            admit(session, hello);
        } else {
            // Perhaps all others have ended, and nothing is to come any more.
            effects.mayHaveRecovered();
            refuseJoining();
        }
    }

    /** Lets in who waited for this server to have recovered. */
    void admitJoining() {
        for (Session session : sessions) {
            Admission.Hello hello = session.joining;
            // Once: what is refused now need not be asked again when this server has nothing more to recover.
            session.joining = null;
            if (hello != null && !session.closing) {
                admit(session, hello);
            }
        }
    }

    private void admit(Session session, Admission.Hello hello) {
        Member member = admission.admit(session, hello, clocks.global());
        if (member == null) {
            // It was told why.
            return;
        }
        if (member.hasBegun()) {
            welcome(session, member);
        } else {
            admission.askPlace(session, member);
        }
        // The last that was missing may have come, and had nothing to send again.
        effects.clocksMayMove();
        effects.mayHaveRecovered();
    }

    /** A process that was asked says where it goes on, as it tells all servers. */
    void onResume(Session session, Member member, WireReader message) {
        if (member.hasBegun()) {
            throw new WireException("Process " + member.process + " goes on already");
        }
        int generation = message.getInt("The generation", 0, Integer.MAX_VALUE);
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        boolean skips = message.getInt("Whether clocks are skipped", 0, 1) == 1;
        int leg = message.getInt("The leg", 0, Integer.MAX_VALUE);
        long run = message.getLong();
        // What was applied here cannot be taken back, and what is not here nobody sends again. Neither happens unless
        // this server has lost what it said when it asked.
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
        // All servers apply what waits up to there, and give up what is beyond: so they hold the same of it again.
        updates.settleAt(member, clock);
        // After what waited was settled, as this numbers the place like the next update.
        member.resumeAt(clock, generation, skips);
        admission.takesPart(member, leg, run, clocks.global());
        changes.count();
        welcome(session, member);
        effects.clocksMayMove();
        effects.mayHaveRecovered();
    }

    private void welcome(Session session, Member member) {
        WireBuffer out = session.outbox.begin(Protocol.WELCOME);
        out.putVar(Protocol.VERSION);
        out.putVar(clocks.global());
        out.putVar(member.applied());
        out.putVar(member.received());
        session.outbox.end();
    }

    /**
     * Of one that is done the others go on without; one that is not keeps its place for somebody else, who finds what
     * it completed.
     */
    void onEnd(Member member, WireReader message, boolean isDone) {
        long sequence = message.getVar("The sequence", 1, Long.MAX_VALUE);
        // It was heard over a connection that broke before its client knew.
        if (!member.expects(sequence)) {
            return;
        }
        // Its last clock waits for no word of it any more: an end is made only when all servers have all clocks.
        updates.settle(member);
        if (isDone) {
            member.end();
            goOnWithout();
        } else {
            member.close();
            changes.count();
        }
        // Behind the clocks that this completed: answers that wait for them were asked before the end.
        member.hasSaid(sequence);
        effects.mayHaveRecovered();
    }

    /** A part of what the process did is gone for good: who waits for it waits in vain. */
    void onForsaken(Member member) {
        member.forsake();
        changes.count();
        refuseJoining();
    }

    /** The processes that are away for longer than the limit. */
    List<Member> overdue(long nowNanos, long limitNanos) {
        // All are found before the first is dropped: with it the others' clocks move, and what is away stays away.
        var overdue = new ArrayList<Member>();
        for (Member member : members.values()) {
            if (member.isOverdue(isConnected(member), nowNanos, limitNanos)) {
                overdue.add(member);
            }
        }
        return overdue;
    }

    /**
     * Goes on without a process. What it sent stays: also clocks that wait for its word, which may be there on other
     * servers.
     */
    void drop(Member member) {
        updates.settle(member);
        member.drop();
        goOnWithout();
    }

    /**
     * Of one that has left; unless it was in a leg that others have gone beyond, in which case it is waited for again
     * at once.
     */
    private void goOnWithout() {
        // First: the clock must not pass who is waited for again.
        admission.waitForAll(clocks.global());
        changes.count();
        effects.clocksMayMove();
    }

    private boolean isConnected(Member member) {
        return sessions.stream().anyMatch(session -> session.member == member);
    }

    /** Who waits to join until all is back would wait in vain. */
    private void refuseJoining() {
        if (clocks.outlook() != Protocol.GONE) {
            // Whoever is missing may come, or will be dropped.
            return;
        }
        for (Session session : sessions) {
            if (session.joining != null && !session.closing) {
                session.joining = null;
                session.refuse(
                        Code.LOST,
                        "Process " + clocks.awaited()
                                + " cannot be continued, since a part of its updates is gone with a server:"
                                + " begin the run anew");
            }
        }
    }
}
