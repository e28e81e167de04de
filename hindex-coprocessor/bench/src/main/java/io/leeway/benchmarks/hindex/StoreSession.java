package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Series;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** What YCSB calls a database: one client's connection to a store, and what it has measured. For one thread. */
final class StoreSession extends DB {

    private final Store store;
    private final Series reads = new Series();
    private final Series writes = new Series();
    private volatile @Nullable Exception failure;

    StoreSession(Store store) {
        this.store = store;
    }

    /** One operation. */
    @FunctionalInterface
    interface Operation {
        void on(Store store) throws Exception;
    }

    void read(Operation operation) {
        run(operation, reads);
    }

    void write(Operation operation) {
        run(operation, writes);
    }

    private void run(Operation operation, Series latencies) {
        long start = System.nanoTime();
        try {
            operation.on(store);
            latencies.add((System.nanoTime() - start) / 1e3);
        } catch (Exception e) {
            failure = e;
        }
    }

    @Nullable
    Exception failure() {
        return failure;
    }

    /** Microseconds. */
    Series reads() {
        return reads;
    }

    /** Microseconds. */
    Series writes() {
        return writes;
    }

    void close() throws Exception {
        store.close();
    }

    // The workload calls none of these.

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // as YCSB declares it
    public Status scan(
            String table,
            String start,
            int count,
            Set<String> fields,
            Vector<java.util.HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }
}
