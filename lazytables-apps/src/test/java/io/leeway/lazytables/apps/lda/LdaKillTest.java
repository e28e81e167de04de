package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.testkit.JavaProcess;
import io.leeway.testkit.Seeds;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Topic models in processes of their own, with servers that are processes, of which one after the other is killed at random, at work or while the one before it is hardly back. Every process checks in the
 * end that each word is counted as often as it occurs, and each topic as often as its words are.
 *
 * <p>{@code -Dleeway.kills=N} kills more often.
 */
@Timeout(1_200)
class LdaKillTest {

    private static final int KILLS = Integer.getInteger("leeway.kills", 4);
    private static final int SERVERS = 2;
    private static final int PROCESSES = 3;
    private static final int CLOCKS_BETWEEN = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private final List<Child> servers = new ArrayList<>();
    private final List<Child> workers = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final RandomGenerator random = Seeds.random("kills");
    private int started;

    @AfterEach
    void endAll() {
        Stream.of(servers, workers).flatMap(List::stream).forEach(child -> child.process.destroyForcibly());
    }

    @Test
    void noTokenIsLostOrCountedTwice() throws Exception {
        Files.writeString(directory.resolve("options"), "lazytables.retry.most=200ms\nlazytables.heartbeat=1s\n");
        for (int i = 0; i < SERVERS; i++) {
            Files.createDirectories(directory.resolve("server-" + i));
            addresses.add("127.0.0.1:0");
            servers.add(server(i));
            addresses.set(i, address(servers.get(i)));
        }
        for (int i = 0; i < PROCESSES; i++) {
            workers.add(worker(i));
        }
        awaitProgress();
        for (int i = 0; i < KILLS; i++) {
            if (random.nextBoolean()) {
                int victim = random.nextInt(SERVERS);
                kill(servers.get(victim));
                servers.set(victim, server(victim));
                address(servers.get(victim));
            } else {
                int victim = random.nextInt(PROCESSES);
                kill(workers.get(victim));
                workers.set(victim, worker(victim));
            }
            // All are back and at work: what is lost is lost alone.
            awaitProgress();
        }
        Files.createFile(directory.resolve("enough"));

        for (Child worker : workers) {
            assertThat(worker.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ends: %s", worker)
                    .isTrue();
            assertThat(worker.process.exitValue()).as(worker.text()).isZero();
            assertThat(worker.text()).contains("topic 3:");
        }
    }

    private void awaitProgress() {
        List<Long> before = workers.stream().map(Child::clocks).toList();
        for (int i = 0; i < PROCESSES; i++) {
            Child worker = workers.get(i);
            long enough = before.get(i) + CLOCKS_BETWEEN * Child.WORKERS;
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
                "server",
                "--processes=" + PROCESSES,
                "--server.listen=" + addresses.get(number),
                "--snapshot.directory=" + directory.resolve("server-" + number),
                "--snapshot.interval=" + (20 + random.nextInt(400)) + "ms");
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
        return start(
                LdaKillMain.class,
                "--until=" + directory.resolve("enough"),
                "--connect=" + String.join(",", addresses),
                "--config=" + directory.resolve("options"),
                "--process=" + number,
                "--instances=" + PROCESSES,
                "--workers=" + PROCESSES * Child.WORKERS,
                "--resume",
                "--slack=1",
                "--seed=5",
                "--passes=1000000",
                "--delay-millis=20",
                "--log=" + directory.resolve("log-" + started));
    }

    private Child start(Class<?> main, String... arguments) throws IOException {
        Path output = directory.resolve("output-" + started);
        Path log = directory.resolve("log-" + started++);
        Process process = new ProcessBuilder(
                        JavaProcess.command(System.getProperty("java.class.path"), main.getName(), List.of(arguments)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Child(process, output, log);
    }

    /** A process with its output and, if it works, its records. */
    private record Child(Process process, Path output, Path log) {

        static final int WORKERS = 2;

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
