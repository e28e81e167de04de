package io.leeway.hindex;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Store;

/** Loaded by HBase: counts compactions of what is in memory. */
public final class MemoryCompactions implements RegionCoprocessor, RegionObserver {

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** For HBase. */
    public MemoryCompactions() {}

    static TableDescriptorBuilder counted(TableDescriptorBuilder table) {
        return IndexedWords.behindTheIndex(soon(table), MemoryCompactions.class);
    }

    /** They begin at some kilobytes, where HBase would wait for two megabytes. */
    static TableDescriptorBuilder soon(TableDescriptorBuilder table) {
        return table.setMemStoreFlushSize(1 << 20).setValue("hbase.memstore.inmemoryflush.threshold.factor", "0.004");
    }

    /** Of all tables in this JVM that have it. */
    static int count() {
        return COUNT.get();
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void postMemStoreCompaction(ObserverContext<RegionCoprocessorEnvironment> context, Store store) {
        COUNT.incrementAndGet();
    }
}
