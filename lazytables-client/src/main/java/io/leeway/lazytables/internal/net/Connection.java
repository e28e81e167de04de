package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions.Compression;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection: TLS, then the handshake, then messages, until one side ends it. For the network thread.
 *
 * <p>A message that is sent is copied once, behind those before it, into a buffer that goes to the system when {@link Hub} says so; one that arrives
 * is handed on in place, from the buffer into which all that arrives is copied. Small messages allocate nothing.
 *
 * <p>The owner hears of the end by a task of its own, never inside a call that it made itself; nothing else reaches it after the cause of the end. Whoever
 * ends the connection says why, and then reads on for a moment without looking: to close while the other side is still sending would
 * take the words back that it has not read yet.
 */
// Whatever of Netty's futures fails comes to exceptionCaught or channelInactive as well.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends ChannelInboundHandlerAdapter {

    /** Hears what comes of a connection. */
    interface Owner {

        /** The other side has proved itself: is there room for it? Throws if not. */
        void admit(Connection connection);

        void opened(Connection connection);

        void frame(Connection connection, byte[] bytes, int offset, int length);

        void closed(Connection connection, @Nullable Throwable cause);
    }

    private static final System.Logger LOG = System.getLogger(Connection.class.getName());
    private static final int CHUNK = 32 << 10;
    private static final int FLUSH_ABOVE = 1 << 20;
    private static final int MOST_READ = 256 << 10;
    private static final int LINGER_MILLIS = 1_000;
    private static final int MOST_SKIPS = 256;
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;

    private final Hub hub;
    private final Owner owner;
    private final Handshake handshake;
    private final boolean serving;
    private final int peer;
    private final String name;
    private final FrameBuffer in = new FrameBuffer();

    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf out;
    private int handedOver;
    private boolean hasUnsent;

    private boolean secured;
    private boolean hasGreeted;
    private boolean greeted;
    private boolean open;
    private boolean ended;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private int handshakeBytes;
    private int theirLimit;

    private boolean heard;
    private boolean spoke;
    private int silentTicks;
    private long lastPending;

    private boolean compressing;
    private int skips;
    private int skipNext = 1;

    Connection(Hub hub, Owner owner, Handshake handshake, boolean serving, int peer, String name) {
        this.hub = hub;
        this.owner = owner;
        this.handshake = handshake;
        this.serving = serving;
        this.peer = peer;
        this.name = name;
    }

    int peer() {
        return peer;
    }

    /** The other side's address, for messages. */
    @Override
    public String toString() {
        return name;
    }

    /** Done when the socket is closed. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    boolean isOpen() {
        return open && !ended;
    }

    // ---- what the handshake does ----

    void greet() {
        hasGreeted = true;
        byte[] preamble = Wire.preamble();
        reserve(preamble.length).writeBytes(preamble);
    }

    void sendNow(int kind, byte[] bytes) {
        reserve(Wire.HEADER + bytes.length)
                .writeInt(Wire.header(kind, bytes.length))
                .writeBytes(bytes);
    }

    void admit() {
        owner.admit(this);
    }

    void welcome(int limit) {
        if (limit < 0 || limit > Wire.MOST_LENGTH) {
            throw Faults.of(Code.MALFORMED, name + " announces a frame limit of " + limit);
        }
        theirLimit = limit;
        open = true;
        compressing = isCompressing();
        hub.counters.connectionOpened();
        owner.opened(this);
    }

    // ---- sending ----

    /** See {@link FrameSender#send}. */
    boolean send(byte[] bytes, int offset, int length) {
        if (!isOpen()) {
            return false;
        }
        if (length > theirLimit || length > hub.settings.frameLimit()) {
            throw Faults.of(
                    Code.FRAME_TOO_LARGE,
                    "a message of " + length + " bytes to " + name + " is above the limit of "
                            + Math.min(theirLimit, hub.settings.frameLimit()));
        }
        if (compressing && length > hub.settings.compressAbove()) {
            sendLarge(bytes, offset, length);
        } else {
            sendPlain(bytes, offset, length);
        }
        return isOpen();
    }

    private void sendPlain(byte[] bytes, int offset, int length) {
        reserve(Wire.HEADER + length).writeInt(Wire.header(Kind.DATA, length)).writeBytes(bytes, offset, length);
        hub.counters.sent(Wire.HEADER + length);
    }

    /** What was not worth it the last times is tried less and less often. */
    private void sendLarge(byte[] bytes, int offset, int length) {
        if (skips > 0) {
            skips--;
            sendPlain(bytes, offset, length);
            return;
        }
        int packed = hub.compressor.pack(bytes, offset, length);
        if (packed < 0) {
            skips = skipNext;
            skipNext = Math.min(MOST_SKIPS, skipNext * 2);
            sendPlain(bytes, offset, length);
            return;
        }
        skipNext = 1;
        reserve(Wire.HEADER + 4 + packed)
                .writeInt(Wire.header(Kind.LZ4, 4 + packed))
                .writeInt(length)
                .writeBytes(hub.compressor.packed(), 0, packed);
        hub.counters.sent(Wire.HEADER + 4 + packed);
        hub.counters.compressed(length - packed - 4);
    }

    /** Room for that many bytes in the buffer that leaves next. */
    private ByteBuf reserve(int count) {
        ByteBuf buffer = out;
        if (buffer != null && buffer.writableBytes() < count) {
            handOver();
            buffer = null;
        }
        if (buffer == null) {
            buffer = context().alloc().directBuffer(Math.max(CHUNK, count));
            out = buffer;
            if (!hasUnsent) {
                hasUnsent = true;
                hub.hasUnsent(this);
            }
        }
        return buffer;
    }

    private void handOver() {
        ByteBuf buffer = out;
        if (buffer == null) {
            return;
        }
        out = null;
        handedOver += buffer.readableBytes();
        context().write(buffer, context().voidPromise());
        if (pending() > hub.settings.sendLimit()) {
            fail(Faults.of(Code.SLOW_PEER, name + " has " + pending() + " bytes waiting for it"));
        } else if (handedOver > FLUSH_ABOVE) {
            handedOver = 0;
            context().flush();
        }
    }

    /** Everything that was sent leaves for the system. */
    void flush() {
        hasUnsent = false;
        handOver();
        handedOver = 0;
        spoke = true;
        if (context != null && context.channel().isOpen()) {
            context.flush();
            hub.counters.flushed();
        }
    }

    /** Bytes that the system has not taken yet. */
    long pending() {
        var buffer = context == null ? null : context.channel().unsafe().outboundBuffer();
        return (buffer == null ? 0 : buffer.totalPendingWriteBytes()) + (out == null ? 0 : out.readableBytes());
    }

    // ---- the end ----

    /** Ends it by own will, after what was sent. */
    void end() {
        end(null, new byte[4]);
    }

    /** Ends it because of a fault, of which the other side is told. */
    void fail(Throwable cause) {
        LazyTablesException fault = cause instanceof LazyTablesException own
                ? own
                : Faults.of(Code.FAILED, "the connection with " + name + " failed: " + cause, cause);
        end(fault, Faults.goodbye(fault));
    }

    private void end(@Nullable LazyTablesException cause, byte[] goodbye) {
        if (ended) {
            return;
        }
        ended = true;
        tellOwner(cause);
        if (context == null) {
            return;
        }
        Channel channel = context.channel();
        boolean stuck = cause != null && (cause.code() == Code.SLOW_PEER || cause.code() == Code.SILENT);
        if (!hasGreeted || stuck || !channel.isActive()) {
            drop(channel);
            return;
        }
        try {
            sendNow(Kind.GOODBYE, goodbye);
            handOver();
            channel.config().setAutoRead(true);
            context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener((ChannelFutureListener) written -> halfClose(channel));
            linger(channel, Long.MAX_VALUE, System.nanoTime());
        } catch (RuntimeException | Error e) {
            // Such as no memory for the last words: nobody would close the socket after this.
            LOG.log(System.Logger.Level.WARNING, name + " is not told why the connection ends: " + e);
            drop(channel);
        }
    }

    /** As long as something moves, but not longer than a silence may last; strangers get no time. */
    private void linger(Channel channel, long pendingBefore, long since) {
        heard = false;
        channel.eventLoop()
                .schedule(
                        () -> {
                            boolean moves = open && (heard || pending() < pendingBefore);
                            if (moves
                                    && System.nanoTime() - since
                                            < hub.settings.idleTimeout().toNanos()) {
                                linger(channel, pending(), since);
                            } else {
                                drop(channel);
                            }
                        },
                        LINGER_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** The attempt to connect failed; its maker knows it already. */
    void abandon() {
        ended = true;
        hub.left(this);
        gone.complete(null);
    }

    private void halfClose(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex && channel.isActive()) {
            duplex.shutdownOutput();
        }
    }

    private void drop(Channel channel) {
        releaseOut();
        channel.close();
    }

    private void tellOwner(@Nullable LazyTablesException cause) {
        if (cause != null) {
            hub.counters.connectionFailed();
        }
        hub.loop.netty().execute(() -> owner.closed(this, cause));
    }

    private void releaseOut() {
        if (out != null) {
            out.release();
            out = null;
        }
    }

    // ---- what Netty says ----

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        hub.joined(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        long limit = hub.settings.handshakeTimeout().toMillis();
        active.executor().schedule(this::handshakeTimedOut, limit, TimeUnit.MILLISECONDS);
        if (hub.settings.tls() == null) {
            secure();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        hub.left(this);
        releaseOut();
        gone.complete(null);
        if (!ended) {
            ended = true;
            tellOwner(Faults.of(
                    Code.ENDED,
                    open
                            ? name + " ended the connection without a word"
                            : name + " ended the connection in its handshake, without a word"));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        var arrived = (ByteBuf) message;
        try {
            heard = true;
            if (ended) {
                return;
            }
            if (!open) {
                handshakeBytes += arrived.readableBytes();
            }
            in.append(arrived);
        } finally {
            arrived.release();
        }
        try {
            take();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (serving && open && !ended) {
            changed.channel().config().setAutoRead(changed.channel().isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext source, Object event) {
        if (event instanceof SslHandshakeCompletionEvent tls) {
            if (tls.isSuccess()) {
                secure();
            } else {
                fail(tlsFault(tls.cause()));
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
        Throwable inner = cause.getCause() instanceof SSLException ssl ? ssl : cause;
        if (inner instanceof SSLException) {
            fail(tlsFault(inner));
        } else {
            fail(Faults.of(Code.ENDED, "the connection with " + name + " broke: " + cause.getMessage(), cause));
        }
    }

    private void secure() {
        if (!secured && !ended) {
            secured = true;
            handshake.begin(this);
        }
    }

    private LazyTablesException tlsFault(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return Faults.of(Code.TLS, "TLS with " + name + " failed: " + root.getMessage(), cause);
    }

    private void handshakeTimedOut() {
        if (!open) {
            fail(Faults.of(
                    Code.HANDSHAKE_TIMEOUT,
                    name + " has not finished its handshake within "
                            + hub.settings.handshakeTimeout().toMillis() + " ms"));
        }
    }

    /** Once every heartbeat. Ticks are counted, not time: a process that was stopped for long finds what has arrived meanwhile before it doubts. */
    void tick() {
        if (!isOpen()) {
            return;
        }
        in.trim();
        long pending = pending();
        silentTicks = heard || pending < lastPending ? 0 : silentTicks + 1;
        lastPending = pending;
        heard = false;
        if (silentTicks * hub.settings.heartbeat().toNanos()
                >= hub.settings.idleTimeout().toNanos()) {
            fail(Faults.of(
                    Code.SILENT,
                    "nothing was heard of " + name + " for "
                            + hub.settings.idleTimeout().toMillis() + " ms"));
        } else if (!spoke && pending == 0) {
            reserve(Wire.HEADER).writeInt(Wire.header(Kind.HEARTBEAT, 0));
        }
        spoke = false;
    }

    // ---- receiving ----

    private void take() {
        int frames = 0;
        int before = in.size();
        if (!greeted && !takePreamble()) {
            return;
        }
        while (!ended && takeFrame()) {
            frames++;
        }
        if (!open && handshakeBytes > Wire.HANDSHAKE_BYTES) {
            throw Faults.of(Code.MALFORMED, name + " sent " + handshakeBytes + " bytes before it was let in");
        }
        hub.counters.received(frames, before - in.size());
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
        if (in.size() < Wire.PREAMBLE) {
            return false;
        }
        int version = Wire.getInt(bytes, in.start() + 4) >>> 16;
        in.skip(Wire.PREAMBLE);
        greeted = true;
        if (version != Wire.VERSION) {
            if (!hasGreeted) {
                greet();
            }
            throw Faults.of(
                    Code.VERSION,
                    "one side speaks version " + version + ", the other version " + Wire.VERSION + " (" + name + ")");
        }
        handshake.greeted(this);
        return true;
    }

    private LazyTablesException stranger(byte[] bytes) {
        int first = bytes[in.start()];
        String what = first == TLS_HANDSHAKE || first == TLS_ALERT
                ? " speaks TLS, which is not set here (lazytables.tls)"
                : " does not speak the protocol; its first bytes are "
                        + Faults.printable(bytes, in.start(), Math.min(16, in.size()));
        return Faults.of(Code.NOT_LAZYTABLES, name + what);
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
        int offset = in.start() + Wire.HEADER;
        in.skip(Wire.HEADER + length);
        frame(Wire.kind(header), in.bytes(), offset, length);
        return true;
    }

    private void check(int kind, int length) {
        if (kind > Kind.WELCOME || open == (kind >= Kind.CHALLENGE) && kind != Kind.GOODBYE) {
            throw Faults.of(
                    Code.MALFORMED,
                    name + " sent a frame of kind " + kind + (open ? "" : " in its handshake") + ", length " + length);
        }
        int limit = kind == Kind.DATA ? hub.settings.frameLimit() : Wire.HANDSHAKE_LIMIT;
        if (kind == Kind.LZ4) {
            limit = Math.min(hub.settings.frameLimit() + 4, Wire.MOST_LENGTH);
        }
        if (length > limit) {
            throw Faults.of(
                    Code.FRAME_TOO_LARGE, name + " announces a frame of " + length + " bytes; the limit is " + limit);
        }
    }

    private void frame(int kind, byte[] bytes, int offset, int length) {
        switch (kind) {
            case Kind.DATA -> owner.frame(this, bytes, offset, length);
            case Kind.LZ4 -> unpacked(bytes, offset, length);
            case Kind.HEARTBEAT -> {}
            case Kind.GOODBYE -> goodbye(bytes, offset, length);
            default -> handshake.frame(this, kind, bytes, offset, length);
        }
    }

    private void unpacked(byte[] bytes, int offset, int length) {
        if (length < 5) {
            throw Faults.of(Code.MALFORMED, name + " sent a compressed message without content");
        }
        int size = Wire.getInt(bytes, offset);
        byte[] message = hub.compressor.unpack(name, bytes, offset + 4, length - 4, size, hub.settings.frameLimit());
        owner.frame(this, message, 0, size);
    }

    private void goodbye(byte[] bytes, int offset, int length) {
        ended = true;
        tellOwner(Faults.read(name, bytes, offset, length));
        drop(context().channel());
    }

    private boolean isCompressing() {
        if (hub.settings.compression() != Compression.AUTO) {
            return hub.settings.compression() == Compression.LZ4;
        }
        var remote = (InetSocketAddress) context().channel().remoteAddress();
        var local = (InetSocketAddress) context().channel().localAddress();
        boolean here = remote == null
                || local == null
                || remote.getAddress().isLoopbackAddress()
                || remote.getAddress().equals(local.getAddress());
        return !here;
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException(name + " is not connected yet");
        }
        return context;
    }

    /** Much at once, where much comes. */
    static RecvByteBufAllocator receiving() {
        return new AdaptiveRecvByteBufAllocator(2 << 10, 64 << 10, MOST_READ);
    }

    /** TLS in front, where it is set. */
    static void install(Channel channel, @Nullable SslHandler tls, Connection connection) {
        if (tls != null) {
            tls.setHandshakeTimeoutMillis(0);
            channel.pipeline().addLast(tls);
        }
        channel.pipeline().addLast(connection);
    }
}
