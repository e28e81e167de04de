package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesException.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Workers that are done before others, of one process and of processes with servers of their own. */
class EndedWorkerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CLOCKS = 20;
    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 1);

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Test
    void threadsOfItsProcessGoOn() throws Exception {
        for (TableSpec spec : List.of(COUNTS, COUNTS.asStrict(), COUNTS.maxStep(1))) {
            try (LazyTables tables = LazyTables.builder()
                    .workers(3)
                    .embeddedServers(2)
                    .timeout(PATIENCE)
                    .connect()) {
                Table table = tables.table("t", spec);
                int[] clocks = {CLOCKS, 3, CLOCKS};

                assertThat(count(tables, table, clocks)).containsOnly(2L * CLOCKS + 3);
                assertThat(tables.worker(1).clocks()).isEqualTo(3);
                assertThat(tables.statistics().clocks().process()).isEqualTo(CLOCKS);
            }
        }
    }

    @Test
    void otherProcessesGoOnWithoutOneWhoseWorkersHaveEnded() throws Exception {
        try (LazyTablesServer even = server();
                LazyTablesServer odd = server();
                LazyTables first = connect(0, even, odd);
                LazyTables second = connect(1, even, odd)) {
            // One of them is ahead of the other when it ends: nothing of that is lost.
            Worker ahead = second.worker(0);
            Worker behind = second.worker(1);
            Table others = second.table("t", COUNTS);
            for (int clock = 0; clock < 7; clock++) {
                ahead.increment(others, 0, 0, 1);
                ahead.clock();
            }
            ahead.end();
            behind.increment(others, 0, 0, 1);
            behind.clock();
            behind.end();

            assertThat(count(first, first.table("t", COUNTS), new int[] {CLOCKS, CLOCKS}))
                    .containsOnly(2L * CLOCKS + 8);
            assertThat(second.statistics().clocks().process()).isEqualTo(7);
        }
    }

    @Test
    void aReadThatWaitsForItIsAnsweredWhenItEnds() throws Exception {
        try (LazyTables tables =
                LazyTables.builder().workers(2).timeout(PATIENCE).connect()) {
            Table table = tables.table("t", COUNTS);
            Worker reader = tables.worker(0);
            Worker other = tables.worker(1);
            reader.clock();
            Future<Long> read = threads.submit(() -> reader.getLong(table, 0, 0));
            await().atMost(PATIENCE).until(() -> tables.statistics().waiting().askedRows() == 1);

            other.increment(table, 0, 0, 5);
            other.end();

            // What it did since its last clock is a clock of its own.
            assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(5);
            assertThat(other.clocks()).isEqualTo(1);
        }
    }

    @Test
    void whoIsAheadOfItAtTheLimitGoesOn() throws Exception {
        try (LazyTables tables = LazyTables.builder()
                .workers(2)
                .option("lazytables.kept.limit", "1MB")
                .timeout(PATIENCE)
                .connect()) {
            Table table = tables.table("t", TableSpec.dense(CellType.DOUBLE, 10_000));
            Worker fast = tables.worker(0);
            double[] ones = new double[10_000];
            Arrays.fill(ones, 1);
            Future<?> work = threads.submit(() -> {
                for (int clock = 0; clock < 200; clock++) {
                    fast.incrementRow(table, clock, ones);
                    fast.clock();
                }
            });
            await().atMost(PATIENCE).until(() -> tables.statistics().waiting().unsentRows() > 5);

            tables.worker(1).end();

            work.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(fast.get(table, 199, 0)).isEqualTo(1);
        }
    }

    @Test
    void nothingIsDoneByOneThatHasEnded() {
        try (LazyTables tables = LazyTables.builder().workers(2).connect()) {
            Table table = tables.table("t", COUNTS);
            Worker worker = tables.worker(0);
            worker.increment(table, 0, 0, 1);
            assertThat(worker.getLong(table, 0, 0)).isEqualTo(1);
            worker.end();
            worker.end();

            refused(() -> worker.getLong(table, 0, 0));
            refused(() -> worker.read(table, 1, TableSpec.ASYNC));
            refused(() -> worker.increment(table, 0, 0, 1));
            refused(() -> worker.put(table, 1, 0, 1));
            refused(() -> worker.refresh(table, 0, 0, Refresh.AGGRESSIVE));
            refused(worker::clock);
            assertThat(worker.clocks()).isEqualTo(1);
            tables.worker(1).clock();
            assertThat(tables.worker(1).getLong(table, 0, 0)).isEqualTo(1);
        }
    }

    @Test
    void aStepThatIsTooLongIsRefusedBeforeTheEnd() {
        try (LazyTables tables = LazyTables.builder().workers(2).connect()) {
            Table table = tables.table("t", COUNTS.maxStep(1));
            Worker worker = tables.worker(0);
            worker.increment(table, 0, 0, 2);

            assertThatThrownBy(worker::end)
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.STEP_TOO_LONG));
            worker.increment(table, 0, 0, -1);
            worker.end();
            tables.worker(1).clock();
            assertThat(tables.worker(1).readWithin(table, 0, 0).getLong(0)).isEqualTo(1);
        }
    }

    private static LazyTablesServer server() {
        return LazyTablesServer.start(Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "2"));
    }

    private static LazyTables connect(int process, LazyTablesServer even, LazyTablesServer odd) {
        return LazyTables.builder()
                .option("lazytables.servers", even.address() + "," + odd.address())
                .option("lazytables.processes", "2")
                .option("lazytables.process", Integer.toString(process))
                .workers(2)
                .timeout(PATIENCE)
                .connect();
    }

    /** Each worker counts for so many clocks, in each of which it reads with slack 0, and ends unless it is of those that go on longest; what these read in the end. */
    private List<Long> count(LazyTables tables, Table table, int[] clocks) throws Exception {
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int w = 0; w < clocks.length; w++) {
            Worker worker = tables.worker(w);
            int own = clocks[w];
            tasks.add(() -> {
                for (int clock = 0; clock < own; clock++) {
                    worker.getLong(table, 0, 0, 0);
                    worker.increment(table, 0, 0, 1);
                    worker.clock();
                }
                if (own < CLOCKS) {
                    worker.end();
                    return -1L;
                }
                return worker.getLong(table, 0, 0, 0);
            });
        }
        List<Long> results = new ArrayList<>();
        for (Future<Long> task : tasks.stream().map(threads::submit).toList()) {
            results.add(task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        results.removeIf(result -> result < 0);
        return results;
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.MISUSED))
                .hasMessageContaining("Worker 0 of this process has ended, after 1 clocks");
    }
}
