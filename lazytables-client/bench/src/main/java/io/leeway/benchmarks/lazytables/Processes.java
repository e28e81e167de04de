package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs in processes of their own: a server and a process for each worker, as the command line starts them; or one process without
 * tables. All of them end with this one.
 *
 * @param seed of all data
 * @param share of the data
 */
record Processes(long seed, double share) {

    private static final String LISTENING = "listening at ";
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration MOST = Duration.ofMinutes(4);
    private static final Duration END = Duration.ofSeconds(10);
    private static final String DIVERGED = "diverged";
    private static final int DIVERGED_EXIT = 1;
    private static final long POLL_MILLIS = 20;
    private static final String HEAP = "-Xmx1g";
    private static final String ROOT = "leeway.root";

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "lazytables-figures-end"));
    }

    /** A run over tables; one that diverges says so in its result. */
    MeasuredRun overTables(Workload workload, Setting setting) throws IOException, InterruptedException {
        return overTables(workload.text(), setting);
    }

    MeasuredRun overTables(String workload, Setting setting) throws IOException, InterruptedException {
        Process server = started(
                LazyTablesCommand.class,
                ProcessBuilder.Redirect.PIPE,
                List.of("server", "--server.listen=127.0.0.1:0", "--processes=" + setting.processes()));
        try (BufferedReader said = server.inputReader()) {
            String address = addressOf(said);
            var typed = new ArrayList<>(setting.typed());
            typed.add("--connect=" + address);
            typed.add("--workload=" + workload);
            typed.add("--timeout-seconds=60");
            return workers(setting.processes(), typed, server.pid());
        } finally {
            end(server);
        }
    }

    /** A run in one thread, with a mark and a point after each step of passes. */
    MeasuredRun inOneThread(Workload workload, String by, int passes, int step)
            throws IOException, InterruptedException {
        return run(
                SingleThreadWorker.class,
                List.of(List.of(
                        "--workload=" + workload.text(), "--by=" + by, "--passes=" + passes, "--step=" + step)));
    }

    private MeasuredRun workers(int count, List<String> typed, long server) throws IOException, InterruptedException {
        var each = new ArrayList<List<String>>();
        for (int i = 0; i < count; i++) {
            var own = new ArrayList<>(typed);
            own.add("--process=" + i);
            if (i == 0) {
                own.add("--server-pids=" + server);
            }
            each.add(own);
        }
        return run(FigureWorker.class, each);
    }

    private MeasuredRun run(Class<?> main, List<List<String>> typed) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("lazytables-figures");
        var files = new ArrayList<Path>();
        var processes = new ArrayList<Process>();
        try {
            for (List<String> each : typed) {
                Path file = directory.resolve(files.size() + ".txt");
                files.add(file);
                var all = new ArrayList<>(each);
                all.add("--seed=" + seed);
                all.add("--share=" + share);
                processes.add(started(main, ProcessBuilder.Redirect.to(file.toFile()), all));
            }
            int failed = await(processes);
            if (failed >= 0) {
                return failure(processes.get(failed), Files.readAllLines(files.get(failed)));
            }
            return MeasuredRun.of(files.stream().map(Processes::lines).toList());
        } finally {
            processes.forEach(Processes::end);
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        }
    }

    /** Waits for all; returns the number of one that failed, or -1. */
    private static int await(List<Process> processes) throws IOException, InterruptedException {
        long end = System.nanoTime() + MOST.toNanos();
        while (System.nanoTime() < end) {
            boolean isOver = true;
            for (int i = 0; i < processes.size(); i++) {
                Process process = processes.get(i);
                isOver &= !process.isAlive();
                if (!process.isAlive() && process.exitValue() != 0) {
                    return i;
                }
            }
            if (isOver) {
                return -1;
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IOException("a run was not over after " + MOST.toMinutes() + " minutes");
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

    /** Of its line; before it stands what the Java machine warns of, from JDK 24 on of libraries that call native code. */
    private static String addressOf(BufferedReader server) throws IOException, InterruptedException {
        try {
            return CompletableFuture.supplyAsync(() -> readAddress(server)).get(START.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the server did not begin: " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException("the server did not say its address within " + START.toSeconds() + " s", e);
        }
    }

    private static String readAddress(BufferedReader server) {
        var others = new ArrayList<String>();
        try {
            for (String line = server.readLine(); line != null; line = server.readLine()) {
                if (line.startsWith(LISTENING)) {
                    return line.substring(LISTENING.length());
                }
                others.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("it said " + String.join("\n", others));
    }

    private static Process started(Class<?> main, ProcessBuilder.Redirect output, List<String> typed)
            throws IOException {
        return started(List.of(HEAP), main, output, typed);
    }

    /** One that ends with this one. */
    static Process started(List<String> options, Class<?> main, ProcessBuilder.Redirect output, List<String> typed)
            throws IOException {
        List<String> command = JavaProcess.command(System.getProperty("java.class.path"), main.getName(), typed);
        command.addAll(1, options);
        command.add(1, "-D" + ROOT + "=" + System.getProperty(ROOT, "."));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        RUNNING.add(process);
        return process;
    }

    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        RUNNING.remove(process);
    }
}
