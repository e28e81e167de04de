package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a server was asked for reads within a radius, and has not answered. */
final class BallQuestions {

    /*
     * Several numbers of clocks for one row: workers at the same clock may allow for different radii, and the smaller
     * one may have to wait for longer. An answer serves each that allows for as much as it lacks. Guarded by the
     * process's lock, as the link of which it is a part.
     */

    /** For each row and clock, the numbers of clocks that may be missing. */
    private final Map<Subject, LongArrayList> asked = new LinkedHashMap<>();

    private final List<Question> toAsk = new ArrayList<>();

    /** Asks for a row as of a clock with so many clocks missing at most, unless that was done. */
    void ask(ClientTable table, long key, int clock, long allowed) {
        var subject = new Subject(table, key, clock);
        LongArrayList before = asked.computeIfAbsent(subject, s -> new LongArrayList(2));
        // A worker asks again each time that it is woken for something else.
        if (!before.contains(allowed)) {
            before.add(allowed);
            toAsk.add(new Question(subject, allowed));
        }
    }

    /** Whether something is still to be asked. */
    boolean hasQuestions() {
        return !toAsk.isEmpty();
    }

    /**
     * Asks once more for all that was not answered. A server that is gone has forgotten them with the connection.
     */
    void askAgain() {
        toAsk.clear();
        asked.forEach((subject, all) -> all.forEach((long allowed) -> toAsk.add(new Question(subject, allowed))));
    }

    /** Takes note of an answer. */
    void answered(ClientTable table, long key, int clock, long missing) {
        var subject = new Subject(table, key, clock);
        LongArrayList waiting = asked.get(subject);
        if (waiting != null) {
            waiting.removeIf((long allowed) -> allowed >= missing);
            if (waiting.isEmpty()) {
                // Else rows that were read once would stay here for ever.
                asked.remove(subject);
            }
        }
    }

    /** Writes what is still to be asked. */
    void write(Outbox outbox) {
        for (Question question : toAsk) {
            WireBuffer out = outbox.begin(Protocol.WITHIN);
            out.putVar(question.subject.table.id);
            out.putVar(question.subject.key);
            out.putVar(question.subject.clock);
            out.putVar(question.allowed);
            outbox.end();
        }
        toAsk.clear();
    }

    private record Subject(ClientTable table, long key, int clock) {}

    private record Question(Subject subject, long allowed) {}
}
