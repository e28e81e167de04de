package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.row.ColumnSet;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * What a client process knows of a server: how far it has come with it over the present connection ({@link Contact})
 * and over all of them ({@link Membership}), what the server has of its updates, and what it is asked.
 */
final class ServerLink {

    private static final long NONE = -1;

    final int server;
    final Outbox outbox = new Outbox();
    final RowsMessage rows = new RowsMessage(outbox);

    private Contact contact = new Contact.Away();
    private Membership membership;
    /** Whether the connection did not take all that was written. */
    private boolean heldUp;

    /** Another number for each connection: another server may be behind it, with versions of its own. */
    private int epoch;

    int tablesSent;
    /** The last clock of which the server has said that all came, and the last that it was told to apply. */
    int staged;

    int commitSent;
    /** The number of the last update that was made. */
    long made;
    /** The number of the last update that was sent over the present connection, or that the server had before. */
    long sent;
    /** The number of the last update that the server applied, as far as it said. */
    long applied;
    /** The number of the last update that the server has for good, as far as it said. */
    long durable = -1;
    /** Updates that the server may lose, or that may be missing in its answers; by number. */
    final ArrayDeque<UpdatePart> kept = new ArrayDeque<>();

    long keptBytes;
    /** What {@link #after} said last, while that holds: many rows come together. */
    private List<UpdatePart> later = List.of();

    private long laterThan = NONE;
    /** Rows that are asked for; each knows its place. */
    private final List<ProcessRow> asked = new ArrayList<>();
    /** What is still to be asked. */
    final List<Question> toAsk = new ArrayList<>();

    /** Rows that the server sends and nobody has any more. */
    final List<Forgotten> toForget = new ArrayList<>();

    final BallQuestions balls = new BallQuestions();

    int globalClock;
    /** The process that holds back the server's clock. */
    int slowest;
    /** Whether that one comes, as the server sees it; see {@link io.leeway.lazytables.internal.wire.Protocol#COMES}. */
    int outlook;

    /** To a server that may know updates of a process before this one, if it resumes. */
    ServerLink(int server, boolean resumes) {
        this.server = server;
        membership = resumes ? new Membership.Outside() : new Membership.Inside(0);
    }

    // What is heard of the server, or said to it.

    /** A connection opens: who the process is was not said over it. */
    void opened() {
        contact = new Contact.Greeted();
        clear();
    }

    /** The connection is gone. */
    void closed() {
        contact = new Contact.Away();
        clear();
    }

    /** What was written is lost with the connection for which it was; updates and questions are kept elsewhere. */
    private void clear() {
        outbox.clear();
        heldUp = false;
    }

    /** The server asks where the process goes on. */
    void asked() {
        contact = contact.asked();
    }

    /** The server is told where the process goes on. */
    void told() {
        contact = contact.told();
    }

    /**
     * The server has applied this process's updates up to one: of a process that resumes, those of the one before it,
     * behind which its own are numbered.
     */
    void letIn(long upTo) {
        if (!membership.isInside()) {
            membership = new Membership.Inside(upTo);
            made = upTo;
        }
    }

    /** The server has said what it holds, over a new connection: all behind it is sent, and asked, again. */
    void welcomed(long hasApplied, long received) {
        contact = contact.welcomed();
        applied = hasApplied;
        sent = received;
        staged = 0;
        commitSent = 0;
        tablesSent = 0;
        epoch++;
        toForget.clear();
        askAgain();
    }

    /** Takes note that a snapshot is asked for. */
    void askedToStore() {
        contact = contact.askedToStore();
    }

    /**
     * Takes note that the server is told that nobody can go on where this process was; returns whether that is new to
     * it.
     */
    boolean forsake() {
        boolean isNew = !contact.isForsaken();
        contact = contact.forsaken();
        return isNew;
    }

    /** The process's last word, behind all its updates. */
    void end(int processClock, boolean isDone) {
        membership = membership.leaves();
        keep(UpdatePart.end(++made, processClock, isDone));
    }

    // What follows from it.

    boolean isConnected() {
        return contact.isConnected();
    }

    /**
     * Whether the server has said over the present connection what it holds of this process, so that the rest can be
     * sent.
     */
    boolean isWelcome() {
        return contact.isWelcome();
    }

    /** Whether the server waits to be told where the process goes on. */
    boolean waitsForPlace() {
        return contact.waitsForPlace();
    }

    /** Whether it was asked for a snapshot and has stored none since. */
    boolean waitsForSnapshot() {
        return contact.waitsForSnapshot();
    }

    /** Whether the server has let the process in at least once, so that numbers of updates are known. */
    boolean isPlaced() {
        return membership.isInside();
    }

    /** Whether the process's end is on its way. */
    boolean hasEnd() {
        return membership.isLeaving();
    }

    /** Whether a server that is lost from now on loses nothing that a process before this one sent. */
    boolean isInheritanceStored() {
        return membership.hasStored(durable);
    }

