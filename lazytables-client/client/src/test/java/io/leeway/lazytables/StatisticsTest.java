package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What instances count, with real threads and servers inside. */
class StatisticsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 4);

    @Test
    void readsAreCountedByWhatAnsweredThemAndHowStaleTheyWere() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 1);
                LazyTables tables =
                        LazyTables.builder().servers(servers, 0).workers(2).connect()) {
            Table table = tables.table("t", SPEC);
            Worker first = tables.worker(0);
            Worker second = tables.worker(1);

            // From the server; then twice from the worker's own cache; by the other worker from the process's.
            first.read(table, 1, 0);
            first.read(table, 1, 0);
            first.read(table, 1, 0);
            second.read(table, 1, 0);
            assertThat(tables.statistics().reads()).isEqualTo(new Statistics.Reads(0, 0, 0));
            first.clock();
            second.clock();
            // The row that is cached is one and then two clocks behind.
            first.read(table, 1, 2);
            first.clock();
            second.clock();
            first.read(table, 1, 2);
            first.read(table, 1, 2);
            first.clock();

            Statistics statistics = tables.statistics();
            assertThat(statistics.reads()).isEqualTo(new Statistics.Reads(3, 3, 1));
            assertThat(statistics.staleness().subList(0, 4)).containsExactly(4L, 1L, 2L, 0L);
            assertThat(statistics.workers())
                    .extracting(Statistics.WorkerTimes::clocks)
                    .containsExactly(3, 2);
            assertThat(statistics.workers().get(0).waits()).isOne();
            assertThat(statistics.workers().get(0).waitNanos()).isPositive();
            assertThat(statistics.workers().get(1).waitNanos()).isZero();
            assertThat(statistics.workers())
                    .allSatisfy(times -> assertThat(times.computeNanos()).isPositive());
            assertThat(statistics.clocks().process()).isEqualTo(2);
            assertThat(statistics.clocks().global()).isBetween(0, 2);
            assertThat(statistics.traffic().messagesOut()).isPositive();
            assertThat(statistics.traffic().bytesIn())
                    .isGreaterThan(statistics.traffic().messagesIn());
        }
    }

    @Test
    void aWaitIsNotWork() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2);
                LazyTables one = LazyTables.builder()
                        .servers(servers, 0)
                        .timeout(Duration.ofMinutes(2))
                        .connect();
                LazyTables other = LazyTables.builder().servers(servers, 1).connect()) {
            Worker worker = one.worker(0);
            Table table = one.table("t", SPEC);
            worker.read(table, 0, 0);
            worker.clock();
            var slow = new Thread(() -> other.worker(0).clock());
            long began = System.nanoTime();
            // Asked before the other process has its clock, so the answer has to wait for that.
            worker.refresh(table, 0, 0, Refresh.CONSERVATIVE);
            slow.start();
            worker.read(table, 0, 0);
            long waited = System.nanoTime() - began;
            slow.join();
            worker.clock();

            Statistics.WorkerTimes times = one.statistics().workers().get(0);
            assertThat(times.waits()).isBetween(1L, 2L);
            assertThat(times.waitNanos()).isPositive();
            assertThat(times.waitNanos() + times.computeNanos()).isGreaterThanOrEqualTo(waited);
        }
    }

    @Test
    void rowsThatWereAskedForAheadAreUsefulOrUseless() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 1);
                LazyTables tables = LazyTables.builder().servers(servers, 0).connect()) {
            Table table = tables.table("t", SPEC);
            Worker worker = tables.worker(0);

            worker.refresh(table, 1, 0, Refresh.CONSERVATIVE);
            worker.refresh(table, 2, 0, Refresh.CONSERVATIVE);
            worker.read(table, 1, 0);
            // Answers come in the order of questions: this one comes behind that for row 2.
            worker.read(table, 3, 0);
            assertThat(tables.statistics().prefetched()).isEqualTo(new Statistics.Prefetched(1, 0));
            worker.clock();
            // A newer answer takes the place of the one that nobody used.
            worker.read(table, 2, 0);

            assertThat(tables.statistics().prefetched()).isEqualTo(new Statistics.Prefetched(1, 1));
        }
    }

    @Test
    void logsAreCountedUntilServersHaveThem() {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 1);
                LazyTables tables =
                        LazyTables.builder().servers(servers, 0).workers(2).connect()) {
            Table table = tables.table("t", SPEC);
            Worker first = tables.worker(0);
            for (int row = 0; row < 5; row++) {
                first.increment(table, row, 0, 1);
            }
            first.clock();

            // The other worker has not completed the clock.
            assertThat(tables.statistics().waiting().unsentRows()).isEqualTo(5);
            tables.worker(1).clock();
            assertThat(tables.statistics().waiting().unsentRows()).isZero();
            tables.worker(1).read(table, 0, 0);
            assertThat(tables.statistics().waiting()).isEqualTo(new Statistics.Waiting(0, 0, 0));
        }
    }

    /** Counting included. */
    @Test
    void aReadOrUpdateThatHitsAllocatesNothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table("t", SPEC);
            Worker worker = tables.worker(0);
            long sum = 0;
            // So often that what the compiler allocates is long behind.
            for (int round = 0; round < 30; round++) {
                sum += hit(worker, table);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            sum += hit(worker, table);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(sum).isPositive();
            // Less than one byte in a thousand calls: what asking costs.
            assertThat(allocated).isLessThan(200);
        }
    }

    private static long hit(Worker worker, Table table) {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            worker.increment(table, 7, i & 3, 1);
            sum += worker.getLong(table, 7, i & 3, 0);
        }
        return sum;
    }
}
