package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.netty.buffer.ByteBuf;

/**
 * Cuts what arrives into the preamble and frames, and refuses what may not come by their headers alone, before anything
 * is kept for it. All that arrives is copied into one buffer, from which each frame is handed on in place. For the
 * network thread.
 */
final class FrameReader {

    /*
     * In the order in which something can be wrong: the magic number byte by byte, so that a stranger hears at once
     * that this is another protocol; then version and header; kind and length of a frame before its first byte is kept.
     * What is refused here never had memory made for it.
     *
     * Frames are handed on in place, without a copy: the owner has the bytes until it returns, and what it keeps it
     * copies.
     */

    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;

    private final Hub hub;
    private final Connection connection;
    private final Opening opening;
    private final FrameBuffer in = new FrameBuffer();

    /** Whether the preamble has come, and was right. */
    private boolean greeted;

    private int handshakeBytes;

    FrameReader(Hub hub, Connection connection, Opening opening) {
        this.hub = hub;
        this.connection = connection;
        this.opening = opening;
    }

    /** Keeps what has arrived. */
    void append(ByteBuf arrived) {
        if (!opening.isDone()) {
            // All of them, in whatever frames: a handshake is a few hundred bytes.
            handshakeBytes += arrived.readableBytes();
        }
        in.append(arrived);
    }

    /** Hands on all that is whole. */
    void take() {
        int frames = 0;
        int before = in.size();
        if (!greeted && !takePreamble()) {
            return;
        }
        // A frame may end the connection, and then what follows is nobody's.
        while (!connection.hasEnded() && takeFrame()) {
            frames++;
        }
        // Behind the frames, since those that came may have finished the handshake, and messages follow in the same
        // segment.
        if (!opening.isDone() && handshakeBytes > Wire.HANDSHAKE_BYTES) {
            throw Faults.of(Code.MALFORMED, connection + " sent " + handshakeBytes + " bytes before it was let in");
        }
        // Once for all that came together.
        hub.counters.received(frames, before - in.size());
    }

    /** Gives back what a large frame needed. */
    void trim() {
        in.trim();
    }

    /** Garbage is refused at its first wrong byte. */
    private boolean takePreamble() {
        byte[] bytes = in.bytes();
        byte[] right = Wire.preamble();
        for (int i = 0; i < Math.min(4, in.size()); i++) {
            if (bytes[in.start() + i] != right[i]) {
                throw stranger(bytes);
            }
        }
        // So far it is right.
        if (in.size() < Wire.PREAMBLE) {
            return false;
        }
        // The lower half are flags, which later versions may set; unknown ones are ignored.
        int version = Wire.getInt(bytes, in.start() + 4) >>> 16;
        in.skip(Wire.PREAMBLE);
        greeted = true;
        opening.greeted(version);
        return true;
    }

    private LazyTablesException stranger(byte[] bytes) {
        int first = bytes[in.start()];
        // The one stranger that is expected: a client of ours with TLS at a server without, or the other way round.
        String what = first == TLS_HANDSHAKE || first == TLS_ALERT
                ? " speaks TLS, which is not set here (lazytables.tls)"
                : " does not speak the protocol; its first bytes are "
                        + Faults.printable(bytes, in.start(), Math.min(16, in.size()));
        return Faults.of(Code.NOT_LAZYTABLES, connection + what);
    }

    private boolean takeFrame() {
        if (in.size() < Wire.HEADER) {
            return false;
        }
        int header = Wire.getInt(in.bytes(), in.start());
        int length = Wire.length(header);
        check(Wire.kind(header), length);
        if (in.size() - Wire.HEADER < length) {
            return false;
        }
        // Taken out before it is handed on: whatever the owner does, it is not read twice.
        int offset = in.start() + Wire.HEADER;
        in.skip(Wire.HEADER + length);
        connection.frame(Wire.kind(header), in.bytes(), offset, length);
        return true;
    }

    private void check(int kind, int length) {
        boolean open = opening.isDone();
        // Messages only when it is open, frames of the handshake only before; a last word may come at any time.
        if (kind > Kind.WELCOME || open == (kind >= Kind.CHALLENGE) && kind != Kind.GOODBYE) {
            throw Faults.of(
                    Code.MALFORMED,
                    connection + " sent a frame of kind " + kind + (open ? "" : " in its handshake") + ", length "
                            + length);
        }
        int limit = kind == Kind.DATA ? hub.settings.frameLimit() : Wire.HANDSHAKE_LIMIT;
        if (kind == Kind.LZ4) {
            // With the length of what it unpacks to, which has the limit itself.
            limit = Math.min(hub.settings.frameLimit() + 4, Wire.MOST_LENGTH);
        }
        if (length > limit) {
            throw Faults.of(
                    Code.FRAME_TOO_LARGE,
                    connection + " announces a frame of " + length + " bytes; the limit is " + limit);
        }
    }
}
