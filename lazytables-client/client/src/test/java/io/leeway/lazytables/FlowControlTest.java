package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Far more than may wait for a connection, to who takes it slowly or is lost in the midst of it. */
@Timeout(300)
class FlowControlTest {

    private static final int ROWS = 3_000;
    private static final int COLUMNS = 1_000;
    private static final long MEGABYTE = 1 << 20;
    private static final TableSpec SPEC = TableSpec.dense(CellType.DOUBLE, COLUMNS);
    private static final double[] ONES = new double[COLUMNS];

    static {
        Arrays.fill(ONES, 1);
    }

    /** Six times what may wait: workers wait for the server, and the connection stays. */
    @Test
    void aLargeClockGoesToAServerThatReadsSlowly() throws Exception {
        try (LazyTablesServer server = server(1);
                SlowPipe pipe = new SlowPipe(server.address());
                LazyTables tables = settings(pipe.address(), 0, 1)
                        .option("lazytables.kept.limit", "1MB")
                        .connect()) {
            Table table = tables.table("t", SPEC);
            Worker worker = tables.worker(0);
            pipe.toServer.hold();
            addOnes(worker, table);
            CompletableFuture<Void> clock = CompletableFuture.runAsync(worker::clock);
            for (int i = 0; i < 6; i++) {
                pipe.toServer.pass(MEGABYTE);
                assertThat(clock).isNotDone();
            }
            pipe.toServer.release();
            clock.get(1, TimeUnit.MINUTES);

            assertAll(worker, table, 1);
            assertThat(pipe.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeClockThatIsCutInItsMidstCountsOnce(boolean resume) throws Exception {
        try (LazyTablesServer first = server(1);
                LazyTablesServer second = server(1);
                SlowPipe pipe = new SlowPipe(first.address());
                LazyTables tables = settings(pipe.address() + "," + second.address(), 0, 1)
                        .option("lazytables.resume", Boolean.toString(resume))
                        .option("lazytables.retry.first", "5ms")
                        .option("lazytables.retry.most", "50ms")
                        .connect()) {
            Table table = tables.table("t", SPEC.slack(TableSpec.ASYNC));
            Worker worker = tables.worker(0);
            for (int clock = 1; clock <= 3; clock++) {
                pipe.toServer.hold();
                addOnes(worker, table);
                worker.clock();
                pipe.toServer.pass(2 * MEGABYTE);
                pipe.cut();
                pipe.toServer.pass(3 * MEGABYTE);
                pipe.cut();
                pipe.toServer.release();
            }

            assertAll(worker, table, 3);
            assertThat(pipe.connections()).isGreaterThan(6);
        }
    }

    @Test
    void aClockThatWaitsForAServerIsNoWork() throws Exception {
        try (LazyTablesServer server = server(1);
                SlowPipe pipe = new SlowPipe(server.address());
                LazyTables tables = settings(pipe.address(), 0, 1)
                        .option("lazytables.kept.limit", "1MB")
                        .connect()) {
            Table table = tables.table("t", SPEC);
            Worker worker = tables.worker(0);
            pipe.toServer.hold();
            addOnes(worker, table);
            Thread clocking = new Thread(worker::clock);
            clocking.start();
            awaitWaiting(clocking);
            long begin = System.nanoTime();
            pipe.toServer.pass(MEGABYTE);
            assertThat(clocking.isAlive()).isTrue();
            long waited = System.nanoTime() - begin;
            pipe.toServer.release();
            clocking.join();
            worker.clock();

            assertThat(tables.statistics().workers().get(0).waitNanos()).isGreaterThanOrEqualTo(waited);
        }
    }

    /** What came behind the end would be refused, with all that the close waits for. */
    @Test
    void nothingIsCompletedAnyMoreWhileAnInstanceCloses() throws Exception {
        try (LazyTablesServer server = server(1);
                SlowPipe pipe = new SlowPipe(server.address());
                LazyTables tables = settings(pipe.address(), 0, 1).connect()) {
            Table table = tables.table("t", SPEC);
            Worker worker = tables.worker(0);
            pipe.toServer.hold();
            addOnes(worker, table);
            worker.clock();
            var failed = new AtomicReference<Throwable>();
            Thread closing = new Thread(tables::close);
            closing.setUncaughtExceptionHandler((thread, failure) -> failed.set(failure));
            closing.start();
            awaitWaiting(closing);

            worker.increment(table, 0, 0, 1.0);
            assertThatExceptionOfType(LazyTablesException.class)
                    .isThrownBy(worker::clock)
                    .satisfies(refused -> assertThat(refused.code()).isEqualTo(LazyTablesException.Code.CLOSED));
            assertThatExceptionOfType(LazyTablesException.class).isThrownBy(worker::end);
            pipe.toServer.release();
            closing.join();
            assertThat(failed).hasNullValue();
        }
    }

    private static void awaitWaiting(Thread thread) {
        await().atMost(1, TimeUnit.MINUTES).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void manyAnswersGoToAReaderThatReadsSlowly() throws Exception {
        try (LazyTablesServer server = server(2);
                SlowPipe pipe = new SlowPipe(server.address());
                LazyTables reading = settings(pipe.address(), 0, 2).connect();
                LazyTables writing = settings(server.address().toString(), 1, 2).connect()) {
            Table written = writing.table("t", SPEC);
            addOnes(writing.worker(0), written);
            writing.worker(0).clock();
            Table table = reading.table("t", SPEC);
            Worker reader = reading.worker(0);
            reader.clock();
            // Nothing is under way any more.
            assertThat(reader.get(table, 0, 0, 0)).isEqualTo(1);

            pipe.toClient.hold();
            reader.refresh(table, LongStream.range(0, ROWS).toArray(), 0, Refresh.AGGRESSIVE);
            takeSlowly(pipe);

            assertAll(reader, table, 1);
            assertThat(pipe.connections()).isEqualTo(1);
        }
    }

    @Test
    void manyRowsThatChangeGoToAReaderThatReadsSlowly() throws Exception {
        try (LazyTablesServer server = server(2);
                SlowPipe pipe = new SlowPipe(server.address());
                LazyTables reading = settings(pipe.address(), 0, 2)
                        .prefetch(Prefetch.pushed())
                        .connect();
                LazyTables writing = settings(server.address().toString(), 1, 2).connect()) {
            Table written = writing.table("t", SPEC);
            addOnes(writing.worker(0), written);
            writing.worker(0).clock();
            Table table = reading.table("t", SPEC);
            Worker reader = reading.worker(0);
            reader.clock();
            assertAll(reader, table, 1);

            pipe.toClient.hold();
            addOnes(writing.worker(0), written);
            writing.worker(0).clock();
            reader.clock();
            takeSlowly(pipe);

            assertAll(reader, table, 2);
            assertThat(pipe.connections()).isEqualTo(1);
        }
    }

    private static void takeSlowly(SlowPipe pipe) throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            pipe.toClient.pass(MEGABYTE);
        }
        pipe.toClient.release();
    }

    private static void addOnes(Worker worker, Table table) {
        for (int row = 0; row < ROWS; row++) {
            worker.incrementRow(table, row, ONES);
        }
    }

    private static void assertAll(Worker reader, Table table, double expected) {
        for (int row = 0; row < ROWS; row++) {
            RowView view = reader.read(table, row, 0);
            assertThat(view.get(0)).as("row %s", row).isEqualTo(expected);
            assertThat(view.get(COLUMNS - 1)).as("row %s", row).isEqualTo(expected);
        }
    }

    private static LazyTablesServer server(int processes) {
        return LazyTablesServer.start(Map.of(
                "lazytables.server.listen",
                "127.0.0.1:0",
                "lazytables.processes",
                Integer.toString(processes),
                "lazytables.frame.limit",
                "2MB",
                "lazytables.send.watermark",
                "64KB",
                "lazytables.send.limit",
                "4MB"));
    }

    private static LazyTables.Builder settings(String servers, int process, int processes) {
        return LazyTables.builder()
                .option("lazytables.servers", servers)
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", Integer.toString(processes))
                .option("lazytables.frame.limit", "2MB")
                .option("lazytables.send.watermark", "64KB")
                .option("lazytables.send.limit", "4MB")
                .timeout(java.time.Duration.ofMinutes(1));
    }
}
