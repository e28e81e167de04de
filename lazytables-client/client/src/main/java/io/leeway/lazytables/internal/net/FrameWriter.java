package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions.Compression;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a connection sends. A message is copied once, behind those before it, into a buffer that goes to the system when
 * {@link Hub} says so; small messages allocate nothing. What is large is compressed where that pays. Who sends much
 * asks whether there is room; should more than a limit wait nevertheless, the connection fails. For the network thread.
 */
// Whatever of Netty's futures fails comes to the connection as well.
@SuppressWarnings("FutureReturnValueIgnored")
final class FrameWriter implements Hub.Unsent {

    /*
     * Bytes are in one of three places: gathered here ("out"), with Netty (handed over, not taken by the system), with
     * the system. pending() is the first two. The first goes to the second when the buffer is full, or when the hub
     * says so, at the end of what the network thread does at a time; a flush of Netty's, a call of the system, comes
     * then, or when much has gathered before.
     *
     * Three limits, from the inside out: the watermark, from which hasRoom() says no and whoever asks keeps the rest;
     * FLUSH_ABOVE, from which it is not waited for the hub; send.limit, which nobody comes near who asks, so that who
     * does ends.
     */

    /** In bytes. Small messages share a buffer of this size; a larger one has its own. */
    private static final int CHUNK = 32 << 10;
    /** In bytes. What a round writes goes to the system in pieces, so that it has work while the next is made. */
    private static final int FLUSH_ABOVE = 1 << 20;
    /** So many messages are sent as they are before it is tried again, at most: data may change. */
    private static final int MOST_SKIPS = 256;

    private final Hub hub;
    private final Connection connection;

    private @Nullable ByteBuf out;
    /** Bytes that Netty has got since it was told last to hand them to the system. */
    private int handedOver;
    /** All that Netty was given so far. */
    private long given;

    private boolean hasUnsent;
    private boolean spoke;

    private int theirLimit;
    private boolean compressing;
    /** Messages that are sent as they are before another is compressed; and how many the next time. */
    private int skips;

    private int skipNext = 1;

    FrameWriter(Hub hub, Connection connection) {
        this.hub = hub;
        this.connection = connection;
    }

    void preamble() {
        byte[] preamble = Wire.preamble();
        reserve(preamble.length).writeBytes(preamble);
    }

    /** A frame that is no message. */
    void frame(int kind, byte[] bytes) {
        reserve(Wire.HEADER + bytes.length)
                .writeInt(Wire.header(kind, bytes.length))
                .writeBytes(bytes);
    }

    /**
     * Messages may follow, the other side takes none that is longer. The smaller of both limits holds.
     */
    void begin(int limit) {
        theirLimit = limit;
        // Where both ends are does not change any more.
        compressing = isCompressing();
    }

    /** The longest message that both sides take. */
    int limit() {
        return Math.min(theirLimit, hub.settings.frameLimit());
    }

    /** A message, see {@link FrameSender#send}. */
    void message(byte[] bytes, int offset, int length) {
        // Before anything is written: the connection stays as it was, and the caller hears which limit it is.
        if (length > limit()) {
            throw Faults.of(
                    Code.FRAME_TOO_LARGE,
                    "a message of " + length + " bytes to " + connection + " is above the limit of " + limit()
                            + "; a row is not divided: raise lazytables.frame.limit on both sides, or use shorter rows");
        }
        if (compressing && length > hub.settings.compressAbove()) {
            large(bytes, offset, length);
        } else {
            plain(bytes, offset, length);
        }
    }

    private void plain(byte[] bytes, int offset, int length) {
        reserve(Wire.HEADER + length).writeInt(Wire.header(Kind.DATA, length)).writeBytes(bytes, offset, length);
        hub.counters.sent(Wire.HEADER + length);
    }

    /** What was not worth it the last times is tried less and less often. */
    private void large(byte[] bytes, int offset, int length) {
        if (skips > 0) {
            skips--;
            plain(bytes, offset, length);
            return;
        }
        // Tried on the message itself: whether numbers can be compressed is not seen otherwise.
        int packed = hub.compressor.pack(bytes, offset, length);
        if (packed < 0) {
            skips = skipNext;
            skipNext = Math.min(MOST_SKIPS, skipNext * 2);
            plain(bytes, offset, length);
            return;
        }
        // It was worth it: what follows is mostly alike.
        skipNext = 1;
        reserve(Wire.HEADER + 4 + packed)
                .writeInt(Wire.header(Kind.LZ4, 4 + packed))
                .writeInt(length)
                .writeBytes(hub.compressor.packed(), 0, packed);
        hub.counters.sent(Wire.HEADER + 4 + packed);
        hub.counters.compressed(length - packed - 4);
    }

