package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps servers out of a directory that is being copied or checked. */
record DirectoryLock(FileChannel channel) implements AutoCloseable {

    static DirectoryLock of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory);
        }
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!locked(channel)) {
            channel.close();
            throw new LazyBaseException(Code.IN_USE, "Directory " + directory + ".");
        }
        return new DirectoryLock(channel);
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // A server of this same process has it.
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
