package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.Resharding;
import io.leeway.lazytables.internal.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings a run that does not run to another number of servers: the newest snapshots of its servers become first
 * snapshots of others.
 */
public final class Reshard {

    private Reshard() {}

    /**
     * Reads from the places of all servers that there were, and writes to as many as there are to be, which must hold
     * no snapshots yet. What was read stays as it is.
     *
     * @throws LazyTablesException if a place cannot be used or is in use, or the snapshots are not of one state of a
     *     run
     */
    public static void spread(List<String> from, List<String> into, CombineOps ops) {
        List<Snapshots> targets = new ArrayList<>();
        try {
            // All are read before the first is written: they fit into memory together, as they must to be spread.
            List<byte[]> held = newest(from);
            for (String place : into) {
                // Each is opened, and so locked, before the first is written: what cannot be used is found while
                // nothing has changed.
                Snapshots target = Snapshots.open(place);
                targets.add(target);
                // A directory with snapshots belongs to a run; a server that is started there by mistake would go on
                // from a mixture.
                if (target.newest() != null) {
                    throw Snapshots.fault(
                            "There are snapshots in " + place + ": give new servers empty directories", null);
                }
            }
            write(Resharding.spread(held, into.size(), ops), targets);
        } catch (WireException e) {
            throw Snapshots.fault("The newest snapshots in " + from + " cannot be spread: " + e.reason(), e);
        } finally {
            targets.forEach(Snapshots::close);
        }
    }

    private static List<byte[]> newest(List<String> from) {
        List<Snapshots> sources = new ArrayList<>();
        try {
            List<byte[]> held = new ArrayList<>();
            for (String place : from) {
                // Held open together: none of the servers runs while they are read.
                Snapshots source = Snapshots.open(place);
                sources.add(source);
                byte[] snapshot = source.newest();
                if (snapshot == null) {
                    throw Snapshots.fault("There is no snapshot in " + place, null);
                }
                held.add(snapshot);
            }
            return held;
        } finally {
            sources.forEach(Snapshots::close);
        }
    }

    private static void write(List<byte[]> snapshots, List<Snapshots> targets) {
        for (int i = 0; i < targets.size(); i++) {
            try {
                // One after the other: where one fails those before it are there, which is why the error says to start
                // none of them.
                targets.get(i).store(snapshots.get(i));
            } catch (IOException e) {
                throw Snapshots.fault(
                        "The snapshot of server " + i + " cannot be stored in " + targets.get(i) + ": "
                                + Snapshots.text(e)
                                + ". Start no server from any of " + targets
                                + ": they do not hold all rows; empty them and try again",
                        e);
            }
        }
    }
}
