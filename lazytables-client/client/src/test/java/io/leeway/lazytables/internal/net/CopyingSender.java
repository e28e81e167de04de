package io.leeway.lazytables.internal.net;

import java.util.Arrays;
import java.util.Collection;

/** Gives copies of what is sent to a test in which no side closes a connection. */
public class CopyingSender implements FrameSender {

    /** What the test does with a frame. */
    public interface Taker {

        void take(int peer, byte[] frame);
    }

    private final Taker taker;

    public CopyingSender(Taker taker) {
        this.taker = taker;
    }

    /** Keeps the frames, to whomever they are sent. */
    public static CopyingSender into(Collection<byte[]> frames) {
        return new CopyingSender((peer, frame) -> frames.add(frame));
    }

    @Override
    public final boolean send(int peer, byte[] buffer, int offset, int length) {
        taker.take(peer, Arrays.copyOfRange(buffer, offset, offset + length));
        return true;
    }

    @Override
    public boolean hasRoom(int peer) {
        return true;
    }

    @Override
    public void close(int peer) {
        throw new AssertionError("the connection with " + peer + " is closed, where none is to be");
    }
}
