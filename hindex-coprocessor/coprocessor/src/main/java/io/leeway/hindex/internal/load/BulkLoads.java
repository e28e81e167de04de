package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.WholePasses;
import io.leeway.hindex.internal.write.ComingCells;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Model: HBase takes files into a region whole; no cell of them passes the write path. So before it does they are read, and
 * the entries of all their puts are written, with the timestamps of the cells: when the files can be seen, every version in
 * them has its entry, as if it had been written. That holds whatever else the region has: a put that is superseded or hidden
 * has an entry that compactions find, since they find the put. The clock is told of the highest timestamp, so that later
 * writes come after it.
 *
 * Until the files can be seen, the entries are there without cells. A read, a repair, or a compaction that drops an equal
 * version, would take them for garbage, and a version of the files would lose its entry. So whoever removes an entry asks
 * first whether a load has its version. The files themselves tell, so that nothing is remembered for each cell. A load first
 * waits for removals that did not know of it, and when it has ended for those who have concluded something before. Compactions
 * take longer between the two: for those that chose their files before it ended it is remembered until they are done.
 * What they and writes ask of the files they wait for with a limit, see FileReads; no answer means that the entry stays, or that
 * the write is refused. So does the load itself, which is refused then, and goes on when it is tried again.
 *
 * An index over several columns has entries of the states of rows, which depend on what else a row has. So the rows of the files
 * are locked, a few at a time, and the entries are written of what they will show. Nobody knows when that will be, so writes
 * that come after it, until the load has ended, write the entries of what they lead to without the files and with them, see
 * RowChange; they find out from the files themselves. HBase makes one file visible after the other, so each beginning of their
 * list counts as a load. Compactions of all files are kept apart, see WholePasses. And such loads come one at a time.
 *
 * HBase is let past preCommitStoreFile only for a load that has all its entries and was not forgotten: it may have copied the
 * files for long, and the entries of a forgotten load are removed.
 *
 * Time: a call works on the entries for a limited time, then it is refused as the region were too busy. Clients of HBase try
 * that again, and the next call goes on where this one ended. A load that nobody goes on with is forgotten after a while;
 * its entries are garbage then, as of any write that failed. Replication tries a few times only, then it copies the files anew
 * and begins from the beginning, with other paths; that goes on, too, see GivenFile, else long loads would never come to an end.
 */
/**
 * Loads of files into one region. The observer calls {@link #before}, {@link #commit} and {@link #after} in the thread
 * of HBase's load; writes, compactions and repairs ask from theirs. Thread-safe.
 */
public final class BulkLoads implements ComingCells, WholePasses.Loads {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final TablePlan plan;
    private final Configuration configuration;
    private final Region region;
    private final Settings settings;
    /** By the names of their files. Guarded by this, as all that changes in a load. */
    private final Map<List<String>, RunningLoad> running = new HashMap<>();

    private final FileReads reads;
    private final EndedLoads past;
    /** Asked without the lock by whoever removes entries: nearly always there is none. */
    private volatile boolean isEmpty = true;
    /** Whether one has rows with states; asked without the lock by every write to an index over several columns. */
    private volatile boolean hasStates;

    /**
     * From {@link #before} to {@link #commit}: HBase gives the second hook no more than a family and paths of its own.
     */
    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<@Nullable RunningLoad> accepted = new ThreadLocal<>();

