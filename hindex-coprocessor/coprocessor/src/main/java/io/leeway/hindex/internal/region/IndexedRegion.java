package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.admin.TableOptions;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.MetEntries;
import io.leeway.hindex.internal.read.MetListeners;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.silence.Wait;
import io.leeway.hindex.internal.upkeep.FailedEntries;
import io.leeway.hindex.internal.upkeep.RegionUpkeep;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.hindex.internal.write.UncertainEntries;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * What HBase tells of one region, handed to the parts that it concerns. The observer has one for each region, and does
 * nothing else than to call it. A table without indexes passes here as well, and each hook ends with its first
 * question. Thread-safe.
 */
public final class IndexedRegion {

    private final RegionParts parts;
    private final TablePlan plan;
    /**
     * What is wrong with the definitions: then writes are refused, and nothing is dropped, since nobody knows what has
     * entries.
     */
    private final @Nullable String fault;

    /** Whether the region is closed and not given up, so that all in memory goes to files. */
    private volatile boolean closesInPeace;

    private IndexedRegion(RegionParts parts, @Nullable String fault) {
        this.parts = parts;
        this.plan = parts.plan;
        this.fault = fault;
    }

    /**
     * Never fails for what a user wrote: an exception here could end the region server.
     *
     * <p>With a fault the region is opened all the same, and refuses writes until the table is corrected; reads go on.
     */
    public static IndexedRegion start(RegionCoprocessorEnvironment environment) {
        var descriptor = environment.getRegion().getTableDescriptor();
        if (environment.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
            // What it has was written, and is repaired, by the primary.
            return without(environment, null);
        }
        try {
            TablePlan plan = TablePlan.of(descriptor).kept();
            Options options = TableOptions.allowed(environment.getConfiguration(), descriptor);
            return new IndexedRegion(new RegionParts(environment, plan, options), null);
        } catch (IllegalArgumentException e) {
            String fault = "the indexes of " + descriptor.getTableName() + " are not defined as they must be: "
                    + e.getMessage() + "; correct or remove the attribute";
            return without(environment, fault);
        }
    }

    /** With preset options: those of the table may be what is wrong. */
    private static IndexedRegion without(RegionCoprocessorEnvironment environment, @Nullable String fault) {
        Options preset = Options.of(Map.of(), Map.of());
        return new IndexedRegion(new RegionParts(environment, TablePlan.none(), preset), fault);
    }

    /**
     * Fails unless the caller may read what an endpoint may tell.
     *
     * @param caller null if the server asks itself
     * @param name the index that is asked; of any if there is none of that name
     */
    public void requireRights(@Nullable User caller, String name) throws IOException {
        parts.rights.require(caller, parts.table(), plan, name);
    }

    /** Fails unless the caller may change the table. */
    public void requireRightToChange(@Nullable User caller) throws IOException {
        parts.rights.requireChange(caller, parts.table());
    }

    /** What is asked of the region by who builds and verifies. */
    public RegionUpkeep upkeep() {
        return parts.upkeep;
    }

    /**
     * Before HBase closes the region, while it still serves. Nothing that the region does for itself may hold up its
     * end for long. One that is given up keeps its memory in the log: what failed writes left must not be decided then.
     */
    public void closing(boolean isAborted) {
        noMoreCompactions();
        parts.repair.closing();
        closesInPeace = !isAborted;
        if (!isAborted) {
            parts.failed.hurry(parts.timeoutMillis);
        }
    }

    private void noMoreCompactions() {
        MetListeners.remove(parts.environment.getRegion());
        parts.compactions.stop();
    }

    /**
     * When it is closed.
     *
     * <p>In an order: first nobody begins anything, then what follows after writes is sent, then the marks say how far
     * that came, then what is shared with other regions is given back, whatever failed before.
     */
    public void stop() throws IOException {
        noMoreCompactions();
        parts.repair.stop();
        parts.running.stop();
        try {
            parts.following.stop(parts.timeoutMillis);
            parts.uncertain.stop(closesInPeace);
        } finally {
            parts.failed.stop();
            parts.sender.release();
            parts.reads.release();
        }
    }

    /**
     * When HBase has opened the region, with what the log had. What an earlier life of the region wrote is not given
     * again: the clock is told of the highest timestamp in the files; the log's cells are in files by now.
     */
    public void opened() {
        for (Store store : parts.environment.getRegion().getStores()) {
            for (StoreFile file : store.getStorefiles()) {
                file.getMaximumTimestamp().ifPresent(parts::setFloor);
            }
        }
        parts.following.start();
        parts.uncertain.start();
        MetListeners.add(parts.environment.getRegion(), this::met);
    }

    /** Flushes and compactions, for tests. */
    public StoreRepair repair() {
        return parts.repair;
    }

    /** What an earlier life of the region left undone. */
    public FollowingEntries following() {
        return parts.following;
    }

    /** What writes that failed have left in the indexes. */
    public FailedEntries failed() {
        return parts.failed;
    }

    /** What a killed server has left in the indexes. */
    public UncertainEntries uncertain() {
        return parts.uncertain;
    }

