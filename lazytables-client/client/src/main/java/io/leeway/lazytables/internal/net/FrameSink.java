package io.leeway.lazytables.internal.net;

import org.jspecify.annotations.Nullable;

/**
 * What takes the frames that arrive. All methods are called on the one {@link NetworkThread} of the process, and none
 * of them waits.
 *
 * <p>A peer is a number. In a client process it is the server's place in the list of servers, the same after each
 * reconnect. In a server it is the connection: one that comes back has another number. Between {@link #onOpen} and
 * {@link #onClosed} of a peer, frames arrive whole, once, and in the order in which the other side sent them; what was
 * under way when the connection broke is lost.
 */
public interface FrameSink {

    /** Tells that the peer can be sent to. */
    void onOpen(int peer);

    /** Gives a frame, whose bytes are the sink's only until it returns. */
    void onFrame(int peer, byte[] buffer, int offset, int length);

    /** Tells that the connection is gone: by the cause if there is one, else because a side closed it. */
    void onClosed(int peer, @Nullable Throwable cause);

    /** Tells that a peer takes more, which {@link FrameSender#hasRoom} denied since this was told last. */
    default void onRoom(int peer) {}

    /**
     * Asks a server whether a peer is one of those for whom it is there; others give way to newer connections where
     * there are too many.
     */
    default boolean isKnown(int peer) {
        return true;
    }

    /** Tells a client process that an attempt to connect failed; others follow. */
    default void onUnreachable(int peer, Throwable cause) {}
}
