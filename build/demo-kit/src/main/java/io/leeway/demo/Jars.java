package io.leeway.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Jars of this demo's class path. */
public final class Jars {

    private Jars() {}

    /**
     * The first of a name.
     *
     * @param name without its version
     * @param classifier such as {@code -sources}, or nothing
     */
    public static Path of(String name, String classifier) throws IOException {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> {
                    String file = path.getFileName().toString();
                    return file.startsWith(name + "-") && file.endsWith(classifier + ".jar");
                })
                .findFirst()
                .orElseThrow(() -> new IOException("no " + name + classifier + ".jar on the class path; run ./demo"))
                .toAbsolutePath();
    }
}
