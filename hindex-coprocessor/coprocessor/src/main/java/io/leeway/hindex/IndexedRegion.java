package io.leeway.hindex;

import io.leeway.hindex.internal.admin.TableOptions;
import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.load.ComingRows;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.MetEntries;
import io.leeway.hindex.internal.read.MetListeners;
import io.leeway.hindex.internal.read.ReadRights;
import io.leeway.hindex.internal.read.ScanRewriter;
import io.leeway.hindex.internal.read.ServerReads;
import io.leeway.hindex.internal.repair.AskedCompactions;
import io.leeway.hindex.internal.repair.CompactionTurns;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.repair.WholePasses;
import io.leeway.hindex.internal.silence.Wait;
import io.leeway.hindex.internal.upkeep.FailedEntries;
import io.leeway.hindex.internal.upkeep.RegionUpkeep;
import io.leeway.hindex.internal.upkeep.RowsSince;
import io.leeway.hindex.internal.upkeep.Sweep;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.hindex.internal.write.Logging;
import io.leeway.hindex.internal.write.NewEntry;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.hindex.internal.write.UncertainEntries;
import io.leeway.hindex.internal.write.WritePath;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** The parts that keep the indexes of one region's table, put together. Thread-safe. */
final class IndexedRegion implements BulkLoads.Region, StoreRepair.Host {

    private static final int CLOCK_STRIPES = 8192;
    private static final long CLOCK_PAUSE = 1_000_000;

    private final RegionCoprocessorEnvironment environment;
    private final TablePlan plan;
    private final RegionRows rows;
    private final RegionCells cells;
    private final @Nullable String fault;
    private final RowClock clock;
    private final long clockMaxAhead;
    private final SharedSender sender;
    private final Removals removals;
    private final FollowingEntries following;
    private final FailedEntries failed;
    private final UncertainEntries uncertain;
    private final long patienceMillis;
    private final CountedReader writeReads;
    private final WritePath writes;
    private final StoreRepair repair;
    private final AskedCompactions compactions;
    private final RegionUpkeep upkeep;
    private final ServerReads reads;
    private final ScanRewriter scans;
    private final ReadRights rights;
    private final BulkLoads loads;
    private final ComingRows comingRows;
    private final WholePasses passes;
    private final Flushes flushes;

    private volatile boolean closesInPeace;

