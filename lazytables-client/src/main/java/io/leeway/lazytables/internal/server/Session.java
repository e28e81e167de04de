package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of a client process. */
final class Session {

    private static final int MOST_WAITING = 1 << 20;
    private static final String CUT = "...";

    final int peer;
    final FrameRoom room;
    final Outbox outbox = new Outbox();
    final RowsMessage rows = new RowsMessage(outbox);
    /** The tables by the numbers that the client gave them. */
    final List<ServerTable> tables = new ArrayList<>();

    final Subscriptions subscriptions = new Subscriptions(this);

    @Nullable
    Member member;

    private int waiting;

    boolean closing;
    int clockTold = -1;
    long appliedTold = -1;
    long durableTold = -1;
    int stagedTold = -1;

    /** With whatever frames are written for it. */
    Session(int peer) {
        this(peer, Integer.MAX_VALUE);
    }

    Session(int peer, int frameLimit) {
        this.peer = peer;
        room = new FrameRoom(frameLimit);
    }

    /** Says why the client is sent away, instead of what there was to say; the connection is closed when that is sent. */
    void refuse(Code code, String why) {
        outbox.clear();
        WireBuffer out = outbox.begin(Protocol.REFUSED);
        out.putVar(code.number());
        out.putText(cut(why));
        outbox.end();
        closing = true;
    }

    /** Sends the client away if the row that was written for it is larger than a frame. */
    void checkRow(ServerTable table, long key, int bytes) {
        if (!room.holds(bytes) && !closing) {
            refuse(
                    Code.FRAME_TOO_LARGE,
                    "Row " + key + " of table " + table.name + " takes " + bytes + " bytes" + room.remedy(bytes));
        }
    }

    /** Takes note of a question that waits, of which a client may have a limited number: whoever asks ahead without an end must not fill the memory. */
    void waits() {
        if (waiting == MOST_WAITING) {
            throw new WireException("More than " + MOST_WAITING + " reads of process "
                    + (member == null ? "?" : member.process) + " wait for clocks");
        }
        waiting++;
    }

    /** Takes note that one waits no more. */
    void waitsNoMore() {
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
