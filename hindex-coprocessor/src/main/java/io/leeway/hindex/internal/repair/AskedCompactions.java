package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.metrics.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks HBase for a compaction of all files of a family when its obsolete entries cost reads much, and only if the compaction may
 * find some. Thread-safe.
 */
public final class AskedCompactions {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final StoreRepair.Host host;
    private final StoreRepair repair;
    private final Limits limits;
    private final CompactionTurns turns;
    private final Metrics metrics;
    private final Map<byte[], StaleReads> byFamily = new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

    /** For one region. */
    public AskedCompactions(
            StoreRepair.Host host, StoreRepair repair, Limits limits, CompactionTurns turns, Metrics metrics) {
        this.host = host;
        this.repair = repair;
        this.limits = limits;
        this.turns = turns;
        this.metrics = metrics;
    }

    /**
     * When a compaction is due.
     *
     * @param stale how many obsolete entries reads must have met; 0 for never
     * @param percent how many in a hundred of all that they met
     * @param pause the least time between two
     */
    public record Limits(int stale, int percent, Duration pause) {}

    /** Reads have met entries of the rows of this family, which has indexes. Called for each row that is read. */
    public void met(byte[] family, int fresh, int stale) {
        if (limits.stale == 0) {
            return;
        }
        StaleReads reads = byFamily.computeIfAbsent(family, none -> new StaleReads(limits, System::nanoTime));
        if (reads.met(fresh, stale)) {
            host.region().getStores().stream()
                    .filter(store ->
                            Bytes.equals(store.getColumnFamilyDescriptor().getName(), family))
                    .filter(repair::mayFindObsolete)
                    .findAny()
                    .ifPresent(store -> takeTurn(store, reads));
        }
    }

    private void takeTurn(Store store, StaleReads reads) {
        long stale = reads.stale();
        if (!turns.take(reads, stale)) {
            return;
        }
        if (reads.ask()) {
            LOG.info(
                    "a compaction of {} in {} is asked for: of the entries that reads met {} were obsolete",
                    store.getColumnFamilyName(),
                    host.region().getRegionInfo().getRegionNameAsString(),
                    stale);
            ask(store, reads);
        } else {
            // Another read was faster.
            turns.give(reads);
        }
    }

    /** In another thread, so that the compaction is not that of the user who reads. */
    private void ask(Store store, StaleReads reads) {
        metrics.add(Metrics.Count.COMPACTIONS_ASKED, 1);
        try {
            host.repairThreads().execute(() -> {
                try {
                    host.region()
                            .requestCompaction(
                                    store.getColumnFamilyDescriptor().getName(),
                                    "obsolete index entries cost reads",
                                    Store.PRIORITY_USER,
                                    true,
                                    new Turn(reads));
                } catch (IOException | RuntimeException | Error e) {
                    LOG.warn("a compaction could not be asked for", e);
                    turns.give(reads);
                }
            });
        } catch (RejectedExecutionException e) {
            // The server goes down.
            turns.give(reads);
        }
    }

    /** Before the region closes. */
    public void stop() {
        byFamily.values().forEach(turns::give);
    }

    private final class Turn implements CompactionLifeCycleTracker {

        private final StaleReads reads;

        Turn(StaleReads reads) {
            this.reads = reads;
        }

        @Override
        public void notExecuted(Store store, String reason) {
            turns.give(reads);
        }

        @Override
        public void afterExecution(Store store) {
            turns.give(reads);
        }

        @Override
        public void completed() {
            turns.give(reads);
        }
    }
}
