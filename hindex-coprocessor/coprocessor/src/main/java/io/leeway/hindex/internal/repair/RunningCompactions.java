package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.jspecify.annotations.Nullable;

/**
 * Compactions of one region that are at work, and what those before them have left repaired. Thread-safe: its lock
 * guards all of it, but for what a compaction fills in for itself.
 */
final class RunningCompactions {

    /** As a sequence id: nothing is known to be repaired. */
    static final long NOTHING = -1;
    /** As a number of loads, for a compaction whose files nobody saw being chosen: no number is equal to it. */
    private static final long UNKNOWN = -1;

    private final StoreRepair.Host host;
    /** By identity, as HBase hands the same object to all hooks of one compaction. */
    private final IdentityHashMap<CompactionRequest, Compaction> running = new IdentityHashMap<>();
    /** By family: which revivals are sure to be in files. */
    private final Map<String, Long> flushedKnowledge = new HashMap<>();
    /** By family: up to which sequence id nothing obsolete is left. */
    private final Map<String, Long> repairedUpTo = new HashMap<>();
    /** Families whose last reading beside a compaction may have overlooked something. */
    private final Set<String> unsure = new HashSet<>();
    /** How many have changed the files. */
    private long loads;

    RunningCompactions(StoreRepair.Host host) {
        this.host = host;
    }

    /**
     * What is known of one, from when its files were chosen; the rest is filled in when it is read, and seen by the
     * hooks of the same compaction only.
     */
    static final class Compaction {
        final long knowledge;
        final StoreReading.Files files;
        private final long loads;
        final long loadsEnded;
        List<IndexPlan> indexes = List.of();

        @Nullable
        GarbageBuffer garbage;

        boolean isWhole;
        long revivalsBefore;

        private Compaction(long knowledge, StoreReading.Files files, long loads, long loadsEnded) {
            this.knowledge = knowledge;
            this.files = files;
            this.loads = loads;
            this.loadsEnded = loadsEnded;
        }
    }

    /**
     * How a compaction begins to read its family.
     *
     * @param repairedUpTo the sequence id up to which nothing obsolete is left, or {@link #NOTHING}
     * @param isUnsure whether the last reading beside a compaction may have overlooked something
     */
    record Start(Compaction compaction, long repairedUpTo, boolean isUnsure) {}

    /** Revivals of this knowledge are in a file of the family. */
    synchronized void flushed(String family, long knowledge) {
        flushedKnowledge.merge(family, knowledge, Math::max);
    }

    /**
     * Of all compactions that are at work, or to come, and of what follows after them.
     *
     * @param after asked under the lock, so that each compaction is known here or there
     */
    synchronized long leastKnowledge(LongSupplier after) {
        long ofStores = host.region().getStores().stream()
                .mapToLong(store -> flushedKnowledge.getOrDefault(store.getColumnFamilyName(), 0L))
                .min()
                .orElse(0);
        long ofCompactions = running.values().stream()
                .mapToLong(compaction -> compaction.knowledge)
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.min(Math.min(ofStores, ofCompactions), after.getAsLong());
    }

    /** When the files of a compaction have been chosen: what is flushed later is not among them. */
    synchronized void selected(
            Store store, List<? extends StoreFile> files, StoreReading.Files newest, CompactionRequest request) {
        // A file is in one compaction at a time: one that had it before has failed.
        running.keySet().removeIf(other -> !Collections.disjoint(other.getFiles(), files));
        running.put(
                request,
                new Compaction(
                        flushedKnowledge.getOrDefault(store.getColumnFamilyName(), 0L),
                        newest,
                        loads,
                        host.loadsEnded()));
    }

    /** When its input is opened. */
    synchronized Start start(CompactionRequest request, String family) {
        Compaction compaction = running.computeIfAbsent(
                request, unknown -> new Compaction(0, new StoreReading.Files(0, Long.MAX_VALUE), UNKNOWN, UNKNOWN));
        // A loaded file may be among those that are read, and say of itself that it is old.
        long repaired = host.isLoading() ? NOTHING : repairedUpTo(family);
        return new Start(compaction, repaired, unsure.contains(family));
    }

    synchronized @Nullable Compaction of(CompactionRequest request) {
        return running.get(request);
    }

    /** When it has ended, or failed. */
    synchronized void forget(CompactionRequest request) {
        running.remove(request);
    }

    /** How many loads had ended when the oldest compaction that is at work chose its files. */
    synchronized long loadsEndedBefore() {
        return running.values().stream()
                .mapToLong(compaction -> compaction.loadsEnded)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Whether a reading beside a compaction cannot have met files that were loaded since the compaction chose its own:
     * what is in them may have any sequence id, and may have hidden what it is like.
     */
    synchronized boolean isWithoutLoads(Compaction compaction) {
        // A load counts before it is done, see StoreRepair.loaded().
        return compaction.loads == loads && !host.isLoading();
    }

    /** Files were loaded: what was repaired up to a sequence id says nothing any more. */
    synchronized void loaded() {
        loads++;
        repairedUpTo.clear();
    }

    /** A compaction of all files of a family has ended, which has repaired everything in them, or has not. */
    synchronized void ended(String family, Compaction compaction, boolean isRepaired) {
        if (isRepaired && compaction.loads == loads) {
            repairedUpTo.merge(family, compaction.files.newestSequence(), Math::max);
            unsure.remove(family);
        } else {
            repairedUpTo.remove(family);
        }
    }

    /** The reading that follows after a compaction has repaired everything, or may have overlooked something. */
    synchronized void repairedLater(String family, Compaction compaction, boolean isSure) {
        if (isSure && isWithoutLoads(compaction)) {
            repairedUpTo.put(family, compaction.files.newestSequence());
        } else {
            unsure.add(family);
        }
    }

    /** Up to which sequence id nothing obsolete is left, or {@link #NOTHING}. */
    synchronized long repairedUpTo(String family) {
        return repairedUpTo.getOrDefault(family, NOTHING);
    }
}
