package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.console.HeldFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps servers out of a directory that is being copied or checked. */
record DirectoryLock(HeldFile file) implements AutoCloseable {

    static DirectoryLock of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory);
        }
        HeldFile file = HeldFile.take(directory.resolve("lock"));
        if (file == null) {
            throw new LazyBaseException(Code.IN_USE, "Directory " + directory + ".");
        }
        return new DirectoryLock(file);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