    private IndexedRegion(
            RegionCoprocessorEnvironment environment, TablePlan plan, Options options, @Nullable String fault) {
        this.environment = environment;
        this.plan = plan;
        this.rows = new RegionRows(environment.getRegion());
        this.cells = new RegionCells(environment);
        this.fault = fault;
        int timeout = Math.toIntExact(options.get(Options.WRITE_TIMEOUT).toMillis());
        this.clockMaxAhead = options.get(Options.CLOCK_MAX_AHEAD).toMillis();
        var metrics = Metrics.of(environment.getMetricRegistryForRegionServer(), Metrics.Side.TABLE);
        this.clock = new RowClock(CLOCK_STRIPES, System::currentTimeMillis, clockMaxAhead, () -> pause(metrics));
        this.sender = SharedSender.acquire(
                environment.getSharedData(),
                environment.getServerName().toString(),
                environment.getConnection().getConfiguration(),
                new SharedSender.Limits(timeout, options.get(Options.CLOCK_SKEW).toMillis()),
                environment::createConnection,
                environment.getOnlineRegions()::getRegion,
                metrics);
        this.loads = new BulkLoads(
                plan,
                environment.getConfiguration(),
                this,
                new BulkLoads.Settings(
                        options.get(Options.LOAD) == Options.Load.REFUSE,
                        options.get(Options.LOAD_TIME),
                        options.get(Options.LOAD_RATE),
                        options.get(Options.WRITE_TIMEOUT)));
        this.removals = new Removals(sender::delete, timeout, this::held, options.get(Options.REVIVED_ENTRIES));
        this.patienceMillis = timeout;
        this.following = new FollowingEntries(
                plan,
                environment.getRegionInfo(),
                clock,
                sender,
                this::send,
                new RowsSince(environment.getRegion(), rows, sender),
                options.get(Options.ASYNC_QUEUE),
                more -> metrics.add(Metrics.Count.ASYNC_QUEUE, more));
        this.upkeep = new RegionUpkeep(
                environment.getRegion(),
                plan,
                rows,
                sender,
                removals,
                () -> following.awaitOwed(timeout),
                this::hasUnsynced,
                options.get(Options.BUILD_TIME),
                metrics);
        this.failed = new FailedEntries(
                upkeep,
                removals,
                following::isOwed,
                this::cleaner,
                options.get(Options.FAILED_QUEUE),
                options.get(Options.FAILED_DELAY),
                metrics);
        this.uncertain = new UncertainEntries(
                plan,
                environment.getRegionInfo(),
                sender,
                new UncertainEntries.Others() {
                    @Override
                    public boolean areSettled() {
                        return failed.isSettled() && !loads.isUnderWay();
                    }

                    @Override
                    public long takeForgotten() {
                        return failed.takeForgotten();
                    }
                },
                new Sweep(environment.getRegionInfo(), rows, sender, failed),
                options.get(Options.CERTAIN_PAUSE),
                options.get(Options.FAILED_DELAY));
        this.writeReads = new CountedReader(rows, metrics);
        this.comingRows = new ComingRows(environment.getRegion(), rows, this::load, failed);
        this.passes =
                new WholePasses(loads, () -> environment.getRegion().getCompactionState() != CompactionState.NONE);
        this.writes = new WritePath(
                environment.getRegionInfo().getTable(),
                plan,
                clock,
                writeReads,
                cells,
                sender,
                removals,
                following,
                failed,
                uncertain,
                new Logging(environment.getRegion().getTableDescriptor().getDurability()),
                loads,
                timeout);
        this.repair = new StoreRepair(
                this,
                removals,
                passes,
                new StoreRepair.Settings(
                        options.get(Options.REPAIR_BUFFER),
                        Retention.Repair.valueOf(options.get(Options.REPAIR).name()),
                        StoreRepair.Variant.valueOf(
                                options.get(Options.REPAIR_VARIANT).name())),
                metrics);
        this.flushes = new Flushes(environment.getRegion(), removals, failed, uncertain, loads, repair);
        this.compactions = new AskedCompactions(
                this,
                repair,
                new AskedCompactions.Limits(
                        options.get(Options.COMPACT_STALE),
                        options.get(Options.COMPACT_PERCENT),
                        options.get(Options.COMPACT_PAUSE)),
                CompactionTurns.of(
                        environment.getSharedData(), environment.getServerName().toString()),
                metrics);
        this.reads = ServerReads.acquire(environment, options.get(Options.READ_TIMEOUT));
        this.rights = new ReadRights(environment.getConfiguration(), reads);
        this.scans =
                new ScanRewriter(environment.getRegion(), plan, reads, options.get(Options.SCAN_MAX_ENTRIES), metrics);
    }

    private static void pause(Metrics metrics) {
        metrics.add(Metrics.Count.CLOCK_PAUSES, 1);
        LockSupport.parkNanos(CLOCK_PAUSE);
    }

    /** Never fails for what a user wrote: an exception here could end the region server. */
    static IndexedRegion start(RegionCoprocessorEnvironment environment) {
        var descriptor = environment.getRegion().getTableDescriptor();
        if (environment.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
            // What it has was written, and is repaired, by the primary.
            return new IndexedRegion(environment, TablePlan.none(), Options.of(Map.of(), Map.of()), null);
        }
        try {
            TablePlan plan = TablePlan.of(descriptor).kept();
            return new IndexedRegion(
                    environment, plan, TableOptions.allowed(environment.getConfiguration(), descriptor), null);
        } catch (IllegalArgumentException e) {
            String fault = "the indexes of " + descriptor.getTableName() + " are not defined as they must be: "
                    + e.getMessage() + "; correct or remove the attribute";
            return new IndexedRegion(environment, TablePlan.none(), Options.of(Map.of(), Map.of()), fault);
        }
    }

