package io.leeway.lazytables.spi;

import java.io.IOException;

/**
 * Opens places for snapshots that are not directories of this machine, by the scheme that
 * {@code lazytables.snapshot.directory} begins with. Found among the services of this type in the server's class path
 * ({@link java.util.ServiceLoader}).
 */
public interface SnapshotStoreProvider {

    /** Whether it opens locations of this scheme: {@code hdfs} of {@code hdfs://name/path}. */
    boolean opens(String scheme);

    /**
     * Opens a place for one server. It is an error if another server uses it; where one cannot tell whether that server
     * still lives, it is the other server's writes that fail from then on.
     *
     * @throws IOException if it is not there, cannot be written, or another server uses it
     */
    SnapshotStore open(String location) throws IOException;

    /**
     * Opens a place to read from it only. Who uses it goes on, and is not disturbed.
     *
     * @throws IOException if it is not there, or cannot be read
     */
    SnapshotStore openToRead(String location) throws IOException;

    /**
     * Makes a place within a location that is there, unless it was made before: for one of several servers that are
     * started together. Where nothing need be made, the name is put behind the location.
     *
     * @return its location, for {@link #open}
     * @throws IOException if the location is not there, or the place cannot be made
     */
    default String within(String location, String name) throws IOException {
        return location + (location.endsWith("/") ? "" : "/") + name;
    }
}
