package io.leeway.lazytables.spi;

import java.io.IOException;

/**
 * Opens places for snapshots that are not directories of this machine, by the scheme that {@code lazytables.snapshot.directory} begins with. Found among the services of this type in the server's
 * class path ({@link java.util.ServiceLoader}).
 */
public interface SnapshotStoreProvider {

    /** What locations begin with, without the colon: {@code hdfs} for {@code hdfs://name/path}. */
    String scheme();

    /**
     * Opens a place for one server.
     *
     * @throws IOException if it is not there, cannot be written, or another server uses it
     */
    SnapshotStore open(String location) throws IOException;
}
