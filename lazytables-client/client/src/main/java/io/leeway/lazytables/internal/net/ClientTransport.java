package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client process, one to each server, that are made again whenever they break until the transport
 * is closed. A peer's number is the server's place in the list. {@link #send}, {@link #hasRoom}, {@link #pending} and
 * {@link #close(int)} belong to the network thread, the others may be called from any.
 */
public final class ClientTransport implements FrameSender, AutoCloseable {

    private final NetLoop loop;
    private final Hub hub;
    private final List<HostAndPort> servers;
    private final List<ServerLink> links = new ArrayList<>();

    /**
     * For these servers; nothing happens before {@link #start}.
     *
     * @throws io.leeway.lazytables.LazyTablesException if certificates or token cannot be read
     */
    public ClientTransport(NetLoop loop, LazyTablesConfig config, List<HostAndPort> servers) {
        this.loop = loop;
        this.servers = List.copyOf(servers);
        this.hub = new Hub(loop, NetSettings.ofClient(config), new NetCounters());
    }

    /** Begins to connect to all. */
    public void start(FrameSink sink) {
        for (int i = 0; i < servers.size(); i++) {
            links.add(new ServerLink(hub, sink, i, servers.get(i)));
        }
        loop.execute(() -> links.forEach(ServerLink::connect));
    }

    /**
     * Says that a server is elsewhere from now on; what was connected to its earlier address is connected anew. To be
     * called after {@link #start}.
     */
    public void move(int peer, HostAndPort to) {
        loop.execute(() -> links.get(peer).move(to));
    }

    @Override
    public boolean send(int peer, byte[] buffer, int offset, int length) {
        Connection connection = links.get(peer).connection();
        return connection != null && connection.send(buffer, offset, length);
    }

    @Override
    public boolean hasRoom(int peer) {
        Connection connection = links.get(peer).connection();
        return connection == null || connection.hasRoom();
    }

    /** Ends the connection after what was sent; a new one is made after the pause. */
    @Override
    public void close(int peer) {
        Connection connection = links.get(peer).connection();
        if (connection != null) {
            connection.end();
        }
    }

    /** Bytes that wait to be taken by the system; 0 if there is no connection. */
    public long pending(int peer) {
        Connection connection = links.get(peer).connection();
        return connection == null ? 0 : connection.pending();
    }

    /** Why there was no connection the last time; null if there has always been one. */
    public @Nullable Throwable failure(int peer) {
        return links.get(peer).failure();
    }

    /** What was sent and received. */
    public NetCounters counters() {
        return hub.counters;
    }

    /**
     * Ends all connections after what was sent, for good; waits for that for a limited time, unless called on the
     * network thread.
     */
    @Override
    public void close() {
        Closing.await(loop, hub::close);
    }
}
