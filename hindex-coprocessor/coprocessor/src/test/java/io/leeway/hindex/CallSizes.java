package io.leeway.hindex;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Loaded by HBase into the regions of an index: sees how many entries come in one call. */
public final class CallSizes implements RegionCoprocessor, RegionObserver {

    private static final AtomicInteger LARGEST = new AtomicInteger();

    /** For HBase. */
    public CallSizes() {}

    static void watch(Admin admin, TableName entries) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries))
                .setCoprocessor(CallSizes.class.getName())
                .build());
        LARGEST.set(0);
    }

    static int largest() {
        return LARGEST.get();
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch) {
        LARGEST.accumulateAndGet(batch.size(), Math::max);
    }
}