    /** Once every heartbeat: a sign of life, if nothing has left since the last time. */
    void tick() {
        // What waits says nothing to the other side, but one more frame behind it would say no more.
        if (!spoke && pending() == 0) {
            reserve(Wire.HEADER).writeInt(Wire.header(Kind.HEARTBEAT, 0));
        }
        spoke = false;
    }

    /** Room for that many bytes in the buffer that leaves next. */
    private ByteBuf reserve(int count) {
        ByteBuf buffer = out;
        if (buffer != null && buffer.writableBytes() < count) {
            // A frame is in one buffer, so that it is written by one copy.
            handOver();
            buffer = null;
        }
        if (buffer == null) {
            buffer = connection.context().alloc().directBuffer(Math.max(CHUNK, count));
            out = buffer;
            // Once for each round of the hub.
            if (!hasUnsent) {
                hasUnsent = true;
                hub.hasUnsent(this);
            }
        }
        return buffer;
    }

    /** Leaves what has gathered to Netty; the connection may fail of it. */
    void handOver() {
        ByteBuf buffer = out;
        if (buffer == null) {
            return;
        }
        // Before the write, which may call back.
        out = null;
        handedOver += buffer.readableBytes();
        // Asked before it is written: from then on the buffer is Netty's.
        given += buffer.readableBytes();
        ChannelHandlerContext context = connection.context();
        // No object for each write; what fails comes to exceptionCaught.
        context.write(buffer, context.voidPromise());
        // Whoever asks for room stays below it. What comes here did not ask, and would take the memory of all.
        if (pending() > hub.settings.sendLimit()) {
            connection.fail(Faults.of(
                    Code.SLOW_PEER,
                    connection + " has " + pending() + " bytes waiting for it, above lazytables.send.limit"));
        } else if (handedOver > FLUSH_ABOVE) {
            handedOver = 0;
            context.flush();
        }
    }

    /** Everything that was sent leaves for the system. */
    @Override
    public void flush() {
        // First, so that what is sent within this has a round of its own.
        hasUnsent = false;
        handOver();
        handedOver = 0;
        // Any frame is a sign of life.
        spoke = true;
        Channel channel = connection.channel();
        if (channel != null && channel.isOpen()) {
            connection.context().flush();
            hub.counters.flushed();
        }
    }

    @Override
    public void fail(Throwable cause) {
        connection.fail(cause);
    }

    /** Whether less than the watermark waits, of which Netty tells when it is so again. */
    boolean hasRoom() {
        // So that Netty counts it: it knows nothing of what has gathered here.
        if (out != null && out.readableBytes() > CHUNK) {
            handOver();
        }
        return !isFull();
    }

    /** Whether Netty has more than the watermark. */
    boolean isFull() {
        Channel channel = connection.channel();
        return channel != null && channel.isActive() && !channel.isWritable();
    }

    /** Bytes that the system has not taken yet. */
    long pending() {
        return waiting() + (out == null ? 0 : out.readableBytes());
    }

    /** Bytes that the system has taken so far; TLS makes it a little less. */
    long taken() {
        return given - waiting();
    }

    private long waiting() {
        Channel channel = connection.channel();
        var buffer = channel == null ? null : channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Drops what has gathered. */
    void release() {
        if (out != null) {
            out.release();
            out = null;
        }
    }

    private boolean isCompressing() {
        if (hub.settings.compression() != Compression.AUTO) {
            return hub.settings.compression() == Compression.LZ4;
        }
        Channel channel = connection.context().channel();
        var remote = (InetSocketAddress) channel.remoteAddress();
        var local = (InetSocketAddress) channel.localAddress();
        // On one machine, bytes cost less than compressing them; over a network it is the other way round, mostly.
        boolean here = remote == null
                || local == null
                || remote.getAddress().isLoopbackAddress()
                || remote.getAddress().equals(local.getAddress());
        return !here;
    }
}
