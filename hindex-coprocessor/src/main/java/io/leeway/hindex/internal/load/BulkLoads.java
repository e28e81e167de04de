package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
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
 * waits for removals that did not know of it.
 *
 * Time: a call works on the entries for a limited time, then it is refused as the region were too busy. Clients of HBase try
 * that again, and the next call goes on where this one ended. A load that nobody goes on with is forgotten after a while;
 * its entries are garbage then, as of any write that failed.
 */
/** Loads of files into one region. Thread-safe. */
public final class BulkLoads {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(30).toNanos();

    private final TablePlan plan;
    private final Configuration configuration;
    private final Region region;
    private final Settings settings;
    private final Map<List<String>, Running> running = new HashMap<>();
    private volatile boolean isEmpty = true;

    /** Loads into a region with these indexes. */
    public BulkLoads(TablePlan plan, Configuration configuration, Region region, Settings settings) {
        this.plan = plan;
        this.configuration = configuration;
        this.region = region;
        this.settings = settings;
    }

    /** What a load needs of its region. */
    public interface Region {
        /** Writes entries; returns when all of them are there. */
        void put(List<NewEntry> entries) throws IOException;

        /** Waits for removals that are being sent: later ones ask whether a load holds their entries. */
        void awaitRemovals() throws IOException;

        /** Later writes have higher timestamps than this. */
        void raiseClock(long timestamp);
    }

    /**
     * How loads are done.
     *
     * @param refused whether they are not done at all
     * @param time for how long a call may work on entries
     * @param perSecond how many entries a load writes in a second
     */
    public record Settings(boolean refused, Duration time, int perSecond) {}

    private static final class Running {

        private final Load load;
        private final List<String> states;
        private boolean busy = true;
        private long touched = System.nanoTime();

        Running(Load load, List<String> states) {
            this.load = load;
            this.states = states;
        }
    }

    /**
     * Before HBase takes files: writes their entries.
     *
     * @param files families and paths
     * @throws RegionTooBusyException if more is to be done; the same call again goes on
     * @throws IllegalArgumentException if the files cannot be indexed
     */
    public void before(List<Pair<byte[], String>> files) throws IOException {
        List<IndexPlan> indexes = plan.indexes().stream()
                .filter(index -> files.stream().anyMatch(file -> index.isOfFamily(file.getFirst())))
                .toList();
        if (indexes.isEmpty()) {
            return;
        }
        requirePossible(indexes);
        Running one = begin(files);
        try {
            region.awaitRemovals();
            if (!one.load.work(indexes, settings.time.toNanos())) {
                throw new RegionTooBusyException(one.load.written() + " entries of a bulk load are written, more are to"
                        + " come; it goes on when it is tried again, see hindex.load.time");
            }
            region.raiseClock(one.load.newest());
        } catch (IllegalArgumentException e) {
            end(names(files));
            throw e;
        } finally {
            rest(one);
        }
    }

    private void requirePossible(List<IndexPlan> indexes) {
        if (settings.refused) {
            throw new IllegalArgumentException("bulk loads into families with an index are refused by hindex.load;"
                    + " change that, or disable the index, load, and build it again (hindex disable, hindex build)");
        }
        for (IndexPlan index : indexes) {
            if (!index.isOfOneColumn()) {
                throw new IllegalArgumentException(
                        "index " + index.name() + " is over several columns: what rows show in all"
                                + " of them after a bulk load depends on what is written meanwhile; disable the index, load, and"
                                + " build it again (hindex disable, hindex build)");
            }
        }
    }

    private static List<String> names(List<Pair<byte[], String>> files) {
        return files.stream()
                .map(file -> Bytes.toStringBinary(file.getFirst()) + " " + file.getSecond())
                .toList();
    }

    private synchronized Running begin(List<Pair<byte[], String>> files) throws IOException {
        forget();
        List<String> names = names(files);
        var states = new ArrayList<String>();
        for (Pair<byte[], String> file : files) {
            states.add(LoadedFile.state(new Path(file.getSecond()), configuration));
        }
        Running known = running.get(names);
        if (known != null && known.busy) {
            throw new RegionTooBusyException("an earlier call writes the entries of these files; try again");
        }
        if (known != null && known.states.equals(states)) {
            known.busy = true;
            return known;
        }
        end(names);
        var begun = new Running(new Load(open(files), region, settings.perSecond), states);
        running.put(names, begun);
        isEmpty = false;
        return begun;
    }

    private List<LoadedFile> open(List<Pair<byte[], String>> files) throws IOException {
        var opened = new ArrayList<LoadedFile>();
        try {
            for (Pair<byte[], String> file : files) {
                opened.add(LoadedFile.open(file.getFirst(), new Path(file.getSecond()), configuration));
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            for (LoadedFile file : opened) {
                file.close();
            }
            throw e;
        }
    }

    private synchronized void rest(Running one) {
        one.busy = false;
        one.touched = System.nanoTime();
    }

    private void forget() throws IOException {
        long now = System.nanoTime();
        List<List<String>> old = running.entrySet().stream()
                .filter(each -> !each.getValue().busy && now - each.getValue().touched > FORGOTTEN_NANOS)
                .map(Map.Entry::getKey)
                .toList();
        for (List<String> each : old) {
            end(each);
        }
    }

    private synchronized void end(List<String> names) throws IOException {
        Running ended = running.remove(names);
        isEmpty = running.isEmpty();
        if (ended != null) {
            ended.load.close();
        }
    }

    /**
     * After HBase has taken files, or has failed to: their entries are like all others now.
     *
     * @param files as they were given before
     */
    public void after(List<Pair<byte[], String>> files) throws IOException {
        end(names(files));
    }

    /** Whether files have been accepted, or begun, and HBase has not said yet what became of them. */
    public boolean isUnderWay() {
        return !isEmpty;
    }

    /** Whether a load has the version that an entry speaks of, so that the entry must stay. */
    public boolean holds(Entry entry) {
        if (isEmpty) {
            return false;
        }
        List<Load> loads;
        synchronized (this) {
            loads = running.values().stream().map(each -> each.load).toList();
        }
        for (Load load : loads) {
            try {
                if (load.has(entry)) {
                    return true;
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("a file that is being loaded could not be read", e);
                // One that stays too long does less harm than one that is lost.
                return true;
            }
        }
        return false;
    }

    /** Ends all. */
    public synchronized void stop() throws IOException {
        for (List<String> each : List.copyOf(running.keySet())) {
            end(each);
        }
    }
}
