package io.leeway.testkit.hbase;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The directories of clusters, each below the machine's temporary directory. */
final class TemporaryFiles {

    private TemporaryFiles() {}

    static Path newDirectory() throws IOException {
        return Files.createTempDirectory("leeway-hbase-");
    }

    /** Deletes what it can: a server that is just ending may still remove files itself. */
    static void delete(Path directory) {
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException e) {
            directory.toFile().deleteOnExit();
        }
    }
}
