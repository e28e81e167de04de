package io.leeway.hindex;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.leeway.hindex.internal.admin.TableOptions;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.read.ReadService;
import io.leeway.hindex.internal.read.RegionReader;
import io.leeway.hindex.internal.read.ServerReads;
import io.leeway.hindex.internal.repair.AskedCompactions;
import io.leeway.hindex.internal.repair.CompactionTurns;
import io.leeway.hindex.internal.repair.RemovedEntries;
import io.leeway.hindex.internal.write.RunningRemovals;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries in the regions of an index, one call for each, instead of sending all entries to the client, and
 * refuses removals of entries that come too late. Set on index tables when they are created; where it is missing,
 * clients do the work.
 *
 * @since 0.1
 */
public final class HindexEndpoint implements RegionCoprocessor, RegionObserver, EndpointObserver {

    private final RunningRemovals removals = new RunningRemovals(System::currentTimeMillis);
    private volatile @Nullable Parts parts;

    /** What needs a region that is open. */
    private record Parts(RegionReader reader, RemovedEntries removed) {}

    /** For HBase. */
    public HindexEndpoint() {}

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
        if (service instanceof ReadService) {
            Guard.require(
                    "the check of rights",
                    () -> reader().requireRights(context.getCaller().orElse(null), request));
        }
        return request;
    }

    @Override
    public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch)
            throws IOException {
        Guard.require("preBatchMutate of an index", () -> removals.before(batch));
    }

    @Override
    public void postBatchMutateIndispensably(
            ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch,
            boolean success) {
        Guard.attempt("postBatchMutateIndispensably of an index", () -> {
            removals.after();
            Parts started = parts;
            if (success && started != null) {
                started.removed.written(batch);
            }
        });
    }

    @Override
    public void preFlush(ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
        Guard.attempt("preFlush of an index", () -> count(RemovedEntries::flushing));
    }

    @Override
    public void postFlush(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile file,
            FlushLifeCycleTracker tracker) {
        Guard.attempt("postFlush of an index", () -> count(removed -> removed.flushed(store)));
    }

    @Override
    public InternalScanner preCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            InternalScanner scanner,
            ScanType type,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request) {
        Guard.attempt("preCompact of an index", () -> count(removed -> removed.compacting(store, type)));
        return scanner;
    }

    @Override
    public void postCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile file,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request) {
        Guard.attempt("postCompact of an index", () -> count(removed -> removed.compacted(store, request)));
    }

    private void count(Consumer<RemovedEntries> counting) {
        Parts started = parts;
        if (started != null) {
            counting.accept(started.removed);
        }
    }

    /** Where a hook has failed, HBase calls no other after the batch. */
    @Override
    public void postCloseRegionOperation(
            ObserverContext<RegionCoprocessorEnvironment> context, Region.Operation operation) {
        if (operation == Region.Operation.BATCH_MUTATE) {
            Guard.attempt("postCloseRegionOperation of an index", removals::after);
        }
    }

    /** Asked for before the start. */
    @Override
    public Iterable<Service> getServices() {
        return List.of(new ReadService(this::reader));
    }

    private RegionReader reader() throws IOException {
        Parts started = parts;
        if (started == null) {
            throw new DoNotRetryIOException(
                    "the endpoint of this region could not start; see the log of the region server");
        }
        return started.reader;
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void start(CoprocessorEnvironment environment) {
        if (environment instanceof RegionCoprocessorEnvironment region) {
            Guard.attempt("start of the endpoint", () -> {
                Options options = TableOptions.allowed(
                        environment.getConfiguration(), region.getRegion().getTableDescriptor());
                Metrics metrics = Metrics.of(region.getMetricRegistryForRegionServer(), Metrics.Side.INDEX);
                var removed = new RemovedEntries(
                        region.getRegion(),
                        IndexPlan.entryFamily(),
                        new AskedCompactions.Limits(
                                options.get(Options.COMPACT_REMOVED),
                                options.get(Options.COMPACT_PERCENT),
                                options.get(Options.COMPACT_PAUSE)),
                        CompactionTurns.of(
                                region.getSharedData(), region.getServerName().toString()),
                        metrics);
                parts = new Parts(
                        new RegionReader(
                                region,
                                ServerReads.acquire(region, options.get(Options.READ_TIMEOUT)),
                                metrics,
                                removed::read),
                        removed);
            });
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void stop(CoprocessorEnvironment environment) {
        Parts last = parts;
        if (last != null) {
            last.removed.stop();
            Guard.attempt("stop of the endpoint", last.reader::close);
        }
    }
}
