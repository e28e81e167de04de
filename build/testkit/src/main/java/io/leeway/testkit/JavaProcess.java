package io.leeway.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a Java program in a JVM of its own, with nothing on its class path but what is named. */
public final class JavaProcess {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * How a program ended.
     *
     * @param exitCode its exit code
     * @param output what it wrote to both streams
     */
    public record Result(int exitCode, String output) {}

    private JavaProcess() {}

    /** The command line for a main class on a class path. */
    public static List<String> command(String classPath, String mainClass, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    /** Runs to the end. */
    public static Result run(String classPath, String mainClass, String... arguments) {
        try {
            Path output = Files.createTempFile("java-process-", ".txt");
            try {
                return run(command(classPath, mainClass, List.of(arguments)), output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + mainClass, e);
        }
    }

    private static Result run(List<String> command, Path output) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("still running after " + PATIENCE + ": " + command);
            }
            return new Result(process.exitValue(), Files.readString(output));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        } finally {
            process.destroyForcibly();
        }
    }
}
