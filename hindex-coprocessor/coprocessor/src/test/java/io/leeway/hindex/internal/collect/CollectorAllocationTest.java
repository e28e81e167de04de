package io.leeway.hindex.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The collector makes no object for a cell: compactions read millions. */
class CollectorAllocationTest {

    private static final int ROWS = 20_000;
    private static final int[] FOLLOWS = {1};

    @Test
    void noObjectIsMadeForACell() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        // Classes are loaded and linked by the first run.
        run(new Quiet(2).collector, 1);

        long before = threads.getThreadAllocatedBytes(thread);
        var quiet = new Quiet(2);
        long kept = run(quiet.collector, ROWS);
        long allocated = threads.getThreadAllocatedBytes(thread) - before;

        assertThat(kept).isEqualTo(2L * ROWS);
        assertThat(quiet.acknowledged).isEqualTo(2 * ROWS);
        // Six cells a row: a byte for each would be more than ten times this.
        assertThat(allocated).isLessThan(10_000);
    }

    /** A row with a family tombstone, a column tombstone and four versions, of which two are kept. */
    private static long run(Collector<String, RuntimeException> collector, int rows) {
        long kept = 0;
        long seq = 1;
        for (int row = 0; row < rows; row++) {
            collector.row();
            collector.cell(CellKind.DELETE_FAMILY, 1, seq++, "family");
            collector.column(FOLLOWS);
            for (int ts = 9; ts > 5; ts--) {
                kept += collector.cell(CellKind.PUT, ts, seq++, "put") ? 1 : 0;
            }
            collector.cell(CellKind.DELETE_COLUMN, 2, seq++, "column");
        }
        return kept;
    }

    /** A collector whose receiver makes nothing either. */
    private static final class Quiet {

        private final Collector<String, RuntimeException> collector;
        private int acknowledged;

        Quiet(int versions) {
            this.collector = new Collector<>(
                    Retention.strictMajor(versions), (index, cell, fresh, mustAck) -> acknowledged += mustAck ? 1 : 0);
        }
    }
}
