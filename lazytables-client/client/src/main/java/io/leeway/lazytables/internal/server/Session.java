package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of a client process. */
final class Session {

    /*
     * A client that reads slower than the others must cost the server neither memory without end nor the others time.
     * So nothing is written for it beyond a few megabytes; what there is no room for stays a note ("due"), written when
     * there is room, as it is by then. As long as changed rows are due, the client is told of no later clock
     * (isBehind), so its own clock stays, and the global one with it: it cannot be left behind for ever, it holds the
     * others up.
     *
     * What was told last (the fields that end in "Told") belongs to the connection: another one begins with -1, and so
     * with all of it.
     */

    /**
     * In questions of one connection. Whatever asks ahead stops at 16,384, but for Prefetch.automatic with as many
     * requests: who comes here asks without an end.
     */
    private static final int MOST_WAITING = 1 << 20;
    /** How much is written before it is seen whether the client takes it; a row may come on top. */
    private static final int MOST_WRITTEN = 4 << 20;

    private static final int MOST_STATUS = 1_000;

    private static final String CUT = "...";

    final int peer;
    final FrameRoom room;
    final Outbox outbox = new Outbox();
    final RowsMessage rows = new RowsMessage(outbox);
    /** The tables by the numbers that the client gave them. */
    final List<ServerTable> tables = new ArrayList<>();

    final Subscriptions subscriptions = new Subscriptions(this);
    final Memory memory;

    @Nullable
    Member member;

    /** Of a process that joins, while the server has not recovered: it is let in then. */
    Admission.@Nullable Hello joining;

    /** What there is no room for, in its order; what comes meanwhile goes behind it. */
    private final ArrayDeque<Due> due = new ArrayDeque<>();
    /** How many rows that have changed are among that. */
    private int duePushes;
    /** Whether the connection did not take all that was written. */
    private boolean heldUp;

    private int waiting;
    /** How often the status is due. */
    private int dueStatus;

    boolean closing;
    int clockTold = -1;
    long appliedTold = -1;
    long durableTold = -1;
    int stagedTold = -1;
    int outlookTold = Protocol.COMES;

    /** With whatever frames are written for it. */
    Session(int peer) {
        this(peer, Integer.MAX_VALUE, new Memory());
    }

    Session(int peer, int frameLimit, Memory memory) {
        this.peer = peer;
        this.memory = memory;
        room = new FrameRoom(frameLimit);
    }

    /**
     * Says why the client is sent away, instead of what there was to say; the connection is closed when that is sent.
     */
    void refuse(Code code, String why) {
        // What was to be said first may be what there is no room for.
        outbox.clear();
        due.clear();
        duePushes = 0;
        WireBuffer out = outbox.begin(Protocol.REFUSED);
        out.putVar(code.number());
        out.putText(cut(why));
        outbox.end();
        closing = true;
    }

    /** Whether answers are to be written at once; if not, they are {@linkplain #putOff put off}. */
    boolean hasRoom() {
        return !heldUp && due.isEmpty() && outbox.bytes() < MOST_WRITTEN;
    }

    void putOff(Due answer) {
        due.add(answer);
    }

    /** Puts off to send a row that has changed, unless that is so already. */
    void putOff(Subscription changed) {
        if (!changed.isDue) {
            changed.isDue = true;
            duePushes++;
            due.add(changed);
        }
    }

    /** Puts off to say how the server is. Whoever asks again and again without reading answers is sent away. */
    void putOffStatus(Due answer) {
        // Of rows each is due once; of questions for the status there is no end, and no clock that limits them.
        if (dueStatus == MOST_STATUS) {
            throw new WireException("More than " + MOST_STATUS + " questions for the status wait");
        }
        dueStatus++;
        due.add(globalClock -> {
            dueStatus--;
            answer.write(globalClock);
        });
    }

    /**
     * Whether rows that have changed are still to be sent, which the client must have before it is told of the clock.
     */
    boolean isBehind() {
        return duePushes > 0;
    }

    /** Takes note that a row that has changed is due no more. */
    void pushed() {
        duePushes--;
    }

    /** Sends what was written as long as there is room; returns whether all was sent. */
    boolean send(FrameSender sender) {
        // Known until the next attempt, so that answers to a client that takes nothing are put off and not written.
        heldUp = !outbox.sendWhileRoom(sender, peer);
        return !heldUp;
    }

    /** Whether something is left of what was to be sent before. */
    boolean isHeldUp() {
        return heldUp;
    }

    /** Writes of what was put off as much as is sent at once; returns whether that was anything. */
    boolean writeDue(int globalClock) {
        boolean any = !due.isEmpty();
        while (!due.isEmpty() && outbox.bytes() < MOST_WRITTEN) {
            due.remove().write(globalClock);
        }
        return any;
    }

    /** Sends the client away if the row that was written for it is larger than a frame. */
    void checkRow(ServerTable table, long key, int bytes) {
        if (!room.holds(bytes) && !closing) {
            refuse(
                    Code.FRAME_TOO_LARGE,
                    "Row " + key + " of table " + table.name + " takes " + bytes + " bytes" + room.remedy(bytes));
        }
    }

    /**
     * Takes note of a question that waits, of which a client may have a limited number: whoever asks ahead without an
     * end must not fill the memory.
     */
    void waits() {
        if (waiting == MOST_WAITING) {
            throw new WireException("More than " + MOST_WAITING + " reads of process "
                    + (member == null ? "?" : member.process) + " wait for clocks");
        }
        memory.require(Memory.OF_QUESTION, "One more question");
        memory.take(Memory.OF_QUESTION);
        waiting++;
    }

    /** The client is gone, and what it waited for with it. */
    void end() {
        subscriptions.end();
        memory.give((long) Memory.OF_QUESTION * waiting);
        waiting = 0;
    }

    /** How many questions wait. */
    int waiting() {
        return waiting;
    }

    /** Takes note that one waits no more. */
    void waitsNoMore() {
        memory.give(Memory.OF_QUESTION);
        waiting--;
    }

    /** As much of a text as clients read. */
    private static String cut(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= Protocol.MAX_TEXT) {
            return text;
        }
        int end = Protocol.MAX_TEXT - CUT.length();
        while ((utf8[end] & 0xC0) == 0x80) {
            // In the midst of a character.
            end--;
        }
        return new String(utf8, 0, end, StandardCharsets.UTF_8) + CUT;
    }
}
