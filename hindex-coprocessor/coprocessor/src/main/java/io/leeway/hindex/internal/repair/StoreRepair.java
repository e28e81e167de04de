package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.RunningCompactions.Compaction;
import io.leeway.hindex.internal.silence.CompactionRemovals;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * HBase drops superseded and deleted versions before a coprocessor sees them, at flush, at in-memory compaction and at
 * compaction alike. A version that is dropped unseen leaves its entry in the index for ever. So all three are told to keep
 * everything. Compactions drop afterwards what HBase would have dropped, see CompactedCells; flushes drop what could be seen again
 * without a write, as a value that expires by itself has overtaken it, see FlushScanner.
 *
 * Knowledge, see Removals: a compaction is sure to have read what was flushed before its files were chosen.
 *
 * Variants differ in when a compaction of all files has entries removed:
 * - pipelined: while it reads; versions are dropped when their entries are gone.
 * - isolated: not at all. It keeps their versions, and when its file is in place, another thread reads the family again and
 *   removes the entries; the next compaction drops the versions. What says so is a sequence id (repairedUpTo): what became
 *   obsolete by then is repaired. HBase may set old sequence ids to nought meanwhile, so the number counts only if nothing
 *   was left open since; and the reading does not look at it.
 * - before: the family is read first, then compacted without a repair. If the reading is not sure, the compaction repairs too.
 *
 * Where indexes are over several columns, a compaction of all files that a load came near counts as one of some files, see
 * WholePasses.
 *
 * An index over several columns needs the order of arrival of all cells, which may be gone when a compaction is done: in the
 * variant isolated it is repaired in the stream all the same.
 */
/**
 * Flushes and compactions of one region. The observer calls it from HBase's hooks, in the threads of flushes and
 * compactions; what is kept about each compaction is found by its request, see {@link RunningCompactions}. Thread-safe,
 * as its parts are.
 */
public final class StoreRepair {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final Host host;
    private final Removals removals;
    private final WholePasses passes;
    private final Settings settings;
    private final Metrics metrics;
    private final LaterRepairs later;
    private final LateRevivals revivals;
    private final RunningCompactions compactions;

    /** Repairs a region in this way through these removals. */
    public StoreRepair(Host host, Removals removals, WholePasses passes, Settings settings, Metrics metrics) {
        this.host = host;
        this.passes = passes;
        this.removals = removals;
        this.settings = settings;
        this.metrics = metrics;
        this.compactions = new RunningCompactions(host);
        this.later = new LaterRepairs(host::repairThreads, metrics);
        this.revivals = new LateRevivals(host, removals);
    }

    /** What repair needs of its region. */
    public interface Host {
        /** To read it. */
        Region region();

        /** For repairs that do not belong to a compaction. */
        ScheduledExecutorService repairThreads();

        /** For what is short. */
        ScheduledExecutorService cleaner();

        /** Has entries removed that their rows do not bear out; soon, in another thread. */
        void lookAt(Collection<Entry> entries);

        /**
         * Has all entries with this timestamp or a later one looked at, some time; none, if it is the highest number.
         */
        void lookFrom(long timestamp);

        /** Whether files are being loaded, which may be among its files already. */
        boolean isLoading();

        /** How many loads have ended. */
        long loadsEnded();

        /** Which entries speak of what one has that ended after so many. */
        Set<Entry> loadedSince(Collection<Entry> entries, long loadsEnded);

        /** A compaction is done, or has failed. */
        void compactionIsOver();

        /** A cell that stays as it is. */
        Cell copy(Cell cell);
    }

    /** Where compactions of all files have entries removed. */
    public enum Variant {
        /** While they read. */
        PIPELINED,
        /** By another thread, afterwards. */
        ISOLATED,
        /** Before they read. */
        BEFORE_COMPACTION
    }

    /**
     * How a table is repaired.
     *
     * @param buffer how many removals are sent at once
     * @param repair what is done about obsolete entries
     * @param variant where
     */
    public record Settings(int buffer, Retention.Repair repair, Variant variant) {}

    /**
     * Makes a flush or a compaction keep all versions and deletes.
     *
     * <p>Whether or not the table is repaired: a version that HBase drops unseen leaves its entry for ever.
     */
    public static void keepEverything(ScanOptions options) {
        options.readAllVersions();
        options.setKeepDeletedCells(KeepDeletedCells.TRUE);
    }

    /**
     * After a flush of one family, when its file is among those of the store.
     *
     * @param knowledge of {@link Removals} from before the flush took what was in memory
     */
    public void flushed(String family, long knowledge) {
        compactions.flushed(family, knowledge);
    }

