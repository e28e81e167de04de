package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.metrics.AskedServer;
import io.leeway.lazytables.internal.metrics.Metering;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetLoop;
import io.leeway.lazytables.internal.net.ServerTransport;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.upkeep.Upkeep;
import io.leeway.lazytables.spi.CombineOp;
import io.leeway.lazytables.spi.ServerRegistration;
import io.leeway.lazytables.spi.ServerRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A server that listens: its core on the network thread, which answers once for everything that came in one round, its
 * snapshots, and its registration. Thread-safe.
 *
 * <p>All that the core does is done on the one network thread, so it has no locks; what comes from other threads, as
 * the question of a meter, is handed to that.
 */
public final class ServerProcess implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ServerProcess.class.getName());

    private final NetLoop loop = NetLoop.start("server");
    private final Upkeep upkeep;
    private final ServerTransport transport;
    private final Metering.Watch meters;
    /** Done when it is closed; with why, if it was not told to. */
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /** Made while there is memory. */
    private final LazyTablesException noMemory = LazyTablesException.of(
            Code.MEMORY,
            "The server has no memory left and ends at once, without a last snapshot: start it again with more (-Xmx), or"
                    + " spread the tables over more servers. It goes on from its newest snapshot");

    /** Null where there is none, or not yet. */
    private volatile @Nullable ServerRegistry registry;

    private boolean closed;

    /** Snapshots are read before anybody is let in; what was opened is closed again if a later step fails. */
    private ServerProcess(LazyTablesConfig config, List<CombineOp> ops) {
        Upkeep opened = null;
        try {
            transport = new ServerTransport(loop, config);
            opened = Upkeep.of(config, config.get(LazyTablesOptions.PROCESSES), CombineOps.of(ops));
            upkeep = opened;
            upkeep.core().countsTraffic(transport.counters()::traffic);
            var sink = new Sink(upkeep.core());
            transport.start(sink);
            loop.execute(() -> upkeep.begin(loop, sink::answer));
            meters = Metering.of(config).server(new AskedServer(loop, upkeep.core()::status));
        } catch (RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            loop.close();
            throw e;
        }
    }

    /** Last of all: clients come as soon as they find it. */
    private void register(LazyTablesConfig config) {
        String location = config.get(LazyTablesOptions.REGISTRY);
        ServerRegistry where = Registries.open(config);
        registry = where;
        var server = new ServerRegistration(
                config.get(LazyTablesOptions.SERVER_NUMBER),
                config.get(LazyTablesOptions.SERVER_COUNT),
                config.advertised(transport.address()));
        try {
            where.register(server, who -> displaced("Server " + server.number() + " in " + location + ": " + who));
        } catch (IOException e) {
            throw Registries.fault(
                    "Server " + server.number() + " cannot be registered in " + location + ": " + e.getMessage(), e);
        }
    }

    /**
     * Clients go to the other server; this one would answer those that have not heard of it yet.
     *
     * <p>In a thread of its own, since the registry's thread, which says so, is ended by the closing.
     */
    private void displaced(String who) {
        LOG.log(Level.ERROR, "{0}. This server ends", who);
        var closing = new Thread(() -> close(LazyTablesException.of(Code.DISPLACED, who)), "lazytables-displaced");
        closing.setDaemon(true);
        closing.start();
    }

    /**
     * Listens; returns when clients can connect.
     *
     * @throws LazyTablesException if it cannot listen, or may not without a token, its snapshots cannot be used, or it
     *     cannot be registered
     */
    public static ServerProcess start(LazyTablesConfig config, List<CombineOp> ops) {
        var server = new ServerProcess(config, ops);
        if (!config.get(LazyTablesOptions.REGISTRY).isEmpty()) {
            try {
                server.register(config);
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }
        return server;
    }

    /** Where it listens. */
    public HostAndPort address() {
        return transport.address();
    }

    /**
     * Waits until it is closed.
     *
     * @throws LazyTablesException if it was closed because another server has its number in the registry
     */
    public void awaitEnd() {
        try {
            ended.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LazyTablesException own
                    ? LazyTablesException.of(own.code(), own.reason(), own)
                    : LazyTablesException.of(Code.FAILED, "The server failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while the server worked", e);
        }
    }

    /** Takes as little memory as can be. What there is of a last snapshot would be as wrong as the tables may be. */
    private void outOfMemory() {
        LastWords.say();
        ended.completeExceptionally(noMemory);
        transport.closeNow();
    }

    /**
     * Ends the registration and the connections, then stores what is not stored. Who comes second waits for the first.
     */
    @Override
    public void close() {
        close(null);
    }

    /** In this order: nobody finds it any more, nobody is answered any more, then what came until now is stored. */
    private synchronized void close(@Nullable LazyTablesException why) {
        if (closed) {
            return;
        }
        closed = true;
        ServerRegistry registered = registry;
        if (registered != null) {
            registered.close();
        }
        meters.close();
        transport.close();
        upkeep.close();
        loop.close();
        if (why == null) {
            ended.complete(true);
        } else {
            ended.completeExceptionally(why);
        }
    }

    /**
     * The core and when it answers: once for all that came in one round of the network thread, so that many small
     * messages make one answer.
     */
    private final class Sink implements FrameSink {

        private final ServerCore core;
        private boolean answering;

        Sink(ServerCore core) {
            this.core = core;
        }

        @Override
        public void onOpen(int peer) {
            guarded(() -> core.onOpen(peer, transport.frameLimit(peer)));
            answerSoon();
        }

        @Override
        public void onFrame(int peer, byte[] buffer, int offset, int length) {
            guarded(() -> core.onFrame(peer, buffer, offset, length));
            answerSoon();
        }

        /**
         * Where there was no memory to read a message, the transport closes the connection, and says so only as a
         * cause.
         */
        @Override
        public void onClosed(int peer, @Nullable Throwable cause) {
            guarded(() -> core.onClosed(peer, cause));
            for (Throwable each = cause; each != null; each = each.getCause()) {
                if (each instanceof OutOfMemoryError) {
                    outOfMemory();
                }
            }
            answerSoon();
        }

        @Override
        public void onRoom(int peer) {
            answerSoon();
        }

        @Override
        public boolean isKnown(int peer) {
            return core.isKnown(peer);
        }

        /** Behind what the thread has to do by now: that is how it waits for the rest of a round. */
        private void answerSoon() {
            if (!answering) {
                answering = true;
                loop.execute(this::answer);
            }
        }

        private void answer() {
            answering = false;
            guarded(() -> {
                upkeep.look();
                core.flush(transport);
            });
        }

        /** Without memory nobody knows what is done by half: it ends at once, and who supervises it starts it again. */
        private void guarded(Runnable event) {
            try {
                event.run();
            } catch (OutOfMemoryError e) {
                outOfMemory();
                throw e;
            }
        }
    }
}
