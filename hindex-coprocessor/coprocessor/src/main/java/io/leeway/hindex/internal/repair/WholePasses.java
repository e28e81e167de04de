package io.leeway.hindex.internal.repair;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/*
 * Model: a compaction of all files drops deletes together with what they hide, and concludes which states of a row are over.
 * Both hold for the files that it was given. What is loaded meanwhile may have cells that such a delete hid: they appear, in a
 * state that nobody foresaw. And it may lead to a state whose entry the compaction is about to remove.
 *
 * So, where indexes are over several columns, the two keep apart: a load waits for the compactions that conclude something,
 * and those that begin while one is on its way, or that chose their files before one ended, conclude nothing: they keep deletes
 * and what they hide, as a compaction of some files does. The next one does the rest.
 *
 * HBase calls its last hook for a compaction just before the new file takes the place of the old ones, and none when that
 * fails. A load that were let go there would read what the old files have, such as a delete that is gone a moment later. So the
 * files themselves tell: a compaction has succeeded when the store has none of its old ones any more. One whose input was closed
 * early has failed; else it is over also when HBase says that the region compacts nothing, or that its files are compacted anew.
 */
/**
 * Keeps compactions of all files and loads apart. {@link StoreRepair} tells it of compactions, bulk loads ask it to
 * wait. Used where an index is over several columns; other indexes need nothing of this. Thread-safe.
 */
public final class WholePasses {

    /** HBase tells nobody that files were replaced, so it is asked. */
    private static final long POLL_MILLIS = 50;

    private final Loads loads;
    private final BooleanSupplier isCompacting;
    private final IdentityHashMap<CompactionRequest, Pass> passes = new IdentityHashMap<>();

    /** For the loads of a region, and whether HBase says that it compacts something. */
    public WholePasses(Loads loads, BooleanSupplier isCompacting) {
        this.loads = loads;
        this.isCompacting = isCompacting;
    }

    /** The loads of a region. */
    public interface Loads {
        /** Whether files are on their way whose rows have states. */
        boolean areStatesComing();

        /** How many have ended. */
        long ended();
    }

    /** A compaction of which it is not known that it is over. */
    private static final class Pass {

        private final Store store;
        private final Collection<? extends StoreFile> files;
        private final long loadsEnded;
        /** Whether loads have to wait for it. */
        private boolean concludes;
        /** Whether its input is closed, so that it has written its file or failed. */
        private boolean isRead;

        Pass(Store store, Collection<? extends StoreFile> files, long loadsEnded) {
            this.store = store;
            this.files = files;
            this.loadsEnded = loadsEnded;
        }

        /** Whether readers no longer see what it has read. */
        boolean isReplaced() {
            return Collections.disjoint(store.getStorefiles(), files);
        }
    }

    /** When the files of a compaction have been chosen. */
    synchronized void selected(Store store, CompactionRequest request, Collection<? extends StoreFile> files) {
        passes.values().removeIf(other -> other.isReplaced() || !Collections.disjoint(other.files, files));
        passes.put(request, new Pass(store, List.copyOf(files), loads.ended()));
    }

    /** Whether a compaction may conclude from all its files what is over; if so, loads wait until it is done. */
    synchronized boolean begin(CompactionRequest request) {
        Pass pass = passes.get(request);
        if (pass == null) {
            return false;
        }
        // First said, then asked: a load does it the other way round.
        pass.concludes = true;
        pass.concludes = !loads.areStatesComing() && loads.ended() == pass.loadsEnded;
        return pass.concludes;
    }

    /** When the input of a compaction is closed. */
    synchronized void read(CompactionRequest request, boolean toTheEnd) {
        Pass pass = passes.get(request);
        if (pass != null) {
            pass.isRead = true;
            if (!toTheEnd) {
                passes.remove(request);
            }
        }
        notifyAll();
    }

    /**
     * After a load has said that it is on its way: waits for the compactions that conclude something.
     *
     * @throws RegionTooBusyException if they take longer
     */
    public synchronized void await(long nanos) throws RegionTooBusyException {
        long deadline = System.nanoTime() + nanos;
        try {
            while (concludes()) {
                if (System.nanoTime() >= deadline) {
                    throw new RegionTooBusyException(
                            "a compaction of all files is at work, which a bulk load into an index"
                                    + " over several columns waits for; try again");
                }
                wait(Math.max(1, Math.min(POLL_MILLIS, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()))));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegionTooBusyException("interrupted while a compaction of all files was at work");
        }
    }

    /** Also forgets those that are over, which is found by looking. */
    private boolean concludes() {
        passes.values().removeIf(Pass::isReplaced);
        if (passes.values().stream().noneMatch(pass -> pass.concludes)) {
            return false;
        }
        if (!isCompacting.getAsBoolean()) {
            passes.values().removeIf(pass -> pass.isRead);
        }
        return passes.values().stream().anyMatch(pass -> pass.concludes);
    }
}
