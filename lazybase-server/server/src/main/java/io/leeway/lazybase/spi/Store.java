package io.leeway.lazybase.spi;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Where the server keeps its files: a flat set of names. Files are written once, from the beginning to the end, and read at any place.
 *
 * <p>What is asked of an implementation: after {@link Writer#sync()} the file's bytes up to there, and the file's name, survive any crash;
 * {@link #rename} is atomic and durable when it returns; what was not synced may be lost or torn after a crash, never something else.
 * Names consist of letters, digits, dots and dashes. Implementations are thread-safe; a writer is used by one thread at a time.
 *
 * @since 0.1
 */
public interface Store extends Closeable {

    /**
     * Begins a new file.
     *
     * @throws IOException if the name is taken or the device refuses
     */
    Writer create(String name) throws IOException;

    /**
     * Opens a file for reading.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    Reader open(String name) throws IOException;

    /** Gives a file another name; a file that has it is replaced. */
    void rename(String from, String to) throws IOException;

    /** Removes a file; nothing happens if there is none. */
    void delete(String name) throws IOException;

    /** The names of all files, in any order. */
    List<String> list() throws IOException;

    /** Bytes that can still be written, or {@link Long#MAX_VALUE} if that is not known. */
    long free() throws IOException;

    /** A file that is being written. */
    interface Writer extends Closeable {

        /** Appends bytes. */
        void write(byte[] bytes, int from, int length) throws IOException;

        /** Returns when all that was written so far, and the file's name, is durable. */
        void sync() throws IOException;

        /** Bytes written so far. */
        long size();
    }

    /** A file that is being read; several threads may read at once. */
    interface Reader extends Closeable {

        /**
         * Reads bytes.
         *
         * @throws java.io.EOFException if the file ends before
         */
        byte[] read(long position, int length) throws IOException;

        /** Bytes of the file. */
        long size() throws IOException;
    }

    /** Opens stores that are not directories of this machine. Found with {@link java.util.ServiceLoader}. */
    interface Provider {

        /** Whether it knows what kind of place that is. */
        boolean opens(String location);

        /**
         * Opens a store; it is made if it is not there.
         *
         * @param location a URI, as {@code lazybase.store} has it
         * @throws IOException if it cannot be reached, or does not do what is asked of a store
         */
        Store open(String location) throws IOException;
    }
}
