package io.leeway.hindex;

import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What loads see of a region in which nothing else happens, and which keeps the entries that it is given. */
class BareRegion implements BulkLoads.Region {

    final List<NewEntry> entries = new CopyOnWriteArrayList<>();

    @Override
    public boolean holds(byte[] first, byte[] last) {
        return true;
    }

    @Override
    public void put(List<NewEntry> written) throws IOException {
        entries.addAll(written);
    }

    @Override
    public int putComing(IndexPlan index, List<byte[]> rows) {
        return 0;
    }

    @Override
    public void awaitCompactions(Duration longest) {}

    @Override
    public boolean awaitFlush(Duration longest) {
        return true;
    }

    @Override
    public boolean isFlushed(byte[] family) {
        return true;
    }

    @Override
    public void awaitRemovals() {}

    @Override
    public long loadsEndedBeforeCompactions() {
        return Long.MAX_VALUE;
    }

    @Override
    public void loadFailed() {}

    @Override
    public void raiseClock(long timestamp) {}
}