    private boolean hasUnsynced() {
        return uncertain.hasUnsynced();
    }

    /** Which entries must stay although no row bears them out now. */
    private Set<Entry> held(Collection<Entry> entries) {
        Set<Entry> held = new HashSet<>(loads.held(entries));
        entries.stream().filter(failed::holds).forEach(held::add);
        return held;
    }

    /**
     * Fails unless the caller may read what an endpoint may tell.
     *
     * @param caller null if the server asks itself
     * @param name the index that is asked; of any if there is none of that name
     */
    void requireRights(@Nullable User caller, String name) throws IOException {
        rights.require(caller, environment.getRegionInfo().getTable(), plan, name);
    }

    /** Fails unless the caller may change the table. */
    void requireRightToChange(@Nullable User caller) throws IOException {
        rights.requireChange(caller, environment.getRegionInfo().getTable());
    }

    RegionUpkeep upkeep() {
        return upkeep;
    }

    /** Nothing that the region does for itself may hold up its end for long. */
    void closing(boolean isAborted) {
        noMoreCompactions();
        repair.closing();
        closesInPeace = !isAborted;
        if (!isAborted) {
            failed.hurry(patienceMillis);
        }
    }

    private void noMoreCompactions() {
        MetListeners.remove(environment.getRegion());
        compactions.stop();
    }

    void stop() throws IOException {
        noMoreCompactions();
        repair.stop();
        loads.stop();
        try {
            following.stop(patienceMillis);
            uncertain.stop(closesInPeace);
        } finally {
            failed.stop();
            sender.release();
            reads.release();
        }
    }

    /** What an earlier life of the region wrote is not given again. */
    void opened() {
        for (Store store : environment.getRegion().getStores()) {
            for (StoreFile file : store.getStorefiles()) {
                file.getMaximumTimestamp().ifPresent(this::setFloor);
            }
        }
        following.start();
        uncertain.start();
        MetListeners.add(environment.getRegion(), this::met);
    }

    /** Flushes and compactions, for tests. */
    StoreRepair repair() {
        return repair;
    }

    /** What an earlier life of the region left undone. */
    FollowingEntries following() {
        return following;
    }

    /** What writes that failed have left in the indexes. */
    FailedEntries failed() {
        return failed;
    }

    /** What a killed server has left in the indexes. */
    UncertainEntries uncertain() {
        return uncertain;
    }

    /** Entries that follow after their writes. */
    private void send(Collection<NewEntry> entries) throws IOException {
        uncertain.send(entries);
        sender.put(entries);
    }

