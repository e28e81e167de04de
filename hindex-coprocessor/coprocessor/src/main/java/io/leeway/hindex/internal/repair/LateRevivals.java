package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Model: until a compaction's file takes the place of the old ones, writes read what the old ones show. A delete that makes a
 * version fresh there writes its entry again, though the compaction has dropped the version by then and removed the entry: it
 * would stay for ever, since no compaction meets its version any more.
 *
 * So entries that were revived since a compaction began, and those that it left although it drops their versions, are looked at
 * when the old files are gone: under the row's lock, where the table tells what they are worth. For those that are not
 * remembered the index is looked through. HBase calls its last hook just before it replaces the files; that they are is seen by
 * asking, a moment later.
 *
 * HBase closes a region only when its compactions have ended; it is told before, when it can still be looked at. What comes
 * after that is left to its next life: as a timestamp, from which on that reads the index.
 */
/**
 * Entries of one region that were written again while a compaction dropped their versions. {@link StoreRepair} tells it
 * of each compaction that has written its file. Thread-safe.
 */
final class LateRevivals {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Between two looks whether files are in their place; HBase moves them right after its hook. */
    private static final long PAUSE_MILLIS = 100;

    private final StoreRepair.Host host;
    private final Removals removals;
    private final List<Pending> pending = new ArrayList<>();
    private boolean stopped;

    LateRevivals(StoreRepair.Host host, Removals removals) {
        this.host = host;
        this.removals = removals;
    }

    /** A compaction whose file is about to take its place. */
    private record Pending(
            Store store,
            CompactionRequest request,
            List<IndexPlan> indexes,
            long since,
            List<Entry> left,
            Overtaken overtaken) {

        /** Whether it reads files that this one has read. */
        boolean overlaps(CompactionRequest other) {
            return !Collections.disjoint(request.getFiles(), other.getFiles());
        }

        /** Of its old files none is left in the store. */
        boolean isInPlace() {
            return Collections.disjoint(store.getStorefiles(), request.getFiles());
        }

        /** Of all that is to be looked at. */
        long lowestTimestamp(Removals removals) {
            long lowest = Math.min(overtaken.lowest(), removals.lostSince(since));
            return Stream.concat(left.stream(), removals.revivedSince(indexes, since).stream())
                    .mapToLong(Entry::timestamp)
                    .reduce(lowest, Math::min);
        }
    }

    /**
     * The file of a compaction is about to take its place.
     *
     * @param since the number of the last revival when it began
     * @param left entries that it knew to be revived, but whose versions it has dropped
     * @param overtaken entries of versions that it has dropped, which readers may see till then
     */
    synchronized void compacted(
            Store store,
            CompactionRequest request,
            List<IndexPlan> indexes,
            long since,
            List<Entry> left,
            Overtaken overtaken) {
        // Files that are compacted again were not replaced.
        pending.removeIf(other -> other.overlaps(request));
        pending.add(new Pending(store, request, indexes, since, left, overtaken));
        if (pending.size() == 1) {
            schedule();
        }
    }

    private void schedule() {
        if (stopped) {
            return;
        }
        try {
            var unused = host.cleaner().schedule(this::look, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the server stops; what was revived during compactions is left to reads and repairs");
        }
    }

    private synchronized void look() {
        if (!stopped) {
            handOver();
        }
        if (!pending.isEmpty()) {
            schedule();
        }
    }

    /** Before the region closes: hands over what can be looked at still, and nothing after that. */
    synchronized void closing() {
        handOver();
        stopped = true;
    }

    /** The rows are looked at only now: before, they would show what the old files say, and the entry would stay. */
    private void handOver() {
        for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
            Pending next = all.next();
            if (next.isInPlace()) {
                all.remove();
                host.lookAt(next.left);
                next.overtaken.handTo(host);
                host.lookAt(removals.revivedSince(next.indexes, next.since));
                // Asked last: what is remembered may be lost at any moment.
                host.lookFrom(removals.lostSince(next.since));
            }
        }
    }

    /**
     * The least number after which revivals will be looked for.
     *
     * <p>So long these must be remembered, see {@link Removals#forget}.
     */
    synchronized long since() {
        return pending.stream().mapToLong(Pending::since).min().orElse(Long.MAX_VALUE);
    }

    /** Whether the file of each compaction is in its place. */
    synchronized boolean isSettled() {
        return pending.isEmpty();
    }

    /** When the region is closed: the rest is for its next life. */
    synchronized void stop() {
        stopped = true;
        pending.forEach(each -> host.lookFrom(each.lowestTimestamp(removals)));
        pending.clear();
    }
}
