package io.leeway.demo.lazytables;

import io.leeway.lazytables.LazyTablesCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Two servers and four workers of a run, each a process of its own. Ends them when it is closed, or the demo ends. For one thread. */
final class Processes implements AutoCloseable {

    static final int WORKERS = 4;
    private static final int SERVERS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long PAUSE_MILLIS = 50;

    private final Path directory;
    private final List<Child> servers = new ArrayList<>();
    private final List<Child> workers = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    /** Of every process that was started, whichever thread closes. */
    private final List<Process> started = new ArrayList<>();

    private final Thread hook = new Thread(this::endAll, "lazytables-demo-end");

    /** A condition that processes bring about. */
    interface Condition {
        boolean holds() throws IOException;
    }

    /** Files go into the directory, which is made. */
    Processes(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts the servers, with snapshots each in a directory of its own. */
    void startServers() throws IOException {
        for (int i = 0; i < SERVERS; i++) {
            Files.createDirectories(snapshots(i));
            servers.add(server(i, "127.0.0.1:0", "server-" + i));
        }
        for (Child server : servers) {
            addresses.add(awaitAddress(server));
        }
    }

    /** Starts the workers, each of which is told its number behind these arguments. */
    void startWorkers(Class<?> main, List<String> arguments) throws IOException {
        for (int i = 0; i < WORKERS; i++) {
            var own = new ArrayList<>(arguments);
            own.addAll(List.of(
                    "--workers=" + WORKERS,
                    "--instances=" + WORKERS,
                    "--process=" + i,
                    "--connect=" + String.join(",", addresses),
                    "--log=" + records(i)));
            workers.add(add(Child.start("worker " + i, main, own, directory.resolve("worker-" + i + ".txt"))));
        }
    }

    /** Waits until all workers have ended, and fails if one has not ended well; tells how many passes are done. */
    void awaitWorkers(DoubleConsumer passes) throws IOException, InterruptedException {
        await("the workers end", () -> {
            passes.accept(passes());
            for (Child worker : workers) {
                worker.requireWell();
            }
            return workers.stream().noneMatch(worker -> worker.process().isAlive());
        });
        for (Child worker : workers) {
            worker.requireWell();
        }
    }

    /** How many passes all workers have gone over, as far as the first of them has been told. */
    double passes() throws IOException {
        Path records = records(0);
        return Files.exists(records) ? Records.read(List.of(records)).passes() : 0;
    }

    /** Waits for a condition, as long as all live. */
    void await(String what, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            for (Child server : servers) {
                if (!server.process().isAlive()) {
                    throw new IOException(server.name() + " has ended:\n" + server.text());
                }
            }
            if (System.nanoTime() > end) {
                throw new IOException("waited " + PATIENCE.toMinutes() + " minutes until " + what);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Kills a server, as by {@code kill -9}, and returns its process's number. */
    long killServer(int number) throws InterruptedException {
        long pid = servers.get(number).process().pid();
        servers.get(number).kill();
        return pid;
    }

    /** Starts a server again where it was, and returns what it says. */
    String restartServer(int number) throws IOException {
        Child server = server(number, addresses.get(number), "server-" + number + "-again");
        servers.set(number, server);
        awaitAddress(server);
        return server.text();
    }

    /** Where a server stores its snapshots. */
    Path snapshots(int number) {
        return directory.resolve("snapshots-" + number);
    }

    List<Child> workers() {
        return List.copyOf(workers);
    }

    /** The records of a worker. */
    Path records(int worker) {
        return records(directory, worker);
    }

    /** The records of a worker of a run whose files are in the directory. */
    static Path records(Path directory, int worker) {
        return directory.resolve("worker-" + worker + ".jsonl");
    }

    String addresses() {
        return String.join(",", addresses);
    }

    private Child server(int number, String address, String file) throws IOException {
        return add(Child.start(
                "server " + number,
                LazyTablesCommand.class,
                List.of(
                        "server",
                        "--processes=" + WORKERS,
                        "--server.listen=" + address,
                        "--snapshot.directory=" + snapshots(number),
                        "--snapshot.interval=300ms"),
                directory.resolve(file + ".txt")));
    }

    private Child add(Child child) {
        synchronized (started) {
            started.add(child.process());
        }
        return child;
    }

    private static String awaitAddress(Child server) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String address = server.line("listening at ");
        while (address.isEmpty()) {
            if (!server.process().isAlive() || System.nanoTime() > end) {
                throw new IOException(server.name() + " does not listen:\n" + server.text());
            }
            pause();
            address = server.line("listening at ");
        }
        return address;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while processes were started", e);
        }
    }

    private void endAll() {
        synchronized (started) {
            started.forEach(Process::destroyForcibly);
        }
    }

    /** What is of use has been read: nothing is waited for. */
    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook itself ends them.
        }
    }
}
