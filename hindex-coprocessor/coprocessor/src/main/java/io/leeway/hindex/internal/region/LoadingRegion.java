package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What bulk loads need of their region. Looks up the parts when they are needed, as loads are made before most of them.
 * Thread-safe.
 */
final class LoadingRegion implements BulkLoads.Region {

    private final RegionParts parts;

    LoadingRegion(RegionParts parts) {
        this.parts = parts;
    }

    @Override
    public void put(List<NewEntry> entries) throws IOException {
        parts.load(entries, List.of());
    }

    @Override
    public void loadFailed() {
        parts.uncertain.loadFailed();
    }

    @Override
    public boolean holds(byte[] first, byte[] last) {
        return parts.environment.getRegionInfo().containsRange(first, last);
    }

    @Override
    public int putComing(IndexPlan index, List<byte[]> rows) throws IOException {
        return parts.comingRows.put(index, rows, parts.running);
    }

    @Override
    public boolean awaitFlush(Duration longest) {
        // To HBase nought is no limit.
        return parts.environment.getRegion().waitForFlushes(Math.max(1, longest.toMillis()));
    }

    @Override
    public boolean isFlushed(byte[] family) {
        return parts.environment.getRegion().getStores().stream()
                .filter(store -> Arrays.equals(store.getColumnFamilyDescriptor().getName(), family))
                .allMatch(Flushes::isFlushed);
    }

    @Override
    public void awaitCompactions(Duration longest) throws IOException {
        parts.passes.await(longest.toNanos());
    }

    @Override
    public void awaitRemovals() throws IOException {
        parts.removals.await();
    }

    @Override
    public void raiseClock(long timestamp) {
        parts.setFloor(timestamp);
    }

    @Override
    public long loadsEndedBeforeCompactions() {
        return parts.repair.loadsEndedBefore();
    }
}
