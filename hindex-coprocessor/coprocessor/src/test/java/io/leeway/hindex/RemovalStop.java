package io.leeway.hindex;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.jspecify.annotations.Nullable;

/** Loaded by HBase into the regions of an index: holds a removal of entries when a handler has it in hand already. */
public final class RemovalStop implements RegionCoprocessor, RegionObserver {

    private static final int PATIENCE_SECONDS = 60;
    private static final AtomicReference<@Nullable Gate> ARMED = new AtomicReference<>();

    /** For HBase. */
    public RemovalStop() {}

    /** Where the next removal waits; those that come later do not. */
    static final class Gate implements AutoCloseable {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        private Gate() {}

        /** Waits until one is there. */
        boolean isReached() throws InterruptedException {
            return reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        /** Lets it go on, and waits until it has ended, whatever came of it. */
        boolean letEnd() throws InterruptedException {
            open.countDown();
            return ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            open.countDown();
        }
    }

    private static final ThreadLocal<@Nullable Gate> HELD = new ThreadLocal<>();

    static Gate arm() {
        var gate = new Gate();
        ARMED.set(gate);
        return gate;
    }

    /** Sees removals before the index's own observer does. */
    static void inFront(Admin admin, TableName entries) throws IOException {
        load(admin, entries, Coprocessor.PRIORITY_HIGHEST);
    }

    /** Sees removals when the index's own observer has let them pass. */
    static void behind(Admin admin, TableName entries) throws IOException {
        load(admin, entries, Coprocessor.PRIORITY_LOWEST);
    }

    private static void load(Admin admin, TableName entries, int priority) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries))
                .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(RemovalStop.class.getName())
                        .setPriority(priority)
                        .build())
                .build());
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        if (!(batch.getOperation(0) instanceof Delete)) {
            return;
        }
        Gate gate = ARMED.getAndSet(null);
        if (gate == null) {
            return;
        }
        HELD.set(gate);
        gate.reached.countDown();
        try {
            if (!gate.open.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the test has not let the removal go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the test was interrupted", e);
        }
    }

    @Override
    public void postCloseRegionOperation(
            ObserverContext<RegionCoprocessorEnvironment> context, Region.Operation operation) {
        Gate gate = HELD.get();
        if (operation == Region.Operation.BATCH_MUTATE && gate != null) {
            HELD.remove();
            gate.ended.countDown();
        }
    }
}
