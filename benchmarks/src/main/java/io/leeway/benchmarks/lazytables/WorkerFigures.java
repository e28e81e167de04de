package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What a worker's reads and updates cost: {@link WorkerBenchmark}, and updates that are coalesced, with all that becomes of them up to the server. Without arguments the figures go to the results; with {@code try}
 * they are only printed.
 */
public final class WorkerFigures {

    private static final String COMMAND = "benchmarks/run io.leeway.benchmarks.lazytables.WorkerFigures";
    private static final String MAPS = "ConcurrentHashMap.merge 4.8 to 5.5 M/s, maps in maps 3.7 to 4.1 M/s";

    private static final int ROWS = 1_000;
    private static final int COLUMNS = 100;
    private static final int CELLS = 1 << 20;
    private static final int ROUNDS = 7;
    private static final int CLOCKS = 40;

    private final boolean isTrial;
    private final Recorder recorder = Recorder.of("lazytables", COMMAND);

    private WorkerFigures(boolean isTrial) {
        this.isTrial = isTrial;
    }

    public static void main(String[] args) throws IOException, RunnerException {
        new WorkerFigures(args.length > 0 && args[0].equals("try")).run();
    }

    private void run() throws IOException, RunnerException {
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(WorkerBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            single(result);
        }
        for (boolean sparse : new boolean[] {false, true}) {
            String rows = sparse ? "sparse" : "dense";
            show(
                    "coalesced increments per CPU-second, with clocks and the server, " + rows + " rows",
                    coalesced(sparse) / 1e6,
                    "M/s",
                    30.0,
                    Better.HIGHER,
                    MAPS);
        }
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
        boolean isMetered = result.getParams().getParam("metrics").equals("auto");
        String name =
                what + ", " + result.getParams().getParam("rows") + " rows" + (isMetered ? ", with Micrometer" : "");
        show(name, result.getPrimaryResult().getScore(), "ns", isMetered ? null : 30.0, Better.LOWER, "");
        if (!isMetered) {
            show(name + ", allocated", allocated(result), "B", 0.01, Better.LOWER, "");
        }
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
    private static double coalesced(boolean sparse) {
        long[] row = new long[CELLS];
        int[] column = new int[CELLS];
        var random = new SplittableRandom(42);
        for (int i = 0; i < CELLS; i++) {
            row[i] = (long) Math.pow(ROWS, random.nextDouble()) - 1;
            column[i] = random.nextInt(COLUMNS) * (sparse ? 7_919 : 1);
        }
        double[] rates = new double[ROUNDS];
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table(
                    "logged", sparse ? TableSpec.sparse(CellType.DOUBLE) : TableSpec.dense(CellType.DOUBLE, COLUMNS));
            Worker worker = tables.worker(0);
            clocks(worker, table, row, column);
            for (int i = 0; i < ROUNDS; i++) {
                long cpu = CpuTime.own();
                clocks(worker, table, row, column);
                rates[i] = (double) CLOCKS * CELLS * 1e9 / (CpuTime.own() - cpu);
            }
        }
        Arrays.sort(rates);
        return rates[ROUNDS / 2];
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

    private void show(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        if (isTrial) {
            System.out.printf(Locale.ROOT, "%s: %.4g %s%n", name, value, unit);
        } else {
            recorder.record(name, value, unit, goal, better, peer);
        }
    }
}
