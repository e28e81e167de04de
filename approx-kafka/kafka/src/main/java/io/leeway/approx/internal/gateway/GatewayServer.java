package io.leeway.approx.internal.gateway;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.internal.net.FrameCodec;
import io.leeway.approx.internal.net.Keys;
import io.leeway.approx.internal.net.Transport;
import io.leeway.approx.internal.wire.Datagrams;
import io.leeway.approx.internal.wire.Frame;
import io.leeway.approx.internal.wire.Seal;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The network side of a gateway: control connections and datagrams on one port number, on one thread.
 *
 * <p>Nothing is sent to an address by datagram before a datagram sealed with a session's key has come from it, and an
 * answer is never longer than what it answers: nobody can have the gateway send to others. Datagrams of no session, forged
 * ones and copies cost one look-up, or one failed decryption, and nothing else.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
public final class GatewayServer implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(GatewayServer.class.getName());
    private static final long FORGET_NANOS = 60_000_000_000L;
    private static final long HELLO_MILLIS = 10_000;
    private static final int MOST_SESSIONS = 10_000;

    private final ApproxOptions options;
    private final Sink sink;
    private final long forgetNanos;
    private final SslContext tls;
    private final byte[] token;
    private final MultiThreadIoEventLoopGroup group = Transport.group(1, "approx-gateway");
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Session> sessions = new HashMap<>();
    private final AtomicLong stray = new AtomicLong();
    private final Channel listening;
    private final Channel datagrams;

    /** Listens. */
    public GatewayServer(ApproxOptions options, Sink sink) {
        this(options, sink, FORGET_NANOS);
    }

    /** The same; a shim that has been away for so many nanoseconds does not come back. */
    public GatewayServer(ApproxOptions options, Sink sink, long forgetNanos) {
        this.forgetNanos = forgetNanos;
        this.options = options;
        this.sink = sink;
        tls = Keys.server(options);
        token = options.required(ApproxOption.TOKEN).getBytes(StandardCharsets.UTF_8);
        InetSocketAddress at = options.address(ApproxOption.GATEWAY_LISTEN);
        try {
            listening = listen(at);
            int port = ((InetSocketAddress) listening.localAddress()).getPort();
            datagrams = receive(new InetSocketAddress(at.getHostString(), port));
        } catch (RuntimeException e) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
        group.scheduleAtFixedRate(this::forget, 1, 1, TimeUnit.SECONDS);
    }

    private Channel listen(InetSocketAddress at) {
        return bound(
                new ServerBootstrap()
                        .group(group)
                        .channel(Transport.server())
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(new ChannelInitializer<SocketChannel>() {
                            @Override
                            protected void initChannel(SocketChannel channel) {
                                channel.pipeline()
                                        .addLast(tls.newHandler(channel.alloc()))
                                        .addLast(new LengthFieldBasedFrameDecoder(Frame.LONGEST, 0, 4, 0, 4))
                                        .addLast(new FrameCodec())
                                        .addLast(new ControlHandler());
                            }
                        })
                        .bind(new InetSocketAddress(at.getHostString(), at.getPort()))
                        .awaitUninterruptibly(),
                at);
    }

    private Channel receive(InetSocketAddress at) {
        return bound(
                new Bootstrap()
                        .group(group)
                        .channel(Transport.datagram())
                        .option(ChannelOption.SO_RCVBUF, 4 << 20)
                        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(10_000))
                        .handler(new DatagramHandler())
                        .bind(at)
                        .awaitUninterruptibly(),
                at);
    }

    private static Channel bound(io.netty.channel.ChannelFuture future, InetSocketAddress at) {
        if (!future.isSuccess()) {
            throw new ApproxException(
                    ApproxError.LISTEN,
                    "The gateway cannot listen at " + at.getHostString() + ":" + at.getPort() + ".",
                    future.cause());
        }
        return future.channel();
    }

    /** The port, of TCP and UDP. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** The numbers of all sessions. */
    public GatewayState state() {
        return group.submit(() -> {
                    List<GatewayState.Of> each = new ArrayList<>();
                    sessions.forEach((id, session) -> each.add(new GatewayState.Of(
                            Long.toHexString(id),
                            !session.left(),
                            session.held(),
                            session.drops(),
                            session.forged,
                            session.packets())));
                    return new GatewayState(each, stray.get());
                })
                .awaitUninterruptibly()
                .getNow();
    }

    private void forget() {
        long now = System.nanoTime();
        sessions.values().removeIf(session -> {
            if (!session.left() || now - session.leftAt <= forgetNanos) {
                return false;
            }
            int windows = session.abandon();
            if (windows > 0) {
                LOG.log(
                        Level.WARNING,
                        "{0}: a shim went away and did not come back; {1} windows of it are reported as not kept",
                        new Object[] {ApproxError.SESSION_LOST.code(), windows});
            }
            return true;
        });
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        datagrams.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        group.submit(() -> sessions.values().forEach(Session::cut)).awaitUninterruptibly(5, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private Session newSession() {
        byte[] up = new byte[Seal.SECRET];
        byte[] down = new byte[Seal.SECRET];
        random.nextBytes(up);
        random.nextBytes(down);
        long id = random.nextLong();
        while (id == 0 || sessions.containsKey(id)) {
            id = random.nextLong();
        }
        Session session = new Session(
                id,
                up,
                down,
                options.number(ApproxOption.RECEIVE),
                options.text(ApproxOption.MARK).equals("on"),
                sink,
                (bytes, to) -> datagrams.writeAndFlush(
                        new DatagramPacket(Unpooled.wrappedBuffer(bytes), to), datagrams.voidPromise()),
                group);
        sessions.put(id, session);
        return session;
    }

    /** One control connection. */
    private final class ControlHandler extends SimpleChannelInboundHandler<Frame> {
        private @Nullable Session session;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.executor()
                    .schedule(
                            () -> {
                                if (session == null) {
                                    context.close();
                                }
                            },
                            HELLO_MILLIS,
                            TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame frame) {
            if (session != null) {
                session.frame(frame, System.nanoTime());
            } else if (frame instanceof Frame.Hello hello) {
                hello(context, hello);
            } else {
                context.close();
            }
        }

        private void hello(ChannelHandlerContext context, Frame.Hello hello) {
            if (!MessageDigest.isEqual(token, hello.token())) {
                refuse(context, ApproxError.TOKEN, "the token is another");
            } else if (hello.oldest() > Datagrams.VERSION || hello.newest() < Datagrams.VERSION) {
                refuse(context, ApproxError.VERSION, "the gateway speaks version " + Datagrams.VERSION);
            } else if (sessions.size() >= MOST_SESSIONS && !sessions.containsKey(hello.session())) {
                refuse(context, ApproxError.GATEWAY_AWAY, "the gateway has " + MOST_SESSIONS + " sessions");
            } else {
                Session known = sessions.get(hello.session());
                Session mine = known == null ? newSession() : known;
                mine.attach(context.channel());
                session = mine;
                context.writeAndFlush(mine.welcome(port()));
            }
        }

        private void refuse(ChannelHandlerContext context, ApproxError error, String why) {
            context.writeAndFlush(new Frame.Refused(error.code(), why)).addListener(future -> context.close());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (session != null) {
                session.detach(context.channel(), System.nanoTime());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // Not TLS, not a frame, or cut off: nothing that the gateway could do about.
            context.close();
        }
    }

    /** All datagrams. */
    private final class DatagramHandler extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            ByteBuf content = packet.content();
            if (content.readableBytes() < Datagrams.HEADER + Seal.TAG) {
                stray.incrementAndGet();
                return;
            }
            ByteBuffer bytes = content.nioBuffer();
            byte first = bytes.get(bytes.position());
            Session session = sessions.get(bytes.getLong(bytes.position() + 1));
            if (session == null || Datagrams.version(first) != Datagrams.VERSION) {
                stray.incrementAndGet();
                return;
            }
            try {
                session.datagram(bytes, packet.sender(), System.nanoTime());
            } catch (IllegalArgumentException e) {
                session.forged++;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            stray.incrementAndGet();
        }
    }
}
