package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection: {@link Opening}, then messages, which {@link FrameWriter} sends and {@link FrameReader} receives,
 * until one side ends it, see {@link Ending}. This class hands what Netty says to these, and what comes of it to the
 * owner.
 *
 * <p>Confined to the network thread, as are its parts, which need no lock and none of which is seen without the
 * connection. What another thread wants of it, it has the network thread do.
 */
final class Connection extends ChannelInboundHandlerAdapter {

    /*
     * One handler and not a pipeline of Netty's for frames, handshake and so on: each step of a pipeline is a call and
     * mostly an object for each frame, and small frames are most of what is sent. The parts are plain objects that ask
     * each other.
     *
     * What the owner throws for a frame ends this connection with a word about it (fail), and no other: one client's
     * message must not end a server.
     *
     * Back pressure has two sides. What is to be sent: hasRoom() says no from the watermark on, and room() tells when
     * half of it is gone. What is to be read: a server does not read from a client that takes nothing
     * (channelWritabilityChanged). A client goes on reading: if both sides stopped, neither would go on.
     */

    /** Hears what comes of a connection. */
    interface Owner {

        /** The other side has proved itself: is there room for it? Throws if not. */
        void admit(Connection connection);

        void opened(Connection connection);

        void frame(Connection connection, byte[] bytes, int offset, int length);

        void closed(Connection connection, @Nullable Throwable cause);

        /** The other side takes more, after it was said not to. */
        default void room(Connection connection) {}
    }

    private static final int MOST_READ = 256 << 10;

    private final Hub hub;
    private final Owner owner;
    private final boolean serving;
    private final int peer;
    private final String name;

    private final Pulse pulse = new Pulse();
    private final FrameWriter writer;
    private final Opening opening;
    private final FrameReader reader;
    private final Ending ending;

    private @Nullable ChannelHandlerContext context;
    /** Whether somebody keeps what there is to send until there is room. */
    private boolean isAwaited;

    Connection(Hub hub, Owner owner, Handshake handshake, boolean serving, int peer, String name) {
        this.hub = hub;
        this.owner = owner;
        this.serving = serving;
        this.peer = peer;
        this.name = name;
        // Parts know the connection, and nobody else knows them.
        writer = new FrameWriter(hub, this);
        opening = new Opening(hub, owner, handshake, this, writer);
        reader = new FrameReader(hub, this, opening);
        ending = new Ending(hub, owner, this, opening, writer, pulse);
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
        return ending.gone();
    }

    boolean isOpen() {
        return opening.isDone() && !ending.hasBegun();
    }

    // ---- what the owner does ----

    /**
     * See {@link FrameSender#send}. Asked again behind it, as writing may have ended the connection.
     */
    boolean send(byte[] bytes, int offset, int length) {
        if (!isOpen()) {
            return false;
        }
        writer.message(bytes, offset, length);
        return isOpen();
    }

    /** The longest message that both sides take. */
    int frameLimit() {
        return writer.limit();
    }

    /** See {@link FrameSender#hasRoom}. */
    boolean hasRoom() {
        // True where there is no connection: nothing waits, and what is sent is refused at once.
        if (!isOpen() || writer.hasRoom()) {
            return true;
        }
        // Whoever asks and hears no is told once, when there is room.
        isAwaited = true;
        return false;
    }

    /** Bytes that the system has not taken yet. */
    long pending() {
        return writer.pending();
    }

    /** Ends it by own will, after what was sent. */
    void end() {
        ending.begin(null);
    }

    /** Ends it because of a fault, of which the other side is told. */
    void fail(Throwable cause) {
        ending.begin(
                cause instanceof LazyTablesException own
                        ? own
                        : Faults.of(Code.FAILED, "the connection with " + name + " failed: " + cause, cause));
    }

    /** The attempt to connect failed; its maker knows it already. */
    void abandon() {
        ending.abandon();
    }

    /** Once every heartbeat. */
    void tick() {
        if (!isOpen()) {
            return;
        }
        // Once a heartbeat, so that what one large frame needed is given back in time.
        reader.trim();
        // Each end decides by itself: no answer to a heartbeat is needed, as the other side sends its own.
        if (pulse.silentTicks(writer.taken(), pending())
                        * hub.settings.heartbeat().toNanos()
                >= hub.settings.idleTimeout().toNanos()) {
            fail(silence());
        } else {
            // Else a sign of our own, if nothing else was one.
            writer.tick();
        }
    }

