package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesException.Code;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances that end as if their process had died, in a Java machine that lives. */
@Timeout(120)
class AbandonTest {

    private static final int CLOCKS = 20;
    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1);

    @Test
    void whoTakesThePlaceGoesOnAndNoClockIsMissing() throws Exception {
        try (LazyTablesServer server = LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "2"))) {
            CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> {
                try (LazyTables tables = connect(server, 0)) {
                    return count(tables, CLOCKS);
                }
            });
            for (int attempt = 1; attempt <= 3; attempt++) {
                LazyTables abandoned = connect(server, 1);
                count(abandoned, 4 * attempt);
                abandoned.abandon();
                abandoned.close();
                assertThatThrownBy(() -> abandoned.worker(0).clock())
                        .isInstanceOfSatisfying(
                                LazyTablesException.class,
                                e -> assertThat(e.code()).isEqualTo(Code.CLOSED));
            }

            try (LazyTables last = connect(server, 1)) {
                assertThat(last.worker(0).clocks()).isBetween(11, 12);
                assertThat(count(last, CLOCKS)).isEqualTo(2 * CLOCKS);
            }
            assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(2 * CLOCKS);
        }
    }

    @Test
    void whoWaitsIsToldAtOnce() throws Exception {
        try (LazyTablesServer server = LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "2"))) {
            LazyTables tables = connect(server, 0);
            Table table = tables.table("counts", SPEC);
            // What is read at clock 1 waits for the other process, which does not come.
            tables.worker(0).clock();
            CompletableFuture<Long> waiting =
                    CompletableFuture.supplyAsync(() -> tables.worker(0).getLong(table, 0, 0));
            // A read that begins behind the end would be told, too, without a wait.
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> tables.statistics().waiting().askedRows() == 1);
            tables.abandon();

            assertThat(waiting.handle((value, failed) -> failed).get(1, TimeUnit.MINUTES))
                    .hasRootCauseInstanceOf(LazyTablesException.class)
                    .hasStackTraceContaining("This instance was abandoned");
        }
    }

    private static LazyTables connect(LazyTablesServer server, int process) {
        return LazyTables.builder()
                .option("lazytables.servers", server.address().toString())
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", "2")
                .option("lazytables.resume", "true")
                .timeout(Duration.ofMinutes(1))
                .connect();
    }

    /** Adds one a clock up to so many clocks, each with a read of the last; what there is at the end, if all are done. */
    private static long count(LazyTables tables, int clocks) {
        Table table = tables.table("counts", SPEC);
        Worker worker = tables.worker(0);
        while (worker.clocks() < clocks) {
            worker.getLong(table, 0, 0);
            worker.increment(table, 0, 0, 1);
            worker.clock();
        }
        return clocks < CLOCKS ? -1 : worker.getLong(table, 0, 0);
    }
}