    private void setFloor(long newest) {
        if (!clock.floor(newest)) {
            // A client wrote into the far future; what lies between now and then is not known.
            clock.floor(System.currentTimeMillis() + clockMaxAhead / 2);
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

    /** How often writes have read their rows. */
    long baseReads() {
        return writeReads.ofRegion();
    }

    void beforeLog() {
        writes.beforeLog();
    }

    void afterBatch(boolean success) throws IOException {
        writes.afterBatch(success);
    }

    void afterOperation() throws IOException {
        writes.afterOperation();
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

    void beforeScan(Scan scan) throws IOException {
        byte[] met = scan.getAttribute(MetEntries.ATTRIBUTE);
        MetEntries.Report report = met == null ? null : MetEntries.Report.parse(met);
        if (report != null && scan.numFamilies() == 1) {
            met(scan.getFamilies()[0], report.fresh(), report.stale());
        }
        scans.rewrite(scan, !following.isBehind());
    }

    private void met(byte[] family, int fresh, int stale) {
        if (!plan.repairedOfFamily(family).isEmpty()) {
            compactions.met(family, fresh, stale);
        }
    }

    Flushes flushes() {
        return flushes;
    }

    void beforeBulkLoad(List<Pair<byte[], String>> files) throws IOException {
        refuseIfFaulty();
        sender.handlers(environment.getRegionInfo().getTable()).run(() -> loads.before(files));
    }

    void beforeCommit(byte[] family) throws IOException {
        loads.commit(family);
    }

    void afterBulkLoad(List<Pair<byte[], String>> files, boolean areTaken) throws IOException {
        repair.loaded();
        loads.after(files, areTaken);
    }

    @Override
    public void loadFailed() {
        uncertain.loadFailed();
    }

    @Override
    public void put(List<NewEntry> entries) throws IOException {
        load(entries, List.of());
    }

    private void load(List<NewEntry> entries, Collection<Entry> unfindable) throws IOException {
        uncertain.load(entries, unfindable);
        sender.put(entries);
    }

    @Override
    public boolean holds(byte[] first, byte[] last) {
        return environment.getRegionInfo().containsRange(first, last);
    }

    @Override
    public int putComing(IndexPlan index, List<byte[]> rows) throws IOException {
        return comingRows.put(index, rows, loads);
    }

    @Override
    public boolean awaitFlush(Duration longest) {
        // To HBase nought is no limit.
        return environment.getRegion().waitForFlushes(Math.max(1, longest.toMillis()));
    }

    @Override
    public boolean isFlushed(byte[] family) {
        return environment.getRegion().getStores().stream()
                .filter(store -> Arrays.equals(store.getColumnFamilyDescriptor().getName(), family))
                .allMatch(Flushes::isFlushed);
    }

    @Override
    public void awaitCompactions(Duration longest) throws IOException {
        passes.await(longest.toNanos());
    }

    @Override
    public void awaitRemovals() throws IOException {
        removals.await();
    }

    @Override
    public void raiseClock(long timestamp) {
        setFloor(timestamp);
    }

    void keepEverything(Store store, ScanOptions options) {
        if (isIndexed(store) || fault != null) {
            StoreRepair.keepEverything(options);
        }
    }

    InternalScanner wrapFlush(Store store, InternalScanner scanner) {
        return isIndexed(store) ? flushes.wrap(store, scanner, indexes(store)) : scanner;
    }

    void selected(Store store, List<? extends StoreFile> files, CompactionRequest request) {
        if (isIndexed(store)) {
            repair.selected(store, files, request);
        }
    }

    InternalScanner wrap(Store store, InternalScanner scanner, ScanType type, CompactionRequest request)
            throws IOException {
        if (indexes(store).stream().anyMatch(IndexPlan::isAsync)) {
            following.await(Wait.COMPACTION, patienceMillis);
        }
        return isIndexed(store) ? repair.wrap(store, scanner, type, request, indexes(store)) : scanner;
    }

    void compacted(Store store, CompactionRequest request) {
        if (isIndexed(store)) {
            repair.compacted(store, request);
        }
    }

    @Override
    public void compactionIsOver() {
        loads.compacted();
    }

    @Override
    public Region region() {
        return environment.getRegion();
    }

    @Override
    public ScheduledExecutorService repairThreads() {
        return sender.repairs(environment.getRegionInfo().getTable());
    }

    @Override
    public ScheduledExecutorService cleaner() {
        return sender.cleaner(environment.getRegionInfo().getTable());
    }

    @Override
    public long loadsEnded() {
        return loads.ended();
    }

    @Override
    public Set<Entry> loadedSince(Collection<Entry> entries, long loadsEnded) {
        return loads.loadedSince(entries, loadsEnded);
    }

    @Override
    public long loadsEndedBeforeCompactions() {
        return repair.loadsEndedBefore();
    }

    @Override
    public void lookAt(Collection<Entry> entries) {
        if (!entries.isEmpty()) {
            failed.add(entries, false, false);
            // Their timestamps may be far below those of writes that are under way.
            uncertain.lookFrom(failed.takeForgotten());
        }
    }

    @Override
    public void lookFrom(long timestamp) {
        uncertain.lookFrom(timestamp);
    }

    @Override
    public boolean isLoading() {
        return loads.isUnderWay();
    }

    @Override
    public Cell copy(Cell cell) {
        return cells.at(cell, cell.getTimestamp());
    }

    private boolean isIndexed(Store store) {
        return !indexes(store).isEmpty();
    }

    private List<IndexPlan> indexes(Store store) {
        return plan.repairedOfFamily(store.getColumnFamilyDescriptor().getName());
    }
}