    /** Whether the connection did not take all that was written. */
    boolean isHeldUp() {
        return heldUp;
    }

    /**
     * Whether the server, which has applied updates up to one, lacks some that it said before that it had for good:
     * they are not kept here any more.
     */
    boolean lacksDropped(long hasApplied) {
        return kept.isEmpty() ? hasApplied < made : kept.element().sequence > hasApplied + 1;
    }

    // Updates.

    /** Sends what was written as long as there is room; returns whether all was sent. */
    boolean send(FrameSender sender) {
        heldUp = !outbox.sendWhileRoom(sender, server);
        return !heldUp;
    }

    void keep(UpdatePart part) {
        laterThan = NONE;
        kept.add(part);
        keptBytes += part.bytes;
    }

    /** Drops updates that the server has for good. */
    void durable(long sequence) {
        laterThan = NONE;
        if (sequence > durable) {
            contact = contact.stored();
        }
        durable = sequence;
        while (!kept.isEmpty() && kept.element().sequence <= sequence) {
            keptBytes -= kept.remove().bytes;
        }
    }

    /** Does to a row that the server sent what it had not applied to it yet. */
    void applyMissing(int table, long key, Row values, long appliedToRow) {
        for (UpdatePart part : after(appliedToRow)) {
            RowLog log = part.find(table, key);
            if (log != null) {
                log.applyTo(values);
            }
        }
    }

    /**
     * What is kept behind an update, in its order. Few are, of many that a server may lose: they are looked for from
     * the newest.
     */
    List<UpdatePart> after(long sequence) {
        if (sequence >= made) {
            return List.of();
        }
        if (sequence != laterThan) {
            later = keptAfter(sequence);
            laterThan = sequence;
        }
        return later;
    }

    private List<UpdatePart> keptAfter(long sequence) {
        var later = new ArrayList<UpdatePart>();
        for (Iterator<UpdatePart> newest = kept.descendingIterator(); newest.hasNext(); ) {
            UpdatePart part = newest.next();
            if (part.sequence <= sequence) {
                break;
            }
            later.add(part);
        }
        Collections.reverse(later);
        return later;
    }

    /** Does to some columns of a row, which the server sent, what it had not applied to it yet. */
    void applyMissing(int table, long key, Row values, long held, ColumnSet columns) {
        for (UpdatePart part : after(held)) {
            RowLog log = part.find(table, key);
            if (log != null) {
                log.applyTo(values, columns);
            }
        }
    }

    // Rows.

    /** The number of the present connection, see {@link ProcessRow#epoch}. */
    int epoch() {
        return epoch;
    }

    /** The version of the row that the server is told that this process has. */
    long versionOf(ProcessRow row) {
        return row.hasCome() && row.epoch == epoch ? row.serverVersion : 0;
    }

    /** Whether the server sends the row when it has changed, so that it need not be asked. */
    boolean isPushed(ProcessRow row) {
        return row.pushedOver == epoch && contact.isWelcome();
    }

    /**
     * The clock of which the row holds everything. One that the server sends when it changes holds, as it is,
     * everything of the clock that the server has told of.
     */
    int dataClock(ProcessRow row) {
        return row.pushedOver == epoch ? Math.max(row.dataClock, globalClock) : row.dataClock;
    }

    /** Asks for a row of a clock ahead of a read that requires it, unless that was done. */
    void askAhead(ProcessRow row, int required) {
        if (!row.isAsked(required)) {
            PrefetchCounters.asked(row, required);
            ask(row, required);
        }
    }

    /** Asks for a row of a clock, unless that was done. */
    void ask(ProcessRow row, int required) {
        if (!row.isAsked(required)) {
            row.ask(required);
            if (row.askedAt == ProcessRow.NOTHING) {
                row.askedAt = asked.size();
                asked.add(row);
            }
            toAsk.add(new Question(row, required));
        }
    }

    /** Whether something is still to be asked. */
    boolean hasQuestions() {
        return !toAsk.isEmpty() || balls.hasQuestions();
    }

    /** Asks once more for all that was not answered. */
    void askAgain() {
        toAsk.clear();
        asked.forEach(row -> row.forEachAsked(required -> toAsk.add(new Question(row, required))));
        balls.askAgain();
    }

    /** Takes note of an answer. */
    void answered(ProcessRow row, int dataClock) {
        row.answered(dataClock);
        if (!row.isAsked() && row.askedAt != ProcessRow.NOTHING) {
            ProcessRow last = asked.remove(asked.size() - 1);
            if (last != row) {
                asked.set(row.askedAt, last);
                last.askedAt = row.askedAt;
            }
            row.askedAt = ProcessRow.NOTHING;
        }
    }

    /** How many rows are asked for. */
    int askedRows() {
        return asked.size();
    }

    /** A row that is not to be sent any more. */
    record Forgotten(ClientTable table, long key) {}

    /** A row and the clock of which it must hold everything. */
    record Question(ProcessRow row, int required) {}
}
