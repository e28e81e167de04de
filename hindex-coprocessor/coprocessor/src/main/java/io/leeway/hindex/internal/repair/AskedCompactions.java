package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.metrics.Metrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks HBase for a compaction of all files of a family when its obsolete entries cost reads much, and only if the
 * compaction may find some. Thread-safe.
 *
 * <p>The region is told what reads have met and passes it on; in the threads of the reads.
 */
public final class AskedCompactions {

    private final StoreRepair.Host host;
    private final StoreRepair repair;
    private final Limits limits;
    private final CompactionTurns turns;
    private final CompactionRequests requests;
    /** A compaction is of one family, so one whose entries are fresh is not compacted for another's. */
    private final Map<byte[], StaleReads> byFamily = new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

    /** For one region. */
    public AskedCompactions(
            StoreRepair.Host host, StoreRepair repair, Limits limits, CompactionTurns turns, Metrics metrics) {
        this.host = host;
        this.repair = repair;
        this.limits = limits;
        this.turns = turns;
        this.requests = new CompactionRequests(
                host.region(),
                task -> host.repairThreads().execute(task),
                turns,
                () -> metrics.add(Metrics.Count.COMPACTIONS_ASKED, 1));
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
        if (reads.met(fresh, stale)
                && host.region().getStores().stream()
                        .filter(store ->
                                Bytes.equals(store.getColumnFamilyDescriptor().getName(), family))
                        // Asked last, and once a second at most: it looks at all files of the store.
                        .anyMatch(repair::mayFindObsolete)) {
            requests.ask(family, reads, "obsolete index entries", false);
        }
    }

    /**
     * Before the region closes.
     *
     * <p>If it is this region's turn, another may have it.
     */
    public void stop() {
        byFamily.values().forEach(turns::give);
    }
}