    /**
     * After a flush with which nothing is left in memory of what was there when it began.
     *
     * @param knowledge of {@link Removals} from before
     */
    public void allFlushed(long knowledge) {
        host.region().getStores().forEach(store -> flushed(store.getColumnFamilyName(), knowledge));
        removals.forget(leastKnowledge());
    }

    /**
     * Of all compactions that are at work, or to come, and of what follows after them.
     *
     * <p>While a reading beside a compaction is to come, nothing is forgotten: it works with the knowledge of its
     * compaction.
     */
    private long leastKnowledge() {
        return later.isIdle() ? compactions.leastKnowledge(revivals::since) : 0;
    }

    /**
     * When the files of a compaction have been chosen.
     *
     * <p>Knowledge is taken here: what is flushed later is not among the files.
     */
    public void selected(Store store, List<? extends StoreFile> files, CompactionRequest request) {
        long newestSequence =
                files.stream().mapToLong(StoreFile::getMaxSequenceId).max().orElse(0);
        passes.selected(store, request, files);
        long newestTimestamp = files.stream()
                .mapToLong(file -> file.getMaximumTimestamp().orElse(Long.MAX_VALUE))
                .max()
                .orElse(Long.MAX_VALUE);
        compactions.selected(store, files, new StoreReading.Files(newestSequence, newestTimestamp), request);
    }

    /**
     * Between a flush and what was in memory.
     *
     * <p>Without repair nothing is dropped: then nobody would look at the entries afterwards.
     *
     * @param overtaken of the flush
     */
    public InternalScanner wrapFlush(Store store, InternalScanner input, List<IndexPlan> indexes, Overtaken overtaken) {
        // Scanners that are open read the new file in the place of memory: what they see stays.
        return settings.repair != Retention.Repair.NONE && store instanceof HStore kept
                ? new FlushScanner(
                        input,
                        store.getColumnFamilyDescriptor().getMaxVersions(),
                        kept.getSmallestReadPoint(),
                        indexes,
                        overtaken,
                        host::copy)
                : input;
    }

    /** After a flush, when its files are among those of their stores. */
    public void lookAt(Overtaken overtaken) {
        overtaken.handTo(host);
    }

    /**
     * Between a compaction and its input.
     *
     * <p>Here is decided what kind of compaction it is. All that may change meanwhile, such as loads, is asked before
     * the first cell is read.
     */
    public InternalScanner wrap(
            Store store, InternalScanner input, ScanType type, CompactionRequest request, List<IndexPlan> indexes)
            throws IOException {
        boolean isWhole =
                request.isAllFiles() && (indexes.stream().allMatch(IndexPlan::isOfOneColumn) || passes.begin(request));
        RunningCompactions.Start start = compactions.start(request, store.getColumnFamilyName());
        Compaction compaction = start.compaction();
        long repaired = start.repairedUpTo();
        CompactionMode mode = CompactionMode.of(settings, isWhole, start.isUnsure());
        if (mode.readsBefore() && isRepairedBefore(store, compaction, indexes, repaired)) {
            repaired = Math.max(repaired, compaction.files.newestSequence());
        }
        GarbageBuffer garbage = garbage(compaction);
        compaction.garbage = garbage;
        compaction.indexes = indexes;
        compaction.isWhole = isWhole;
        compaction.revivalsBefore = removals.knowledge();
        return new RepairScanner(
                input,
                new CompactedCells(mode.retention(store, type, repaired), indexes, garbage, mode.leavesKept()),
                garbage,
                host::copy,
                () -> requireNoneIsLate(compaction),
                toTheEnd -> read(request, toTheEnd));
    }

    /** When the input of a compaction is closed: if that is early, it has failed, and HBase says no more about it. */
    private void read(CompactionRequest request, boolean toTheEnd) {
        passes.read(request, toTheEnd);
        if (!toTheEnd) {
            forget(request);
        }
    }

    private void forget(CompactionRequest request) {
        compactions.forget(request);
        host.compactionIsOver();
    }

    /**
     * When its region closes, nobody is left who would look at what was revived when its version was dropped already.
     */
    private void requireNoneIsLate(Compaction compaction) throws IOException {
        if (later.isStopped() && removals.knowledge() > compaction.revivalsBefore) {
            throw new IOException(
                    "a delete brought versions back while they were compacted, and the region closes; its next"
                            + " life compacts again");
        }
    }

    private GarbageBuffer garbage(Compaction compaction) {
        return new GarbageBuffer(
                removals,
                compaction.knowledge,
                settings.buffer,
                metrics,
                entries -> host.loadedSince(entries, compaction.loadsEnded));
    }

    /** How many loads had ended when the oldest compaction that is at work chose its files. */
    public long loadsEndedBefore() {
        return compactions.loadsEndedBefore();
    }

