package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A run whose servers and instances are processes that a test kills and starts again. For one thread. */
public final class KillableRun implements AutoCloseable {

    private static final int WORKERS = 2;
    private static final int CLOCKS_BETWEEN = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path directory;
    private final RandomGenerator random;
    private final Class<?> main;
    private final List<String> arguments;
    private final int instances;
    private final List<Child> servers = new ArrayList<>();
    private final List<Child> workers = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private int started;

    /** Starts all: instances of two workers each of this main class, which takes the options of applications and these. */
    public KillableRun(
            Path directory, RandomGenerator random, int servers, int instances, Class<?> main, String... arguments)
            throws IOException {
        this.directory = directory;
        this.random = random;
        this.main = main;
        this.arguments = List.of(arguments);
        this.instances = instances;
        Files.writeString(directory.resolve("options"), "lazytables.retry.most=200ms\nlazytables.heartbeat=1s\n");
        for (int i = 0; i < servers; i++) {
            Files.createDirectories(directory.resolve("server-" + i));
            addresses.add("127.0.0.1:0");
            this.servers.add(server(i));
            addresses.set(i, address(this.servers.get(i)));
        }
        for (int i = 0; i < instances; i++) {
            workers.add(worker(i));
        }
        awaitProgress();
    }

    /** Kills a server and starts it again; returns when all are at work. */
    public void killServer() throws IOException, InterruptedException {
        int victim = random.nextInt(servers.size());
        kill(servers.get(victim));
        servers.set(victim, server(victim));
        address(servers.get(victim));
        awaitProgress();
    }

    /** Kills an instance and starts it again; returns when all are at work, so that what is lost next is lost alone. */
    public void killInstance() throws IOException, InterruptedException {
        int victim = random.nextInt(instances);
        kill(workers.get(victim));
        workers.set(victim, worker(victim));
        awaitProgress();
    }

    /** Waits until all instances have ended well; what each printed. */
    public List<String> end() throws InterruptedException {
        for (Child worker : workers) {
            assertThat(worker.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ends: %s", worker)
                    .isTrue();
            assertThat(worker.process.exitValue()).as(worker.text()).isZero();
        }
        return workers.stream().map(Child::text).toList();
    }

    @Override
    public void close() {
        List<Child> all = Stream.of(servers, workers).flatMap(List::stream).toList();
        all.forEach(child -> child.process.destroyForcibly());
        // Until they have ended they may write to the directory, which the test deletes.
        for (Child child : all) {
            child.process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        }
    }

    private void awaitProgress() {
        List<Long> before = workers.stream().map(Child::clocks).toList();
        for (int i = 0; i < instances; i++) {
            Child worker = workers.get(i);
            long enough = before.get(i) + CLOCKS_BETWEEN * WORKERS;
            await().atMost(PATIENCE).until(() -> {
                assertThat(worker.process.isAlive()).as("%s lives", worker).isTrue();
                return worker.clocks() >= enough;
            });
        }
    }

    private static void kill(Child child) throws InterruptedException {
        child.process.destroyForcibly().waitFor();
    }

    private Child server(int number) throws IOException {
        return start(
                LazyTablesCommand.class,
                List.of(
                        "server",
                        "--processes=" + instances,
                        "--server.listen=" + addresses.get(number),
                        "--snapshot.directory=" + directory.resolve("server-" + number),
                        "--snapshot.interval=" + (20 + random.nextInt(400)) + "ms"));
    }

    private static String address(Child server) {
        String begin = "listening at ";
        await().atMost(PATIENCE).until(() -> {
            assertThat(server.process.isAlive()).as("%s lives", server).isTrue();
            return server.text().contains(begin);
        });
        return server.text()
                .lines()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElseThrow()
                .substring(begin.length());
    }

    private Child worker(int number) throws IOException {
        var all = new ArrayList<>(arguments);
        all.addAll(List.of(
                "--connect=" + String.join(",", addresses),
                "--config=" + directory.resolve("options"),
                "--process=" + number,
                "--instances=" + instances,
                "--workers=" + instances * WORKERS,
                "--log=" + directory.resolve("log-" + started)));
        return start(main, all);
    }

    private Child start(Class<?> main, List<String> arguments) throws IOException {
        Path output = directory.resolve("output-" + started);
        Path log = directory.resolve("log-" + started++);
        Process process = new ProcessBuilder(
                        JavaProcess.command(System.getProperty("java.class.path"), main.getName(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Child(process, output, log);
    }

    /** A process with its output and, if it works, its records. */
    private record Child(Process process, Path output, Path log) {

        /** The clocks of all its workers. */
        long clocks() {
            if (!Files.exists(log)) {
                return 0;
            }
            try (Stream<String> lines = Files.lines(log)) {
                return lines.filter(line -> line.startsWith("{\"kind\":\"clock\""))
                        .count();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String text() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return text();
        }
    }
}
