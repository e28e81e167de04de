package io.leeway.hindex;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.read.RemovalService;
import io.leeway.hindex.internal.region.IndexedRegion;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.upkeep.DescribedTable;
import io.leeway.hindex.internal.upkeep.FailedEntries;
import io.leeway.hindex.internal.upkeep.UpkeepService;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.hindex.internal.write.UncertainEntries;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.jspecify.annotations.Nullable;

/**
 * The class that a table names to have its indexes kept.
 *
 * <p>Created by HBase, once for each region. A table without indexes is not affected. A table whose definitions cannot
 * be read refuses writes, so that no index misses them.
 */
public final class HindexObserver implements RegionCoprocessor, RegionObserver, EndpointObserver {

    private @Nullable IndexedRegion region;

    /** For HBase. */
    public HindexObserver() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public Optional<EndpointObserver> getEndpointObserver() {
        return Optional.of(this);
    }

    @Override
    public Message preEndpointInvocation(
            ObserverContext<RegionCoprocessorEnvironment> context, Service service, String method, Message request)
            throws IOException {
        if (service instanceof UpkeepService) {
            Guard.require("the check of rights", () -> {
                region().requireRights(context.getCaller().orElse(null), UpkeepService.index(request));
                if (UpkeepService.builds(request)) {
                    region().requireRightToChange(context.getCaller().orElse(null));
                }
            });
        } else if (service instanceof RemovalService) {
            Guard.require(
                    "the check of rights",
                    () -> region().requireRights(context.getCaller().orElse(null), RemovalService.index(request)));
        }
        return request;
    }

