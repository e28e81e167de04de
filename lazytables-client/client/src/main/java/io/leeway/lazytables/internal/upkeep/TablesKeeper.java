package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.internal.server.TablesSink;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Has a server's tables of a clock stored beside its snapshots, one at a time. Nothing waits for it: where it fails,
 * those of that clock are missing, which is said. A server that waited for its tables to be stored would make its
 * clients wait for something that none of them asked for.
 */
final class TablesKeeper implements TablesSink {

    private static final Logger LOG = System.getLogger(TablesKeeper.class.getName());

    private final Snapshots snapshots;
    private final int kept;
    private final Executor disk;
    /** What tells the run from others; 0 before its first process has come. */
    private final LongSupplier run;

    // Of the network thread; what follows is set there and reset by the disk's.
    private long begun;
    private final AtomicBoolean storing = new AtomicBoolean();

    /** Keeps so many, or all if that is 0; the executor's thread is the one that uses the snapshots. */
    TablesKeeper(Snapshots snapshots, int kept, Executor disk, LongSupplier run) {
        this.snapshots = snapshots;
        this.kept = kept;
        this.disk = disk;
        this.run = run;
    }

    /**
     * Looks whether a run has begun: what is stored there of an earlier one is not to be taken for its own from then
     * on.
     */
    void look() {
        long present = run.getAsLong();
        // Asked at each tick, as a server hears of its run from a client, some time after its start.
        if (present != begun) {
            begun = present;
            // On the disk's thread, which alone uses the place.
            disk.execute(() -> begin(present));
        }
    }

    private void begin(long ofRun) {
        try {
            // At once and not with the first tables: until these come, a reader would take the last ones of an earlier
            // run for this one's.
            snapshots.beginRun(ofRun);
        } catch (Exception | Error e) {
            LOG.log(
                    Level.WARNING,
                    "That another run has begun cannot be stored in {0}: {1}. It is tried again with its first tables",
                    snapshots,
                    Snapshots.text(e));
        }
    }

    @Override
    public boolean hasRoom() {
        // Asked before tables are encoded: where the last ones are not stored yet, it would be work and memory in vain.
        return !storing.get();
    }

    @Override
    public void take(int clock, byte[] tables) {
        // Here and not in the task, which comes later: until then a second one would find room.
        storing.set(true);
        try {
            // On the network thread, which alone may ask the core.
            long ofRun = run.getAsLong();
            disk.execute(() -> store(ofRun, clock, tables));
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "The server ends: the tables of clock {0} are not stored", clock);
        }
    }

    private void store(long ofRun, int clock, byte[] tables) {
        try {
            snapshots.storeTables(ofRun, clock, tables, kept);
        } catch (Exception | Error e) {
            // A store of others may lack classes, for example.
            LOG.log(
                    Level.WARNING,
                    Snapshots.fault(
                                    "The tables of clock " + clock + " cannot be stored in " + snapshots + ": "
                                            + Snapshots.text(e)
                                            + ". They will be missing; the next ones are tried",
                                    e)
                            .getMessage());
        } finally {
            // Whatever came of it, the next ones are tried.
            storing.set(false);
        }
    }
}
