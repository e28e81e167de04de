package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs in processes of their own: a server and a process for each worker, as the command line starts them; or one process without
 * tables. All of them end with this one.
 *
 * @param seed of all data
 * @param share of the data
 */
record Processes(long seed, double share) {

    private static final String LISTENING = "listening at ";
    private static final Duration MOST = Duration.ofMinutes(4);
    private static final Duration END = Duration.ofSeconds(10);
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
        try (StartedRun run = start(workload, setting)) {
            return run.await(MOST);
        }
    }

    /**
     * Runs over tables of which always one computes, for a turn, while the others are stopped: whatever else goes on meanwhile, on this machine or on its host, meets them all. What they used can be compared, times
     * cannot.
     *
     * @param turn long beside what it takes to have again in the processor's caches what was there before, and short beside what a run takes
     */
    List<MeasuredRun> inTurns(Workload workload, List<Setting> settings, Duration turn)
            throws IOException, InterruptedException {
        var runs = new ArrayList<StartedRun>();
        try {
            for (Setting setting : settings) {
                StartedRun run = start(workload.text(), setting);
                runs.add(run);
                run.pause();
            }
            return Turns.of(runs, turn, MOST.multipliedBy(runs.size()));
        } finally {
            runs.forEach(StartedRun::close);
        }
    }

    private StartedRun start(String workload, Setting setting) throws IOException, InterruptedException {
        Process server = started(
                LazyTablesCommand.class,
                ProcessBuilder.Redirect.PIPE,
                List.of("server", "--server.listen=127.0.0.1:0", "--processes=" + setting.workers()));
        var run = new StartedRun(server);
        try {
            String line = run.firstLine();
            if (!line.startsWith(LISTENING)) {
                throw new IOException("the server said " + line + " instead of " + LISTENING + "...");
            }
            var typed = new ArrayList<>(setting.typed());
            typed.add("--connect=" + line.substring(LISTENING.length()));
            typed.add("--workload=" + workload);
            typed.add("--timeout-seconds=60");
            for (int i = 0; i < setting.workers(); i++) {
                var own = new ArrayList<>(typed);
                own.add("--process=" + i);
                if (i == 0) {
                    own.add("--server-pids=" + server.pid());
                }
                run.add(FigureWorker.class, withData(own));
            }
            return run;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            run.close();
            throw e;
        }
    }

    /** A run in one thread, with a mark and a point after each step of passes. */
    MeasuredRun inOneThread(Workload workload, String by, int passes, int step)
            throws IOException, InterruptedException {
        try (var run = new StartedRun(null)) {
            run.add(
                    SingleThreadWorker.class,
                    withData(List.of(
                            "--workload=" + workload.text(), "--by=" + by, "--passes=" + passes, "--step=" + step)));
            return run.await(MOST);
        }
    }

    private List<String> withData(List<String> typed) {
        var all = new ArrayList<>(typed);
        all.add("--seed=" + seed);
        all.add("--share=" + share);
        return all;
    }

    /** One that ends with this one. */
    static Process started(Class<?> main, ProcessBuilder.Redirect output, List<String> typed) throws IOException {
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
