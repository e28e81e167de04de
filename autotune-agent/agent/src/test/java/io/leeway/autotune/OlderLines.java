package io.leeway.autotune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jars of the line before of each server and pool, which the build puts beside the agent's. */
final class OlderLines {

    private OlderLines() {}

    /** By the artifact's name. */
    static Map<String, Path> jars() throws IOException {
        Path folder = Path.of(AgentProcess.jar()).resolveSibling("older-lines");
        try (Stream<Path> files = Files.list(folder)) {
            return files.collect(Collectors.toMap(AgentProcess::artifact, jar -> jar));
        }
    }
}
