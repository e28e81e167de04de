package io.leeway.lazytables.internal.local;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.metrics.AskedServer;
import io.leeway.lazytables.internal.metrics.Metering;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.upkeep.Upkeep;
import io.leeway.lazytables.spi.CombineOp;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers that run in a thread of this process, and what client processes in the same Java machine reach them by: the
 * frames that sockets would carry, copied and handed over, in order. Thread-safe.
 *
 * <p>The same core and the same messages as over sockets: a program that runs alone behaves as it will with servers.
 * One thread for all servers, as they do little beside the workers.
 */
public final class LocalServers implements AutoCloseable {

    private static final Logger LOG = System.getLogger(LocalServers.class.getName());

    private final TaskThread thread = new TaskThread("lazytables-server-0");
    private final List<Server> servers = new ArrayList<>();
    private final List<Metering.Watch> meters = new ArrayList<>();
    /** One number for each connection, of whatever server. */
    private final AtomicInteger peers = new AtomicInteger();

    /**
     * Starts servers.
     *
     * <p>All snapshots are read before any server begins.
     *
     * @throws LazyTablesException if several are to store snapshots, or there are some that cannot be used
     */
    public LocalServers(int count, int processes, LazyTablesConfig config, List<CombineOp> ops) {
        if (count > 1 && !config.get(LazyTablesOptions.SNAPSHOT_DIRECTORY).isEmpty()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.CONFIGURATION,
                    LazyTablesOptions.SNAPSHOT_DIRECTORY + " is one server's, and " + count
                            + " are to start in this process: start one, or server processes");
        }
        for (int i = 0; i < count; i++) {
            servers.add(new Server(Upkeep.of(config, processes, CombineOps.of(ops))));
        }
        for (Server server : servers) {
            thread.execute(() -> server.upkeep.begin(thread, server::answer));
            meters.add(Metering.of(config).server(new AskedServer(thread, server.upkeep.core()::status)));
        }
    }

    public int count() {
        return servers.size();
    }

    /**
     * Connects a client process, which runs on a thread of its own, to all servers.
     *
     * <p>A server hears of the client before the client can send: both go through the server's thread, in this order.
     */
    public FrameSender connect(NetworkThread clientThread, FrameSink client) {
        var links = new Link[servers.size()];
        for (int i = 0; i < links.length; i++) {
            links[i] = new Link(i, peers.getAndIncrement(), servers.get(i), clientThread, client);
        }
        var sender = new Links(links);
        for (Link link : links) {
            thread.execute(() -> link.server.open(link));
            clientThread.execute(() -> client.onOpen(link.place));
        }
        return sender;
    }

    /** Stops the servers; what they held is gone, unless they store it. */
    @Override
    public void close() {
        meters.forEach(Metering.Watch::close);
        servers.forEach(server -> server.upkeep.close());
        thread.close();
    }

    /** Who sends goes on to use the buffer, while the other side reads in another thread. */
    private static byte[] copy(byte[] buffer, int offset, int length) {
        return Arrays.copyOfRange(buffer, offset, offset + length);
    }

    /** A server and its connections. */
    private static final class Server implements FrameSender {

        private final Upkeep upkeep;
        private final ServerCore core;
        /** By peer. One that is not here is closed, whatever is still on its way from it. */
        private final ConcurrentHashMap<Integer, Link> links = new ConcurrentHashMap<>();

        Server(Upkeep upkeep) {
            this.upkeep = upkeep;
            core = upkeep.core();
        }

        void answer() {
            upkeep.look();
            core.flush(this);
        }

        void open(Link link) {
            links.put(link.peer, link);
            core.onOpen(link.peer);
        }

        /** What fails ends this connection and not the thread: it serves all others. */
        void receive(Link link, byte[] frame) {
            if (links.containsKey(link.peer)) {
                try {
                    core.onFrame(link.peer, frame, 0, frame.length);
                    answer();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.ERROR, "A server in this process failed at a message", e);
                    // Clients are told if tables are not whole any more; if they are, this one is sent away.
                    core.flush(this);
                    close(link.peer);
                }
            }
        }

        void clientClosed(Link link) {
            if (links.remove(link.peer) != null) {
                core.onClosed(link.peer, null);
                answer();
            }
        }

        @Override
        public boolean send(int peer, byte[] buffer, int offset, int length) {
            Link link = links.get(peer);
            if (link == null) {
                return false;
            }
            byte[] frame = copy(buffer, offset, length);
            link.clientThread.execute(() -> link.client.onFrame(link.place, frame, 0, frame.length));
            return true;
        }

        /** What is handed over waits in this Java machine wherever it is. */
        @Override
        public boolean hasRoom(int peer) {
            return true;
        }

        @Override
        public void close(int peer) {
            Link link = links.remove(peer);
            if (link != null) {
                core.onClosed(peer, null);
                link.clientThread.execute(() -> link.client.onClosed(link.place, null));
            }
        }
    }

    /** A connection: the client knows the server by its place, the server knows the client as a peer. */
    private record Link(int place, int peer, Server server, NetworkThread clientThread, FrameSink client) {}

    /** What a client process sends with. */
    private final class Links implements FrameSender {

        private final Link[] links;

        Links(Link[] links) {
            this.links = links;
        }

        @Override
        public boolean send(int peer, byte[] buffer, int offset, int length) {
            Link link = links[peer];
            byte[] frame = copy(buffer, offset, length);
            thread.execute(() -> link.server.receive(link, frame));
            return true;
        }

        /** What is handed over waits in this Java machine wherever it is. */
        @Override
        public boolean hasRoom(int peer) {
            return true;
        }

        @Override
        public void close(int peer) {
            Link link = links[peer];
            thread.execute(() -> link.server.clientClosed(link));
        }
    }
}
