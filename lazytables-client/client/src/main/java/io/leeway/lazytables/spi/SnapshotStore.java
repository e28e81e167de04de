package io.leeway.lazytables.spi;

import java.io.IOException;
import java.util.List;

/**
 * Where a server keeps its snapshots: a few named pieces of bytes, which belong to this server alone. Used by one
 * thread at a time, which is allowed to wait.
 */
public interface SnapshotStore extends AutoCloseable {

    /** The names of all that is stored, in any order. */
    List<String> list() throws IOException;

    /** All bytes under a name. */
    byte[] read(String name) throws IOException;

    /**
     * Stores bytes under a name that is not there. They are there whole or not at all, whenever the process or the
     * machine stops, and stay once this has returned.
     *
     * @throws IOException if they may not be stored; then {@link #list} does not name them
     */
    void write(String name, byte[] content) throws IOException;

    /** Deletes what is stored under a name. */
    void delete(String name) throws IOException;

    /** Lets another server use the place. */
    @Override
    void close() throws IOException;
}
