package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.repair.StoreRepair;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.Region;

/** What repairs need of their region: between them and the parts that look at entries, and at loads. Thread-safe. */
final class RepairedRegion implements StoreRepair.Host {

    private final RegionParts parts;

    RepairedRegion(RegionParts parts) {
        this.parts = parts;
    }

    @Override
    public Region region() {
        return parts.environment.getRegion();
    }

    @Override
    public ScheduledExecutorService repairThreads() {
        return parts.sender.repairs(parts.table());
    }

    @Override
    public ScheduledExecutorService cleaner() {
        return parts.cleaner();
    }

    @Override
    public void compactionIsOver() {
        parts.running.compacted();
    }

    @Override
    public boolean isLoading() {
        return parts.running.isUnderWay();
    }

    @Override
    public long loadsEnded() {
        return parts.running.ended();
    }

    @Override
    public Set<Entry> loadedSince(Collection<Entry> entries, long loadsEnded) {
        return parts.running.loadedSince(entries, loadsEnded);
    }

    /** They cannot be on their way any more, nor come back from the log: their cells were in files. */
    @Override
    public void lookAt(Collection<Entry> entries) {
        if (!entries.isEmpty()) {
            parts.failed.add(entries, false, false);
            // Their timestamps may be far below those of writes that are under way.
            parts.uncertain.lookFrom(parts.failed.takeForgotten());
        }
    }

    @Override
    public void lookFrom(long timestamp) {
        parts.uncertain.lookFrom(timestamp);
    }

    @Override
    public Cell copy(Cell cell) {
        return parts.cells.at(cell, cell.getTimestamp());
    }
}
