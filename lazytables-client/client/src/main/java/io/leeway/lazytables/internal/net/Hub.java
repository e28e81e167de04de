package io.leeway.lazytables.internal.net;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the connections of one side share. What is sent gathers in each connection and leaves when the network thread
 * has done everything that it had to do when the first of it came: nothing waits for more to come, and many small
 * messages cost one call of the system. For the network thread.
 */
final class Hub {

    /*
     * Not a timer and not a size, as Nagle's algorithm has them, but the end of a turn of the event loop: while the
     * thread has work, what is sent gathers; when it has none, it leaves at once. Under load frames become larger by
     * themselves, and a single one is never held back. That is the "opportunistic batching" for which the prototype of
     * James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.6.1 "Implementation
     * Details", has ZeroMQ.
     */

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
    /** Whether a tick is to come. */
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
        // First: attempts that are under way see it when they come to stand.
        closed = true;
        // Each takes itself out when it has ended.
        List<Connection> open = List.copyOf(connections);
        open.forEach(Connection::end);
        return open;
    }

    void joined(Connection connection) {
        connections.add(connection);
        // Ticks end with the last connection and begin with the next one.
        if (!ticking) {
            ticking = true;
            scheduleTick();
        }
    }

    /** Its socket is closed, or was never there: nothing is to be waited for. */
    void left(Connection connection) {
        connections.remove(connection);
    }

    void hasUnsent(Unsent writer) {
        // The first of a round: the task runs behind all that the thread has to do now.
        if (unsent.isEmpty()) {
            loop.netty().execute(flush);
        }
        unsent.add(writer);
    }

    private void flush() {
        // Two lists in turn: writers are added to one while the other is gone through.
        List<Unsent> writers = unsent;
        // What comes meanwhile has a turn of its own, whatever happens in this one.
        unsent = flushed;
        flushed = writers;
        for (Unsent writer : writers) {
            try {
                writer.flush();
            } catch (RuntimeException | Error e) {
                fail(writer::fail, e);
            }
        }
        // The list is used again in the next round but one: no object for each round.
        writers.clear();
    }

    private static void fail(Consumer<Throwable> failing, Throwable cause) {
        try {
            failing.accept(cause);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "A connection that cannot send did not end", e);
        }
    }

    /** One timer for all connections, as each of them is looked at for a moment only. */
    private void scheduleTick() {
        loop.executeAfter(this::tick, settings.heartbeat().toNanos());
    }

    private void tick() {
        if (connections.isEmpty()) {
            ticking = false;
            return;
        }
        for (Connection each : List.copyOf(connections)) {
            try {
                each.tick();
            } catch (RuntimeException | Error e) {
                // Such as no memory for its sign of life. Without another tick the other sides of all the others would
                // take them for dead, and here nobody would notice who is.
                fail(each::fail, e);
            }
        }
        scheduleTick();
    }
}
