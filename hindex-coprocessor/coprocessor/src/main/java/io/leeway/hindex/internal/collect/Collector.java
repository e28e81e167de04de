package io.leeway.hindex.internal.collect;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds obsolete versions in the stream of a store's cells, and says which cells the run may drop.
 *
 * <p><b>Model.</b> Cells come as the store sorts them: by row, column, falling timestamp, kind (tombstones first),
 * falling sequence id; family tombstones stand in the column with the empty qualifier, before all others. The state
 * lives here, not in a call, so that a wide row may come in any number of pieces. What a reader sees is what the
 * store's own scanner would let through: a put is <em>masked</em> by a tombstone of any sequence id; of puts with the
 * same timestamp only the first counts; of what is left, the newest {@code maxVersions}.
 *
 * <p><b>Obsolete</b> for an index that follows m versions is a put that is masked, hidden by another of the same
 * timestamp, or behind m newer ones. It <em>became</em> so at a sequence id: the higher one of its own and of the cell
 * that did it; where several would have done, the earliest. That, and not its age, is compared with
 * {@link Retention#repairedUpTo()}: a value of long ago may become obsolete today, and one that is written today with
 * an old timestamp is obsolete at once. Where the cause is not known exactly, a later one is taken: then an entry is
 * removed once more, which does no harm.
 *
 * <p><b>What is dropped.</b> Nothing that an open scanner may read. No obsolete version whose entry may still be there,
 * unless its removal goes out now and the run waits for it ({@code mustAck}). A tombstone only in a complete run and
 * only if every put that it masks is dropped with it: else the put would rise again without its entry. So that this can
 * be known before the puts come, a put is dropped in the same run as the tombstone whatever the mode, with its removal
 * acknowledged.
 *
 * <p><b>Some of the files</b> tell less than all. What is masked there is masked everywhere. What is behind m others
 * there may yet be read: a tombstone of a single version, in a file that is not read, may mask one of the others. The
 * store's own compaction then drops what is behind {@code maxVersions}, and so does a run, with its entry; but a
 * version that is kept, for whatever reason, keeps its entry until a complete run. For the same reason a writer of such
 * tombstones must mask the versions that stand behind {@code maxVersions} at that time: they may be there yet, but
 * their entries may not.
 *
 * <p><b>Puts with a time to live of their own</b> supersede no entry: when they are gone, what is behind them is read
 * again. But while they live they take a place among the versions that the family keeps, and the store drops what finds
 * none. So does a run. Such a version is <em>overtaken</em>: until the run's output is in place it may come back at any
 * moment, without a write, so its entry goes after that and not before.
 *
 * <p><b>Cost</b>: some comparisons a cell, no object. {@code C} stands for the host's cell; one is held, see
 * {@link #detach}. Not thread-safe.
 *
 * @param <C> the cells
 * @param <X> what the receiver of obsolete versions throws
 */
public final class Collector<C, X extends Exception> {

    private static final long NEVER = Long.MAX_VALUE;

    /** No index follows more versions, and no more sequence ids are remembered. */
    private static final int MAX_TRACKED = 1024;

    private final Retention retention;
    private final Obsolete<C, X> receiver;
    private final int tracked;

    private final Tombstones families = new Tombstones();
    private final Tombstones familyVersions = new Tombstones();

    /** How many versions each index on the present column follows. */
    private int[] followed = {};
    /** The lowest sequence ids of the puts that count, rising, {@link #tracked} at most. */
    private long[] newerSeqs = new long[4];
    /** Puts of the column so far that are visible, and last. */
    private int newer;
    /** Those that every open scanner sees, also if they expire. */
    private int settled;

    private long highestSeq;
    /** The lowest of the column's tombstones so far: they cover all that comes after them in the stream. */
    private long columnDeleteSeq = NEVER;
    /** Of the last tombstone of a single version: it stands right before its put. */
    private long versionDeleteTs;

    private long versionDeleteSeq = NEVER;
    private boolean masked;
    /** Whether there was one that no tombstone masks. The fields below are of the last such. */
    private boolean hasPut;

    private long lastPutTs;
    private long lastPutSeq;
    private boolean lastPutExpires;
    private boolean lastPutOvertaken;
    private @Nullable C lastPut;

    /** For one run over one store. */
    public Collector(Retention retention, Obsolete<C, X> receiver) {
        this.retention = retention;
        this.receiver = receiver;
        this.tracked = Math.min(retention.maxVersions(), MAX_TRACKED);
    }

    /** The next cells are of another row. */
    public void row() {
        families.clear();
        familyVersions.clear();
        column(followed);
    }

    /**
     * The next cells are of another column.
     *
     * @param versionsFollowed for each index on the column, how many versions it follows; empty if there is none. Not
     *     copied.
     */
    public void column(int[] versionsFollowed) {
        followed = versionsFollowed;
        newer = 0;
        settled = 0;
        highestSeq = Long.MIN_VALUE;
        columnDeleteSeq = NEVER;
        versionDeleteSeq = NEVER;
        hasPut = false;
        lastPut = null;
    }

    /**
     * Takes the next cell.
     *
     * @return whether the cell is to be kept
     */
    public boolean cell(CellKind kind, long ts, long seq, C cell) throws X {
        return kind == CellKind.PUT ? put(ts, seq, false, cell) : tombstone(kind, ts, seq);
    }

    /**
     * Takes a put with a time to live of its own, that has not expired. For indexes it does not count for those behind
     * it: they are read again when it is gone.
     *
     * @return whether the cell is to be kept
     */
    public boolean expiringPut(long ts, long seq, C cell) throws X {
        return put(ts, seq, true, cell);
    }

    /**
     * Whether a tombstone masks the last put. Who keeps it all the same, and drops the tombstone, makes it rise again.
     */
    public boolean isMasked() {
        return masked;
    }

    /** Replaces the cell that is held by a copy, before its memory goes. */
    public void detach(UnaryOperator<C> copy) {
        if (lastPut != null) {
            lastPut = copy.apply(lastPut);
        }
    }

    private boolean tombstone(CellKind kind, long ts, long seq) {
        switch (kind) {
            case DELETE_FAMILY -> families.add(ts, seq);
            case DELETE_FAMILY_VERSION -> familyVersions.add(ts, seq);
            case DELETE_COLUMN -> columnDeleteSeq = Math.min(columnDeleteSeq, seq);
            default -> {
                versionDeleteSeq =
                        versionDeleteSeq != NEVER && versionDeleteTs == ts ? Math.min(versionDeleteSeq, seq) : seq;
                versionDeleteTs = ts;
            }
        }
        boolean settled = switch (retention.repair()) {
            case NONE -> false;
            case LAZY -> seq <= retention.repairedUpTo();
            case STRICT -> true;
        };
        boolean purged = retention.complete()
                && !holdsDeleted(ts)
                && ts < retention.purgeBefore()
                && seq <= retention.readPoint()
                && settled;
        return !purged;
    }

    private boolean put(long ts, long seq, boolean expires, C cell) throws X {
        long cause = maskedBy(ts);
        masked = cause != NEVER;
        if (masked) {
            return obsolete(seq, cause, cell, null, holdsDeleted(ts));
        }
        if (hasPut && lastPutTs == ts && (lastPutExpires || lastPutOvertaken)) {
            return behindExpiring(ts, seq, expires, cell);
        }
        if (hasPut && lastPutTs == ts) {
            // The first of a timestamp is read. It is fresh for the indexes that it is not behind enough others for.
            return obsolete(seq, lastPutSeq, cell, lastPut, false);
        }
        remember(ts, seq, expires, cell);
        return visible(ts, seq, expires, cell);
    }

    /**
     * A put that is read when the one before it, of the same timestamp, has expired; or instead of it, by older
     * scanners.
     */
    private boolean behindExpiring(long ts, long seq, boolean expires, C cell) throws X {
        boolean stays = !lastPutOvertaken
                && (lastPutSeq > retention.readPoint() || retention.repair() == Retention.Repair.NONE);
        if (!stays) {
            // Unless the store has dropped it by then, as here.
            receiver.overtaken(cell);
            return false;
        }
        if (retention.complete()) {
            superseded(seq, cell, false);
        }
        // It stands for its timestamp from then on, before those that are behind it: they must not come back by an
        // expiry.
        remember(ts, seq, expires, cell);
        if (!expires) {
            count(seq);
        }
        return true;
    }

    private void remember(long ts, long seq, boolean expires, C cell) {
        hasPut = true;
        lastPutTs = ts;
        lastPutSeq = seq;
        lastPutExpires = expires;
        lastPutOvertaken = false;
        lastPut = cell;
    }

    /** A put that no tombstone masks, the first of its timestamp. */
    private boolean visible(long ts, long seq, boolean expires, C cell) throws X {
        boolean keep = true;
        boolean unrepaired = false;
        boolean over = newer >= retention.maxVersions();
        for (int i = 0; i < followed.length; i++) {
            unrepaired |= isUnrepaired(i, seq);
        }
        boolean expired = ts < retention.expiredBefore() && newer >= retention.minVersions();
        if (over || expired) {
            long cause = over ? overSeq() : Long.MIN_VALUE;
            keep = stays(cause, unrepaired);
        }
        boolean overtaken = !over && settled >= retention.maxVersions() && retention.repair() != Retention.Repair.NONE;
        if (overtaken) {
            // Not counted: else one behind it would pass for superseded, and might be kept.
            lastPutOvertaken = true;
            receiver.overtaken(cell);
            return false;
        }
        if (unrepaired && (retention.complete() || !keep)) {
            superseded(seq, cell, !keep);
        }
        count(seq, expires);
        return keep;
    }

    /** Tells the indexes for which enough newer puts have superseded this one since the last repair. */
    private void superseded(long seq, C cell, boolean mustAck) throws X {
        for (int i = 0; i < followed.length && retention.repair() != Retention.Repair.NONE; i++) {
            if (isUnrepaired(i, seq)) {
                receiver.obsolete(i, cell, null, mustAck);
            }
        }
    }

    private void count(long seq, boolean expires) {
        if (seq <= retention.readPoint()) {
            settled++;
        }
        if (!expires) {
            count(seq);
        }
    }

    /** Whether a put is behind enough newer ones for an index, and has become so since the last repair. */
    private boolean isUnrepaired(int index, long seq) {
        int versions = versions(index);
        return newer >= versions && Math.max(seq, newerSeqs[versions - 1]) > retention.repairedUpTo();
    }

    /** What the family does not keep no index can follow. */
    private int versions(int index) {
        return Math.min(followed[index], retention.maxVersions());
    }

    /** A put that is masked, or hidden by another. */
    private boolean obsolete(long seq, long cause, C cell, @Nullable C hiding, boolean held) throws X {
        boolean unrepaired = followed.length > 0 && Math.max(seq, cause) > retention.repairedUpTo();
        boolean keep = held || stays(cause, unrepaired);
        if (unrepaired && retention.repair() != Retention.Repair.NONE) {
            for (int i = 0; i < followed.length; i++) {
                // The one that hides it was counted: it is fresh unless it was behind enough others itself.
                C fresh = hiding != null && newer <= versions(i) ? hiding : null;
                receiver.obsolete(i, cell, fresh, !keep);
            }
        }
        return keep;
    }

    /** Whether the family keeps what is masked, and tombstones, until they expire. */
    private boolean holdsDeleted(long ts) {
        return retention.keepDeleted() && ts >= retention.expiredBefore();
    }

    /** Whether a version that readers no longer see, because of this sequence id, has to stay for now. */
    private boolean stays(long cause, boolean unrepaired) {
        if (cause > retention.readPoint()) {
            return true;
        }
        return unrepaired
                && switch (retention.repair()) {
                    case NONE -> true;
                    case STRICT -> false;
                    // Came late behind something that was settled: its tombstone may be dropped in this run.
                    case LAZY -> cause > retention.repairedUpTo();
                };
    }

    /** The lowest sequence id of the tombstones that mask a put of this column now; {@link #NEVER} if none does. */
    private long maskedBy(long ts) {
        long cause = Math.min(columnDeleteSeq, families.lowestFrom(ts));
        if (versionDeleteSeq != NEVER && versionDeleteTs == ts) {
            cause = Math.min(cause, versionDeleteSeq);
        }
        return Math.min(cause, familyVersions.lowestAt(ts));
    }

    /** Remembers the lowest sequence ids of newer puts, in order, as many as the family keeps versions. */
    private void count(long seq) {
        highestSeq = Math.max(highestSeq, seq);
        int size = Math.min(newer++, tracked);
        int found = Arrays.binarySearch(newerSeqs, 0, size, seq);
        int at = found < 0 ? -found - 1 : found;
        if (at == tracked) {
            return;
        }
        if (size == newerSeqs.length) {
            newerSeqs = Arrays.copyOf(newerSeqs, 2 * size);
        }
        System.arraycopy(newerSeqs, at, newerSeqs, at + 1, Math.min(size, tracked - 1) - at);
        newerSeqs[at] = seq;
    }

    /** When a version came behind all that the family keeps; later where so many are not tracked. */
    private long overSeq() {
        return tracked == retention.maxVersions() ? newerSeqs[tracked - 1] : highestSeq;
    }

    /** Receives obsolete versions. */
    public interface Obsolete<C, X extends Exception> {

        /**
         * The entries of a version are obsolete.
         *
         * @param index which of the indexes on the column
         * @param cell the version
         * @param fresh a version of the same timestamp that is fresh: entries that both have are to stay. Only an
         *     application that sets timestamps itself has such versions; it may have written the older value a third
         *     time, in what this run does not read, so look before removing
         * @param mustAck whether the version is dropped: the run must not succeed before the removal was acknowledged
         */
        void obsolete(int index, C cell, @Nullable C fresh, boolean mustAck) throws X;

        /**
         * A version is dropped since others that expire by themselves have taken its place: its entries are to be
         * looked at when it is gone, and stay till then.
         *
         * @param cell the version
         */
        default void overtaken(C cell) throws X {}
    }

    /** Timestamps of tombstones of a row, falling, each with the lowest sequence id so far. */
    private static final class Tombstones {

        private long[] ts = new long[2];
        private long[] seqs = new long[2];
        private int size;

        void clear() {
            size = 0;
        }

        void add(long newTs, long seq) {
            if (size == ts.length) {
                ts = Arrays.copyOf(ts, 2 * size);
                seqs = Arrays.copyOf(seqs, 2 * size);
            }
            ts[size] = newTs;
            seqs[size] = seq;
            size++;
        }

        long lowestFrom(long lowestTs) {
            long lowest = NEVER;
            for (int i = 0; i < size && ts[i] >= lowestTs; i++) {
                lowest = Math.min(lowest, seqs[i]);
            }
            return lowest;
        }

        long lowestAt(long wanted) {
            long lowest = NEVER;
            for (int i = 0; i < size && ts[i] >= wanted; i++) {
                lowest = ts[i] == wanted ? Math.min(lowest, seqs[i]) : lowest;
            }
            return lowest;
        }
    }
}
