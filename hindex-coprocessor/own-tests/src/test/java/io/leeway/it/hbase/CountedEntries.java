package io.leeway.it.hbase;

import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Counts what is written to index tables: whether a test has tried hindex at all. */
public final class CountedEntries implements RegionCoprocessor, RegionObserver {

    private static final LongAdder WRITTEN = new LongAdder();
    private static final LongAdder REMOVED = new LongAdder();

    /** For HBase. */
    public CountedEntries() {}

    static long written() {
        return WRITTEN.sum();
    }

    static long removed() {
        return REMOVED.sum();
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    // Not inherited: what HBase 2.6.4 does by default makes a new result, without the metrics that the client asked
    // for.
    @Override
    public CheckAndMutateResult postCheckAndMutate(
            ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate checkAndMutate,
            CheckAndMutateResult result) {
        return result;
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch) {
        for (int i = 0; i < batch.size(); i++) {
            Mutation mutation = batch.getOperation(i);
            List<Cell> cells = mutation.getFamilyCellMap().get(IndexPlan.entryFamily());
            if (cells != null) {
                (mutation instanceof Put ? WRITTEN : REMOVED).add(cells.size());
            }
        }
    }
}
