package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent to a peer, several in a frame. A message is a byte that says its kind, its length and
 * its body, so that a reader can pass over it.
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
    private long fullBytes;
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
        // Behind the body, whose length is not known before.
        current.setInt(begin, current.size() - begin - Integer.BYTES);
        if (current.size() >= FULL) {
            full.add(current);
            fullBytes += current.size();
            current = spare == null ? new WireBuffer(FIRST) : spare;
            spare = null;
            last = NO_MESSAGE;
        }
    }

    /** The number of the message that was begun last, which no other message has. */
    long number() {
        return begun;
    }

    /**
     * Goes on with a message that has ended, up to another {@link #end}; null if it is not the last one, or the frame
     * is full or sent.
     */
    @Nullable
    WireBuffer resume(long message) {
        return message != NO_MESSAGE && message == last ? current : null;
    }

    public boolean isEmpty() {
        return full.isEmpty() && current.size() == 0;
    }

    /** Whether there is a frame to which nothing more is added. */
    public boolean hasFull() {
        return !full.isEmpty();
    }

    /** How much waits. */
    public long bytes() {
        return fullBytes + current.size();
    }

    /** Drops all, after the connection is gone. */
    public void clear() {
        full.clear();
        fullBytes = 0;
        current.clear();
        last = NO_MESSAGE;
    }

    /** Sends all, or drops it when the peer is gone: what must arrive is sent again after it came back. */
    public void sendTo(FrameSender sender, int peer) {
        while (!isEmpty()) {
            sendFirst(sender, peer);
        }
    }

    /**
     * Sends as {@link #sendTo} does, as long as the peer has room; returns whether all was sent. The rest stays, and is
     * to be sent when there is room again.
     */
    public boolean sendWhileRoom(FrameSender sender, int peer) {
        while (!isEmpty()) {
            if (!sender.hasRoom(peer)) {
                return false;
            }
            sendFirst(sender, peer);
        }
        return true;
    }

    private void sendFirst(FrameSender sender, int peer) {
        if (full.isEmpty()) {
            sender.send(peer, current.array(), 0, current.size());
            current.clear();
            last = NO_MESSAGE;
            return;
        }
        WireBuffer frame = full.remove();
        fullBytes -= frame.size();
        sender.send(peer, frame.array(), 0, frame.size());
        if (frame.array().length <= KEPT) {
            frame.clear();
            // The bytes were copied by send().
            spare = frame;
        }
    }
}
