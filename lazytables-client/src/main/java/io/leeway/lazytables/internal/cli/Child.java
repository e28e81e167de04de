package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** A process that was started here, whose lines are passed on, and which is ended with this one. Thread-safe. */
final class Child {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LAST_LINES_SECONDS = 2;

    private final String name;
    private final Process process;
    private final CompletableFuture<String> firstLine = new CompletableFuture<>();
    private final CompletableFuture<Boolean> copied = new CompletableFuture<>();

    private Child(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** Starts one, with additions to this process's environment; its lines go to the consumer, with its name in front. */
    static Child start(String name, List<String> command, Map<String, String> environment, Consumer<String> lines) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            var child = new Child(name, process);
            var reader = new Thread(() -> child.copy(process.getInputStream(), lines), "lazytables-output-" + name);
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw LazyTablesException.of(
                    Code.BAD_ARGUMENT, "cannot start " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    String name() {
        return name;
    }

    /** Tells when it has ended and its lines were passed on, with its exit code. What it started itself may still write. */
    void onEnd(IntConsumer action) {
        var unused = process.onExit()
                .thenCompose(ended -> copied.completeOnTimeout(true, LAST_LINES_SECONDS, TimeUnit.SECONDS)
                        .thenApply(all -> ended.exitValue()))
                .thenAccept(action::accept);
    }

    /**
     * The first line that it writes.
     *
     * @throws LazyTablesException if there is none within the limit
     */
    String firstLine(Duration limit) {
        try {
            return firstLine.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw LazyTablesException.of(
                    Code.FAILED, name + " did not say within " + limit.toSeconds() + " s that it is ready", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while " + name + " started", e);
        }
    }

    /** Tells it to end. */
    void tellToEnd() {
        process.destroy();
    }

    /** Waits until it has ended, and kills it if it does not. */
    void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void copy(InputStream stream, Consumer<String> lines) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, Charset.defaultCharset()))) {
            String line = reader.readLine();
            while (line != null) {
                firstLine.complete(line);
                lines.accept(name + ": " + line);
                line = reader.readLine();
            }
        } catch (IOException ended) {
            // The process was killed while it wrote.
        } finally {
            firstLine.completeExceptionally(new IOException(name + " ended"));
            copied.complete(true);
        }
    }
}