    /** The variant before: reads the family, within the compaction's own thread and before it. */
    private boolean isRepairedBefore(Store store, Compaction compaction, List<IndexPlan> indexes, long repaired)
            throws IOException {
        var isRepaired = new AtomicBoolean();
        ifSilent()
                .remove(
                        () -> isRepaired.set(read(store, compaction, indexes, repaired, later::isStopped)
                                && compactions.isWithoutLoads(compaction)),
                        e -> LOG.warn(
                                "obsolete entries could not be removed before a compaction, which tries again itself",
                                e));
        return isRepaired.get();
    }

    private CompactionRemovals ifSilent() {
        return settings.repair == Retention.Repair.STRICT
                ? CompactionRemovals.BEFORE_STRICT
                : CompactionRemovals.BEFORE_LAZY;
    }

    /** Whether everything that is obsolete in the files of a compaction is removed. */
    private boolean read(
            Store store, Compaction compaction, List<IndexPlan> indexes, long repaired, BooleanSupplier cancelled)
            throws IOException {
        return StoreReading.repair(
                host.region(),
                store.getColumnFamilyDescriptor().getName(),
                compaction.files,
                CompactionMode.beside(store, repaired),
                indexes,
                garbage(compaction),
                host::copy,
                cancelled,
                metrics);
    }

    /**
     * After files were loaded, before {@link Host#isLoading()} says so: their cells may have any sequence id, so what
     * was repaired up to one says nothing any more.
     */
    public void loaded() {
        compactions.loaded();
    }

    /**
     * When the file of a compaction is written, and about to take the place of the old ones.
     *
     * <p>What it has found out about the family is noted only now, since it may have failed up to here. Only one of all
     * files may say that everything is repaired.
     */
    public void compacted(Store store, CompactionRequest request) {
        Compaction compaction = compactions.of(request);
        GarbageBuffer garbage =
                compaction == null || settings.repair == Retention.Repair.NONE ? null : compaction.garbage;
        if (compaction != null && garbage != null) {
            revivals.compacted(
                    store, request, compaction.indexes, compaction.revivalsBefore, garbage.left(), garbage.overtaken());
        }
        // Not before: at any moment it says here or there what it must still be told of.
        forget(request);
        if (garbage != null && garbage.hasLeftRest()) {
            LOG.warn(
                    "a compaction of {} keeps obsolete versions, which the next one drops: meanwhile deletes of exact versions"
                            + " have brought back more entries than are remembered (hindex.revived.entries)",
                    host.region().getRegionInfo().getRegionNameAsString());
        }
        if (compaction == null || garbage == null || !compaction.isWhole) {
            return;
        }
        String family = store.getColumnFamilyName();
        boolean complete = garbage.isComplete();
        // One that still runs may not say any more what is repaired.
        later.cancel(family);
        compactions.ended(family, compaction, complete);
        if (!complete && settings.variant == Variant.ISOLATED) {
            repairLater(store, compaction);
        }
    }

    /** Indexes over several columns were repaired in the stream. */
    private void repairLater(Store store, Compaction compaction) {
        List<IndexPlan> left =
                compaction.indexes.stream().filter(IndexPlan::isOfOneColumn).toList();
        var sure = new AtomicBoolean();
        later.start(
                store.getColumnFamilyName(),
                isCancelled -> sure.set(read(store, compaction, left, RunningCompactions.NOTHING, isCancelled)),
                // Under the lock of LaterRepairs, so that no later compaction has said anything in between.
                () -> compactions.repairedLater(store.getColumnFamilyName(), compaction, sure.get()));
    }

    /** Whether a compaction of all files may find obsolete entries. */
    boolean mayFindObsolete(Store store) {
        long repaired = compactions.repairedUpTo(store.getColumnFamilyName());
        return settings.repair != Retention.Repair.NONE
                && store.getStorefiles().stream().anyMatch(file -> file.getMaxSequenceId() > repaired);
    }

    /**
     * Waits for repairs that follow after compactions.
     *
     * @return whether all are done
     */
    public boolean await(long millis) throws InterruptedException {
        return later.await(millis);
    }

    /** How many entries that were revived are remembered; for tests. */
    public int remembered() {
        return removals.remembered();
    }

    /** Whether what was written again during compactions has been handed on to be looked at. */
    public boolean isSettled() {
        return revivals.isSettled();
    }

    /**
     * Before the region closes: what is left to do is found again by compactions of its next life.
     *
     * <p>What can be looked at now is; of what comes later the next life is told when the region is closed.
     */
    public void closing() {
        later.stop();
        revivals.closing();
    }

    /** When it is closed. */
    public void stop() {
        revivals.stop();
        later.stop();
    }
}
