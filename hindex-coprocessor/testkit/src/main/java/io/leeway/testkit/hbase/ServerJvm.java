package io.leeway.testkit.hbase;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the JVM of a region server is started.
 *
 * @param options such as {@code -Xmx2g}
 * @param classPath where its classes are
 */
public record ServerJvm(List<String> options, String classPath) {

    /** Copies. */
    public ServerJvm {
        options = List.copyOf(options);
    }

    /** Quick to start and small, which is what tests want, with the classes of this JVM. */
    public static ServerJvm small() {
        return new ServerJvm(
                List.of(
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        // Thousands of classes, checked at every start.
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote"),
                System.getProperty("java.class.path"));
    }

    /** The same with other options. */
    public ServerJvm withOptions(String... others) {
        return new ServerJvm(List.of(others), classPath);
    }

    /** The same without the jars and directories that have this in their path. */
    public ServerJvm without(String part) {
        String rest = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.contains(part))
                .collect(Collectors.joining(File.pathSeparator));
        return new ServerJvm(options, rest);
    }
}
