package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.load.RunningLoads;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Overtaken;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.upkeep.FailedEntries;
import io.leeway.hindex.internal.write.UncertainEntries;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.jspecify.annotations.Nullable;

/**
 * Tells the parts of a region which of its stores were flushed, and what was known before that. What counts is what was
 * known before a flush took what was in memory: HBase's hooks are several, and only the thread tells that they are of
 * one flush. Thread-safe.
 */
public final class Flushes {

    private final Region region;
    private final Removals removals;
    private final FailedEntries failed;
    private final UncertainEntries uncertain;
    private final RunningLoads loads;
    private final StoreRepair repair;

    /** The flush of this thread. One that never came to its end is replaced by the thread's next. */
    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<@Nullable Flush> flush = new ThreadLocal<>();

    Flushes(
            Region region,
            Removals removals,
            FailedEntries failed,
            UncertainEntries uncertain,
            RunningLoads loads,
            StoreRepair repair) {
        this.region = region;
        this.removals = removals;
        this.failed = failed;
        this.uncertain = uncertain;
        this.loads = loads;
        this.repair = repair;
    }

    /**
     * One that is at work.
     *
     * @param knowledge of {@link Removals} before it took what was in memory
     * @param awaiting of {@link FailedEntries} at that time
     * @param number of {@link UncertainEntries}
     * @param stores that it has written so far
     * @param overtaken what it drops although it may be read until its files are in place
     */
    private record Flush(
            long knowledge, FailedEntries.Waiting awaiting, long number, List<Store> stores, Overtaken overtaken) {}

    /** HBase asks before it knows whether another flush is at work: then this one ends here. */
    public void before() {
        flush.set(new Flush(
                removals.knowledge(), failed.flushing(), uncertain.flushing(), new ArrayList<>(), new Overtaken()));
    }

    /** In the thread of the flush: between it and what was in memory. */
    InternalScanner wrap(Store store, InternalScanner scanner, List<IndexPlan> indexes) {
        Flush current = flush.get();
        return current == null ? scanner : repair.wrapFlush(store, scanner, indexes, current.overtaken);
    }

    /** In the thread of the flush: its file is written, but not yet among those of the store. */
    public void after(Store store) {
        loads.afterFlush(store.getColumnFamilyName());
        Flush current = flush.get();
        if (current != null) {
            current.stores.add(store);
        }
    }

    /**
     * In the thread of the flush: all is done.
     *
     * <p>First each store, with what is known of it alone; then, if nothing of before is left in any store, the region
     * as a whole. A store with nothing in memory was not written, and counts as flushed. What was dropped is looked at
     * last, as its files must be in place.
     */
    public void ended() {
        Flush ended = flush.get();
        flush.remove();
        if (ended != null) {
            for (Store store : ended.stores) {
                repair.flushed(store.getColumnFamilyName(), ended.knowledge);
                failed.flushed(store.getColumnFamilyDescriptor().getName(), ended.awaiting);
            }
            boolean isWhole =
                    region.getStores().stream().allMatch(store -> ended.stores.contains(store) || isFlushed(store));
            if (isWhole) {
                repair.allFlushed(ended.knowledge);
                uncertain.flushed(ended.number);
                failed.allFlushed(ended.awaiting);
            }
            repair.lookAt(ended.overtaken);
        }
    }

    /**
     * Whether nothing of a store is in memory.
     *
     * <p>Of a store that was written meanwhile this says no: then the region counts as not flushed, which the next
     * flush makes good.
     */
    static boolean isFlushed(Store store) {
        return store.getMemStoreSize().getDataSize() == 0;
    }
}
