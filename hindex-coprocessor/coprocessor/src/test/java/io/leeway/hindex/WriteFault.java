package io.leeway.hindex;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Loaded by HBase behind the index's own observer: lets writes fail after their entries were written. */
public final class WriteFault implements RegionCoprocessor, RegionObserver {

    private static volatile Point armed = Point.NOWHERE;

    /** For HBase. */
    public WriteFault() {}

    /** Where writes fail. */
    enum Point {
        NOWHERE,
        /** Nothing of the write is anywhere. */
        BEFORE_THE_LOG,
        /** As if the log had failed. */
        AT_THE_LOG,
        /** In memory, but not acknowledged. */
        IN_MEMORY,
        /** When all is done. */
        AT_THE_END
    }

    static void arm(Point point) {
        armed = point;
    }

    static TableDescriptorBuilder behind(TableDescriptorBuilder table) {
        return IndexedWords.behindTheIndex(table, WriteFault.class);
    }

    private static void failAt(Point point) throws IOException {
        if (armed == point) {
            throw new DoNotRetryIOException("the test lets this write fail " + point);
        }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        failAt(Point.BEFORE_THE_LOG);
    }

    @Override
    public void preWALAppend(ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit)
            throws IOException {
        failAt(Point.AT_THE_LOG);
    }

    @Override
    public void postBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        failAt(Point.IN_MEMORY);
    }

    @Override
    public void postPut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
            throws IOException {
        failAt(Point.AT_THE_END);
    }
}
