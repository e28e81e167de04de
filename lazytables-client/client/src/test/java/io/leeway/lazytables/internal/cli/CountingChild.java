package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link CountingMain} in a process of its own. */
final class CountingChild implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;
    private final Path log;

    CountingChild(int clocks, int slack, String... options) throws IOException {
        var arguments = new ArrayList<>(List.of(Integer.toString(clocks), Integer.toString(slack)));
        arguments.addAll(List.of(options));
        log = Files.createTempFile("lazytables-client-", ".log");
        process = new ProcessBuilder(JavaProcess.command(
                        System.getProperty("java.class.path"), CountingMain.class.getName(), arguments))
                .redirectError(log.toFile())
                .start();
        output = process.inputReader();
        input = process.outputWriter();
    }

    /** Lets it work up to this clock. */
    CountingChild allow(int clock) throws IOException {
        input.write(clock + "\n");
        input.flush();
        return this;
    }

    long pid() {
        return process.pid();
    }

    /** Waits until it has completed this clock. */
    void awaitClock(int clock) throws IOException {
        await("clock " + clock);
    }

    /** Waits until it begins to work; at which clock that is. */
    int awaitBegin() throws IOException {
        return Integer.parseInt(await("begins at ").substring("begins at ".length()));
    }

    /** Waits until it ends; what it has counted. */
    long awaitTotal() throws IOException {
        return Long.parseLong(await("total ").substring("total ".length()));
    }

    /** Waits until it ends with a failure, which its log names. */
    String awaitFailure() throws Exception {
        String line = output.readLine();
        while (line != null) {
            assertThat(line).doesNotStartWith("total ");
            line = output.readLine();
        }
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return Files.readString(log);
    }

    void kill() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws Exception {
        kill();
        Files.delete(log);
    }

    private String await(String begin) throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(begin)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("It ended before it said " + begin + ": " + Files.readString(log));
        }
        return line;
    }
}
