package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.concurrent.TimeUnit;

/**
 * How a connection begins: TLS, then preambles, then the {@link Handshake}, all within one time limit. When it is done,
 * messages may come and go. For the network thread.
 */
// Whatever of Netty's futures fails comes to the connection as well.
@SuppressWarnings("FutureReturnValueIgnored")
final class Opening {

    /*
     * States by two flags: secured (bytes go through as they are, or through TLS), done (messages may come and go).
     * Between them the handshake has the word. hasGreeted is for the end: only who was greeted understands a frame that
     * says why.
     */

    private final Hub hub;
    private final Connection.Owner owner;
    private final Handshake handshake;
    private final Connection connection;
    private final FrameWriter writer;

    private boolean secured;
    private boolean hasGreeted;
    private boolean done;

    Opening(Hub hub, Connection.Owner owner, Handshake handshake, Connection connection, FrameWriter writer) {
        this.hub = hub;
        this.owner = owner;
        this.handshake = handshake;
        this.connection = connection;
        this.writer = writer;
    }

    /** Whether messages may come and go. */
    boolean isDone() {
        return done;
    }

    /** Whether the other side was told who this is, so that it understands frames. */
    boolean hasGreeted() {
        return hasGreeted;
    }

    /** The other side's name, for messages. */
    @Override
    public String toString() {
        return connection.toString();
    }

    // ---- what happens ----

    /** TCP stands. */
    void connected(ChannelHandlerContext context) {
        long limit = hub.settings.handshakeTimeout().toMillis();
        // One limit over all of it, from TCP on: one for each step would let a stranger stay for the sum, and begin
        // each anew by a byte.
        context.executor().schedule(this::timedOut, limit, TimeUnit.MILLISECONDS);
        if (hub.settings.tls() == null) {
            secure();
        }
    }

    /** TLS stands, or does not come to stand. */
    void encrypted(SslHandshakeCompletionEvent tls) {
        if (tls.isSuccess()) {
            secure();
        } else {
            connection.fail(tlsFault(tls.cause()));
        }
    }

    /** The other side's preamble has come, of this version. */
    void greeted(int version) {
        if (version != Wire.VERSION) {
            // So that the other side can tell our version, and read what follows.
            if (!hasGreeted) {
                greet();
            }
            throw Faults.of(
                    Code.VERSION,
                    "one side speaks version " + version + ", the other version " + Wire.VERSION + " (" + connection
                            + ")");
        }
        // Of the same version: what follows is understood.
        handshake.greeted(this);
    }

    /** A frame of the handshake has come. */
    void frame(int kind, byte[] bytes, int offset, int length) {
        handshake.frame(this, kind, bytes, offset, length);
    }

    LazyTablesException tlsFault(Throwable cause) {
        Throwable root = cause;
        // What is of use is at the bottom: which certificate, which host name.
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return Faults.of(Code.TLS, "TLS with " + connection + " failed: " + root.getMessage(), cause);
    }

    private void secure() {
        // Once, and not where the connection has ended while TLS was made.
        if (!secured && !connection.hasEnded()) {
            secured = true;
            handshake.begin(this);
        }
    }

    private void timedOut() {
        if (!done) {
            connection.fail(Faults.of(
                    Code.HANDSHAKE_TIMEOUT,
                    connection + " has not finished its handshake within "
                            + hub.settings.handshakeTimeout().toMillis() + " ms"));
        }
    }

    // ---- what the handshake does ----

    /** Says what this is; from here on the other side can be told why the connection ends. */
    void greet() {
        hasGreeted = true;
        // The same on both sides; who speaks first is the handshake's to say.
        writer.preamble();
    }

    void send(int kind, byte[] bytes) {
        writer.frame(kind, bytes);
    }

    /**
     * Asks whether there is room, now that the other side has proved itself; throws if there is none, which ends the
     * handshake.
     */
    void admit() {
        owner.admit(connection);
    }

    void welcome(int limit) {
        // What a header can say at most.
        if (limit < 0 || limit > Wire.MOST_LENGTH) {
            throw Faults.of(Code.MALFORMED, connection + " announces a frame limit of " + limit);
        }
        // Before the owner hears of it, who may send at once.
        done = true;
        writer.begin(limit);
        hub.counters.connectionOpened();
        // Last, as it may send, and end the connection.
        owner.opened(connection);
    }
}
