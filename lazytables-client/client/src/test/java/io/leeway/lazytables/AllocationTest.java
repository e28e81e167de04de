package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a worker does most takes no memory. */
class AllocationTest {

    private static final int OPERATIONS = 100_000;
    /** What the measuring itself may take. */
    private static final long LITTLE = 10_000;

    @Test
    void cachedReadsAndUpdatesOfTouchedCellsAllocateNothing() {
        for (TableSpec spec : List.of(
                TableSpec.dense(CellType.DOUBLE, 50),
                TableSpec.dense(CellType.FLOAT, 500),
                TableSpec.sparse(CellType.INT),
                TableSpec.sparse(CellType.LONG))) {
            try (LazyTables tables = LazyTables.connect()) {
                Table read = tables.table("read", spec);
                Table written = tables.table("written", spec);
                Worker worker = tables.worker(0);
                for (long row = 0; row < 10; row++) {
                    worker.increment(read, row, 0, 1L);
                }
                worker.clock();
                for (long row = 0; row < 10; row++) {
                    worker.read(read, row);
                }
                work(worker, read, written, 100);

                long before = allocated();
                work(worker, read, written, OPERATIONS);
                assertThat(allocated() - before).as("%s", spec).isLessThan(LITTLE);
            }
        }
    }

    private static void work(Worker worker, Table read, Table written, int operations) {
        for (int i = 0; i < operations; i++) {
            long row = i % 10;
            int column = i % 50;
            worker.increment(read, row, column, 1L);
            worker.increment(written, row, column, 1L);
            if (worker.getLong(read, row, column) < 1 || worker.get(read, row, column) < 1) {
                throw new AssertionError("an own write is missing");
            }
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
