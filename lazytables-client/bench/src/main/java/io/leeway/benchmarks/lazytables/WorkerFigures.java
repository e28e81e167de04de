package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** What a worker's reads and updates cost: {@link WorkerBenchmark}, and updates that are coalesced, with all that becomes of them up to the server. */
record WorkerFigures(Measuring measuring) {

    private static final String MAPS = "ConcurrentHashMap.merge 4.8 to 5.5 M/s, maps in maps 3.7 to 4.1 M/s";

    private static final int ROWS = 1_000;
    private static final int COLUMNS = 100;
    private static final int CELLS = 1 << 20;
    private static final int ROUNDS = 7;
    private static final int CLOCKS = 40;
    private static final Duration ITERATION = Duration.ofSeconds(1);
    private static final int WARM_UPS = 4;
    private static final int ITERATIONS = 5;

    void run() throws IOException, RunnerException {
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(WorkerBenchmark.class.getName())
                        .param("metrics", "none")
                        .forks(measuring.isTrial() ? 0 : 1)
                        .warmupIterations(measuring.rounds(WARM_UPS))
                        .measurementIterations(measuring.rounds(ITERATIONS))
                        .warmupTime(time())
                        .measurementTime(time())
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            single(result);
        }
        for (boolean sparse : new boolean[] {false, true}) {
            String rows = sparse ? "sparse" : "dense";
            measuring.higher(
                    "coalesced increments per CPU-second, with clocks and the server, " + rows + " rows",
                    coalesced(sparse) / 1e6,
                    "M/s",
                    30.0,
                    MAPS);
        }
    }

    private TimeValue time() {
        return TimeValue.milliseconds(measuring.time(ITERATION).toMillis());
    }

    private void single(RunResult result) throws IOException {
        String method = result.getParams().getBenchmark();
        String what = switch (method.substring(method.lastIndexOf('.') + 1)) {
            case "cachedGet" -> "cached get";
            case "cachedRead" -> "cached read of a row";
            case "cachedIncrement" -> "increment of a cached row";
            case "coalescedIncrement" -> "increment of a row that is not cached";
            default -> throw new IllegalStateException(method);
        };
        String name = what + ", " + result.getParams().getParam("rows") + " rows";
        measuring.lower(name, result.getPrimaryResult().getScore(), "ns", 30.0, "");
        measuring.lower(name + ", allocated", allocated(result), "B", 0.01, "");
    }

    private static double allocated(RunResult result) {
        for (String measured : result.getSecondaryResults().keySet()) {
            if (measured.endsWith("gc.alloc.rate.norm")) {
                return result.getSecondaryResults().get(measured).getScore();
            }
        }
        throw new IllegalStateException("the profiler of the collector said nothing");
    }

    /** Increments per second of this process's CPU time, which has the server inside. */
    private double coalesced(boolean sparse) {
        long[] row = new long[CELLS];
        int[] column = new int[CELLS];
        var random = new SplittableRandom(42);
        for (int i = 0; i < CELLS; i++) {
            row[i] = (long) Math.pow(ROWS, random.nextDouble()) - 1;
            column[i] = random.nextInt(COLUMNS) * (sparse ? 7_919 : 1);
        }
        double[] rates = new double[measuring.rounds(ROUNDS)];
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table(
                    "logged", sparse ? TableSpec.sparse(CellType.DOUBLE) : TableSpec.dense(CellType.DOUBLE, COLUMNS));
            Worker worker = tables.worker(0);
            clocks(worker, table, row, column);
            for (int i = 0; i < rates.length; i++) {
                long cpu = CpuTime.own();
                clocks(worker, table, row, column);
                rates[i] = (double) CLOCKS * CELLS * 1e9 / (CpuTime.own() - cpu);
            }
        }
        Arrays.sort(rates);
        return rates[rates.length / 2];
    }

    private static void clocks(Worker worker, Table table, long[] row, int[] column) {
        for (int clock = 0; clock < CLOCKS; clock++) {
            for (int i = 0; i < CELLS; i++) {
                worker.increment(table, row[i], column[i], 1.0);
            }
            worker.clock();
        }
        // Another row than those that are updated: what is read once is kept up to date from then on.
        worker.read(table, ROWS, 0);
    }
}
