package io.leeway.hindex.internal.collect;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What deciding about a cell costs a compaction: the pass over the cells alone, with the collector where no column is indexed,
 * and where the only one is. In the package of what it measures, which nobody else may use. With {@code -prof gc} also that
 * nothing is allocated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // Set by fill.
public class CollectorBenchmark {

    private static final int CELLS = 100_000;
    private static final int[] NONE = {};
    private static final int[] ONE = {1};

    /** Versions of each cell, of which one is kept. */
    @Param({"1", "3"})
    int versions;

    private final CellKind[] kinds = new CellKind[CELLS];
    private final long[] timestamps = new long[CELLS];
    private final long[] seqs = new long[CELLS];

    /** Makes rows of one column; one in a hundred begins with a tombstone. */
    @Setup(Level.Trial)
    public void fill() {
        var random = new Random(1);
        for (int i = 0; i < CELLS; i++) {
            boolean tombstone = i % versions == 0 && random.nextInt(100) == 0;
            kinds[i] = tombstone ? CellKind.DELETE_COLUMN : CellKind.PUT;
            timestamps[i] = 1_000L - i % versions;
            seqs[i] = random.nextLong(CELLS);
        }
    }

    /** The pass alone. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public long raw() {
        long sum = 0;
        for (int i = 0; i < CELLS; i++) {
            sum += kinds[i] == CellKind.PUT ? timestamps[i] : seqs[i];
        }
        return sum;
    }

    /** A column without an index. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public long collectedWithoutIndex() {
        return collect(NONE);
    }

    /** A column with one. */
    @Benchmark
    @OperationsPerInvocation(CELLS)
    public long collectedWithIndex() {
        return collect(ONE);
    }

    private long collect(int[] follows) {
        var counter = new Counter();
        var collector = new Collector<CellKind, RuntimeException>(Retention.strictMajor(1), counter);
        long kept = 0;
        for (int i = 0; i < CELLS; i++) {
            if (i % versions == 0) {
                collector.row();
                collector.column(follows);
            }
            kept += collector.cell(kinds[i], timestamps[i], seqs[i], kinds[i]) ? 1 : 0;
        }
        return kept + counter.removed;
    }

    private static final class Counter implements Collector.Obsolete<CellKind, RuntimeException> {

        private long removed;

        @Override
        public void obsolete(int index, CellKind cell, @Nullable CellKind fresh, boolean mustAck) {
            removed++;
        }
    }
}
