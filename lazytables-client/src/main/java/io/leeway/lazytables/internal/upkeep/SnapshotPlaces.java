package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where each of several servers that are started together stores its snapshots. */
public final class SnapshotPlaces {

    private SnapshotPlaces() {}

    /**
     * The place of a server, by its number, within the one that was given for all. A directory is made if it is not there; the one that was given must be.
     *
     * @throws LazyTablesException if it cannot be made
     */
    public static String ofServer(String given, int number) {
        String name = "server-" + number;
        if (Snapshots.hasScheme(given)) {
            return given + (given.endsWith("/") ? "" : "/") + name;
        }
        try {
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
}