    /**
     * Before HBase fills in timestamps.
     *
     * <p>Called for every write of the table, so a table without indexes must not pay for it.
     */
    public void beforeTimestamps(Mutation mutation) {
        if (!plan.isEmpty()) {
            parts.writes.beforeTimestamps(mutation);
        }
    }

    /** Under the rows' locks, before anything is written. */
    public void beforeBatch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        refuseIfFaulty();
        if (!plan.isEmpty()) {
            parts.writes.beforeBatch(batch);
        }
    }

    /** How often writes have read their rows. */
    public long baseReads() {
        return parts.writeReads.ofRegion();
    }

    /** Before the batch of this thread is given to the log. */
    public void beforeLog() {
        parts.writes.beforeLog();
    }

    /** After the locks were released, whether or not the batch of this thread came to be written. */
    public void afterBatch(boolean success) throws IOException {
        parts.writes.afterBatch(success);
    }

    /** At the end of the operation that the batch was part of. */
    public void afterOperation() throws IOException {
        parts.writes.afterOperation();
    }

    /** The cells to write in the place of those that an increment or an append results in. */
    public List<Pair<Cell, Cell>> beforeResult(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
        refuseIfFaulty();
        return plan.isEmpty() ? cells : parts.writes.beforeResult(mutation, cells);
    }

    /** Not to be tried again: it does not pass by itself. */
    private void refuseIfFaulty() throws DoNotRetryIOException {
        if (fault != null) {
            throw new DoNotRetryIOException(fault);
        }
    }

    /**
     * A scan may tell what queries have met, and may be answered by an index.
     *
     * <p>The report is that of another server's reads, see {@link MetEntries}.
     */
    public void beforeScan(Scan scan) throws IOException {
        byte[] met = scan.getAttribute(MetEntries.ATTRIBUTE);
        MetEntries.Report report = met == null ? null : MetEntries.Report.parse(met);
        if (report != null && scan.numFamilies() == 1) {
            met(scan.getFamilies()[0], report.fresh(), report.stale());
        }
        parts.scans.rewrite(scan, !parts.following.isBehind());
    }

    /** Families whose indexes are not repaired have nothing to be found by a compaction. */
    private void met(byte[] family, int fresh, int stale) {
        if (!plan.repairedOfFamily(family).isEmpty()) {
            parts.compactions.met(family, fresh, stale);
        }
    }

    /** What HBase tells of flushes. */
    public Flushes flushes() {
        return parts.flushes;
    }

    /**
     * Before files are loaded; their entries are written first.
     *
     * <p>It waits for the index as a write does, in a handler, and counts among those.
     */
    public void beforeBulkLoad(List<Pair<byte[], String>> files) throws IOException {
        refuseIfFaulty();
        parts.sender.handlers(parts.table()).run(() -> parts.loads.before(files));
    }

    /** Before files of a family are put into their place. */
    public void beforeCommit(byte[] family) throws IOException {
        parts.loads.commit(family);
    }

    /**
     * After a load has ended, in whatever way. Repairs are told first: a reading beside a compaction sees either that
     * there is a load, or that there was one.
     */
    public void afterBulkLoad(List<Pair<byte[], String>> files, boolean areTaken) throws IOException {
        parts.repair.loaded();
        parts.loads.after(files, areTaken);
    }

    /** Flushes and compactions are to drop nothing before the region has seen it. */
    public void keepEverything(Store store, ScanOptions options) {
        if (isIndexed(store) || fault != null) {
            StoreRepair.keepEverything(options);
        }
    }

    /** Between a flush and what was in memory. */
    public InternalScanner wrapFlush(Store store, InternalScanner scanner) {
        return isIndexed(store) ? parts.flushes.wrap(store, scanner, indexes(store)) : scanner;
    }

    /** When the files of a compaction have been chosen. */
    public void selected(Store store, List<? extends StoreFile> files, CompactionRequest request) {
        if (isIndexed(store)) {
            parts.repair.selected(store, files, request);
        }
    }

    /**
     * Between a compaction and its input.
     *
     * <p>For indexes in mode async it waits until the entries of what is in the files are there: one that came after
     * its removal would stay.
     */
    public InternalScanner wrap(Store store, InternalScanner scanner, ScanType type, CompactionRequest request)
            throws IOException {
        if (indexes(store).stream().anyMatch(IndexPlan::isAsync)) {
            parts.following.await(Wait.COMPACTION, parts.timeoutMillis);
        }
        return isIndexed(store) ? parts.repair.wrap(store, scanner, type, request, indexes(store)) : scanner;
    }

    /** When the file of a compaction is about to take the place of the old ones. */
    public void compacted(Store store, CompactionRequest request) {
        if (isIndexed(store)) {
            parts.repair.compacted(store, request);
        }
    }

    private boolean isIndexed(Store store) {
        return !indexes(store).isEmpty();
    }

    private List<IndexPlan> indexes(Store store) {
        return plan.repairedOfFamily(store.getColumnFamilyDescriptor().getName());
    }
}
