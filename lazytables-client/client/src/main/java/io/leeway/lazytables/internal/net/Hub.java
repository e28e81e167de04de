package io.leeway.lazytables.internal.net;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the connections of one side share. What is sent gathers in each connection and leaves when the network thread
 * has done everything that it had to do when the first of it came: nothing waits for more to come, and many small
 * messages cost one call of the system. For the network thread.
 */
final class Hub {

    private static final System.Logger LOG = System.getLogger(Hub.class.getName());

    final NetLoop loop;
    final NetSettings settings;
    final NetCounters counters;
    final Compressor compressor = new Compressor();

    /** What has gathered for somebody. */
    interface Unsent {

        /** Hands it to the system. */
        void flush();

        /** Takes note that this failed. */
        void fail(Throwable cause);
    }

    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Runnable flush = this::flush;
    private List<Unsent> unsent = new ArrayList<>();
    private List<Unsent> flushed = new ArrayList<>();
    private boolean ticking;
    private boolean closed;

    Hub(NetLoop loop, NetSettings settings, NetCounters counters) {
        this.loop = loop;
        this.settings = settings;
        this.counters = counters;
    }

    boolean isClosed() {
        return closed;
    }

    /** No more connections; those that there are say goodbye. */
    List<Connection> close() {
        closed = true;
        List<Connection> open = List.copyOf(connections);
        open.forEach(Connection::end);
        return open;
    }

    void joined(Connection connection) {
        connections.add(connection);
        if (!ticking) {
            ticking = true;
            scheduleTick();
        }
    }

    void left(Connection connection) {
        connections.remove(connection);
    }

    void hasUnsent(Unsent writer) {
        if (unsent.isEmpty()) {
            loop.netty().execute(flush);
        }
        unsent.add(writer);
    }

    private void flush() {
        List<Unsent> writers = unsent;
        // What comes meanwhile has a turn of its own, whatever happens in this one.
        unsent = flushed;
        flushed = writers;
        for (Unsent writer : writers) {
            try {
                writer.flush();
            } catch (RuntimeException | Error e) {
                fail(writer, e);
            }
        }
        writers.clear();
    }

    private static void fail(Unsent writer, Throwable cause) {
        try {
            writer.fail(cause);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "A connection that cannot send did not end", e);
        }
    }

    private void scheduleTick() {
        loop.executeAfter(this::tick, settings.heartbeat().toNanos());
    }

    private void tick() {
        if (connections.isEmpty()) {
            ticking = false;
            return;
        }
        List.copyOf(connections).forEach(Connection::tick);
        scheduleTick();
    }
}
