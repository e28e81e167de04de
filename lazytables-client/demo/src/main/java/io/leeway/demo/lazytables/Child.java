package io.leeway.demo.lazytables;

import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that the demo has started.
 *
 * @param name for people
 * @param process itself
 * @param output the file that it writes to
 */
record Child(String name, Process process, Path output) {

    private static final List<String> JVM = List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            // Of a short run most is its begin.
            "-XX:TieredStopAtLevel=1",
            // A line each, without where it comes from.
            "-Djava.util.logging.SimpleFormatter.format=%5$s%n");

    private static final long SECONDS_TO_END = 10;

    /** Starts a main class of this demo's class path. */
    static Child start(String name, Class<?> main, List<String> arguments, Path output) throws IOException {
        List<String> command = JavaProcess.command(System.getProperty("java.class.path"), main.getName(), arguments);
        command.addAll(1, JVM);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Child(name, process, output);
    }

    /** What it has written so far. */
    String text() throws IOException {
        return Files.readString(output);
    }

    /** The first line that begins so, without that; empty if there is none yet. */
    String line(String begin) throws IOException {
        return text().lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .findFirst()
                .orElse("");
    }

    /** Fails if it has ended, unless well. */
    void requireWell() throws IOException {
        if (!process.isAlive() && process.exitValue() != 0) {
            throw new IOException(name + " ended with exit code " + process.exitValue() + ":\n" + text());
        }
    }

    /** Kills it, so that it can do nothing more, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
    }
}
