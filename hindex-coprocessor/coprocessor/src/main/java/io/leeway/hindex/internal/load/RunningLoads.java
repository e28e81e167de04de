package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.WholePasses;
import io.leeway.hindex.internal.write.ComingCells;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Until the files can be seen, the entries are there without cells. A read, a repair, or a compaction that drops an equal
 * version, would take them for garbage, and a version of the files would lose its entry. So whoever removes an entry asks
 * first whether a load has its version. The files themselves tell, so that nothing is remembered for each cell. A load first
 * waits for removals that did not know of it, and when it has ended for those who have concluded something before. Compactions
 * take longer between the two: for those that chose their files before it ended it is remembered until they are done.
 * What they and writes ask of the files they wait for with a limit, see FileReads; no answer means that the entry stays, or that
 * the write is refused. So does the load itself, which is refused then, and goes on when it is tried again.
 */
/**
 * Loads into one region that are on their way, and those that have ended as long as somebody may not know of it.
 * {@link BulkLoads} begins and ends them; writes, compactions and repairs ask. Thread-safe: its lock guards all of
 * them; under it nothing is asked of a file system.
 */
public final class RunningLoads implements ComingCells, WholePasses.Loads {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final Configuration configuration;
    private final BulkLoads.Region region;
    private final int perSecond;
    private final FileReads reads;
    private final EndedLoads past;
    /** By the names of their files. Guarded by this. */
    private final Map<List<String>, RunningLoad> running = new HashMap<>();
    /** Asked without the lock by whoever removes entries: nearly always there is none. */
    private volatile boolean isEmpty = true;
    /** Whether one has rows with states; asked without the lock by every write to an index over several columns. */
    private volatile boolean hasStates;

    /** Of a region, where a load writes so many entries in a second. */
    RunningLoads(Configuration configuration, BulkLoads.Region region, int perSecond, FileReads reads) {
        this.configuration = configuration;
        this.region = region;
        this.perSecond = perSecond;
        this.reads = reads;
        this.past = new EndedLoads(reads);
    }

    /** What a call wants to load, and how its files are now. */
    record Call(List<String> names, List<GivenFile> files, List<String> states, boolean ofStates) {}

    /**
     * The load that the call goes on with, if its files are open already.
     *
     * @return null if there is none, or it reads its files from another place
     */
    synchronized @Nullable RunningLoad goOn(Call call) throws IOException {
        requireAlone(call);
        RunningLoad known = known(call);
        if (known == null || !known.isOf(call.files)) {
            return null;
        }
        known.goOn();
        return known;
    }

    /** A load that reads these files from now on: from the beginning, or from where an earlier call has come to. */
    synchronized RunningLoad begin(Call call, List<LoadedFile> opened) throws IOException {
        requireAlone(call);
        RunningLoad known = known(call);
        Load load = known == null
                ? new Load(opened, region, perSecond, call.ofStates, reads)
                // Those that were read until now may be deleted already.
                : known.load().at(opened);
        var next = new RunningLoad(load, call.files, call.states);
        // At no moment there is none of these files: writes ask whether there is one without a lock.
        RunningLoad last = running.put(call.names, next);
        count();
        if (last != null) {
            past.add(last.load());
            past.close(region.loadsEndedBeforeCompactions());
        }
        return next;
    }

    /** The load of the same files, in the same state, that is under way. */
    private @Nullable RunningLoad known(Call call) throws RegionTooBusyException {
        RunningLoad known = running.get(call.names);
        if (known != null && known.isBusy()) {
            throw new RegionTooBusyException("an earlier call writes the entries of these files; try again");
        }
        if (known == null || !known.isIn(call.states)) {
            return null;
        }
        if (known.isAccepted() && !known.isOf(call.files)) {
            throw new RegionTooBusyException("the same files are being taken from another place; try again");
        }
        return known;
    }

    /**
     * Refuses a load with states while there is another: the states that lead to each other would be as many as the
     * orders in which files come.
     */
    private void requireAlone(Call call) throws RegionTooBusyException {
        if (call.ofStates && !others(call.names).isEmpty()) {
            throw new RegionTooBusyException("other files are being loaded into the region, whose rows have"
                    + " entries over several columns; try again when they are");
        }
    }

