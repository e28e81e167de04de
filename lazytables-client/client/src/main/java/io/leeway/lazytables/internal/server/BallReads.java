package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of rows that may lack a number of clocks, whichever workers' clocks these are.
 *
 * <p>A read of clock n is answered when at most as many clocks up to n are missing, of all workers of other processes
 * together, as it allows. Where each clock of a worker moves a row by no more than the table's limit, the row is then
 * no further from its state after clock n than that limit times the missing clocks. What others did after n is left
 * out: it would count as well, and would not go away by waiting, so that the slowest worker might never be answered.
 * What the reader's own process did is all there: clocks that its workers have yet to complete are the process's to
 * count.
 *
 * <p>A process that left has completed all the clocks that it will ever have, so nothing of it is missing.
 */
final class BallReads {

    /*
     * James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.3.4 "Implementing
     * Bounding Ball Staleness", has a server wait until the sum of all threads' clocks reaches a value, as partial
     * barriers do, and prints the bound as the sum of |C_i - C_j| t delta over j. The t counts the steps of each thread
     * t times; the sum of one delta for each clock that is missing or too many is enough, and is what is used here (the
     * proof is in docs/lazytables/design.md). Nor is the sum of all clocks what is waited for: in it the clocks of
     * those who are ahead would make up for those who are behind. Only clocks up to the reader's count, and only
     * missing ones, as the others are left out of the answer.
     *
     * Cost: a question is looked at when it comes and whenever a clock has moved, in time of the number of processes.
     */

    private final Collection<Member> members;
    private final List<Waiting> waiting = new ArrayList<>();
    /** How many of the reads that wait were looked at since clocks moved. */
    private int looked;

    private boolean moved;

    BallReads(Collection<Member> members) {
        this.members = members;
    }

    /** Takes a question; it is answered by {@link #answer}. */
    void onRead(Session session, WireReader message) {
        int id = message.getInt("The table", 0, session.tables.size() - 1);
        ServerTable table = session.tables.get(id);
        if (!table.isLimited()) {
            throw new WireException(
                    "A read within a radius came for table " + table.name + ", whose steps have no limit");
        }
        long key = message.getVar("The row", 0, table.spec.rows() - 1);
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        long allowed = message.getVar("The number of clocks", 0, Long.MAX_VALUE);
        session.waits();
        waiting.add(new Waiting(session, id, table, key, clock, allowed));
    }

    /** Takes note that a clock, or who counts, has changed. */
    void clocksMoved() {
        moved = true;
    }

    void drop(@Nullable Session session) {
        waiting.removeIf(read -> read.session == session);
        moved = true;
    }

    /** Answers what can be: of all questions if clocks have moved, else of the new ones. */
    void answer() {
        // Those before "looked" were found not due at these clocks: nothing else makes them so.
        int kept = moved ? 0 : looked;
        for (int i = kept; i < waiting.size(); i++) {
            Waiting read = waiting.get(i);
            if (!isDue(read)) {
                // In their order, in place: of thousands most wait on.
                waiting.set(kept++, read);
            } else if (read.session.hasRoom()) {
                answer(read);
            } else {
                read.session.putOff(clock -> answerLate(read));
            }
        }
        waiting.subList(kept, waiting.size()).clear();
        looked = kept;
        moved = false;
    }

    private boolean isDue(Waiting read) {
        Member reader = read.session.member;
        if (reader == null || read.session.closing) {
            return true;
        }
        long missing = missing(reader, read.clock);
        boolean isTooMuch = missing > read.allowed;
        return !isTooMuch;
    }

    /** Somebody may have joined since there was no room. */
    private void answerLate(Waiting read) {
        if (isDue(read)) {
            answer(read);
        } else {
            waiting.add(read);
            moved = true;
        }
    }

    private void answer(Waiting read) {
        read.session.waitsNoMore();
        Member reader = read.session.member;
        if (reader != null && !read.session.closing) {
            answer(read, reader, missing(reader, read.clock));
        }
    }

    private long missing(Member reader, int clock) {
        long missing = 0;
        for (Member other : members) {
            if (other != reader && !other.hasLeft() && other.counted() < clock) {
                // All of its workers, though some may be ahead of their process: a server hears of processes only. So
                // the answer says no less than what is missing.
                missing += (long) other.workers() * (clock - other.counted());
            }
        }
        return missing;
    }

    private void answer(Waiting read, Member reader, long missing) {
        long others = 0;
        int complete = Integer.MAX_VALUE;
        for (Member other : members) {
            others += other == reader ? 0 : other.workers();
            // Of who has left nothing more comes, so it holds back no data clock; its workers count among the others
            // all the same, by which an answer is taken to be further off than it is, never nearer.
            complete = other.hasLeft() ? complete : Math.min(complete, other.counted());
        }
        WireBuffer out = read.session.outbox.begin(Protocol.BALL);
        int from = out.size();
        out.putVar(read.id);
        out.putVar(read.key);
        out.putVar(read.clock);
        out.putVar(missing);
        out.putVar(others);
        out.putVar(Math.min(complete, read.clock));
        out.putVar(reader.applied());
        read.table.read(read.key, read.clock, reader.process).write(out);
        int bytes = out.size() - from;
        read.session.outbox.end();
        read.session.checkRow(read.table, read.key, bytes);
    }

    private record Waiting(Session session, int id, ServerTable table, long key, int clock, long allowed) {}
}
