package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/*
 * Model: HBase takes files into a region whole; no cell of them passes the write path. So before it does they are read, and
 * the entries of all their puts are written, with the timestamps of the cells: when the files can be seen, every version in
 * them has its entry, as if it had been written. That holds whatever else the region has: a put that is superseded or hidden
 * has an entry that compactions find, since they find the put. The clock is told of the highest timestamp, so that later
 * writes come after it.
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
 * Loads of files into one region: the observer calls {@link #before}, {@link #commit} and {@link #after} in the thread
 * of HBase's load. Thread-safe.
 */
public final class BulkLoads {

    private final TablePlan plan;
    private final Configuration configuration;
    private final Region region;
    private final Settings settings;
    private final FileReads reads;
    private final RunningLoads running;

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
        this.running = new RunningLoads(configuration, region, settings.perSecond, reads);
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
            running.accept(one);
            accepted.set(one);
        } catch (IllegalArgumentException e) {
            // These files will never be taken: what they have in the index already is to be looked at.
            running.end(GivenFile.names(given), false);
            throw e;
        } finally {
            running.rest(one);
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
     * Files are looked at and opened without the lock: they may be on servers that do not answer, and writes need the
     * lock.
     */
    private RunningLoad begin(List<GivenFile> files, boolean ofStates) throws IOException {
        running.forget();
        // What rows with states will show depends on the order in which HBase takes the files.
        List<GivenFile> ordered = ofStates
                ? files
                : files.stream().sorted(Comparator.comparing(GivenFile::name)).toList();
        var call = new RunningLoads.Call(
                GivenFile.names(files), ordered, reads.readForLoad(() -> states(ordered)), ofStates);
        if (ofStates) {
            running.endAbandoned(call.names());
        }
        RunningLoad known = running.goOn(call);
        if (known != null) {
            return known;
        }
        OpenFiles opened = reads.openForLoad(() -> open(ordered));
        try {
            return running.begin(call, opened.files());
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

    /** What tells whether a file is still the one that was read: asks the file system. */
    private List<String> states(List<GivenFile> files) throws IOException {
        var states = new ArrayList<String>();
        for (GivenFile file : files) {
            states.add(file.state(configuration));
        }
        return states;
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
        if (one == null || !running.isRunning(one)) {
            throw new IOException("the entries of these files are not written, or were forgotten; load them again");
        }
        boolean ofStates = indexes.stream().anyMatch(index -> !index.isOfOneColumn());
        if (ofStates && !isFlushed(one, family)) {
            throw new IOException("another flush was at work, so the files have no sequence id; load them again");
        }
    }

    /**
     * A delete in the files must not be purged while what it hides is in memory only. HBase flushes before it takes
     * files, unless a flush is at work. One that began before the rows of the load were locked says nothing: what was
     * written since is not in its file. So such a flush is waited for before a load is accepted.
     */
    private boolean isFlushed(RunningLoad one, byte[] family) {
        return running.isFlushed(one, Bytes.toString(family)) || region.isFlushed(family);
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
            running.end(GivenFile.names(given(files)), areTaken);
        }
    }

    /** Those that others ask. */
    public RunningLoads running() {
        return running;
    }
}
