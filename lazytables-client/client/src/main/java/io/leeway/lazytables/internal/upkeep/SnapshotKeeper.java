package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.server.ServerCore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of a server when they are due and has them stored, one at a time. The network thread encodes a
 * snapshot and goes on; a thread of its own waits for the disk. Clients hear that they may drop something only when it
 * is stored. While that fails they keep everything, and it is tried again.
 *
 * <p>All but {@link #close} belongs to the network thread.
 */
final class SnapshotKeeper {

    /*
     * Paces. A snapshot is due when the rule says so, or when somebody waits: a process that ends, or takes a place,
     * until a stored one holds that; one whose kept updates reach half of their limit. One at a time, since
     * snapshotted() of each member names the one under way; what becomes due meanwhile is due when that is stored.
     * After a failure the pause doubles, so that a full disk is not written to all the time, and nobody is forgotten:
     * clients keep all until one succeeds.
     *
     * What is encoded on the network thread holds up the server for as long, which is why it goes to memory and not to
     * the disk, and why there is a rule at all.
     *
     * James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.4.3 "Snapshots and
     * Fault Tolerance", takes them every k clocks, at the same clock on all servers. Here each server takes its own:
     * what a snapshot lacks of a client, the client has.
     */

    private static final Logger LOG = System.getLogger(SnapshotKeeper.class.getName());
    private static final long LAST_ONE_SECONDS = 60;
    private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

    private final ServerCore core;
    private final Snapshots snapshots;
    private final SnapshotRule rule;
    private final NetworkThread network;
    private final Runnable answer;
    // One thread, so that what is stored comes in its order, and Snapshots has one user.
    private final ExecutorService disk = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "lazytables-snapshots");
        thread.setDaemon(true);
        return thread;
    });

    private @Nullable TablesKeeper tables;

    // From here on all is the network thread's, but for the texts of faults that the one who closes reads.
    private boolean storing;
    /** When, at which clock and after which changes the last one was taken. */
    private long takenAt = System.nanoTime();

    private int takenClock;
    private long takenChanges;
    private int failures;
    private volatile String lastFault = "";
    private long pauseNanos;
    private @Nullable CompletableFuture<Boolean> closing;

    /** The answer is what tells clients of changes. */
    SnapshotKeeper(ServerCore core, Snapshots snapshots, SnapshotRule rule, NetworkThread network, Runnable answer) {
        this.core = core;
        this.snapshots = snapshots;
        this.rule = rule;
        this.network = network;
        this.answer = answer;
        takenClock = core.globalClock();
    }

    /** Takes a snapshot if one is due. */
    void look() {
        TablesKeeper ofClocks = tables;
        // Not while it closes: the disk's thread takes nothing more, and what is stored is the last snapshot.
        if (ofClocks != null && closing == null) {
            ofClocks.look();
        }
        // Whatever is due by then is due when this one is stored.
        if (storing) {
            return;
        }
        CompletableFuture<Boolean> end = closing;
        // At the end one attempt, and not another: who closes waits.
        if (end != null && (failures > 0 || core.changes() == takenChanges)) {
            end.complete(failures == 0);
        } else if (end != null || isDue(System.nanoTime())) {
            take();
        }
    }

    /** How often storing has failed since it succeeded last. */
    int failures() {
        return failures;
    }

    /**
     * Stores what changed since the last snapshot; to be called when no more changes come, and not on the network
     * thread.
     */
    void close() {
        var end = new CompletableFuture<Boolean>();
        network.execute(() -> {
            // For one more attempt, whatever the pause.
            failures = 0;
            closing = end;
            look();
        });
        try {
            // With a limit: a disk that does not answer must not keep the process from ending.
            if (!end.get(LAST_ONE_SECONDS, TimeUnit.SECONDS)) {
                sayAtTheEnd("The server ends without a last snapshot in " + snapshots + ": " + lastFault
                        + ". What it got since the one before is in its clients only");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            sayAtTheEnd("The last snapshot in " + snapshots + " is not stored after " + LAST_ONE_SECONDS + " s");
        }
        // Behind the last snapshot: from here on tables of clocks are refused, and those under way are waited for.
        disk.shutdown();
        awaitDisk();
        // Last, as this lets another server in.
        snapshots.close();
    }

    /** Where the process ends by a signal, Java's logging may have ended already, which does so at the same time. */
    private static void sayAtTheEnd(String what) {
        LazyTablesException fault = Snapshots.fault(what, null);
        LOG.log(Level.ERROR, fault.getMessage());
        if (isEnding()) {
            try {
                STANDARD_ERROR.write((fault.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException nobodyHears) {
                LOG.log(Level.DEBUG, "There is no standard error", nobodyHears);
            }
        }
    }

    private static boolean isEnding() {
        var none = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(none);
            Runtime.getRuntime().removeShutdownHook(none);
            return false;
        } catch (IllegalStateException ending) {
            return true;
        }
    }

    /** Tables of a clock may still be on their way. */
    private void awaitDisk() {
        try {
            if (!disk.awaitTermination(LAST_ONE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.ERROR, "{0} does not take what is to be stored for {1} s", snapshots, LAST_ONE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stores tables of clocks beside the snapshots, so many of them. */
    TablesKeeper tables(int kept) {
        var made = new TablesKeeper(snapshots, kept, disk, core::run);
        tables = made;
        return made;
    }

    private boolean isDue(long now) {
        if (failures > 0) {
            // Whoever waits, waits for this pause, too: a disk that refuses is not asked for each of them.
            return now - takenAt >= pauseNanos;
        }
        // Whatever the rule: somebody waits.
        if (core.wantsSnapshot()) {
            return true;
        }
        // A snapshot that would hold the same is not taken.
        return core.changes() != takenChanges
                && (rule.clocks() > 0 && core.globalClock() - takenClock >= rule.clocks()
                        || !rule.interval().isZero()
                                && now - takenAt >= rule.interval().toNanos());
    }

    private void take() {
        takenAt = System.nanoTime();
        takenClock = core.globalClock();
        // Before it is encoded, in the same task: no message comes in between.
        takenChanges = core.changes();
        // Before it can fail, so that a failure ends it in one way.
        storing = true;
        byte[] snapshot;
        try {
            snapshot = core.snapshot();
        } catch (RuntimeException | Error e) {
            // Too large for an array, or for the memory.
            failed(e);
            return;
        }
        // The array is nobody's but this task's from here on.
        disk.execute(() -> store(snapshot));
    }

    /** Runs on the thread that waits for the disk. */
    private void store(byte[] snapshot) {
        try {
            snapshots.store(snapshot);
            network.execute(this::stored);
        } catch (Exception | Error e) {
            // A store of others may lack classes, for example. Whatever it is, the next one is tried.
            network.execute(() -> failed(e));
        }
    }

    private void stored() {
        if (failures > 0) {
            LOG.log(Level.INFO, "Snapshots in {0} are stored again", snapshots);
        }
        failures = 0;
        pauseNanos = 0;
        storing = false;
        // Only now, on the network thread: clients may drop what two stored snapshots hold.
        core.snapshotStored();
        answer.run();
        look();
    }

    private void failed(Throwable cause) {
        storing = false;
        failures++;
        lastFault = Snapshots.text(cause);
        pauseNanos =
                Math.min(rule.retryMost().toNanos(), Math.max(rule.retryFirst().toNanos(), 2 * pauseNanos));
        LOG.log(
                failures == 1 ? Level.WARNING : Level.DEBUG,
                Snapshots.fault(
                                "The snapshot cannot be stored in " + snapshots + ": " + Snapshots.text(cause)
                                        + ". Clients keep their updates until one is; it is tried again",
                                cause)
                        .getMessage());
        // Who closes hears of it, and does not wait for the pause.
        if (closing != null) {
            look();
        }
    }
}
