package io.leeway.lazytables.internal.net;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the connections of one side share. What is sent gathers in each connection and leaves when the network thread has done everything that it had to do when
 * the first of it came: nothing waits for more to come, and many small messages cost one call of the system. For the network thread.
 */
final class Hub {

    final NetLoop loop;
    final NetSettings settings;
    final NetCounters counters;
    final Compressor compressor = new Compressor();

    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Runnable flush = this::flush;
    private final List<FrameWriter> unsent = new ArrayList<>();
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

    void hasUnsent(FrameWriter writer) {
        if (unsent.isEmpty()) {
            loop.netty().execute(flush);
        }
        unsent.add(writer);
    }

    private void flush() {
        for (int i = 0; i < unsent.size(); i++) {
            unsent.get(i).flush();
        }
        unsent.clear();
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
