package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a worker does most, on rows that it has cached, and on rows that it only updates: cells of rows some of which are far more frequent than others (Zipf's law), in random order. With {@code -prof gc}
 * also what it allocates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // Set by open.
public class WorkerBenchmark {

    private static final int ROWS = 1_000;
    private static final int COLUMNS = 100;
    private static final int CELLS = 1 << 16;
    private static final int MASK = CELLS - 1;
    /** Columns of sparse rows are as far apart as that. */
    private static final int APART = 7_919;

    /** Dense or sparse. */
    @Param({"dense", "sparse"})
    public String rows;

    /** Whether the instance shows its metrics to Micrometer. */
    @Param({"none", "auto"})
    public String metrics;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final long[] row = new long[CELLS];
    private final int[] column = new int[CELLS];
    private LazyTables tables;
    private Worker worker;
    private Table cached;
    private Table logged;
    private int next;

    /** Fills a table and reads all of it; the other one is only updated. */
    @Setup(Level.Trial)
    public void open() {
        Metrics.addRegistry(registry);
        tables = LazyTables.builder().option("lazytables.metrics", metrics).connect();
        worker = tables.worker(0);
        boolean sparse = rows.equals("sparse");
        TableSpec spec = sparse ? TableSpec.sparse(CellType.DOUBLE) : TableSpec.dense(CellType.DOUBLE, COLUMNS);
        cached = tables.table("cached", spec);
        logged = tables.table("logged", spec);
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                worker.increment(cached, i, sparse ? j * APART : j, 1.0);
            }
        }
        worker.clock();
        for (int i = 0; i < ROWS; i++) {
            worker.read(cached, i);
        }
        var random = new SplittableRandom(42);
        for (int i = 0; i < CELLS; i++) {
            // The inverse of the distribution function of 1 / x between 1 and the number of rows.
            row[i] = (long) Math.pow(ROWS, random.nextDouble()) - 1;
            column[i] = random.nextInt(COLUMNS) * (sparse ? APART : 1);
        }
    }

    /** Closes everything. */
    @TearDown(Level.Trial)
    public void close() {
        tables.close();
        Metrics.removeRegistry(registry);
    }

    /** A cell of a cached row. */
    @Benchmark
    public double cachedGet() {
        int i = next++ & MASK;
        return worker.get(cached, row[i], column[i]);
    }

    /** A cached row. */
    @Benchmark
    public RowView cachedRead() {
        return worker.read(cached, row[next++ & MASK]);
    }

    /** Adds to a cell of a cached row, where reads see it at once. */
    @Benchmark
    public void cachedIncrement() {
        int i = next++ & MASK;
        worker.increment(cached, row[i], column[i], 1.0);
    }

    /** Adds to a cell of a row that is not cached: to what was logged of it in this clock. */
    @Benchmark
    public void coalescedIncrement() {
        int i = next++ & MASK;
        worker.increment(logged, row[i], column[i], 1.0);
    }
}
