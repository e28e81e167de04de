package io.leeway.lazytables.internal.net;

/** What frames are sent with. Called on the one {@link NetworkThread} of the process; it never waits. */
public interface FrameSender {

    /**
     * Sends a frame behind all that were sent to this peer before; the bytes are copied or written before it returns.
     *
     * @return false if the peer is not connected: then nothing of the frame is sent, and the caller sends again after
     *     {@link FrameSink#onOpen}
     */
    boolean send(int peer, byte[] buffer, int offset, int length);

    /**
     * Whether the peer takes more at present: less than {@code lazytables.send.watermark} waits for it. Who has much to
     * send asks before each frame and keeps the rest if not, until {@link FrameSink#onRoom} tells. True if the peer is
     * not connected: nothing waits then.
     */
    boolean hasRoom(int peer);

    /**
     * Closes the connection after what was sent has left; {@link FrameSink#onClosed} follows. Nothing happens if it is
     * not open.
     */
    void close(int peer);
}
