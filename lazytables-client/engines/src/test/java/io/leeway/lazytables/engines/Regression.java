package io.leeway.lazytables.engines;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Least squares by gradient descent: each worker goes over its part of the samples in each clock and adds its part of the step to the shared weights. All that must outlive a worker is in tables and in its clock, so an attempt that
 * fails is simply made again. This is the part that does not know of any engine; {@link FlinkRegression} and {@link SparkRegression} say who is who.
 */
final class Regression implements Serializable {

    /** For a log or metrics; what it throws ends the attempt. */
    @FunctionalInterface
    interface Progress extends Serializable {

        /** Told before each clock, and at the end, how many are done. */
        void at(int worker, int attempt, int clocks);
    }

    private static final long serialVersionUID = 1;
    private static final long WEIGHTS = 0;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Samples samples;
    private final int workers;
    private final int clocks;
    private final double rate;
    private final TreeMap<String, String> options;

    /** The options say where the servers are. */
    Regression(Samples samples, int workers, int clocks, double rate, Map<String, String> options) {
        this.samples = samples;
        this.workers = workers;
        this.clocks = clocks;
        this.rate = rate;
        this.options = new TreeMap<>(options);
    }

    int workers() {
        return workers;
    }

    /** One attempt of one worker, on the thread that the engine gives it; the weights after the last clock. */
    double[] work(int worker, int attempt, Progress progress) {
        LazyTables tables = LazyTables.builder()
                .options(options)
                .option("lazytables.processes", Integer.toString(workers))
                .option("lazytables.process", Integer.toString(worker))
                // Another attempt goes on where this one ends.
                .option("lazytables.resume", "true")
                .timeout(LIMIT)
                .connect();
        try {
            double[] weights = descend(tables, worker, attempt, progress);
            tables.end();
            tables.close();
            return weights;
        } catch (Throwable failed) {
            // Not close(), which waits for servers.
            tables.abandon();
            throw failed;
        }
    }

    private double[] descend(LazyTables tables, int worker, int attempt, Progress progress) {
        // Strict: the same in each run, whatever fails. Other tables would do, too.
        Table table = tables.table(
                "weights", TableSpec.dense(CellType.DOUBLE, samples.features()).asStrict());
        Table seen = tables.table("seen", TableSpec.dense(CellType.LONG, 1));
        Worker own = tables.worker(0);
        double[] weights = new double[samples.features()];
        while (own.clocks() < clocks) {
            progress.at(worker, attempt, own.clocks());
            own.read(table, WEIGHTS).copyTo(weights);
            own.incrementRow(table, WEIGHTS, samples.step(worker, workers, weights, rate));
            own.increment(seen, 0, 0, samples.of(worker, workers));
            own.clock();
        }
        progress.at(worker, attempt, clocks);
        own.read(table, WEIGHTS).copyTo(weights);
        long all = own.getLong(seen, 0, 0);
        if (all != (long) clocks * samples.count()) {
            throw new IllegalStateException(
                    all + " samples were seen, not " + samples.count() + " in each of " + clocks + " clocks");
        }
        return weights;
    }
}
