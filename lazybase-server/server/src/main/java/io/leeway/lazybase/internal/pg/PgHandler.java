package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.sql.Session;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: lets the client in, then hands its messages to {@link PgConnection}, one after the other, on a thread that may wait. When
 * messages pile up, the socket is not read until they are worked off.
 */
// Void promises: what fails is told to exceptionCaught.
@SuppressWarnings("FutureReturnValueIgnored")
final class PgHandler extends SimpleChannelInboundHandler<PgFrame> {

    private static final Logger LOG = LoggerFactory.getLogger(PgHandler.class);
    private static final int SSL = 80877103;
    private static final int GSS = 80877104;
    private static final int CANCEL = 80877102;
    private static final int VERSION_3 = 3;
    private static final long MOST_WAITING = 1 << 20;

    private final PgServer server;
    private final Deque<PgFrame> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean working;
    private boolean gone;
    private boolean closing;
    private @Nullable PgOut out;
    private @Nullable PgConnection connection;
    private @Nullable Scram scram;
    private String user = "";
    private Map<String, String> startup = Map.of();
    private Users.@Nullable User known;
    private int process;

    PgHandler(PgServer server) {
        this.server = server;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        out = new PgOut(context.channel());
    }

    private PgOut out() {
        PgOut mine = out;
        if (mine == null) {
            throw new IllegalStateException("not connected");
        }
        return mine;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, PgFrame frame) {
        if (frame.type() == 0) {
            int code = new PgIn(frame.bytes()).integer();
            if (code == SSL || code == GSS) {
                answerEncryption(context, code);
                return;
            }
            if (code == CANCEL) {
                var in = new PgIn(frame.bytes());
                in.integer();
                server.cancel(in.integer(), in.integer());
                close(context);
                return;
            }
        }
        synchronized (waiting) {
            if (closing) {
                return;
            }
            waiting.addLast(frame);
            waitingBytes += frame.bytes().length;
            if (waitingBytes > MOST_WAITING) {
                context.channel().config().setAutoRead(false);
            }
        }
    }