    private LazyTablesException silence() {
        long millis = hub.settings.idleTimeout().toMillis();
        // Two ways to be silent, with two remedies: it takes nothing of what waits, or says nothing where nothing
        // waits.
        return writer.isFull()
                ? Faults.of(
                        Code.SLOW_PEER,
                        name + " has taken nothing of the " + pending() + " bytes that wait for it for " + millis
                                + " ms")
                : Faults.of(Code.SILENT, "nothing was heard of " + name + " for " + millis + " ms");
    }

    // ---- what its parts ask ----

    boolean hasEnded() {
        return ending.hasBegun();
    }

    ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException(name + " is not connected yet");
        }
        return context;
    }

    /** Null before there is a socket. */
    @Nullable
    Channel channel() {
        return context == null ? null : context.channel();
    }

    /** A frame has come that may come now. */
    void frame(int kind, byte[] bytes, int offset, int length) {
        switch (kind) {
            case Kind.DATA -> owner.frame(this, bytes, offset, length);
            case Kind.LZ4 -> unpacked(bytes, offset, length);
            // That it came was noted already.
            case Kind.HEARTBEAT -> {}
            // The last frame that this side takes, whatever comes behind it.
            case Kind.GOODBYE -> ending.told(Faults.read(name, bytes, offset, length));
            default -> opening.frame(kind, bytes, offset, length);
        }
    }

    private void unpacked(byte[] bytes, int offset, int length) {
        if (length < 5) {
            throw Faults.of(Code.MALFORMED, name + " sent a compressed message without content");
        }
        int size = Wire.getInt(bytes, offset);
        // Its length is checked before anything is made for it; what comes out is the owner's only until it returns, as
        // that of any frame.
        byte[] message = hub.compressor.unpack(name, bytes, offset + 4, length - 4, size, hub.settings.frameLimit());
        owner.frame(this, message, 0, size);
    }

    // ---- what Netty says ----

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        // Before it is connected: a connection that never comes to stand is one that a transport has to wait for, too.
        context = added;
        hub.joined(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        opening.connected(active);
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        ending.closed();
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        var arrived = (ByteBuf) message;
        try {
            // Also what is thrown away below: the other side is there.
            pulse.heard();
            if (hasEnded()) {
                return;
            }
            reader.append(arrived);
        } finally {
            // Netty's buffer goes back at once: what is kept is in the reader's own.
            arrived.release();
        }
        try {
            reader.take();
        } catch (RuntimeException | Error e) {
            // Not to Netty, whose handling of exceptions would leave the connection as it is.
            fail(e);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (serving && isOpen()) {
            // What a client does not take, it waits for; what it sends meanwhile would only be put off here. So TCP
            // holds it up, and with it its clock (see Session).
            changed.channel().config().setAutoRead(changed.channel().isWritable());
        }
        if (isAwaited && changed.channel().isWritable()) {
            isAwaited = false;
            // Netty says this in the midst of sending.
            hub.loop.netty().execute(this::tellRoom);
        }
    }

    private void tellRoom() {
        if (isOpen()) {
            owner.room(this);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext source, Object event) {
        if (event instanceof SslHandshakeCompletionEvent tls) {
            opening.encrypted(tls);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
        // Netty wraps what its decoder throws.
        Throwable inner = cause.getCause() instanceof SSLException ssl ? ssl : cause;
        if (inner instanceof SSLException) {
            fail(opening.tlsFault(inner));
        } else {
            fail(Faults.of(Code.ENDED, "the connection with " + name + " broke: " + cause.getMessage(), cause));
        }
    }

    /** Much at once, where much comes. */
    static RecvByteBufAllocator receiving() {
        // From 2 to 256 KB: as much as the last reads say is likely.
        return new AdaptiveRecvByteBufAllocator(2 << 10, 64 << 10, MOST_READ);
    }

    /** TLS in front, where it is set. */
    static void install(Channel channel, @Nullable SslHandler tls, Connection connection) {
        if (tls != null) {
            // There is one time limit for all of the opening, which says so in its own words.
            tls.setHandshakeTimeoutMillis(0);
            channel.pipeline().addLast(tls);
        }
        channel.pipeline().addLast(connection);
    }
}
