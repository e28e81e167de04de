package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.metrics.Metrics;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Counts what a server reads to check entries, and what they are worth. Around the one that reads, so that this needs
 * to know nothing of metrics.
 */
record CountedRows(RowReads rows, Metrics metrics) implements RowReads {

    @Override
    public Result[] read(List<Get> gets) throws IOException {
        metrics.add(Metrics.Count.READ_ROWS, gets.size());
        return rows.read(gets);
    }

    @Override
    public void met(byte[] row, int fresh, int stale) {
        metrics.add(Metrics.Count.READ_STALE, stale);
        rows.met(row, fresh, stale);
    }
}