    /** Loads into a region with these indexes. */
    public BulkLoads(TablePlan plan, Configuration configuration, Region region, Settings settings) {
        this.plan = plan;
        this.configuration = configuration;
        this.region = region;
        this.settings = settings;
        this.reads = new FileReads(settings.patience, longer(settings.time, settings.patience));
        this.past = new EndedLoads(reads);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * What a load needs of its region.
     *
     * <p>In words of loads, so that nothing here depends on the parts of a region.
     */
    public interface Region {
        /** Whether rows from the first to the last are its own. */
        boolean holds(byte[] first, byte[] last);

        /** Writes entries; returns when all of them are there. */
        void put(List<NewEntry> entries) throws IOException;

        /**
         * Writes the entries of what rows will show when the files have come; returns their number when all are there.
         */
        int putComing(IndexPlan index, List<byte[]> rows) throws IOException;

        /**
         * Waits for compactions that conclude something from all files: later ones ask whether there is a load.
         *
         * <p>Fails with {@link RegionTooBusyException} when they take longer.
         */
        void awaitCompactions(Duration longest) throws IOException;

        /**
         * Waits for a flush that is at work.
         *
         * @return whether there is none
         */
        boolean awaitFlush(Duration longest);

        /** Whether a family has nothing in memory. */
        boolean isFlushed(byte[] family);

        /** Waits for removals that are being sent: later ones ask whether a load holds their entries. */
        void awaitRemovals() throws IOException;

        /** How many loads had ended when the oldest compaction that is at work chose its files. */
        long loadsEndedBeforeCompactions();

        /**
         * A load has ended of whose files HBase has taken none: its entries are in vain.
         *
         * <p>There may be any number of them, so they are looked for in the index.
         */
        void loadFailed();

        /** Later writes have higher timestamps than this. */
        void raiseClock(long timestamp);
    }

    /**
     * How loads are done.
     *
     * <p>The rate is for the sake of the index's servers: reading files costs nothing beside writing entries.
     *
     * @param refused whether they are not done at all
     * @param time for how long a call may work on entries
     * @param perSecond how many entries a load writes in a second
     * @param patience for how long others wait for what is read from the files
     */
    public record Settings(boolean refused, Duration time, int perSecond, Duration patience) {}

    /**
     * Before HBase takes files: writes their entries.
     *
     * <p>The order: the load is made known, so that from then on nobody removes its entries; those who had asked before
     * are waited for; then compactions that conclude something, for indexes over several columns; then the entries are
     * written. When all are there, the clock is raised, and a flush that is at work is waited for.
     *
     * @param files families and paths
     * @throws RegionTooBusyException if more is to be done; the same call again goes on
     * @throws IllegalArgumentException if the files cannot be indexed
     */
    public void before(List<Pair<byte[], String>> files) throws IOException {
        accepted.remove();
        List<IndexPlan> indexes = plan.indexes().stream()
                .filter(index -> files.stream().anyMatch(file -> index.isOfFamily(file.getFirst())))
                .toList();
        if (indexes.isEmpty()) {
            return;
        }
        requirePossible();
        if (!reads.readForLoad(() -> fit(files))) {
            // HBase takes none of them, and its clients make others that fit.
            return;
        }
        boolean ofStates = indexes.stream().anyMatch(index -> !index.isOfOneColumn());
        List<GivenFile> given = given(files);
        RunningLoad one = begin(given, ofStates);
        try {
            long end = System.nanoTime() + settings.time.toNanos();
            region.awaitRemovals();
            if (ofStates) {
                region.awaitCompactions(settings.time);
            }
            if (!one.load().work(indexes, end - System.nanoTime())) {
                throw new RegionTooBusyException(
                        one.load().written() + " entries of a bulk load are written, more are to"
                                + " come; it goes on when it is tried again, see hindex.load.time");
            }
            region.raiseClock(one.load().newest());
            if (ofStates && !region.awaitFlush(settings.time)) {
                throw new RegionTooBusyException(
                        "a flush is at work, behind which HBase would give the files of a bulk load"
                                + " no sequence id; try again");
            }
            accept(one);
        } catch (IllegalArgumentException e) {
            // These files will never be taken: what they have in the index already is to be looked at.
            end(names(given), false);
            throw e;
        } finally {
            rest(one);
        }
    }

    /** Asked only where a family of the files has an index: other loads are none of our business. */
    private void requirePossible() {
        if (settings.refused) {
            throw new IllegalArgumentException("bulk loads into families with an index are refused by hindex.load;"
                    + " change that, or disable the index, load, and build it again (hindex disable, hindex build)");
        }
    }

    /**
     * Whether all their rows belong to the region, which was perhaps split since somebody chose it for them.
     *
     * <p>HBase finds that out later, and says so to the client, who cuts the files anew.
     */
    private boolean fit(List<Pair<byte[], String>> files) throws IOException {
        for (Pair<byte[], String> each : files) {
            try (LoadedFile file = LoadedFile.open(each.getFirst(), new Path(each.getSecond()), configuration)) {
                if (!file.fits(region)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<GivenFile> given(List<Pair<byte[], String>> files) {
        return files.stream().map(file -> GivenFile.of(file, configuration)).toList();
    }

    /**
     * Of the same files always the same, in whatever order they are given: that of replication is another each time.
     */
    private static List<String> names(List<GivenFile> files) {
        return files.stream().map(GivenFile::name).sorted().toList();
    }

    /**
     * Files are looked at and opened without the lock: they may be on servers that do not answer, and writes need the
     * lock.
     */
    private RunningLoad begin(List<GivenFile> files, boolean ofStates) throws IOException {
        forget();
        // What rows with states will show depends on the order in which HBase takes the files.
        List<GivenFile> ordered = ofStates
                ? files
                : files.stream().sorted(Comparator.comparing(GivenFile::name)).toList();
        var call = new Call(names(files), ordered, reads.readForLoad(() -> states(ordered)), ofStates);
        if (ofStates) {
            endAbandoned(call.names);
        }
        RunningLoad known = goOn(call);
        if (known != null) {
            return known;
        }
        OpenFiles opened = reads.openForLoad(() -> open(ordered));
        try {
            return begin(call, opened.files());
        } catch (IOException | RuntimeException e) {
            reads.closeLater(opened);
            throw e;
        }
    }

    /** Closed together, also when they were opened in vain. */
    private record OpenFiles(List<LoadedFile> files) implements Closeable {
        @Override
        public void close() throws IOException {
            for (LoadedFile file : files) {
                file.close();
            }
        }
    }

    /** What a call wants to load, and how its files are now. */
    private record Call(List<String> names, List<GivenFile> files, List<String> states, boolean ofStates) {}

    /** What tells whether a file is still the one that was read: asks the file system. */
    private List<String> states(List<GivenFile> files) throws IOException {
        var states = new ArrayList<String>();
        for (GivenFile file : files) {
            states.add(file.state(configuration));
        }
        return states;
    }

    /**
     * The load that the call goes on with, if its files are open already.
     *
     * @return null if there is none, or it reads its files from another place
     */
    private synchronized @Nullable RunningLoad goOn(Call call) throws IOException {
        requireAlone(call);
        RunningLoad known = known(call);
        if (known == null || !known.isOf(call.files)) {
            return null;
        }
        known.goOn();
        return known;
    }

    /** A load that reads these files from now on: from the beginning, or from where an earlier call has come to. */
    private synchronized RunningLoad begin(Call call, List<LoadedFile> opened) throws IOException {
        requireAlone(call);
        RunningLoad known = known(call);
        Load load = known == null
                ? new Load(opened, region, settings.perSecond, call.ofStates, reads)
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
    private void endAbandoned(List<String> exceptFor) {
        for (RunningLoad other : others(exceptFor)) {
            endIfAbandoned(other);
        }
    }

    /** Nobody can go on with files that are not there any more: replication deletes its copies after each attempt. */
    private void endIfAbandoned(RunningLoad one) {
        if (isResting(one) && !mayExist(one)) {
            synchronized (this) {
                if (isResting(one)) {
                    end(names(one.files()), false);
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
    private synchronized void accept(RunningLoad one) {
        one.accept();
        accepted.set(one);
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

    /**
     * Before files are put into their place, in the thread that has asked before.
     *
     * <p>The last hook before HBase moves them. What is refused here fails the load as a whole.
     *
     * @throws IOException if they would have what has no entry
     */
    public void commit(byte[] family) throws IOException {
        List<IndexPlan> indexes = plan.indexes().stream()
                .filter(index -> index.isOfFamily(family))
                .toList();
        if (indexes.isEmpty()) {
            return;
        }
        RunningLoad one = accepted.get();
        if (one == null || !isRunning(one)) {
            throw new IOException("the entries of these files are not written, or were forgotten; load them again");
        }
        boolean ofStates = indexes.stream().anyMatch(index -> !index.isOfOneColumn());
        if (ofStates && !isFlushed(one, family)) {
            throw new IOException("another flush was at work, so the files have no sequence id; load them again");
        }
    }

    private synchronized boolean isRunning(RunningLoad one) {
        return running.containsValue(one);
    }

    /**
     * A delete in the files must not be purged while what it hides is in memory only. HBase flushes before it takes
     * files, unless a flush is at work. One that began before the rows of the load were locked says nothing: what was
     * written since is not in its file. So such a flush is waited for before a load is accepted.
     */
    private boolean isFlushed(RunningLoad one, byte[] family) {
        synchronized (this) {
            if (one.isFlushed(Bytes.toString(family))) {
                return true;
            }
        }
        return region.isFlushed(family);
    }

    private OpenFiles open(List<GivenFile> files) throws IOException {
        var opened = new ArrayList<LoadedFile>();
        try {
            for (GivenFile file : files) {
                opened.add(file.open(configuration));
            }
            return new OpenFiles(opened);
        } catch (IOException | RuntimeException e) {
            new OpenFiles(opened).close();
            throw e;
        }
    }

    /** The call has ended, in whatever way; the time until it is forgotten begins. */
    private synchronized void rest(RunningLoad one) {
        one.rest();
    }

    /** Those that nobody goes on with. There is no timer: it is asked for by whoever would be held up. */
    private synchronized void forget() {
        long now = System.nanoTime();
        List<List<String>> old = running.entrySet().stream()
                .filter(each -> each.getValue().isForgotten(now))
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(each -> end(each, false));
    }

    private synchronized void end(List<String> names, boolean areTaken) {
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

    /**
     * After HBase has taken files, or has failed to: their entries are like all others now.
     *
     * <p>HBase may call it without {@link #before}, and for files that fitted nowhere; then nothing is known of them.
     *
     * @param files as they were given before
     * @param areTaken whether HBase has them now
     */
    public void after(List<Pair<byte[], String>> files, boolean areTaken) throws IOException {
        accepted.remove();
        try {
            // Who has read the row before the files were there removes nothing of theirs while they are held.
            region.awaitRemovals();
        } finally {
            end(names(given(files)), areTaken);
        }
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
