package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.metrics.Metrics;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * Model: what is removed from an index stays there, with its delete, until all files of its region are compacted together; HBase
 * does that once a week. Reads of the index pass over both. How many they pass over is not told by HBase's scanners, so it is
 * reckoned: as many for each entry that is read as there are for an entry that is left, by bytes. An entry is as large as its
 * delete, more or less.
 *
 * What was removed is counted where it arrives. A compaction takes away what was in the files when it began; so what is in memory
 * is flushed first. A region that moves forgets what it has counted.
 */
/**
 * Asks HBase for a compaction of all files of a region of an index when reads pass over many removed entries. The
 * endpoint has one for each region, and tells it of batches, flushes, compactions and reads. Thread-safe.
 */
public final class RemovedEntries {

    /** An entry and its delete. */
    private static final int CELLS = 2;

    /** A reckoned entry that is left is passed over at most so many; a region may have none at all. */
    private static final long MOST = 10_000;

    private final Region region;
    private final byte[] family;
    private final int limit;
    private final StaleReads reads;
    private final CompactionTurns turns;
    private final CompactionRequests requests;
    /** Of all deletes since the region was opened; written by every batch that has some. */
    private final LongAdder removedBytes = new LongAdder();
    /** How many of these were in memory when the present flush began. */
    private volatile long inFlush;
    /** How many are in files. */
    private volatile long inFiles;
    /** How many were in files when the present compaction began. */
    private volatile long inCompaction;
    /** How many compactions have taken away. */
    private volatile long purged;

    /** For one region, whose entries are in this family. */
    public RemovedEntries(
            Region region, byte[] family, AskedCompactions.Limits limits, CompactionTurns turns, Metrics metrics) {
        this.region = region;
        this.family = family.clone();
        this.limit = limits.stale();
        this.reads = new StaleReads(limits, System::nanoTime);
        this.turns = turns;
        this.requests = new CompactionRequests(
                region, RemovedEntries::run, turns, () -> metrics.add(Metrics.Count.INDEX_COMPACTIONS_ASKED, 1));
    }

    /** Rare, and soon over. */
    private static void run(Runnable task) {
        var thread = new Thread(task, "hindex index compaction");
        thread.setDaemon(true);
        thread.start();
    }

    /** A batch was written. */
    public void written(MiniBatchOperationInProgress<Mutation> batch) {
        long bytes = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.getOperation(i) instanceof Delete removal) {
                List<Cell> cells = removal.getFamilyCellMap().getOrDefault(family, List.of());
                for (Cell cell : cells) {
                    bytes += cell.getSerializedSize();
                }
            }
        }
        if (bytes > 0) {
            removedBytes.add(bytes);
        }
    }

    /** A flush begins. */
    public void flushing() {
        inFlush = removedBytes.sum();
    }

    /** The file of a family is written. */
    public void flushed(Store store) {
        if (isOfEntries(store)) {
            inFiles = inFlush;
        }
    }

    /** A compaction begins. */
    public void compacting(Store store, ScanType type) {
        if (isOfEntries(store) && type == ScanType.COMPACT_DROP_DELETES) {
            inCompaction = inFiles;
        }
    }

    /** The file of a compaction takes the place of the old ones. */
    public void compacted(Store store, CompactionRequest request) {
        if (isOfEntries(store) && request.isAllFiles()) {
            purged = Math.max(purged, inCompaction);
        }
    }

    private boolean isOfEntries(Store store) {
        return Bytes.equals(store.getColumnFamilyDescriptor().getName(), family);
    }

    /** A query has read so many entries. */
    public void read(int entries) {
        if (limit == 0 || entries == 0) {
            return;
        }
        long removed = CELLS * (removedBytes.sum() - purged);
        if (removed > 0) {
            met(entries, removed);
        }
    }

    /** Reckons how many were passed over, and asks if it is much. */
    private void met(int entries, long removed) {
        long all = 0;
        for (Store store : region.getStores()) {
            if (isOfEntries(store)) {
                all = store.getStoreSizeUncompressed() + store.getMemStoreSize().getDataSize();
            }
        }
        long left = Math.max(all - removed, all / MOST);
        long passed = left == 0 ? 0 : (long) ((double) entries * removed / left);
        if (reads.met(entries, passed)) {
            requests.ask(family, reads, "removed index entries", true);
        }
    }

    /** Before the region closes. */
    public void stop() {
        turns.give(reads);
    }
}
