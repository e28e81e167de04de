package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.internal.server.TablesSink;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Has a server's tables of a clock stored beside its snapshots, one at a time. Nothing waits for it: where it fails, those of that clock are missing, which is said. */
final class TablesKeeper implements TablesSink {

    private static final Logger LOG = System.getLogger(TablesKeeper.class.getName());

    private final Snapshots snapshots;
    private final int kept;
    private final Executor disk;
    private final AtomicBoolean storing = new AtomicBoolean();

    /** Keeps so many, or all if that is 0; the executor's thread is the one that uses the snapshots. */
    TablesKeeper(Snapshots snapshots, int kept, Executor disk) {
        this.snapshots = snapshots;
        this.kept = kept;
        this.disk = disk;
    }

    @Override
    public boolean hasRoom() {
        return !storing.get();
    }

    @Override
    public void take(int clock, byte[] tables) {
        storing.set(true);
        try {
            disk.execute(() -> store(clock, tables));
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "The server ends: the tables of clock {0} are not stored", clock);
        }
    }

    private void store(int clock, byte[] tables) {
        try {
            snapshots.storeTables(clock, tables, kept);
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
            storing.set(false);
        }
    }
}
