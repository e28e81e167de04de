package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.config.Scheme;
import io.leeway.lazytables.spi.SnapshotStoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where each of several servers that are started together stores its snapshots. By its number, so that a server that is
 * started again finds its own.
 */
public final class SnapshotPlaces {

    private SnapshotPlaces() {}

    /**
     * The place of a server, by its number, within the one that was given for all. It is made if it is not there; the
     * one that was given must be.
     *
     * @throws LazyTablesException if it cannot be made
     */
    public static String ofServer(String given, int number) {
        String name = "server-" + number;
        try {
            if (!Scheme.of(given).isEmpty()) {
                return within(given, name);
            }
            Path place = Path.of(given).resolve(name);
            if (!Files.isDirectory(place)) {
                Files.createDirectory(place);
            }
            return place.toString();
        } catch (IOException | InvalidPathException e) {
            throw Snapshots.fault(
                    "There is no place for the snapshots of server " + number + " in " + given
                            + ", which must be a directory: " + Snapshots.text(e),
                    e);
        }
    }

    /** Servers may see more in their class path than who starts them; then they say whether it is there. */
    private static String within(String given, String name) throws IOException {
        SnapshotStoreProvider provider = Snapshots.providerOf(given);
        // As a path is written; whoever opens it says if that is wrong.
        return provider == null ? given + (given.endsWith("/") ? "" : "/") + name : provider.within(given, name);
    }
}