    /**
     * Hands over what has come. Not each message by itself: a query is three or four of them in one packet, and a thread that is quick with one
     * would be woken anew for each.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        synchronized (waiting) {
            if (!working && !waiting.isEmpty()) {
                working = true;
                server.run(() -> work(context));
            }
        }
        context.fireChannelReadComplete();
    }

    private void answerEncryption(ChannelHandlerContext context, int code) {
        SslContext ssl = server.ssl();
        boolean yes = code == SSL && ssl != null && context.pipeline().get(SslHandler.class) == null;
        ByteBuf answer = context.alloc().buffer(1).writeByte(yes ? 'S' : 'N');
        if (yes && ssl != null) {
            // What is sent before the handshake ends is encrypted, but not this answer.
            SslHandler handler = ssl.newHandler(context.alloc());
            var sent = context.newPromise();
            sent.addListener(done -> context.pipeline().addFirst(handler));
            context.writeAndFlush(answer, sent);
        } else {
            context.writeAndFlush(answer, context.voidPromise());
        }
    }

    private void work(ChannelHandlerContext context) {
        while (true) {
            PgFrame frame;
            synchronized (waiting) {
                frame = gone || closing ? null : waiting.pollFirst();
                if (frame == null) {
                    working = false;
                    if (gone) {
                        end();
                    }
                    return;
                }
                waitingBytes -= frame.bytes().length;
                if (waitingBytes < MOST_WAITING / 2
                        && !context.channel().config().isAutoRead()) {
                    context.channel().config().setAutoRead(true);
                }
            }
            boolean goesOn;
            try {
                goesOn = handle(frame);
            } catch (LazyBaseException e) {
                goesOn = refuse(e);
            } catch (IOException | RuntimeException e) {
                LOG.warn("a connection failed", e);
                goesOn = refuse(new LazyBaseException(Code.INTERNAL, e + ".", e));
            }
            if (!goesOn) {
                close(context);
            }
        }
    }

    private boolean refuse(LazyBaseException e) {
        try {
            out().fatal(e);
        } catch (LazyBaseException gonebefore) {
            LOG.debug("the client is gone", gonebefore);
        }
        return false;
    }

    private boolean handle(PgFrame frame) throws IOException {
        PgConnection mine = connection;
        if (mine != null) {
            return mine.handle(frame.type(), new PgIn(frame.bytes()));
        }
        var in = new PgIn(frame.bytes());
        if (frame.type() == 0) {
            return start(in);
        }
        if (frame.type() == 'p' && user.length() > 0) {
            return authenticate(in);
        }
        throw new LazyBaseException(Code.PROTOCOL, "A message before the start.");
    }

    private boolean start(PgIn in) throws IOException {
        int version = in.integer();
        if (version >>> 16 != VERSION_3) {
            throw new LazyBaseException(Code.PROTOCOL, "Version " + (version >>> 16) + " of the protocol.");
        }
        var parameters = new java.util.HashMap<String, String>();
        for (String name = in.text(); !name.isEmpty(); name = in.text()) {
            parameters.put(name, in.text());
        }
        startup = parameters;
        user = parameters.getOrDefault("user", "");
        if (user.isEmpty()) {
            throw new LazyBaseException(Code.AUTHENTICATION, "No user was named.");
        }
        server.checkRoom();
        if (!server.wantsPasswords()) {
            return welcome(false);
        }
        known = server.users().find(user);
        scram = new Scram(known == null ? null : known.verifier(), server.random(18));
        out().authentication(10, (Scram.MECHANISM + "\0\0").getBytes(StandardCharsets.US_ASCII));
        out().flush();
        return true;
    }

    private boolean authenticate(PgIn in) {
        Scram attempt = scram;
        if (attempt == null) {
            throw new LazyBaseException(Code.PROTOCOL, "A password that nobody asked for.");
        }
        if (!firstSeen) {
            firstSeen = true;
            String mechanism = in.text();
            int length = in.integer();
            String message = StandardCharsets.UTF_8.decode(in.bytes(length)).toString();
            String answer = mechanism.equals(Scram.MECHANISM) ? attempt.first(message) : null;
            if (answer == null) {
                throw new LazyBaseException(Code.PROTOCOL, "A malformed message of " + mechanism + ".");
            }
            out().authentication(11, answer.getBytes(StandardCharsets.UTF_8));
            out().flush();
            return true;
        }
        String answer = attempt.last(new String(in.rest(), StandardCharsets.UTF_8));
        if (answer == null) {
            throw new LazyBaseException(Code.AUTHENTICATION, "User " + user + ".");
        }
        out().authentication(12, answer.getBytes(StandardCharsets.UTF_8));
        return welcome(known != null && known.role() == Users.Role.READ);
    }

    private boolean firstSeen;

    private boolean welcome(boolean readOnly) {
        var session = new Session(server.engine(), user, startup.getOrDefault("database", user), readOnly);
        var mine = new PgConnection(session, out());
        settings(session);
        out().authentication(0, new byte[0]);
        for (String[] each : new String[][] {
            {"server_version", "15.0"},
            {"server_encoding", "UTF8"},
            {"client_encoding", "UTF8"},
            {"DateStyle", "ISO, MDY"},
            {"IntervalStyle", "postgres"},
            {"TimeZone", "UTC"},
            {"integer_datetimes", "on"},
            {"standard_conforming_strings", "on"},
            {"is_superuser", "off"},
            {"session_authorization", user},
            {"application_name", startup.getOrDefault("application_name", "")}
        }) {
            out().parameterStatus(each[0], each[1]);
        }
        int secret = server.register(this, session);
        out().keyData(process, secret);
        out().ready('I');
        synchronized (waiting) {
            connection = mine;
        }
        return true;
    }

    private void settings(Session session) {
        startup.forEach((name, value) -> {
            if (name.equals("options")) {
                StartupOptions.parse(value).forEach(session::set);
            } else if (!name.equals("user")
                    && !name.equals("database")
                    && !name.equals("replication")
                    && !name.startsWith("_pq_")) {
                session.set(name, value);
            }
        });
    }

    /** Ends the connection after what was written; messages that are still waiting are not looked at. */
    private void close(ChannelHandlerContext context) {
        synchronized (waiting) {
            closing = true;
            waiting.clear();
        }
        // Not with the void promise, which Netty refuses here.
        context.close();
    }

    void process(int number) {
        process = number;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        out().writable();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        out().writable();
        server.unregister(process);
        synchronized (waiting) {
            gone = true;
            waiting.clear();
            PgConnection mine = connection;
            if (mine != null) {
                mine.session().cancel();
            }
            if (!working) {
                end();
            }
        }
    }

    private void end() {
        PgConnection mine = connection;
        connection = null;
        if (mine != null) {
            mine.close();
        }
        out().release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("a connection is closed", cause);
        close(context);
    }
}
