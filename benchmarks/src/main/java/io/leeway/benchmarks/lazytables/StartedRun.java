package io.leeway.benchmarks.lazytables;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of a run that is under way: a server, if it has one, and those that compute. For one thread. */
final class StartedRun implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration SIGNAL = Duration.ofSeconds(10);
    private static final String DIVERGED = "diverged";
    private static final int DIVERGED_EXIT = 1;
    private static final long POLL_MILLIS = 20;

    private final @Nullable Process server;
    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();

    /** Ends the server when it is closed. */
    StartedRun(@Nullable Process server) throws IOException {
        this.server = server;
        directory = Files.createTempDirectory("lazytables-figures");
    }

    /** What the server says first. */
    String firstLine() throws IOException, InterruptedException {
        if (server == null) {
            throw new IllegalStateException("there is no server");
        }
        // Closed with the process; to read on waits for it.
        BufferedReader said = server.inputReader();
        try {
            return CompletableFuture.supplyAsync(() -> {
                        try {
                            return String.valueOf(said.readLine());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .get(START.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the server said nothing within " + START.toSeconds() + " s", e);
        }
    }

    /** Starts one that computes. */
    void add(Class<?> main, List<String> typed) throws IOException {
        Path file = directory.resolve(files.size() + ".txt");
        files.add(file);
        workers.add(Processes.started(main, ProcessBuilder.Redirect.to(file.toFile()), typed));
    }

    /** Waits until it is over. */
    MeasuredRun await(Duration most) throws IOException, InterruptedException {
        if (!isOverWithin(most)) {
            throw new IOException("a run was not over after " + most.toMinutes() + " minutes");
        }
        return result();
    }

    /** Waits until it is over, or so long; returns whether it is. */
    boolean isOverWithin(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (!isOver()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Whether all that compute have ended, or one of them has failed. */
    private boolean isOver() {
        return failed() >= 0 || workers.stream().noneMatch(Process::isAlive);
    }

    /** The number of one that failed, or -1. */
    private int failed() {
        for (int i = 0; i < workers.size(); i++) {
            if (!workers.get(i).isAlive() && workers.get(i).exitValue() != 0) {
                return i;
            }
        }
        return -1;
    }

    /** What was measured, when it is over. */
    MeasuredRun result() throws IOException {
        int failed = failed();
        if (failed >= 0) {
            return failure(workers.get(failed), Files.readAllLines(files.get(failed)));
        }
        return MeasuredRun.of(files.stream().map(StartedRun::lines).toList());
    }

    private static MeasuredRun failure(Process process, List<String> said) throws IOException {
        String last = said.isEmpty() ? "nothing" : said.get(said.size() - 1);
        if (process.exitValue() == DIVERGED_EXIT && last.contains(DIVERGED)) {
            return MeasuredRun.failed(last);
        }
        throw new IOException("a process ended with " + process.exitValue() + " and said " + String.join("\n", said));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops all its processes until {@link #goOn}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** By the shell, which every system has that knows these signals; Java sends no others than those that end a process. */
    private void signal(String name) throws IOException, InterruptedException {
        List<Process> signalled = alive().toList();
        if (signalled.isEmpty()) {
            return;
        }
        var command = new ArrayList<>(List.of("sh", "-c", "kill -" + name + " \"$@\"", "sh"));
        signalled.forEach(process -> command.add(Long.toString(process.pid())));
        Process kill = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!kill.waitFor(SIGNAL.toSeconds(), TimeUnit.SECONDS)) {
            kill.destroyForcibly();
            throw new IOException("a signal was not sent within " + SIGNAL.toSeconds() + " s");
        }
        // One that has ended meanwhile gets none. That the others did not would be seen in no figure.
        if (kill.exitValue() != 0 && signalled.stream().allMatch(Process::isAlive)) {
            throw new IOException("signal " + name + " was not sent to " + signalled.size()
                    + " processes, kill ended with " + kill.exitValue());
        }
    }

    private Stream<Process> alive() {
        return Stream.concat(Stream.ofNullable(server), workers.stream()).filter(Process::isAlive);
    }

    /** Ends its processes, also those that are stopped. */
    @Override
    public void close() {
        if (alive().findAny().isPresent()) {
            try {
                goOn();
            } catch (IOException e) {
                alive().forEach(Process::destroyForcibly);
            } catch (InterruptedException e) {
                alive().forEach(Process::destroyForcibly);
                Thread.currentThread().interrupt();
            }
        }
        workers.forEach(Processes::end);
        if (server != null) {
            Processes.end(server);
        }
        try {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
