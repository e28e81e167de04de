package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.testkit.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are processes, and clients that count in their tables; some are killed. */
@Timeout(300)
class ServerCommandTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int CLOCKS = 200;

    @Test
    void processesCountTogetherInTablesOfTwoServers() throws Exception {
        try (ServerChild first = new ServerChild("--processes=2");
                ServerChild second = new ServerChild("--processes=2")) {
            String servers = first.address() + "," + second.address();
            CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> count(servers, 1));
            long total = count(servers, 0);

            // Ten rows, of which each server has some; each process adds one to each in each clock.
            assertThat(total).isEqualTo(2L * 10 * CLOCKS);
            assertThat(other.get(2, TimeUnit.MINUTES)).isEqualTo(total);
        }
    }

    @Test
    void aServerThatIsKilledIsSaidByWhoWaitsForIt() throws Exception {
        try (ServerChild server = new ServerChild("--processes=1");
                // Runs out twice; what comes before that is to be done within it.
                LazyTables tables = connect(server.address(), 0, 1, Duration.ofSeconds(10))) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            worker.increment(table, 1, 0, 1);
            worker.clock();
            assertThat(worker.getLong(table, 1, 0, 0)).isEqualTo(1);

            server.kill();

            assertThatThrownBy(() -> worker.getLong(table, 2, 0, 0))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isIn(Code.TIMEOUT, Code.FAILED));
            assertThatThrownBy(tables::close)
                    .hasMessageContaining("server 0, which is not connected, lacks that this process ends");
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> connect("127.0.0.1:1", 0, 1, Duration.ofSeconds(10)))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("LAZY-1402")
                .hasMessageContaining("127.0.0.1:1 cannot be reached");
    }

    @Test
    void aTokenFileIsAskedForAtOnce(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "correct horse battery\n");
        Path config = Files.writeString(
                directory.resolve("server.properties"),
                "lazytables.token.file=" + token + "\nlazytables.heartbeat=1s\n");
        try (ServerChild server = new ServerChild("--config=" + config)) {
            assertThatThrownBy(() -> connect(server.address(), 0, 1, Duration.ofMinutes(2)))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TOKEN));
            try (LazyTables tables = LazyTables.builder()
                    .option("lazytables.servers", server.address())
                    .option("lazytables.token.file", token.toString())
                    .connect()) {
                assertThat(tables.workers()).isEqualTo(1);
            }
        }
    }

    @Test
    void wrongArgumentsEndWithWhatIsWrong() {
        JavaProcess.Result none = run();
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.output()).contains("lazytables server");
        JavaProcess.Result unknown = run("serve");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.output()).contains("there is no command serve");
        JavaProcess.Result key = run("server", "--heartbeats=1s", "--processes=0");
        assertThat(key.exitCode()).isEqualTo(2);
        assertThat(key.output())
                .contains("LAZY-1006: unknown option lazytables.heartbeats, did you mean lazytables.heartbeat?")
                .contains("lazytables.processes=0 is not allowed");
        JavaProcess.Result open = run("server", "--server.listen=0.0.0.0:0");
        assertThat(open.exitCode()).isEqualTo(2);
        assertThat(open.output()).contains("there is no token");
    }

    private static JavaProcess.Result run(String... arguments) {
        return JavaProcess.run(CLASS_PATH, LazyTablesCommand.class.getName(), arguments);
    }

    private static LazyTables connect(String servers, int process, int processes, Duration limit) {
        return LazyTables.builder()
                .option("lazytables.servers", servers)
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", Integer.toString(processes))
                .timeout(limit)
                .connect();
    }

    /** One process of two. */
    private static long count(String servers, int process) {
        try (LazyTables tables = connect(servers, process, 2, Duration.ofMinutes(2))) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            for (int i = 0; i < CLOCKS; i++) {
                for (long row = 0; row < 10; row++) {
                    worker.increment(table, row, 0, 1);
                }
                worker.clock();
            }
            long total = 0;
            for (long row = 0; row < 10; row++) {
                total += worker.getLong(table, row, 0, 0);
            }
            // Leaves when the other has read too: the one that goes would take its clock with it.
            worker.clock();
            worker.getLong(table, 0, 0, 0);
            return total;
        }
    }
}
