package io.leeway.eppi.node;

import io.leeway.eppi.internal.local.NetworkFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Key stores that are made once for all tests, since to start the JDK's tool takes a second. */
final class Keys {

    private static final Path MADE = make();

    private Keys() {}

    private static Path make() {
        try {
            Path directory = Files.createTempDirectory("eppi-keys-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            List<String> providers = IntStream.range(0, 5)
                    .mapToObj(i -> "hospital-" + (char) ('a' + i))
                    .toList();
            NetworkFiles.create(directory, "keys", 3, providers, List.of("doctor", "stranger"));
            return directory.resolve("keys");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void copyTo(Path directory) {
        try (Stream<Path> files = Files.list(MADE)) {
            Path keys = Files.createDirectories(directory.resolve("keys"));
            for (Path file : files.toList()) {
                Files.copy(file, keys.resolve(file.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
