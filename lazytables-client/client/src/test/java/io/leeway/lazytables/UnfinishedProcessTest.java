package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that leave their try statement by an exception: they are not done, and the others hear of it. */
@Timeout(120)
class UnfinishedProcessTest {

    private static final int CLOCKS = 10;
    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 1);

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Test
    void whoWaitsForOneThatFailedIsToldAtOnceAndPrintsNoResult() throws Exception {
        try (LazyTablesServer server = server(Map.of())) {
            Future<Long> other = threads.submit(() -> train(server, 0, Map.of(), CLOCKS));

            assertThatThrownBy(() -> train(server, 1, Map.of(), 4)).isInstanceOf(IllegalStateException.class);

            // Long before the time limit, which is longer than the test's.
            fails(other, Code.UNFINISHED, "process 1 closed at clock 4 before it was done");
        }
    }

    @Test
    void readsWithinARadiusAreToldToo() throws Exception {
        try (LazyTablesServer server = server(Map.of());
                LazyTables other = connect(server, 0, Map.of())) {
            Table table = other.table("limited", COUNTS.maxStep(1));
            other.worker(0).clock();
            other.worker(0).clock();
            Future<Long> read =
                    threads.submit(() -> other.worker(0).readWithin(table, 0, 1).getLong(0));

            connect(server, 1, Map.of()).close();

            fails(read, Code.UNFINISHED, "process 1 closed at clock 0 before it was done");
            // What does not need more of it than there is can be had.
            assertThat(other.worker(0).readWithin(table, 1, 2).getLong(0)).isZero();
        }
    }

    @Test
    void whoIsDoneIsNotWaitedFor() throws Exception {
        try (LazyTablesServer server = server(Map.of())) {
            Future<Long> other = threads.submit(() -> train(server, 0, Map.of(), CLOCKS));
            try (LazyTables early = connect(server, 1, Map.of())) {
                count(early, 4);
                early.end();
            }

            assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(CLOCKS + 4);
        }
    }

    @Test
    void anEndOfOnlySomeWorkersIsNoEndOfTheProcess() throws Exception {
        try (LazyTablesServer server = server(Map.of())) {
            Future<Long> other = threads.submit(() -> train(server, 0, Map.of(), CLOCKS));
            try (LazyTables two = LazyTables.builder()
                    .options(options(server, 1))
                    .workers(2)
                    .timeout(Duration.ofHours(1))
                    .connect()) {
                two.table("counts", COUNTS);
                two.worker(0).end();
            }

            fails(other, Code.UNFINISHED, "process 1 closed at clock 0");
        }
    }

    @Test
    void whoResumesGoesOnWhereOneThatFailedWas() throws Exception {
        Map<String, String> resumes = Map.of("lazytables.resume", "true");
        try (LazyTablesServer server = server(Map.of())) {
            Future<Long> other = threads.submit(() -> train(server, 0, resumes, CLOCKS));
            assertThatThrownBy(() -> train(server, 1, resumes, 4)).isInstanceOf(IllegalStateException.class);

            try (LazyTables successor = connect(server, 1, resumes)) {
                assertThat(successor.worker(0).clocks()).isEqualTo(4);
                assertThat(count(successor, CLOCKS)).isEqualTo(2 * CLOCKS);
            }
            assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(2 * CLOCKS);
        }
    }

    @Test
    void whereTheAbsentAreDroppedTheOthersGoOnThen() throws Exception {
        try (LazyTablesServer server = server(Map.of("lazytables.server.expire", "100ms"))) {
            Future<Long> other = threads.submit(() -> train(server, 0, Map.of(), CLOCKS));
            assertThatThrownBy(() -> train(server, 1, Map.of(), 4)).isInstanceOf(IllegalStateException.class);

            assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(CLOCKS + 4);
        }
    }

    private static void fails(Future<?> waiting, Code code, String why) {
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .asInstanceOf(InstanceOfAssertFactories.throwable(LazyTablesException.class))
                .hasMessageContaining(why)
                .extracting(LazyTablesException::code)
                .isEqualTo(code);
    }

    /** The pattern of the quick start; fails behind its last clock unless that is the last of all. */
    private static long train(LazyTablesServer server, int process, Map<String, String> more, int clocks) {
        try (LazyTables tables = connect(server, process, more)) {
            long total = count(tables, clocks);
            if (clocks < CLOCKS) {
                throw new IllegalStateException("a fault of the program");
            }
            tables.end();
            return total;
        }
    }

    private static long count(LazyTables tables, int clocks) {
        Table table = tables.table("counts", COUNTS);
        Worker worker = tables.worker(0);
        while (worker.clocks() < clocks) {
            worker.getLong(table, 0, 0, 0);
            worker.increment(table, 0, 0, 1);
            worker.clock();
        }
        return clocks < CLOCKS ? -1 : worker.getLong(table, 0, 0, 0);
    }

    private static LazyTablesServer server(Map<String, String> more) {
        var options = new java.util.HashMap<>(more);
        options.put("lazytables.server.listen", "127.0.0.1:0");
        options.put("lazytables.processes", "2");
        return LazyTablesServer.start(options);
    }

    private static Map<String, String> options(LazyTablesServer server, int process) {
        return Map.of(
                "lazytables.servers", server.address().toString(),
                "lazytables.process", Integer.toString(process),
                "lazytables.processes", "2");
    }

    private static LazyTables connect(LazyTablesServer server, int process, Map<String, String> more) {
        return LazyTables.builder()
                .options(options(server, process))
                .options(more)
                .timeout(Duration.ofHours(1))
                .connect();
    }
}
