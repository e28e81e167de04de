package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that listens. */
final class ServerChild implements AutoCloseable {

    private final Process process;
    private final Path log;
    private final String address;

    ServerChild(String... options) throws IOException {
        this(List.of(), options);
    }

    private ServerChild(List<String> before, String... options) throws IOException {
        var arguments = new ArrayList<String>();
        arguments.add("server");
        arguments.addAll(List.of(options));
        if (arguments.stream().noneMatch(argument -> argument.startsWith("--server.listen="))) {
            arguments.add("--server.listen=127.0.0.1:0");
        }
        log = Files.createTempFile("lazytables-server-", ".log");
        var command = new ArrayList<>(before);
        command.addAll(JavaProcess.command(
                System.getProperty("java.class.path"), LazyTablesCommand.class.getName(), arguments));
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        String line = process.inputReader().readLine();
        if (line == null) {
            kill();
            throw new IOException("The server did not begin: " + log());
        }
        assertThat(line).startsWith("listening at ");
        address = line.substring("listening at ".length());
    }

    /** One whose command begins with these words. */
    static ServerChild under(List<String> words, String... options) throws IOException {
        return new ServerChild(words, options);
    }

    String address() {
        return address;
    }

    /** What it wrote to its log so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** Its exit code, when it has ended by itself. */
    int awaitExit() throws Exception {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ends: %s", log()).isTrue();
        return process.exitValue();
    }

    /** Tells it to end, and waits until it has. */
    void end() throws Exception {
        process.destroy();
        awaitExit();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9} does. */
    void kill() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a server ended", e);
        }
    }

    /** Told to end, it ends by itself. */
    @Override
    public void close() throws Exception {
        process.destroy();
        boolean ended = process.waitFor(1, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as("ends by itself: %s", log()).isTrue();
        Files.delete(log);
    }
}
