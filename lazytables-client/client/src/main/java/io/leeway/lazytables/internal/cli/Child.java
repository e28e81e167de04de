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

    /** For an end that was asked for; then it is killed, as a run must come to its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /**
     * What is still in the pipe when it has ended. A grandchild may hold that open for ever, so it is not waited for
     * longer.
     */
    private static final int LAST_LINES_SECONDS = 2;

    private final String name;
    private final Process process;
    private final String readyBegin;
    /** What stands behind the begin of the line by which it says that it is ready. */
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private final CompletableFuture<Boolean> copied = new CompletableFuture<>();

    private Child(String name, Process process, String readyBegin) {
        this.name = name;
        this.process = process;
        this.readyBegin = readyBegin;
    }

    /**
     * Starts one, with additions to this process's environment; its lines go to the consumer, with its name in front.
     *
     * <p>Standard output and error are one stream, so that lines keep their order.
     *
     * @param readyBegin how the line begins by which it says that it is ready
     */
    static Child start(
            String name,
            List<String> command,
            Map<String, String> environment,
            Consumer<String> lines,
            String readyBegin) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return of(name, builder.start(), lines, readyBegin);
        } catch (IOException e) {
            throw LazyTablesException.of(
                    Code.BAD_ARGUMENT, "cannot start " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** For a process that runs; whatever becomes of its input, it is one that can be ended. */
    static Child of(String name, Process process, Consumer<String> lines, String readyBegin) {
        closeInput(process);
        var child = new Child(name, process, readyBegin);
        var reader = new Thread(() -> child.copy(process.getInputStream(), lines), "lazytables-output-" + name);
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    /** Nothing will ever be written to it: a program that reads its input is to see the end, and not to wait. */
    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // Nothing was written to it; the process may have ended already.
        }
    }

    String name() {
        return name;
    }

    /**
     * Tells when it has ended and its lines were passed on, with its exit code. What it started itself may still write.
     */
    void onEnd(IntConsumer action) {
        var unused = process.onExit()
                .thenCompose(ended -> copied.completeOnTimeout(true, LAST_LINES_SECONDS, TimeUnit.SECONDS)
                        .thenApply(all -> ended.exitValue()))
                .thenAccept(action::accept);
    }

    /**
     * What stands behind the begin of the line by which it says that it is ready; there may be others before, such as
     * of its log.
     *
     * @throws LazyTablesException if there is none within the limit, or it ends without one
     */
    String awaitReady(Duration limit) {
        try {
            return ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw LazyTablesException.of(Code.FAILED, name + " could not start: see what it wrote", e);
        } catch (TimeoutException e) {
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

    /** In a thread of its own: a process whose output nobody takes stands still when the pipe is full. */
    private void copy(InputStream stream, Consumer<String> lines) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, Charset.defaultCharset()))) {
            String line = reader.readLine();
            while (line != null) {
                if (line.startsWith(readyBegin)) {
                    ready.complete(line.substring(readyBegin.length()));
                }
                lines.accept(name + ": " + line);
                line = reader.readLine();
            }
        } catch (IOException ended) {
            // The process was killed while it wrote.
        } finally {
            ready.completeExceptionally(new IOException(name + " ended"));
            copied.complete(true);
        }
    }
}
