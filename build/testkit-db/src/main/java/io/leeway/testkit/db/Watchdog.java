package io.leeway.testkit.db;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a server when this JVM ends without having stopped it, even by a kill signal that no shutdown hook sees.
 *
 * <p>A small shell waits on a pipe that this JVM holds open. A line means that all is well and the shell leaves; the end
 * of the pipe means that the JVM is gone: the shell stops the server and removes its files.
 */
final class Watchdog implements AutoCloseable {

    private static final String SCRIPT = """
            read -r line && exit 0
            kill -"$2" "$1" 2>/dev/null
            tries=0
            while kill -0 "$1" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries+1)); done
            kill -KILL "$1" 2>/dev/null
            rm -rf -- "$3"
            """;

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    /** Guards a process of this JVM; {@code signal} is the one that the server understands as a fast stop. */
    static Watchdog guard(long processId, String signal, Path directory) throws IOException {
        var command = new ArrayList<String>(ownSession());
        command.addAll(
                List.of("sh", "-c", SCRIPT, "leeway-watchdog", Long.toString(processId), signal, directory.toString()));
        return new Watchdog(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** In a session of its own, the shell outlives a signal that goes to the JVM's whole process group. */
    private static List<String> ownSession() {
        boolean known = Path.of("/usr/bin/setsid").toFile().canExecute();
        return known ? List.of("/usr/bin/setsid") : List.of();
    }

    /** The server has been stopped in the ordinary way. */
    @Override
    public void close() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write("done\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("the watchdog of a test server is gone", e);
        }
    }
}
