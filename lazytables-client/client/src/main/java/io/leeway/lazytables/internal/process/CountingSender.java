package io.leeway.lazytables.internal.process;

import io.leeway.lazytables.internal.net.FrameSender;

/** Sends, and counts what went: what the transport refuses comes again, and counts when it goes. */
record CountingSender(FrameSender frames, TrafficCounter traffic) implements FrameSender {

    @Override
    public boolean send(int peer, byte[] buffer, int offset, int length) {
        boolean sent = frames.send(peer, buffer, offset, length);
        if (sent) {
            traffic.sent(length);
        }
        return sent;
    }

    @Override
    public boolean hasRoom(int peer) {
        return frames.hasRoom(peer);
    }

    @Override
    public void close(int peer) {
        frames.close(peer);
    }
}
