package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.ClientTransport;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetLoop;
import io.leeway.lazytables.internal.net.NetworkThread;
import java.time.Duration;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way from a client process to its servers, over TCP. It has the network thread on which the client's protocol
 * runs, and ends it. Thread-safe.
 */
public final class RemoteServers implements AutoCloseable {

    /** What does not pass by itself: to wait for it helps nobody. */
    private static final Set<Code> LASTING = EnumSet.of(Code.TOKEN, Code.TLS, Code.VERSION, Code.NOT_LAZYTABLES);

    private final int count;
    private final NetLoop loop = NetLoop.start("client");
    /** Null where the configuration names the servers: then they stay where they are. */
    private final @Nullable FoundServers found;

    private final ClientTransport transport;

    /**
     * To the servers that the configuration names, or that register within the limit where it says.
     *
     * <p>What was begun when it fails is closed here, as nobody has this object to do it.
     *
     * @throws LazyTablesException if not all register, or certificates or token cannot be read
     */
    public RemoteServers(LazyTablesConfig config, Duration limit) {
        FoundServers looked = null;
        try {
            List<HostAndPort> named = config.get(LazyTablesOptions.SERVERS);
            looked = named.isEmpty() ? FoundServers.await(config, limit) : null;
            found = looked;
            List<HostAndPort> servers = looked == null ? named : looked.addresses();
            count = servers.size();
            transport = new ClientTransport(loop, config, servers);
        } catch (RuntimeException e) {
            if (looked != null) {
                looked.close();
            }
            loop.close();
            throw e;
        }
    }

    /** Whether a configuration names servers, or where they are found. */
    public static boolean areIn(LazyTablesConfig config) {
        return !config.get(LazyTablesOptions.SERVERS).isEmpty()
                || !config.get(LazyTablesOptions.REGISTRY).isEmpty();
    }

    /**
     * Where the servers are that register within the limit where the configuration says.
     *
     * @throws LazyTablesException if not all do
     */
    public static List<HostAndPort> registered(LazyTablesConfig config, Duration limit) {
        try (FoundServers found = FoundServers.await(config, limit)) {
            return found.addresses();
        }
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The thread on which the client's protocol runs. */
    public NetworkThread thread() {
        return loop;
    }

    /**
     * Connects to all of them.
     *
     * <p>Later breaks are the client's business: it is told of each, and the transport connects again by itself.
     *
     * @throws LazyTablesException if one cannot be reached within the limit, or does not let this process in
     */
    public FrameSender connect(FrameSink client, Duration limit) {
        var greeter = new Greeter(client);
        transport.start(greeter);
        // After the start, as a server may have moved since the addresses were read.
        if (found != null) {
            found.follow(transport::move);
        }
        try {
            greeter.allOpen.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LazyTablesException own
                    ? own
                    : LazyTablesException.of(Code.FAILED, "Connecting failed", e.getCause());
        } catch (TimeoutException e) {
            throw LazyTablesException.of(
                    Code.UNREACHABLE,
                    "Not all of the " + count + " servers could be reached within " + limit.toMillis() + " ms: "
                            + greeter.lastFailure,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while connecting to the servers", e);
        }
        return transport;
    }

    /** What was sent and received. */
    public Statistics.Traffic traffic() {
        return transport.counters().traffic();
    }

    @Override
    public void close() {
        if (found != null) {
            found.close();
        }
        transport.close();
        loop.close();
    }

    /**
     * Looks at the first connections, and hands everything on. All but the last failure is used on the network thread
     * only.
     */
    private final class Greeter implements FrameSink {

        private final FrameSink client;
        private final BitSet open = new BitSet();
        private final CompletableFuture<Boolean> allOpen = new CompletableFuture<>();
        private volatile String lastFailure = "no attempt has ended yet";

        Greeter(FrameSink client) {
            this.client = client;
        }

        @Override
        public void onOpen(int peer) {
            // First: when the waiting thread is told that all are open, the client knows of each.
            client.onOpen(peer);
            open.set(peer);
            if (open.cardinality() == count) {
                allOpen.complete(true);
            }
        }

        @Override
        public void onFrame(int peer, byte[] buffer, int offset, int length) {
            client.onFrame(peer, buffer, offset, length);
        }

        @Override
        public void onClosed(int peer, @Nullable Throwable cause) {
            client.onClosed(peer, cause);
        }

        @Override
        public void onRoom(int peer) {
            client.onRoom(peer);
        }

        @Override
        public void onUnreachable(int peer, Throwable cause) {
            // Kept for the message of a time-out, which would say nothing by itself.
            lastFailure = String.valueOf(cause.getMessage());
            if (cause instanceof LazyTablesException own && LASTING.contains(own.code())) {
                allOpen.completeExceptionally(own);
            }
            client.onUnreachable(peer, cause);
        }
    }
}
