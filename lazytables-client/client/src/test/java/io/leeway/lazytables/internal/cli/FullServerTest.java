package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.remote.StatusClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Server processes that are written full: who asks for more is told; one that has no memory all the same ends at once. */
@Timeout(120)
class FullServerTest {

    private static final int COLUMNS = 1_000;

    @Test
    void whoWritesMoreThanThereIsMemoryForIsToldAndTheServerGoesOn() throws Exception {
        try (ServerChild server = small("--processes=1")) {
            for (TableSpec spec : List.of(
                    TableSpec.dense(CellType.DOUBLE, COLUMNS),
                    TableSpec.dense(CellType.DOUBLE, COLUMNS).asStrict())) {
                LazyTables tables = connect(server);
                assertThatThrownBy(() -> fill(server, tables, spec))
                        .isInstanceOfSatisfying(
                                LazyTablesException.class,
                                e -> assertThat(e.code()).isEqualTo(Code.MEMORY))
                        .hasMessageContaining("lazytables.server.memory");
                tables.abandon();

                try (StatusClient asker = StatusClient.connect(
                        LazyTablesConfig.of(Map.of("lazytables.servers", server.address())), Duration.ofMinutes(1))) {
                    assertThat(asker.ask(Duration.ofMinutes(1)).processes()).hasSize(1);
                }
            }
        }
    }

    @Test
    void aServerThatHasNoMemoryLeftSaysSoAndEndsAtOnce() throws Exception {
        try (ServerChild server = small("--processes=1", "--server.memory=64GB")) {
            LazyTables tables = connect(server);
            assertThatThrownBy(() -> fill(server, tables, TableSpec.dense(CellType.DOUBLE, COLUMNS)))
                    .isInstanceOfAny(LazyTablesException.class, IllegalStateException.class);
            assertThat(server.awaitExit()).isEqualTo(3);
            assertThat(server.log()).contains("LAZY-1502: The server has no memory left and ends at once");
            tables.abandon();
        }
    }

    private static ServerChild small(String... options) throws Exception {
        return ServerChild.under(List.of("env", "JAVA_TOOL_OPTIONS=-Xmx64m"), options);
    }

    private static LazyTables connect(ServerChild server) {
        return LazyTables.builder()
                .option("lazytables.servers", server.address())
                .option("lazytables.resume", "true")
                .option("lazytables.kept.limit", "8MB")
                .timeout(Duration.ofSeconds(30))
                .connect();
    }

    private static void fill(ServerChild server, LazyTables tables, TableSpec spec) {
        Table table = tables.table(spec.strict() ? "strict" : "usual", spec.slack(1_000));
        Worker worker = tables.worker(0);
        double[] ones = new double[COLUMNS];
        Arrays.fill(ones, 1.5);
        for (long row = 0; server.isAlive(); row++) {
            worker.incrementRow(table, row, ones);
            worker.clock();
        }
        throw new IllegalStateException("the server has ended");
    }
}
