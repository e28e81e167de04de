package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a connection ends, which it does once, whatever comes first.
 *
 * <p>The owner hears of it by a task of its own, never inside a call that it made itself; nothing else reaches it after
 * the cause of the end. Whoever ends the connection says why, and then reads on for a moment without looking: to close
 * while the other side is still sending would take the words back that it has not read yet.
 *
 * <p>For the network thread; who waits on {@link #gone} may be on any.
 */
// Whatever of Netty's futures fails comes to the connection as well.
@SuppressWarnings("FutureReturnValueIgnored")
final class Ending {

    /*
     * Three ways to an end, and one order in each: begun is set first, so that whatever the steps below set off finds
     * an ended connection; then the owner is told; then the socket goes.
     *
     * To say why needs that the other side understands frames (hasGreeted) and that words can reach it: one that is
     * stuck or silent, or whose socket is gone, is dropped at once. Else the last frame is written, our direction is
     * closed behind it (a FIN, or TLS's close_notify), and what still comes is read and thrown away. A socket that is
     * closed with unread bytes in it is reset, and a reset makes the other side's system throw away what it had not
     * read yet, our last words among it.
     */

    private static final System.Logger LOG = System.getLogger(Ending.class.getName());
    private static final int LINGER_MILLIS = 1_000;

    private final Hub hub;
    private final Connection.Owner owner;
    private final Connection connection;
    private final Opening opening;
    private final FrameWriter writer;
    private final Pulse pulse;

    private boolean begun;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    Ending(Hub hub, Connection.Owner owner, Connection connection, Opening opening, FrameWriter writer, Pulse pulse) {
        this.hub = hub;
        this.owner = owner;
        this.connection = connection;
        this.opening = opening;
        this.writer = writer;
        this.pulse = pulse;
    }

    /** Whether nothing comes of the connection any more. */
    boolean hasBegun() {
        return begun;
    }

    /** Done when the socket is closed. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    /** This side ends it: by own will, after what was sent, or because of a fault, of which the other side is told. */
    void begin(@Nullable LazyTablesException cause) {
        // The first cause is the one that counts.
        if (begun) {
            return;
        }
        begun = true;
        tellOwner(cause);
        Channel channel = connection.channel();
        if (channel == null) {
            return;
        }
        // Behind what it does not take, nothing would get there.
        boolean stuck = cause != null && (cause.code() == Code.SLOW_PEER || cause.code() == Code.SILENT);
        if (!opening.hasGreeted() || stuck || !channel.isActive()) {
            drop(channel);
            return;
        }
        try {
            writer.frame(Kind.GOODBYE, Faults.goodbye(cause));
            writer.handOver();
            // A server may have stopped to read; now what comes must go.
            channel.config().setAutoRead(true);
            connection.context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener)
                    written -> halfClose(channel));
            // The first look is at what happens from here on.
            pulse.beginAnew();
            linger(channel, System.nanoTime());
        } catch (RuntimeException | Error e) {
            // Such as no memory for the last words: nobody would close the socket after this.
            LOG.log(System.Logger.Level.WARNING, connection + " is not told why the connection ends: " + e);
            drop(channel);
        }
    }

    /** The other side ended it, and said why; null if there is no fault. */
    void told(@Nullable LazyTablesException cause) {
        // The other side has said its last: nothing is answered.
        begun = true;
        tellOwner(cause);
        drop(connection.context().channel());
    }

    /** The socket is closed, by whomever. */
    void closed() {
        hub.left(connection);
        writer.release();
        // Before a new attempt is made, which waits for this.
        gone.complete(null);
        if (!begun) {
            begun = true;
            tellOwner(Faults.of(
                    Code.ENDED,
                    opening.isDone()
                            ? connection + " ended the connection without a word"
                            : connection + " ended the connection in its handshake, without a word"));
        }
    }

    /** The attempt to connect failed; its maker knows it already. */
    void abandon() {
        begun = true;
        hub.left(connection);
        gone.complete(null);
    }

    /** As long as something moves, but not longer than a silence may last; strangers get no time. */
    private void linger(Channel channel, long since) {
        channel.eventLoop()
                .schedule(
                        () -> {
                            boolean moves = opening.isDone() && pulse.moves(writer.taken(), writer.pending());
                            if (moves
                                    && System.nanoTime() - since
                                            < hub.settings.idleTimeout().toNanos()) {
                                linger(channel, since);
                            } else {
                                drop(channel);
                            }
                        },
                        LINGER_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private static void halfClose(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex && channel.isActive()) {
            duplex.shutdownOutput();
        }
    }

    private void drop(Channel channel) {
        writer.release();
        channel.close();
    }

    /** By a task of its own, since this may be within a call of the owner, in the midst of its own changes. */
    private void tellOwner(@Nullable LazyTablesException cause) {
        if (cause != null) {
            // An end by own will is no failure.
            hub.counters.connectionFailed();
        }
        hub.loop.netty().execute(() -> owner.closed(connection, cause));
    }
}
