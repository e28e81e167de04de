package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates, from the message to the tables: each once, in the order of their process, and those of a process that may be
 * replaced not before it says that all servers have them (see {@link Member}).
 *
 * <p>A message is read whole before any of it is applied. So a bad one changes nothing, and what fails behind that is a
 * fault of the server, or of an operation of the program's own.
 */
final class Updates {

    private final Clocks clocks;
    private final Memory memory;
    private final Changes changes;
    private final Runnable clockCompleted;
    private @Nullable ClockEnds ends;

    /** Says, whenever a process has completed a clock, that the global one may be another. */
    Updates(Clocks clocks, Memory memory, Changes changes, Runnable clockCompleted) {
        this.clocks = clocks;
        this.memory = memory;
        this.changes = changes;
        this.clockCompleted = clockCompleted;
    }

    /** Keeps rows as they are at the ends of clocks, before they are changed beyond. */
    void keepFor(ClockEnds clockEnds) {
        ends = clockEnds;
    }

    /** Takes a part of a clock of the process; returns whether it is new. */
    boolean onUpdate(Session session, Member member, WireReader message) {
        long sequence = message.getVar("The sequence", 1, Long.MAX_VALUE);
        if (!member.expects(sequence)) {
            // Sent again over another connection, since its client could not know that it had come.
            return false;
        }
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        // Clocks come whole and in their order, each in one part or more. One that was skipped would be taken for
        // complete.
        if (clock != member.complete() + 1) {
            throw new WireException(
                    "An update of clock " + clock + " came where clock " + (member.complete() + 1) + " goes on");
        }
        boolean last = message.getInt("The last part", 0, 1) == 1;
        int bytes = message.remaining();
        var part = new ClockPart(sequence, clock, last, bytes, parsed(session, member, message));
        // Before anything is noted: the client sends it again when there is room.
        memory.require(part.needs(), "An update of process " + member.process);
        // Before it is applied, since what that sets off, the clock and answers, says how far the process is.
        member.has(part);
        if (member.commits()) {
            member.stage(part, memory);
        } else {
            apply(member, part);
        }
        return true;
    }

    /** Applies what waited, up to a clock that all servers have. */
    void commit(Member member, int clock) {
        while (member.hasStaged(clock)) {
            apply(member, member.unstage(memory));
        }
    }

    /**
     * Applies the clocks that the process has sent whole, which may be there on other servers, and gives up what is
     * left: nothing more comes of it.
     */
    void settle(Member member) {
        settleAt(member, member.complete());
    }

    /** Applies what waits up to the clock at which all servers let another process go on, and gives up the rest. */
    void settleAt(Member member, int clock) {
        commit(member, clock);
        member.forgetStaged(memory);
    }

    private void apply(Member member, ClockPart part) {
        if (ends != null) {
            // Rows are kept as they are at the end of a clock before the first update beyond it changes them.
            ends.before(part.clock(), clocks.global());
        }
        // From here on a failure leaves a part of the message done.
        changes.begin();
        part.applyFor(member.process);
        member.did(part);
        changes.count();
        // A clock of which a part is missing does not count, though its rows are changed: a row is never divided over
        // parts, so each that a read finds has all of the clock or nothing of it.
        if (part.last()) {
            clockCompleted.run();
        }
    }

    private static List<TableUpdates> parsed(Session session, Member member, WireReader message) {
        int count = message.getCount("The number of tables", 2);
        var parsed = new ArrayList<TableUpdates>(count);
        for (int i = 0; i < count; i++) {
            // By the numbers that this client gave them; the reader checks that there is one.
            ServerTable table = session.tables.get(message.getInt("The table", 0, session.tables.size() - 1));
            int rows = message.getCount("The number of rows", 3);
            var logs = new ArrayList<RowLog>(rows);
            for (int j = 0; j < rows; j++) {
                RowLog log = RowLog.read(table.spec, message);
                // Where steps are limited, one that is too long would make readers' radii wrong.
                table.check(log, member.workers());
                logs.add(log);
            }
            parsed.add(new TableUpdates(table, logs));
        }
        return parsed;
    }
}
