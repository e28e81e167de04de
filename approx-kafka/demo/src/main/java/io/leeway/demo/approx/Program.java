package io.leeway.demo.approx;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, on this one's class path. */
record Program(Process process, Path log) implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    static Program start(Path directory, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile(directory, "log-", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Program(process, log);
    }

    /** The first line that begins so, once it is there. */
    String awaitLine(String begin) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < PATIENCE_NANOS) {
            boolean alive = process.isAlive();
            for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
                if (line.startsWith(begin)) {
                    return line;
                }
            }
            if (!alive) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("no \"" + begin + "\": " + Files.readString(log));
    }

    void awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS) || process.exitValue() != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    /** Writes a line to its input. */
    void tell(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
