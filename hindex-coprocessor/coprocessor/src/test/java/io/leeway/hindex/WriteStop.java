package io.leeway.hindex;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;

/** Loaded by HBase behind the index's own observer: holds a write or a bulk load between its entries and its base cells. */
public final class WriteStop implements RegionCoprocessor, RegionObserver {

    private static final int PATIENCE_SECONDS = 60;
    private static volatile Gate armed = new Gate(true);

    /** For HBase. */
    public WriteStop() {}

    /** Where the next write waits. */
    static final class Gate {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
        private final boolean stopsWrites;

        private Gate(boolean stopsWrites) {
            this.stopsWrites = stopsWrites;
        }

        /** Waits until a write is there. */
        boolean isReached() throws InterruptedException {
            return reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        /** Lets it go on. */
        void open() {
            open.countDown();
        }
    }

    static Gate arm() {
        armed = new Gate(true);
        return armed;
    }

    /** Writes are not stopped. */
    static Gate armForLoads() {
        armed = new Gate(false);
        return armed;
    }

    static TableDescriptorBuilder behind(TableDescriptorBuilder table) {
        return IndexedWords.behindTheIndex(table, WriteStop.class);
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        if (armed.stopsWrites) {
            stop();
        }
    }

    @Override
    public void preBulkLoadHFile(
            ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
            throws IOException {
        stop();
    }

    private static void stop() throws IOException {
        armed.reached.countDown();
        try {
            if (!armed.open.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the test has not let the write go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the test was interrupted", e);
        }
    }
}
