package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.ArrayDeque;

/**
 * Messages that wait to be sent to a peer, several in a frame. A message is a byte that says its kind, its length and its body, so that a reader can pass over it.
 */
public final class Outbox {

    /** The bytes at which a frame is full; only a single message may be longer. */
    private static final int FULL = 128 << 10;

    private static final int FIRST = 1024;

    private final ArrayDeque<WireBuffer> full = new ArrayDeque<>();
    private WireBuffer current = new WireBuffer(FIRST);
    private int begin;

    /** Begins a message; its body is written to what is returned, up to {@link #end}. */
    public WireBuffer begin(int kind) {
        begin = begin(kind, current);
        return current;
    }

    public void end() {
        end(begin, current);
        addFull();
    }

    /** Begins a message elsewhere, to be added when it is whole; returns what {@link #end(int, WireBuffer)} needs. */
    public static int begin(int kind, WireBuffer message) {
        message.putByte(kind);
        int begin = message.size();
        message.putInt(0);
        return begin;
    }

    /** Ends a message elsewhere. */
    public static void end(int begin, WireBuffer message) {
        message.setInt(begin, message.size() - begin - Integer.BYTES);
    }

    /** Adds whole messages. */
    public void add(WireBuffer messages) {
        current.putBytes(messages.array(), 0, messages.size());
        addFull();
    }

    private void addFull() {
        if (current.size() >= FULL) {
            full.add(current);
            current = new WireBuffer(FIRST);
        }
    }

    public boolean isEmpty() {
        return full.isEmpty() && current.size() == 0;
    }

    /** Drops all, after the connection is gone. */
    public void clear() {
        full.clear();
        current.clear();
    }

    /** Sends all, or drops it when the peer is gone: what must arrive is sent again after it came back. */
    public void sendTo(FrameSender sender, int peer) {
        while (!full.isEmpty()) {
            WireBuffer frame = full.remove();
            sender.send(peer, frame.array(), 0, frame.size());
        }
        if (current.size() > 0) {
            sender.send(peer, current.array(), 0, current.size());
            current.clear();
        }
    }
}
