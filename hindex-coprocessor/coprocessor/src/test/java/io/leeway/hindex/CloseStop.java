package io.leeway.hindex;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.jspecify.annotations.Nullable;

/** Loaded by HBase into the regions of a table: holds the next of them that is to be closed. */
public final class CloseStop implements RegionCoprocessor, RegionObserver {

    private static final int PATIENCE_SECONDS = 60;
    /** Longer than any test waits meanwhile. */
    private static final int HELD_MINUTES = 5;

    private static final AtomicReference<@Nullable Gate> ARMED = new AtomicReference<>();

    /** For HBase. */
    public CloseStop() {}

    /** Where the region waits until it is closed. */
    static final class Gate implements AutoCloseable {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        private Gate() {}

        /** Waits until a region is there. */
        boolean isReached() throws InterruptedException {
            return reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            open.countDown();
        }
    }

    /** Holds the next region of this table that is to be closed. */
    static Gate arm(Admin admin, TableName table) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
                .setCoprocessor(CloseStop.class.getName())
                .build());
        var gate = new Gate();
        ARMED.set(gate);
        return gate;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested)
            throws IOException {
        Gate gate = ARMED.getAndSet(null);
        if (gate == null) {
            return;
        }
        gate.reached.countDown();
        try {
            if (!gate.open.await(HELD_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException("the test never let the region close");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
