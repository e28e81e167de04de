package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent to a peer, several in a frame. A message is a byte that says its kind, its length and its body, so that a reader can pass over it.
 */
public final class Outbox {

    /** The bytes at which a frame is full; only a single message may be longer. */
    public static final int FULL = 128 << 10;

    private static final int FIRST = 1024;
    /** A frame's buffer up to this size is used again. */
    private static final int KEPT = 2 * FULL;

    /** The number of no message. */
    static final long NO_MESSAGE = 0;

    private final ArrayDeque<WireBuffer> full = new ArrayDeque<>();
    private WireBuffer current = new WireBuffer(FIRST);
    /** One that was sent, so that the next frame's need not grow from the begin. */
    private @Nullable WireBuffer spare;

    private int begin;
    /** How many messages were begun. */
    private long begun = NO_MESSAGE;
    /** The message that is the last of the frame that is being filled, or none. */
    private long last = NO_MESSAGE;

    /** Begins a message; its body is written to what is returned, up to {@link #end}. */
    public WireBuffer begin(int kind) {
        current.putByte(kind);
        begin = current.size();
        current.putInt(0);
        last = ++begun;
        return current;
    }

    public void end() {
        current.setInt(begin, current.size() - begin - Integer.BYTES);
        if (current.size() >= FULL) {
            full.add(current);
            current = spare == null ? new WireBuffer(FIRST) : spare;
            spare = null;
            last = NO_MESSAGE;
        }
    }

    /** The number of the message that was begun last, which no other message has. */
    long number() {
        return begun;
    }

    /** Goes on with a message that has ended, up to another {@link #end}; null if it is not the last one, or the frame is full or sent. */
    @Nullable
    WireBuffer resume(long message) {
        return message != NO_MESSAGE && message == last ? current : null;
    }

    public boolean isEmpty() {
        return full.isEmpty() && current.size() == 0;
    }

    /** Drops all, after the connection is gone. */
    public void clear() {
        full.clear();
        current.clear();
        last = NO_MESSAGE;
    }

    /** Sends all, or drops it when the peer is gone: what must arrive is sent again after it came back. */
    public void sendTo(FrameSender sender, int peer) {
        while (!full.isEmpty()) {
            WireBuffer frame = full.remove();
            sender.send(peer, frame.array(), 0, frame.size());
            if (frame.array().length <= KEPT) {
                frame.clear();
                spare = frame;
            }
        }
        if (current.size() > 0) {
            sender.send(peer, current.array(), 0, current.size());
            current.clear();
            last = NO_MESSAGE;
        }
    }
}
