package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to one server: connects, and connects again. The pause doubles from attempt to attempt, less a random
 * part so that many clients do not come at once; only a connection that lasted longer than the longest pause begins
 * anew with the shortest. For the network thread.
 */
final class ServerLink implements Connection.Owner {

    /*
     * At each moment there is one of three: a connection (being opened, or open), an attempt under way, or a pause.
     * Each of them ends in another: an attempt in a connection or in notConnected(), a connection in closed(), both of
     * these in later(), and a pause in connect(); only the hub's end stops it. So there is never more than one
     * connection, nor is there none for ever.
     *
     * Why the pause doubles: a server that is gone is asked less and less often. Why a part of it is random: clients of
     * a server that comes back were all thrown out in the same moment. Why it begins anew only behind a connection that
     * lasted: a server that lets clients in and fails at their first message would be asked at full speed.
     */

    private static final System.Logger LOG = System.getLogger(ServerLink.class.getName());

    private final Hub hub;
    private final FrameSink sink;
    private final int peer;
    private HostAndPort server;
    private final SplittableRandom random = new SplittableRandom();

    private @Nullable Connection connection;
    /** How long the next one is, in nanoseconds. */
    private long pause;

    private long openSince;
    // Also which of a name's addresses is tried next.
    private int attempts;
    /** Whether the sink was told of the present connection. */
    private boolean wasOpen;
    // Read by others than the network thread.
    private volatile @Nullable Throwable failure;

    ServerLink(Hub hub, FrameSink sink, int peer, HostAndPort server) {
        this.hub = hub;
        this.sink = sink;
        this.peer = peer;
        this.server = server;
        this.pause = hub.settings.retryFirst().toNanos();
    }

    /** The connection if it is there; messages can be sent if it is open. */
    @Nullable
    Connection connection() {
        return connection;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /**
     * From the next attempt on the server is looked for there; the connection to where it was ends. What was sent over
     * the old connection and not answered is sent again over the new one, as after any.
     */
    void move(HostAndPort to) {
        if (to.equals(server)) {
            return;
        }
        LOG.log(System.Logger.Level.INFO, "Server {0} is at {1} now, and was at {2}", peer, to, server);
        server = to;
        // It is known to be somewhere else now: what was tried before says nothing.
        pause = hub.settings.retryFirst().toNanos();
        if (connection != null) {
            connection.end();
        }
    }

    /** Names are looked up on a thread of their own, since that may take long; addresses need none. */
    void connect() {
        if (hub.isClosed()) {
            return;
        }
        HostAndPort named = server;
        // An address is no name: to look it up takes no time.
        if (NetUtil.isValidIpV4Address(named.host()) || NetUtil.isValidIpV6Address(named.host())) {
            lookUp(named);
        } else {
            var thread = new Thread(() -> lookUp(named), "lazytables-resolve-" + peer);
            // A resolver that does not answer must not keep the program from ending.
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** On any thread: finds the address, and has the network thread connect to it. */
    private void lookUp(HostAndPort named) {
        try {
            // Each time anew: names move, and Java keeps them for a while itself.
            InetAddress[] found = InetAddress.getAllByName(named.host());
            // Back on the network thread, which owns all that is here.
            hub.loop.execute(() -> connect(named, new InetSocketAddress(found[attempts % found.length], named.port())));
        } catch (UnknownHostException e) {
            hub.loop.execute(() -> notConnected(Faults.of(Code.UNREACHABLE, "there is no host " + named.host(), e)));
        }
    }

    private void connect(HostAndPort named, InetSocketAddress address) {
        // The name took its time.
        if (hub.isClosed()) {
            return;
        }
        attempts++;
        var made = new Connection(hub, this, new Handshake.OfClient(hub.settings), false, peer, "server " + named);
        // Room is told at half of it: with one mark for both, each frame would be told of.
        int watermark = hub.settings.watermark();
        new Bootstrap()
                .group(hub.loop.netty())
                .channel(NioSocketChannel.class)
                // What belongs together is gathered before it is sent (Hub); waiting for more would only hold up the
                // last of it.
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, Connection.receiving())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        hub.settings.connectTimeout().toMillis())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(watermark / 2, watermark))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        Connection.install(channel, tls(channel, named), made);
                    }
                })
                .connect(address)
                .addListener(done -> {
                    if (done.isSuccess()) {
                        connection = made;
                        // It has moved while this attempt was under way.
                        if (!named.equals(server)) {
                            made.end();
                        }
                    } else {
                        // There was no socket whose end would be told.
                        made.abandon();
                        notConnected(Faults.of(
                                Code.UNREACHABLE,
                                made + " cannot be reached: " + done.cause().getMessage(),
                                done.cause()));
                    }
                });
    }

    /** With the name that the program gave, not with the address that was found: the certificate is of the name. */
    private @Nullable SslHandler tls(Channel channel, HostAndPort named) {
        return hub.settings.tls() == null
                ? null
                : hub.settings.tls().newHandler(channel.alloc(), named.host(), named.port());
    }

    @Override
    public void admit(Connection proved) {}

    @Override
    public void opened(Connection opened) {
        connection = opened;
        // When messages could go, not when TCP stood: a server that lets nobody in did not last.
        openSince = System.nanoTime();
        wasOpen = true;
        sink.onOpen(peer);
    }

    @Override
    public void frame(Connection from, byte[] bytes, int offset, int length) {
        sink.onFrame(peer, bytes, offset, length);
    }

    @Override
    public void room(Connection there) {
        sink.onRoom(peer);
    }

    @Override
    public void closed(Connection closed, @Nullable Throwable cause) {
        // Before anybody is told, as it would be sent to.
        connection = null;
        boolean said = wasOpen;
        wasOpen = false;
        if (said && System.nanoTime() - openSince > hub.settings.retryMost().toNanos()) {
            pause = hub.settings.retryFirst().toNanos();
        }
        // The sink hears of the end only of what it heard the begin of.
        if (said) {
            // Kept beyond the next success: it says why there was none the last time.
            failure = cause == null ? Faults.of(Code.ENDED, closed + " ended the connection") : cause;
            sink.onClosed(peer, cause);
        } else {
            unreachable(
                    cause instanceof LazyTablesException own
                            ? own
                            : Faults.of(Code.ENDED, closed + " ended the connection in its handshake"));
        }
        // Not before the other side has read the last of what was sent.
        var unused = closed.gone().thenRun(this::later);
    }

    /** Tells that there is no connection, which was not said to be there. */
    private void unreachable(LazyTablesException cause) {
        if (hub.isClosed()) {
            return;
        }
        failure = cause;
        // The first one aloud: those that follow say the same.
        LOG.log(attempts > 1 ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING, cause.getMessage());
        // Attempts go on; whoever waits has a time limit of its own.
        sink.onUnreachable(peer, cause);
    }

    /** An attempt has failed before there was a connection; its end is not told by anybody else. */
    private void notConnected(LazyTablesException cause) {
        hub.counters.connectionFailed();
        unreachable(cause);
        later();
    }

    /** Connects again, after a pause. */
    private void later() {
        if (hub.isClosed()) {
            return;
        }
        // Between half of it and all.
        long wait = pause - random.nextLong(pause / 2 + 1);
        // For the next one.
        pause = Math.min(pause * 2, hub.settings.retryMost().toNanos());
        hub.loop.executeAfter(this::connect, wait);
    }
}
