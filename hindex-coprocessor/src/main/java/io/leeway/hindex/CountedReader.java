package io.leeway.hindex;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.write.ColumnReader;
import java.io.IOException;
import java.util.List;

/** Counts the reads that writes do. */
record CountedReader(ColumnReader reader, Metrics metrics) implements ColumnReader {

    @Override
    public List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException {
        metrics.add(Metrics.Count.BASE_READS, 1);
        return reader.readVisible(row, index, versions);
    }

    @Override
    public List<Fact> readAll(byte[] row, IndexPlan index) throws IOException {
        metrics.add(Metrics.Count.BASE_READS, 1);
        return reader.readAll(row, index);
    }
}
