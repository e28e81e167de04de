package io.leeway.testkit.db;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Where servers keep their files: all below one directory of the machine's temporary directory. */
final class ServerFiles {

    private ServerFiles() {}

    static Path cacheDirectory() throws IOException {
        Path directory =
                Path.of(System.getProperty("java.io.tmpdir"), "leeway-testkit-" + System.getProperty("user.name"));
        return Files.createDirectories(directory);
    }

    static Path newDirectory(String prefix) throws IOException {
        return Files.createTempDirectory(cacheDirectory(), prefix);
    }

    /** Deletes what it can: a server that is just ending may still remove files itself. */
    static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException gone) {
            directory.toFile().deleteOnExit();
        }
    }

    static String lastLines(Path file, int count) {
        try {
            List<String> lines = Files.readAllLines(file);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (IOException e) {
            return "(unreadable: " + e.getMessage() + ")";
        }
    }
}
