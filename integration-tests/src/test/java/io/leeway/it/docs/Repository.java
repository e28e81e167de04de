package io.leeway.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The files of this repository. */
final class Repository {

    static final Path ROOT =
            Path.of(System.getProperty("leeway.root", "..")).toAbsolutePath().normalize();

    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode", "node_modules");

    private Repository() {}

    /** Every Markdown file that is not made by the build. */
    static List<Path> markdownFiles() throws IOException {
        try (var files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(Repository::isOurs)
                    .toList();
        }
    }

    private static boolean isOurs(Path file) {
        return StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                .map(Path::toString)
                .noneMatch(NOT_OURS::contains);
    }
}
