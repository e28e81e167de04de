package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.write.ColumnReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the reads that writes do, of one region and of all: that they are few is what the mode deferred promises.
 * Thread-safe.
 */
final class CountedReader implements ColumnReader {

    private final ColumnReader reader;
    private final Metrics metrics;
    private final LongAdder ofRegion = new LongAdder();

    CountedReader(ColumnReader reader, Metrics metrics) {
        this.reader = reader;
        this.metrics = metrics;
    }

    @Override
    public List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException {
        count();
        return reader.readVisible(row, index, versions);
    }

    @Override
    public List<Fact> readAll(byte[] row, IndexPlan index) throws IOException {
        count();
        return reader.readAll(row, index);
    }

    private void count() {
        ofRegion.increment();
        metrics.add(Metrics.Count.BASE_READS, 1);
    }

    /** How often writes of the region have read. */
    long ofRegion() {
        return ofRegion.sum();
    }
}
