package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs whose processes have ended, each in its own way, and that go on: every process where it was, and none without the others. */
@Timeout(120)
class ResumedRunTest {

    private static final int FIRST = 5;
    private static final int SECOND = 20;
    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 1);

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Test
    void whoComesFirstAfterAnOrderlyEndWaitsForTheOthers() throws Exception {
        try (LazyTablesServer server = server(2)) {
            together(List.of(server), 2, FIRST, 2L * FIRST);

            var ahead = new CountDownLatch(1);
            Future<Long> first = threads.submit(() -> work(List.of(server), 0, 2, SECOND, true, ahead));
            // It has come, and goes on as far as it may before the other one comes.
            assertThat(ahead.await(1, TimeUnit.MINUTES)).isTrue();
            Future<Long> second = threads.submit(() -> work(List.of(server), 1, 2, SECOND, true));

            assertThat(result(first)).isEqualTo(2L * SECOND);
            assertThat(result(second)).isEqualTo(2L * SECOND);
        }
    }

    @Test
    void inWhateverOrderTheyEndAndComeBackNothingIsLost() throws Exception {
        RandomGenerator random = Seeds.random("ends and comes back");
        for (int round = 0; round < 20; round++) {
            int processes = 2 + random.nextInt(2);
            try (LazyTablesServer even = server(processes);
                    LazyTablesServer odd = server(processes)) {
                List<LazyTablesServer> servers = List.of(even, odd);
                List<Future<Long>> all = new ArrayList<>();
                // All are done, or all leave a place; each comes back at once, whatever others do.
                boolean done = random.nextInt(3) > 0;
                for (int p = 0; p < processes; p++) {
                    int process = p;
                    all.add(threads.submit(() -> {
                        work(servers, process, processes, FIRST, done);
                        return work(servers, process, processes, SECOND, true);
                    }));
                }
                for (Future<Long> each : all) {
                    assertThat(result(each)).isEqualTo((long) processes * SECOND);
                }
            }
        }
    }

    private void together(List<LazyTablesServer> servers, int processes, int clocks, long total) throws Exception {
        List<Future<Long>> all = new ArrayList<>();
        for (int p = 0; p < processes; p++) {
            int process = p;
            all.add(threads.submit(() -> work(servers, process, processes, clocks, true)));
        }
        for (Future<Long> each : all) {
            assertThat(result(each)).isEqualTo(total);
        }
    }

    private static long result(Future<Long> of) throws Exception {
        return of.get(1, TimeUnit.MINUTES);
    }

    private static LazyTablesServer server(int processes) {
        return LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", Integer.toString(processes)));
    }

    /** Adds one a clock, in step with the others, up to so many clocks; what there is then. */
    private static long work(List<LazyTablesServer> servers, int process, int processes, int clocks, boolean done) {
        return work(servers, process, processes, clocks, done, new CountDownLatch(1));
    }

    private static long work(
            List<LazyTablesServer> servers,
            int process,
            int processes,
            int clocks,
            boolean done,
            CountDownLatch ahead) {
        try (LazyTables tables = LazyTables.builder()
                .option(
                        "lazytables.servers",
                        String.join(
                                ",",
                                servers.stream()
                                        .map(each -> each.address().toString())
                                        .toList()))
                .option("lazytables.process", Integer.toString(process))
                .option("lazytables.processes", Integer.toString(processes))
                .option("lazytables.resume", "true")
                .timeout(Duration.ofMinutes(1))
                .connect()) {
            Table table = tables.table("counts", COUNTS);
            Worker worker = tables.worker(0);
            while (worker.clocks() < clocks) {
                worker.getLong(table, worker.clocks() % 3, 0, 0);
                worker.increment(table, 0, 0, 1);
                worker.clock();
                if (worker.clocks() == FIRST + 1) {
                    ahead.countDown();
                }
            }
            long total = worker.getLong(table, 0, 0, 0);
            if (done) {
                tables.end();
            }
            return total;
        }
    }
}
