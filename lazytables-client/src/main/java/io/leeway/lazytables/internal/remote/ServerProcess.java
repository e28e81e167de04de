package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.HostAndPort;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server that listens: its core on the network thread, which answers once for everything that came in one round, and its snapshots. Thread-safe. */
public final class ServerProcess implements AutoCloseable {

    private final NetLoop loop = NetLoop.start("server");
    private final Upkeep upkeep;
    private final ServerTransport transport;
    private final Metering.Watch meters;

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

    /**
     * Listens; returns when clients can connect.
     *
     * @throws io.leeway.lazytables.LazyTablesException if it cannot listen, or may not without a token, or its snapshots cannot be used
     */
    public static ServerProcess start(LazyTablesConfig config, List<CombineOp> ops) {
        return new ServerProcess(config, ops);
    }

    /** Where it listens. */
    public HostAndPort address() {
        return transport.address();
    }

    /** Ends the connections, then stores what is not stored. */
    @Override
    public void close() {
        meters.close();
        transport.close();
        upkeep.close();
        loop.close();
    }

    /** The core and when it answers. */
    private final class Sink implements FrameSink {

        private final ServerCore core;
        private boolean answering;

        Sink(ServerCore core) {
            this.core = core;
        }

        @Override
        public void onOpen(int peer) {
            core.onOpen(peer);
            answerSoon();
        }

        @Override
        public void onFrame(int peer, byte[] buffer, int offset, int length) {
            core.onFrame(peer, buffer, offset, length);
            answerSoon();
        }

        @Override
        public void onClosed(int peer, @Nullable Throwable cause) {
            core.onClosed(peer, cause);
            answerSoon();
        }

        private void answerSoon() {
            if (!answering) {
                answering = true;
                loop.execute(this::answer);
            }
        }

        private void answer() {
            answering = false;
            upkeep.look();
            core.flush(transport);
        }
    }
}