    private synchronized List<RunningLoad> others(List<String> names) {
        return running.entrySet().stream()
                .filter(other ->
                        other.getValue().load().hasStates() && !other.getKey().equals(names))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Else they would keep this one waiting until they are forgotten. */
    void endAbandoned(List<String> exceptFor) {
        for (RunningLoad other : others(exceptFor)) {
            endIfAbandoned(other);
        }
    }

    /** Nobody can go on with files that are not there any more: replication deletes its copies after each attempt. */
    private void endIfAbandoned(RunningLoad one) {
        if (isResting(one) && !mayExist(one)) {
            synchronized (this) {
                if (isResting(one)) {
                    end(GivenFile.names(one.files()), false);
                }
            }
        }
    }

    /** Without an answer it counts as there: it is forgotten in its time. */
    private boolean mayExist(RunningLoad one) {
        try {
            return reads.read(() -> one.exists(configuration));
        } catch (IOException e) {
            LOG.debug("it is not known whether the files of a bulk load are there still", e);
            return true;
        }
    }

    /** Whether no call works on it, and none has its entries. */
    private synchronized boolean isResting(RunningLoad one) {
        return running.containsValue(one) && !one.isBusy() && !one.isAccepted();
    }

    private void count() {
        isEmpty = running.isEmpty();
        hasStates = running.values().stream().anyMatch(each -> each.load().hasStates());
    }

    /** From now on its files may become visible at any moment. */
    synchronized void accept(RunningLoad one) {
        one.accept();
    }

    /**
     * After a flush of a family: for loads that were accepted it began when no row of theirs was written any more.
     *
     * <p>Called before the flush's file is among those of the store, which is early enough: what matters is what it has
     * left in memory.
     */
    public synchronized void afterFlush(String family) {
        running.values().forEach(each -> each.flushed(family));
    }

    synchronized boolean isRunning(RunningLoad one) {
        return running.containsValue(one);
    }

    /** Whether a flush of a family has ended since it was accepted. */
    synchronized boolean isFlushed(RunningLoad one, String family) {
        return one.isFlushed(family);
    }

    /** The call has ended, in whatever way; the time until it is forgotten begins. */
    synchronized void rest(RunningLoad one) {
        one.rest();
    }

    /** Those that nobody goes on with. There is no timer: it is asked for by whoever would be held up. */
    synchronized void forget() {
        long now = System.nanoTime();
        List<List<String>> old = running.entrySet().stream()
                .filter(each -> each.getValue().isForgotten(now))
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(each -> end(each, false));
    }

    synchronized void end(List<String> names, boolean areTaken) {
        if (running.containsKey(names) && !areTaken) {
            // Before it counts as ended, or its entries would be taken for certain in between.
            region.loadFailed();
        }
        RunningLoad last = running.get(names);
        if (last != null) {
            // First, or who asks without the lock would in between find it neither here nor there.
            past.add(last.load());
            running.remove(names);
        }
        count();
        past.close(region.loadsEndedBeforeCompactions());
    }

    /**
     * When a compaction is done, or has failed.
     *
     * <p>Files that nobody needs to read any more are closed.
     */
    public void compacted() {
        past.close(region.loadsEndedBeforeCompactions());
    }

    /** Which entries speak of versions that a load has which ended after so many. */
    public Set<Entry> loadedSince(Collection<Entry> entries, long loadsEnded) {
        return past.hadSince(entries, loadsEnded);
    }

    /** Whether files have been accepted, or begun, and HBase has not said yet what became of them. */
    public boolean isUnderWay() {
        return !isEmpty;
    }

    /**
     * Whether entries of a load may be in vain of which nobody else knows: it is under way, or a compaction is at work that
     * leaves them.
     *
     * <p>Asked in the order in which a load passes from the one to the other.
     */
    public boolean areSettled() {
        return !isUnderWay() && past.isEmpty();
    }

    /** There is one load with states at most, so its files are all that come. */
    @Override
    public List<List<Fact>> of(IndexPlan index, byte[] row) throws IOException {
        if (!areStatesComing()) {
            return List.of();
        }
        for (Load load : loads()) {
            if (load.hasStates()) {
                try {
                    return load.coming(index, row);
                } catch (IOException | RuntimeException e) {
                    if (!isOver(load)) {
                        throw e;
                    }
                    // Ended and closed: what came of it is read from the region. Or it goes on from another place.
                    return of(index, row);
                }
            }
        }
        return List.of();
    }

    /** Whether it has ended, with this question at the latest. */
    private boolean isOver(Load load) {
        RunningLoad one = running(load);
        if (one != null) {
            endIfAbandoned(one);
        }
        return running(load) == null;
    }

    private synchronized @Nullable RunningLoad running(Load load) {
        return running.values().stream()
                .filter(each -> each.load().equals(load))
                .findAny()
                .orElse(null);
    }

    private synchronized List<Load> loads() {
        return running.values().stream().map(RunningLoad::load).toList();
    }

    /** Loads that nobody goes on with are forgotten here, too: a write would be held up by them. */
    @Override
    public boolean areStatesComing() {
        if (hasStates) {
            forget();
        }
        return hasStates;
    }

    @Override
    public long ended() {
        return past.number();
    }

    /**
     * Which entries must stay, since a load has, or may have, the versions that they speak of.
     *
     * <p>If the files do not answer in time all of them count as held.
     */
    public Set<Entry> held(Collection<Entry> entries) {
        return isEmpty ? Set.of() : Load.held(loads(), entries);
    }

    /**
     * Ends all.
     *
     * <p>The region's next life looks for what they have left: its timestamps are in the index's table.
     */
    public synchronized void stop() {
        for (List<String> each : List.copyOf(running.keySet())) {
            end(each, false);
        }
        past.close(Long.MAX_VALUE);
    }
}
