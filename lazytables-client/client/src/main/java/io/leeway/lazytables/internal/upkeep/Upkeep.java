package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.wire.WireException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's core with what has to be done from time to time: snapshots are taken, and processes that are gone for too
 * long are dropped.
 *
 * <p>Made on any thread; {@link #begin} and {@link #look} belong to the network thread.
 */
public final class Upkeep implements AutoCloseable {

    /*
     * A tick and not a timer for each purpose: what is looked at (who is away, what is due) is cheap to look at, and a
     * tick that fails is followed by the next. It comes each second, or four times within the shortest limit, so what
     * is due is late by no more than that. Between ticks look() is called behind each event, for what comes with
     * messages: a process that waits for a snapshot does not wait for a tick.
     *
     * Where neither snapshots nor a limit of absence are set there are no ticks at all.
     */

    private static final Logger LOG = System.getLogger(Upkeep.class.getName());
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final ServerCore core;
    private final Duration expire;
    private final SnapshotRule rule;
    private final @Nullable Snapshots snapshots;
    private final LazyTablesConfig config;

    // Volatile: set on the network thread, and asked by who closes.
    private volatile @Nullable SnapshotKeeper keeper;
    private volatile boolean closed;

    private Upkeep(ServerCore core, LazyTablesConfig config, @Nullable Snapshots snapshots) {
        this.core = core;
        this.config = config;
        this.snapshots = snapshots;
        expire = config.get(LazyTablesOptions.EXPIRE);
        if (!expire.isZero()) {
            core.dropsAbsent();
        }
        long memory = config.get(LazyTablesOptions.SERVER_MEMORY);
        // Three fifths of what Java may take, where nothing is said: a snapshot is made in memory beside the tables,
        // and messages are read there.
        core.limitsMemory(memory > 0 ? memory : Runtime.getRuntime().maxMemory() / 5 * 3);
        rule = SnapshotRule.of(
                config.get(LazyTablesOptions.SNAPSHOT_CLOCKS), config.get(LazyTablesOptions.SNAPSHOT_INTERVAL));
    }

    /**
     * A server for so many processes as the configuration wants it, as its newest snapshot left it if there is one.
     * Opened means locked: of two servers that are given one directory, the second does not start.
     *
     * @throws LazyTablesException if there are snapshots that cannot be used, or none could be stored
     */
    public static Upkeep of(LazyTablesConfig config, int processes, CombineOps ops) {
        String location = config.get(LazyTablesOptions.SNAPSHOT_DIRECTORY);
        if (location.isEmpty()) {
            return new Upkeep(new ServerCore(processes, ops), config, null);
        }
        Snapshots snapshots = Snapshots.open(location);
        try {
            return new Upkeep(restored(snapshots, processes, ops), config, snapshots);
        } catch (RuntimeException e) {
            snapshots.close();
            throw e;
        }
    }

    private static ServerCore restored(Snapshots snapshots, int processes, CombineOps ops) {
        // Before anything listens: a server that cannot go on from its snapshots must not be taken for an empty one.
        byte[] newest = snapshots.newest();
        if (newest == null) {
            return ServerCore.recoverable(processes, ops);
        }
        ServerCore core;
        try {
            core = ServerCore.restore(newest, ops);
        } catch (WireException e) {
            throw Snapshots.fault("The newest snapshot in " + snapshots + " cannot be used: " + e.reason(), e);
        }
        // Clocks would wait for others than those that there are.
        if (core.processes() != processes) {
            throw Snapshots.fault(
                    "The newest snapshot in " + snapshots + " is of a run of " + core.processes()
                            + " processes, and this one is of " + processes
                            + " (lazytables.processes): start the server as it was, or with another directory",
                    null);
        }
        LOG.log(
                Level.INFO,
                "The server goes on from a snapshot in {0}, at clock {1}",
                snapshots,
                Integer.toString(core.globalClock()));
        return core;
    }

    /** The core. */
    public ServerCore core() {
        return core;
    }

    /** Begins the work; the answer sends what there is to say. */
    public void begin(NetworkThread network, Runnable answer) {
        if (snapshots != null) {
            var made = new SnapshotKeeper(core, snapshots, rule, network, answer);
            int every = config.get(LazyTablesOptions.TABLES_CLOCKS);
            if (every > 0) {
                core.takesTables(every, made.tables(config.get(LazyTablesOptions.TABLES_KEPT)));
            }
            // Last: from here on look() uses it.
            keeper = made;
        }
        // Else there is nothing to look at.
        if (snapshots != null || !expire.isZero()) {
            tick(network, answer);
        }
    }

    /** To be called when something has happened. */
    public void look() {
        SnapshotKeeper present = keeper;
        if (present != null) {
            present.look();
        }
    }

    /**
     * Stores what is not stored; to be called when no more changes come, before the network thread ends and not on it.
     */
    @Override
    public void close() {
        // The next tick finds it, and is the last one.
        closed = true;
        SnapshotKeeper present = keeper;
        if (present != null) {
            present.close();
            // It was opened, and never begun.
        } else if (snapshots != null) {
            snapshots.close();
        }
    }

    private void tick(NetworkThread network, Runnable answer) {
        if (closed) {
            return;
        }
        try {
            // Whatever fails must not end the ticks: nobody would notice that there are no more snapshots.
            work(answer);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "What a server does from time to time failed; it is tried again", e);
        }
        network.executeAfter(() -> tick(network, answer), pause());
    }

    private void work(Runnable answer) {
        if (!expire.isZero()) {
            List<Integer> dropped = core.expire(System.nanoTime(), expire.toNanos());
            if (!dropped.isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "Processes {0} were not connected for more than {1} ms: the others go on without them",
                        dropped,
                        Long.toString(expire.toMillis()));
                // To those who waited for the ones that were dropped.
                answer.run();
            }
        }
        // Behind the dropping, which may have changed what a snapshot is due for.
        look();
    }

    /** Fine enough for the shorter of the two limits. */
    private long pause() {
        long least = LONGEST_PAUSE_NANOS;
        if (!expire.isZero()) {
            // How late somebody is dropped is what the others wait longer for.
            least = Math.min(least, expire.toNanos() / 4);
        }
        if (snapshots != null && !rule.interval().isZero()) {
            least = Math.min(least, rule.interval().toNanos() / 4);
        }
        return Math.max(SHORTEST_PAUSE_NANOS, least);
    }
}
