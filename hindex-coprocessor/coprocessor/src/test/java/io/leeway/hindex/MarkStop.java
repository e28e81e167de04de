package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexTables;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Loaded by HBase into the regions of an index: does not answer who asks for what regions of the table have left. One call is held,
 * until the next one comes, so that it does not take all handlers of the server.
 */
public final class MarkStop implements RegionCoprocessor, RegionObserver {

    private static final int PATIENCE_SECONDS = 300;
    private static final AtomicReference<@Nullable CountDownLatch> HELD = new AtomicReference<>();
    private static volatile boolean isArmed;

    /** For HBase. */
    public MarkStop() {}

    /** Until it is closed. */
    static Closeable arm(Admin admin, TableName entries) throws IOException {
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries))
                .setCoprocessor(MarkStop.class.getName())
                .build());
        isArmed = true;
        return MarkStop::disarm;
    }

    private static void disarm() {
        isArmed = false;
        release(null);
    }

    private static void release(@Nullable CountDownLatch next) {
        CountDownLatch held = HELD.getAndSet(next);
        if (held != null) {
            held.countDown();
        }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        if (!isArmed || !scan.getFamilyMap().containsKey(IndexTables.watermarkFamily())) {
            return;
        }
        var next = new CountDownLatch(1);
        release(next);
        try {
            boolean unused = next.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("the test has the call fail");
    }
}
