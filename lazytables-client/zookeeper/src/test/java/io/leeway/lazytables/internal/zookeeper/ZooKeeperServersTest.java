package io.leeway.lazytables.internal.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers and client processes that know nothing of each other but ZooKeeper. */
@Timeout(180)
class ZooKeeperServersTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int ROWS = 20;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** One that a pause of this Java machine, in which ZooKeeper is, too, does not end. */
    private static final String SESSION = "20s";

    private Ensemble ensemble;

    @BeforeEach
    void start() throws Exception {
        ensemble = new Ensemble();
    }

    @AfterEach
    void stop() throws IOException {
        ensemble.close();
    }

    @Test
    void aClientThatStartsFirstWaitsForAllServers() throws Exception {
        CompletableFuture<Long> counted = CompletableFuture.supplyAsync(() -> {
            try (LazyTables tables = connect(LIMIT)) {
                return count(tables, 3);
            }
        });
        try (LazyTablesServer second = server(1, 2);
                LazyTablesServer first = server(0, 2)) {
            assertThat(counted.get(1, TimeUnit.MINUTES)).isEqualTo(3 * ROWS);
            assertThat(ensemble.node("run", 0)).contains(first.address().toString());
            assertThat(ensemble.node("run", 1)).contains(second.address().toString());

            JavaProcess.Result status = JavaProcess.run(
                    CLASS_PATH, LazyTablesCommand.class.getName(), "status", "--registry=" + ensemble.location("run"));
            assertThat(status.output())
                    .contains(first.address().toString())
                    .contains(second.address().toString());
            assertThat(status.exitCode()).isZero();
        }
    }

    @Test
    void runStartsProcessesThatFindTheServers() throws Exception {
        try (LazyTablesServer second = server(1, 2);
                LazyTablesServer first = server(0, 2)) {
            JavaProcess.Result result = JavaProcess.run(
                    CLASS_PATH,
                    LazyTablesCommand.class.getName(),
                    "run",
                    "--processes=1",
                    "--registry=" + ensemble.location("run"),
                    "--main=" + CountingProgram.class.getName(),
                    "--clocks=3",
                    "--progress=lines");

            assertThat(result.output())
                    .contains("0: counted " + 3 * ROWS)
                    .contains("clock 3 of 3 completed by all")
                    .doesNotContain("listening at");
            assertThat(result.exitCode()).isZero();
            assertThat(second.address()).isNotEqualTo(first.address());
        }
    }

    /** What {@code run} starts: it is told by its environment where servers are found. */
    static final class CountingProgram {

        private CountingProgram() {}

        public static void main(String[] arguments) {
            try (LazyTables tables = LazyTables.connect()) {
                System.out.println("counted " + count(tables, 3));
            }
        }
    }

    @Test
    void aClientSaysWhomItWaitedFor() throws Exception {
        assertThatThrownBy(() -> connect(Duration.ofMillis(300)))
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.REGISTRY))
                .hasMessageContaining("Not all servers are registered in " + ensemble.location("run"))
                .hasMessageContaining("there is none; start servers");
        try (LazyTablesServer second = server(1, 3)) {
            assertThatThrownBy(() -> connect(Duration.ofMillis(300)))
                    .hasMessageContaining("there is 1 of 3 at " + second.address() + "; start number 0, 2");
        }
    }

    @Test
    void aServerThatIsKilledAndStartedElsewhereIsFound(@TempDir Path directory) throws Exception {
        Files.createDirectory(directory.resolve("0"));
        Files.createDirectory(directory.resolve("1"));
        try (Child first = new Child(0, directory)) {
            Child second = new Child(1, directory);
            try (LazyTables tables = connect(LIMIT)) {
                assertThat(count(tables, 5)).isEqualTo(5 * ROWS);
                for (int kills = 1; kills <= 2; kills++) {
                    String before = second.address;
                    second.kill();
                    second = new Child(1, directory);
                    assertThat(second.address).isNotEqualTo(before);
                    assertThat(count(tables, 5)).isEqualTo((kills + 1) * 5L * ROWS);
                }
            } finally {
                second.close();
            }
            assertThat(first.process.isAlive()).isTrue();
        }
    }

    @Test
    void aServerThatIsDisplacedEnds() throws Exception {
        try (LazyTablesServer server = server(0, 1)) {
            ensemble.usurp("run", 0, "127.0.0.1:9", 1);

            assertThatThrownBy(server::awaitEnd)
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.DISPLACED))
                    .hasMessageContaining("at 127.0.0.1:9");
            assertThatThrownBy(() -> LazyTables.builder()
                            .option("lazytables.servers", server.address().toString())
                            .timeout(Duration.ofSeconds(2))
                            .connect())
                    .hasMessageContaining("LAZY-1402");
        }
    }

    @Test
    void whoKnowEachOtherGoOnWhileZooKeeperIsAway() throws Exception {
        try (LazyTablesServer server = server(0, 1);
                LazyTables tables = connect(LIMIT)) {
            assertThat(count(tables, 2)).isEqualTo(2 * ROWS);
            ensemble.stop();
            assertThat(count(tables, 2)).isEqualTo(4 * ROWS);
            ensemble.startAgain();

            await().atMost(LIMIT)
                    .until(() ->
                            ensemble.node("run", 0).contains(server.address().toString()));
            assertThat(count(tables, 2)).isEqualTo(6 * ROWS);
        }
    }

    @Test
    void faultsOfTheRegistryAreSaidByServersAndClients() throws Exception {
        String nowhere = "zookeeper://127.0.0.1:1/run";
        Map<String, String> impatient = Map.of("lazytables.registry", nowhere, "lazytables.registry.timeout", "500ms");
        assertThatThrownBy(() -> LazyTables.builder().options(impatient).connect())
                .hasMessageContaining("LAZY-1414")
                .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:1");
        var server = new HashMap<>(impatient);
        server.put("lazytables.server.listen", "127.0.0.1:0");
        assertThatThrownBy(() -> LazyTablesServer.start(server))
                .hasMessageContaining("LAZY-1414")
                .hasMessageContaining("Server 0 cannot be registered")
                .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:1");
        for (String wrong : List.of("zookeeper://127.0.0.1:1", "etcd://127.0.0.1:1/run", "run")) {
            assertThatThrownBy(() -> LazyTables.builder()
                            .option("lazytables.registry", wrong)
                            .connect())
                    .hasMessageContaining("LAZY-1006")
                    .hasMessageContaining("zookeeper://host:2181");
        }
    }

    private LazyTablesServer server(int number, int count) {
        return LazyTablesServer.start(Map.of(
                "lazytables.registry", ensemble.location("run"),
                "lazytables.registry.session", SESSION,
                "lazytables.server.listen", "127.0.0.1:0",
                "lazytables.server.number", Integer.toString(number),
                "lazytables.server.count", Integer.toString(count)));
    }

    private LazyTables connect(Duration limit) {
        return LazyTables.builder()
                .option("lazytables.registry", ensemble.location("run"))
                .option("lazytables.registry.session", SESSION)
                .option("lazytables.retry.most", "200ms")
                .timeout(limit)
                .connect();
    }

    /** Adds one to each row in each of so many clocks; the sum of all rows. */
    private static long count(LazyTables tables, int clocks) {
        Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
        Worker worker = tables.worker(0);
        for (int clock = 0; clock < clocks; clock++) {
            for (long row = 0; row < ROWS; row++) {
                worker.increment(table, row, 0, 1);
            }
            worker.clock();
        }
        long sum = 0;
        for (long row = 0; row < ROWS; row++) {
            sum += worker.getLong(table, row, 0, 0);
        }
        return sum;
    }

    /** A server that is a process, at an address that the system chooses. */
    private final class Child implements AutoCloseable {

        private final Process process;
        private final String address;

        Child(int number, Path directory) throws IOException {
            Path log = Files.createTempFile(directory, "server-", ".log");
            // With a short session: the number of one that was killed is free when that is over.
            process = new ProcessBuilder(JavaProcess.command(
                            CLASS_PATH,
                            LazyTablesCommand.class.getName(),
                            List.of(
                                    "server",
                                    "--registry=" + ensemble.location("run"),
                                    "--registry.session=2s",
                                    "--server.listen=127.0.0.1:0",
                                    "--server.number=" + number,
                                    "--server.count=2",
                                    "--snapshot.interval=50ms",
                                    "--snapshot.directory=" + directory.resolve(Integer.toString(number)))))
                    .redirectError(log.toFile())
                    .start();
            String line = process.inputReader().readLine();
            if (line == null) {
                process.destroyForcibly();
                throw new IOException("the server did not begin: " + Files.readString(log));
            }
            address = line.substring("listening at ".length());
        }

        /** As {@code kill -9} does. */
        void kill() throws InterruptedException {
            process.destroyForcibly();
            process.waitFor();
        }

        @Override
        public void close() throws Exception {
            process.destroy();
            boolean ended = process.waitFor(1, TimeUnit.MINUTES);
            process.destroyForcibly();
            assertThat(ended).as("ends by itself").isTrue();
        }
    }
}