    @Override
    public Iterable<Service> getServices() {
        return List.of(
                new RemovalService((index, key, qualifier, timestamp) ->
                        region().upkeep().removeUnlessStored(index, key, qualifier, timestamp)),
                new UpkeepService(() -> region().upkeep()));
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void start(CoprocessorEnvironment environment) throws IOException {
        if (environment instanceof RegionCoprocessorEnvironment regionEnvironment) {
            Guard.require("start", () -> region = IndexedRegion.start(regionEnvironment));
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void stop(CoprocessorEnvironment environment) {
        Guard.attempt("stop", () -> region().stop());
    }

    /** How often writes of the region have read their rows, for tests. */
    long baseReads() {
        return region().baseReads();
    }

    /** Entries of the region that follow after their writes, for tests. */
    FollowingEntries following() {
        return region().following();
    }

    /** Entries of writes of the region that failed, for tests. */
    FailedEntries failed() {
        return region().failed();
    }

    /** What a killed server has left in the indexes, for tests. */
    UncertainEntries uncertain() {
        return region().uncertain();
    }

    /** Repair of the region, for tests. */
    StoreRepair repair() {
        return region().repair();
    }

    private IndexedRegion region() {
        if (region == null) {
            throw new IllegalStateException("HBase uses a region observer that it has not started");
        }
        return region;
    }

    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
        Guard.attempt("postOpen", () -> region().opened());
    }

    @Override
    public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested) {
        Guard.attempt("preClose", () -> region().closing(abortRequested));
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
            throws IOException {
        Guard.require("prePut", () -> region().beforeTimestamps(put));
    }

    @Override
    public void preDelete(ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
            throws IOException {
        Guard.require("preDelete", () -> region().beforeTimestamps(delete));
    }

    @Override
    public CheckAndMutateResult preCheckAndMutate(
            ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate checkAndMutate,
            CheckAndMutateResult result)
            throws IOException {
        Guard.require("preCheckAndMutate", () -> {
            if (checkAndMutate.getAction() instanceof RowMutations mutations) {
                mutations.getMutations().forEach(region()::beforeTimestamps);
            } else {
                region().beforeTimestamps((Mutation) checkAndMutate.getAction());
            }
        });
        return result;
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
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        Guard.require("preBatchMutate", () -> region().beforeBatch(batch));
    }

    @Override
    public void postBatchMutateIndispensably(
            ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch,
            boolean success) {
        Guard.attempt("postBatchMutateIndispensably", () -> region().afterBatch(success));
    }

    @Override
    public void preWALAppend(ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit) {
        Guard.attempt("preWALAppend", () -> region().beforeLog());
    }

    @Override
    public void postCloseRegionOperation(
            ObserverContext<RegionCoprocessorEnvironment> context, Region.Operation operation) {
        if (operation == Region.Operation.BATCH_MUTATE) {
            Guard.attempt("postCloseRegionOperation", () -> region().afterOperation());
        }
    }

    @Override
    public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
            ObserverContext<RegionCoprocessorEnvironment> context, Mutation mutation, List<Pair<Cell, Cell>> cells)
            throws IOException {
        return Guard.get("postIncrementBeforeWAL", () -> region().beforeResult(mutation, cells));
    }

    @Override
    public List<Pair<Cell, Cell>> postAppendBeforeWAL(
            ObserverContext<RegionCoprocessorEnvironment> context, Mutation mutation, List<Pair<Cell, Cell>> cells)
            throws IOException {
        return Guard.get("postAppendBeforeWAL", () -> region().beforeResult(mutation, cells));
    }

    @Override
    public void preBulkLoadHFile(
            ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> familyPaths)
            throws IOException {
        Guard.require("preBulkLoadHFile", () -> region().beforeBulkLoad(familyPaths));
    }

    @Override
    public void preCommitStoreFile(
            ObserverContext<RegionCoprocessorEnvironment> context, byte[] family, List<Pair<Path, Path>> files)
            throws IOException {
        Guard.require("preCommitStoreFile", () -> region().beforeCommit(family));
    }

    @Override
    public void postBulkLoadHFile(
            ObserverContext<RegionCoprocessorEnvironment> context,
            List<Pair<byte[], String>> stagingFamilyPaths,
            @Nullable Map<byte[], List<Path>> finalPaths) {
        Guard.attempt("postBulkLoadHFile", () -> region().afterBulkLoad(stagingFamilyPaths, finalPaths != null));
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
            throws IOException {
        if (DescribedTable.isAskedBy(get)) {
            Guard.require("preGetOp", () -> {
                region().requireRights(context.getCaller().orElse(null), "");
                Region asked = context.getEnvironment().getRegion();
                results.add(DescribedTable.answer(get, asked.getTableDescriptor()));
            });
            context.bypass();
        }
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) {
        Guard.attempt("preScannerOpen", () -> region().beforeScan(scan));
    }

    @Override
    public void preFlush(ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker)
            throws IOException {
        Guard.require("preFlush", () -> region().flushes().before());
    }

    @Override
    public void preFlushScannerOpen(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            ScanOptions options,
            FlushLifeCycleTracker tracker)
            throws IOException {
        Guard.require("preFlushScannerOpen", () -> region().keepEverything(store, options));
    }

    @Override
    public InternalScanner preFlush(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            InternalScanner scanner,
            FlushLifeCycleTracker tracker)
            throws IOException {
        return Guard.get("preFlush", () -> region().wrapFlush(store, scanner));
    }

    @Override
    public void postFlush(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile resultFile,
            FlushLifeCycleTracker tracker) {
        Guard.attempt("postFlush", () -> region().flushes().after(store));
    }

    @Override
    public void postFlush(ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
        Guard.attempt("postFlush", () -> region().flushes().ended());
    }

    @Override
    public void preMemStoreCompactionCompactScannerOpen(
            ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options)
            throws IOException {
        Guard.require("preMemStoreCompactionCompactScannerOpen", () -> region().keepEverything(store, options));
    }

    @Override
    public void postCompactSelection(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            List<? extends StoreFile> selected,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request) {
        Guard.attempt("postCompactSelection", () -> region().selected(store, selected, request));
    }

    @Override
    public void preCompactScannerOpen(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            ScanType type,
            ScanOptions options,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request)
            throws IOException {
        Guard.require("preCompactScannerOpen", () -> region().keepEverything(store, options));
    }

    @Override
    public InternalScanner preCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            InternalScanner scanner,
            ScanType type,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request)
            throws IOException {
        return Guard.get("preCompact", () -> region().wrap(store, scanner, type, request));
    }

    @Override
    public void postCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile resultFile,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request) {
        Guard.attempt("postCompact", () -> region().compacted(store, request));
    }
}
