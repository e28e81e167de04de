package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server's connections. A peer's number is one connection's and never comes again. {@link #send}, {@link #hasRoom},
 * {@link #pending} and {@link #close(int)} belong to the network thread, the others may be called from any other.
 *
 * <p>Strangers get little: a time limit for their whole handshake, two kilobytes of it, and
 * {@code lazytables.server.handshakes} places. A further one takes the place of the oldest, so that those who say
 * nothing do not keep others out.
 */
public final class ServerTransport implements FrameSender, AutoCloseable {

    /*
     * A connection goes from "strangers" (its handshake is not done) to "open", and from there out; while it is sent
     * away it is also among "leaving", and counts no more for the limit. Each set is in the order in which they came,
     * so that who has been there longest without a word gives way first.
     *
     * Two limits with two kinds of strangers in mind. Those who only connect: a place each, a time limit, two
     * kilobytes. Those who know the token, or where there is none, and then say nothing of the protocol (isKnown): they
     * give way when another connection finds no place.
     */

    private static final System.Logger LOG = System.getLogger(ServerTransport.class.getName());
    private static final long BIND_MILLIS = 10_000;

    private final NetLoop loop;
    private final Hub hub;
    private final HostAndPort listen;
    private final Int2ObjectLinkedOpenHashMap<Connection> open = new Int2ObjectLinkedOpenHashMap<>();
    private final Set<Connection> strangers = new LinkedHashSet<>();
    /** Of the open ones those that were sent away, and are not gone yet. */
    private final Set<Connection> leaving = new HashSet<>();

    private final Connection.Owner owner = new Guests();
    // One more for each connection, so that what is said late to one that is gone never reaches another one.
    private int lastPeer;
    private boolean warned;
    private @Nullable FrameSink sink;
    private volatile @Nullable Channel channel;

    /**
     * For the address in the configuration; nothing happens before {@link #start}.
     *
     * @throws io.leeway.lazytables.LazyTablesException if it would be open to others without a token, or certificates
     *     or token cannot be read
     */
    public ServerTransport(NetLoop loop, LazyTablesConfig config) {
        // First: a server that would be open to others without a token does not come to be.
        config.requireServer();
        this.loop = loop;
        this.listen = config.get(LazyTablesOptions.LISTEN);
        this.hub = new Hub(loop, NetSettings.ofServer(config), new NetCounters());
    }

    /**
     * Listens; returns when clients can connect.
     *
     * @throws io.leeway.lazytables.LazyTablesException if the address cannot be listened at
     */
    public ServerTransport start(FrameSink frames) {
        return start(frames, BIND_MILLIS);
    }

    /** Listens if the network thread comes to it within so many milliseconds. */
    ServerTransport start(FrameSink frames, long millis) {
        sink = frames;
        int watermark = hub.settings.watermark();
        ChannelFuture bound = new ServerBootstrap()
                .group(loop.netty(), loop.netty())
                .channel(NioServerSocketChannel.class)
                // A server that is started again finds its port held by connections of the one before it.
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, Connection.receiving())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(watermark / 2, watermark))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accept(accepted);
                    }
                })
                .bind(new InetSocketAddress(listen.host(), listen.port()));
        // A bind takes no time; the limit is for a network thread that does not come to it.
        if (!bound.awaitUninterruptibly(millis, TimeUnit.MILLISECONDS)) {
            // Nobody would ever close what it opens when it comes to it.
            var unused = bound.addListener(ChannelFutureListener.CLOSE);
            throw Faults.of(
                    Code.LISTEN,
                    "cannot listen at " + listen + ": the network thread did not come to it within " + millis + " ms");
        }
        if (!bound.isSuccess()) {
            throw Faults.of(Code.LISTEN, "cannot listen at " + listen + ": " + bound.cause(), bound.cause());
        }
        channel = bound.channel();
        return this;
    }

    /** Where it listens, with the port that the system chose if it was to choose. */
    public HostAndPort address() {
        Channel listening = channel;
        if (listening == null) {
            throw new IllegalStateException("not started");
        }
        return new HostAndPort(listen.host(), ((InetSocketAddress) listening.localAddress()).getPort());
    }

    @Override
    public boolean send(int peer, byte[] buffer, int offset, int length) {
        Connection connection = open.get(peer);
        return connection != null && connection.send(buffer, offset, length);
    }

    @Override
    public boolean hasRoom(int peer) {
        Connection connection = open.get(peer);
        return connection == null || connection.hasRoom();
    }

    @Override
    public void close(int peer) {
        Connection connection = open.get(peer);
        if (connection != null) {
            connection.end();
        }
    }

    /** Bytes that wait to be taken by the system; 0 if there is no connection. */
    public long pending(int peer) {
        Connection connection = open.get(peer);
        return connection == null ? 0 : connection.pending();
    }

    /** The longest message that a peer and this side take; for one that is open. */
    public int frameLimit(int peer) {
        Connection connection = open.get(peer);
        return connection == null ? hub.settings.frameLimit() : connection.frameLimit();
    }

    /** What was sent and received. */
    public NetCounters counters() {
        return hub.counters;
    }

    /**
     * Listens no more and ends all connections after what was sent; waits for that for a limited time, unless called on
     * the network thread.
     */
    @Override
    public void close() {
        Channel listening = channel;
        if (listening != null) {
            var unused = listening.close();
        }
        Closing.await(loop, hub::close);
    }

    /**
     * Listens no more, and waits for nothing. Connections go with the network thread, as those of a process that is
     * killed do.
     */
    public void closeNow() {
        Channel listening = channel;
        if (listening != null) {
            var unused = listening.close();
        }
    }

    /** A client has connected; nothing is known of it. */
    private void accept(Channel accepted) {
        // It came while the transport was being closed.
        if (hub.isClosed()) {
            var unused = accepted.close();
            return;
        }
        if (strangers.size() >= hub.settings.handshakes()) {
            Connection oldest = strangers.iterator().next();
            // Before it hears of it, or it would be chosen again.
            strangers.remove(oldest);
            oldest.fail(Faults.of(Code.TOO_MANY_CONNECTIONS, "too many connections are in their handshake"));
        }
        String name = "client " + accepted.remoteAddress();
        var made = new Connection(hub, owner, new Handshake.OfServer(hub.settings), true, ++lastPeer, name);
        strangers.add(made);
        SslHandler tls = hub.settings.tls() == null ? null : hub.settings.tls().newHandler(accepted.alloc());
        // It is a stranger before its first byte comes, so that it has a time limit from then on.
        Connection.install(accepted, tls, made);
    }

    /** What comes of the connections. */
    private final class Guests implements Connection.Owner {

        @Override
        public void admit(Connection proved) {
            if (open.size() - leaving.size() >= hub.settings.connections() && !makesRoom()) {
                throw Faults.of(Code.TOO_MANY_CONNECTIONS, "there are " + open.size() + " connections already");
            }
        }

        /** Sends the oldest away that has not said who it is: those who say nothing do not keep others out. */
        private boolean makesRoom() {
            for (Connection each : open.values()) {
                if (!leaving.contains(each) && !sink().isKnown(each.peer())) {
                    // It is open until its socket is closed, and must not be counted, or chosen, until then.
                    leaving.add(each);
                    each.fail(Faults.of(
                            Code.TOO_MANY_CONNECTIONS,
                            "there are too many connections, and this one has not said who it is"));
                    return true;
                }
            }
            return false;
        }

        @Override
        public void opened(Connection opened) {
            // From here on it has a number that the sink knows.
            strangers.remove(opened);
            open.put(opened.peer(), opened);
            sink().onOpen(opened.peer());
        }

        @Override
        public void frame(Connection from, byte[] bytes, int offset, int length) {
            sink().onFrame(from.peer(), bytes, offset, length);
        }

        @Override
        public void room(Connection there) {
            sink().onRoom(there.peer());
        }

        @Override
        public void closed(Connection closed, @Nullable Throwable cause) {
            leaving.remove(closed);
            // The sink hears of the end only of what it heard the begin of.
            if (open.remove(closed.peer()) != null) {
                sink().onClosed(closed.peer(), cause);
            } else {
                strangers.remove(closed);
                refused(closed, cause);
            }
        }

        /** The first time aloud; a port scan is not to fill the log. */
        private void refused(Connection closed, @Nullable Throwable cause) {
            LOG.log(
                    warned ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "{0} was not let in: {1}",
                    closed,
                    cause == null ? "it left" : cause.getMessage());
            warned = true;
        }

        private FrameSink sink() {
            if (sink == null) {
                throw new IllegalStateException("not started");
            }
            return sink;
        }
    }
}
