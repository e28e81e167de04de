package io.leeway.hindex;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.write.ColumnReader;
import io.leeway.hindex.internal.write.IndexSender;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.hindex.internal.write.WritePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.RawCellBuilder;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** The parts that keep the indexes of one region's table, put together. Thread-safe. */
final class IndexedRegion implements ColumnReader {

    private static final int CLOCK_SLOTS = 8192;
    private static final int CLOCK_MAX_AHEAD_MILLIS = 5000;
    private static final String WRITE_TIMEOUT = "hindex.write.timeout.millis";
    private static final String REPAIR = "hindex.repair";
    private static final long CLOCK_PAUSE = 1_000_000;
    private static final int WRITE_TIMEOUT_MILLIS = 5000;
    private static final int GARBAGE_CAPACITY = 2000;

    private final RegionCoprocessorEnvironment environment;
    private final TablePlan plan;
    private final @Nullable String fault;
    private final RowClock clock = new RowClock(
            CLOCK_SLOTS, System::currentTimeMillis, CLOCK_MAX_AHEAD_MILLIS, () -> LockSupport.parkNanos(CLOCK_PAUSE));
    private final SharedSender sender;
    private final WritePath writes;
    private final StoreRepair repair;

    private IndexedRegion(RegionCoprocessorEnvironment environment, TablePlan plan, @Nullable String fault) {
        this.environment = environment;
        this.plan = plan;
        this.fault = fault;
        // The table's attributes are part of the region's configuration.
        int timeout = environment.getConfiguration().getInt(WRITE_TIMEOUT, WRITE_TIMEOUT_MILLIS);
        boolean lazy = environment.getConfiguration().get(REPAIR, "strict").equals("lazy");
        this.sender = SharedSender.acquire(
                environment.getSharedData(),
                environment.getServerName().toString(),
                () -> IndexSender.open(environment.getConfiguration(), timeout, environment::createConnection));
        var removals = new Removals(sender::delete, timeout);
        this.writes = new WritePath(plan, clock, this, this::copy, sender, removals);
        this.repair = new StoreRepair(removals, GARBAGE_CAPACITY, !lazy);
    }

    /** Never fails for what a user wrote: an exception here could end the region server. */
    static IndexedRegion start(RegionCoprocessorEnvironment environment) {
        var descriptor = environment.getRegion().getTableDescriptor();
        try {
            return new IndexedRegion(environment, TablePlan.of(descriptor).kept(), null);
        } catch (IllegalArgumentException e) {
            String fault = "the index definitions of " + descriptor.getTableName() + " cannot be read: "
                    + e.getMessage() + "; correct or remove them";
            return new IndexedRegion(environment, TablePlan.none(), fault);
        }
    }

    void stop() throws IOException {
        sender.release();
    }

    /** What an earlier life of the region wrote is not given again. */
    void opened() {
        for (Store store : environment.getRegion().getStores()) {
            for (StoreFile file : store.getStorefiles()) {
                file.getMaximumTimestamp().ifPresent(this::setFloor);
            }
        }
    }

    private void setFloor(long newest) {
        if (!clock.floor(newest)) {
            // A client wrote into the far future; what lies between now and then is not known.
            clock.floor(System.currentTimeMillis() + CLOCK_MAX_AHEAD_MILLIS / 2);
        }
    }

    void beforeTimestamps(Mutation mutation) {
        if (!plan.isEmpty()) {
            writes.beforeTimestamps(mutation);
        }
    }

    void beforeBatch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        refuseIfFaulty();
        if (!plan.isEmpty()) {
            writes.beforeBatch(batch);
        }
    }

    void afterBatch(boolean success) throws IOException {
        writes.afterBatch(success);
    }

    List<Pair<Cell, Cell>> beforeResult(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
        refuseIfFaulty();
        return plan.isEmpty() ? cells : writes.beforeResult(mutation, cells);
    }

    private void refuseIfFaulty() throws DoNotRetryIOException {
        if (fault != null) {
            throw new DoNotRetryIOException(fault);
        }
    }

    void beforeFlush() {
        repair.beforeFlush();
    }

    void afterFlush(Store store) {
        repair.afterFlush(store);
    }

    void keepEverything(Store store, ScanOptions options) {
        if (isIndexed(store) || fault != null) {
            StoreRepair.keepEverything(options);
        }
    }

    void selected(Store store, List<? extends StoreFile> files, CompactionRequest request) {
        if (isIndexed(store)) {
            repair.selected(store, files, request);
        }
    }

    InternalScanner wrap(Store store, InternalScanner scanner, ScanType type, CompactionRequest request) {
        return isIndexed(store) ? repair.wrap(store, scanner, type, request, indexes(store)) : scanner;
    }

    void compacted(Store store, CompactionRequest request) {
        if (isIndexed(store)) {
            repair.compacted(store, request);
        }
    }

    private boolean isIndexed(Store store) {
        return !indexes(store).isEmpty();
    }

    private List<IndexPlan> indexes(Store store) {
        return plan.ofFamily(store.getColumnFamilyDescriptor().getName());
    }

    @Override
    public List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException {
        ColumnName column = index.column();
        Get get = new Get(row).addColumn(column.family(), column.qualifier()).readVersions(versions);
        return read(new Scan(get), index);
    }

    /** HBase selects no columns when it shows what is hidden. */
    @Override
    public List<Fact> readAll(byte[] row, IndexPlan index) throws IOException {
        return read(
                new Scan()
                        .withStartRow(row)
                        .withStopRow(row, true)
                        .addFamily(index.column().family())
                        .setRaw(true)
                        .readAllVersions(),
                index);
    }

    private List<Fact> read(Scan scan, IndexPlan index) throws IOException {
        var facts = new ArrayList<Fact>();
        try (InternalScanner scanner = environment.getRegion().getScanner(scan)) {
            var cells = new ArrayList<Cell>();
            boolean more;
            do {
                cells.clear();
                more = scanner.next(cells);
                cells.stream().filter(index::concerns).map(Fact::of).forEach(facts::add);
            } while (more);
        }
        return facts;
    }

    private Cell copy(Cell cell, long timestamp) {
        RawCellBuilder copy = environment.getCellBuilder();
        copy.clear();
        if (cell instanceof RawCell raw) {
            var tags = new ArrayList<Tag>();
            for (Iterator<Tag> all = raw.getTags(); all.hasNext(); ) {
                tags.add(all.next());
            }
            copy.setTags(tags);
        }
        return copy.setRow(CellUtil.cloneRow(cell))
                .setFamily(CellUtil.cloneFamily(cell))
                .setQualifier(CellUtil.cloneQualifier(cell))
                .setTimestamp(timestamp)
                .setType(cell.getType())
                .setValue(CellUtil.cloneValue(cell))
                .build();
    }
}
