package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.jspecify.annotations.Nullable;

/*
 * HBase drops superseded and deleted versions before a coprocessor sees them, at flush, at in-memory compaction and at
 * compaction alike. A version that is dropped unseen leaves its entry in the index for ever. So all three are told to keep
 * everything, and compactions drop in RepairScanner what HBase would have dropped.
 *
 * Knowledge, see Removals: a compaction is sure to have read what was flushed before its files were chosen.
 */
/** Flushes and compactions of one region. Thread-safe. */
public final class StoreRepair {

    private static final long NOTHING = -1;

    private final Removals removals;
    private final int bufferCapacity;
    private final Retention.Repair repair;
    private final Metrics metrics;
    private final IdentityHashMap<CompactionRequest, Compaction> running = new IdentityHashMap<>();
    private final Map<String, Long> flushedKnowledge = new HashMap<>();
    private final Map<String, Long> repairedUpTo = new HashMap<>();
    private long loads;

    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<Long> knowledgeBeforeFlush = new ThreadLocal<>();

    /** Repairs in this way through these removals, in batches of this many. */
    public StoreRepair(Removals removals, int bufferCapacity, Retention.Repair repair, Metrics metrics) {
        this.metrics = metrics;
        this.removals = removals;
        this.repair = repair;
        this.bufferCapacity = bufferCapacity;
    }

    private static final class Compaction {
        private final long knowledge;
        private final long newestSequence;
        private final long loads;
        private @Nullable GarbageBuffer garbage;

        Compaction(long knowledge, long newestSequence, long loads) {
            this.knowledge = knowledge;
            this.newestSequence = newestSequence;
            this.loads = loads;
        }
    }

    /** Makes a flush or a compaction keep all versions and deletes. */
    public static void keepEverything(ScanOptions options) {
        options.readAllVersions();
        options.setKeepDeletedCells(KeepDeletedCells.TRUE);
    }

    /** Before a flush takes what is in memory. */
    public void beforeFlush() {
        knowledgeBeforeFlush.set(removals.knowledge());
    }

    /** After a flush of one family, in the same thread. */
    public void afterFlush(Store store) {
        Long knowledge = knowledgeBeforeFlush.get();
        if (knowledge != null) {
            synchronized (running) {
                flushedKnowledge.merge(store.getColumnFamilyName(), knowledge, Math::max);
            }
        }
    }

    /** When the files of a compaction have been chosen. */
    public void selected(Store store, List<? extends StoreFile> files, CompactionRequest request) {
        long newest =
                files.stream().mapToLong(StoreFile::getMaxSequenceId).max().orElse(0);
        synchronized (running) {
            running.put(
                    request,
                    new Compaction(flushedKnowledge.getOrDefault(store.getColumnFamilyName(), 0L), newest, loads));
        }
    }

    /** Between a compaction and its input. */
    public InternalScanner wrap(
            Store store,
            InternalScanner input,
            ScanType type,
            CompactionRequest request,
            List<IndexPlan> indexes,
            UnaryOperator<Cell> copier) {
        String family = store.getColumnFamilyName();
        GarbageBuffer garbage;
        long repaired;
        synchronized (running) {
            Compaction compaction = running.computeIfAbsent(request, unknown -> new Compaction(0, 0, -1));
            garbage = new GarbageBuffer(removals, compaction.knowledge, bufferCapacity, metrics);
            compaction.garbage = garbage;
            repaired = repairedUpTo.getOrDefault(family, NOTHING);
        }
        return new RepairScanner(input, retention(store, type, request, repaired), indexes, garbage, copier);
    }

    private Retention retention(Store store, ScanType type, CompactionRequest request, long repaired) {
        ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
        long now = System.currentTimeMillis();
        boolean expires = family.getTimeToLive() != HConstants.FOREVER;
        long purgeAfter = store.getReadOnlyConfiguration().getLong("hbase.hstore.time.to.purge.deletes", 0);
        long purgeBefore = purgeAfter == 0 ? Long.MAX_VALUE : now - purgeAfter;
        return new Retention(
                family.getMaxVersions(),
                family.getMinVersions(),
                expires ? now - TimeUnit.SECONDS.toMillis(family.getTimeToLive()) : Long.MIN_VALUE,
                family.getKeepDeletedCells() != KeepDeletedCells.FALSE,
                request.isAllFiles(),
                type == ScanType.COMPACT_DROP_DELETES ? purgeBefore : Long.MIN_VALUE,
                // Open scanners go on reading the files that are replaced.
                Long.MAX_VALUE,
                repaired,
                repair);
    }

    /** After files were loaded, whose cells may have any sequence id: what was repaired up to one says nothing any more. */
    public void loaded() {
        synchronized (running) {
            loads++;
            repairedUpTo.clear();
        }
    }

    /** After a compaction's file has taken the place of the old ones. */
    public void compacted(Store store, CompactionRequest request) {
        synchronized (running) {
            Compaction compaction = running.remove(request);
            if (compaction != null
                    && compaction.garbage != null
                    && compaction.garbage.isComplete()
                    && request.isAllFiles()
                    && compaction.loads == loads
                    && repair != Retention.Repair.NONE) {
                repairedUpTo.merge(store.getColumnFamilyName(), compaction.newestSequence, Math::max);
            }
        }
    }
}
