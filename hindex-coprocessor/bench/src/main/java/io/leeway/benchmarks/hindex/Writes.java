package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Series;
import java.util.List;

/** Drives writes, and sees what they cost. */
final class Writes {

    /** Rows of a batch, as a client that buffers its writes sends them. */
    static final int BATCH = 500;

    private Writes() {}

    /**
     * What writing cost.
     *
     * @param cpuMicros of the server, for one row
     * @param perSecond rows
     */
    record Cost(double cpuMicros, double perSecond) {}

    static Cost batched(Store store, List<Row> rows) throws Exception {
        Usage before = store.usage();
        long start = System.nanoTime();
        for (int from = 0; from < rows.size(); from += BATCH) {
            store.put(rows.subList(from, Math.min(rows.size(), from + BATCH)));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Cost(store.usage().since(before).cpuNanos() / 1e3 / rows.size(), rows.size() / seconds);
    }

    /** One row a call; adds the latencies, in microseconds. */
    static Cost single(Store store, List<Row> rows, Series latencies) throws Exception {
        Usage before = store.usage();
        long start = System.nanoTime();
        for (Row row : rows) {
            long begin = System.nanoTime();
            store.put(List.of(row));
            latencies.add((System.nanoTime() - begin) / 1e3);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Cost(store.usage().since(before).cpuNanos() / 1e3 / rows.size(), rows.size() / seconds);
    }
}
