package io.leeway.hindex.internal.write;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/*
 * Order: the entry is written before the base cell, under the row's lock. A crash in between leaves an entry without a
 * base cell, which reads do not return; the other order would leave a row that the index misses.
 *
 * What a write reads of the base table:
 * - an index over several columns: what its row has in those that the write leaves open, see RowChange
 * - deferred: nothing; but a delete of an exact version reads the column, since it can make older versions fresh whose
 *   entries are gone, and so does a put whose client gave a timestamp that the row may have had already
 * - sync: the column, to know what becomes obsolete
 *
 * Removals follow after the base write. They may fail, or be left out, as where the write may be lost though it is acknowledged
 * (see Logging): compactions find what they left. What these would not find, since a cell is repeated, counts as uncertain until
 * it is gone.
 *
 * A batch that fails has entries without cells, or with cells all the same, as when a hook behind ours fails: who knows decides
 * about them later, see FailedWrites. Entries that were to follow are written then, too, unless nothing can have been.
 */
/**
 * What happens to writes of one region. The region's observer calls it from HBase's hooks, in this order:
 * {@link #beforeTimestamps}, {@link #beforeResult} (increments and appends only), {@link #beforeBatch},
 * {@link #beforeLog}, {@link #afterBatch}, {@link #afterOperation}. HBase calls those of one operation in one thread,
 * which is how what one finds out gets to the next. Thread-safe.
 */
public final class WritePath {

    /** What is later has no timestamp yet, for HBase. */
    private static final long LAST_TIME = HConstants.LATEST_TIMESTAMP - 1;

    private final TablePlan plan;
    private final RowClock clock;
    private final ColumnReader reader;
    private final CellMaker cells;
    private final SharedSender sender;
    private final Removals removals;

    private final FollowingEntries following;
    private final FailedWrites failed;
    private final UncertainEntries uncertain;
    private final Logging logging;
    private final ComingCells coming;
    private final long patienceMillis;
    private final Handlers.OfTable handlers;
    /** Whether an index is over several columns: only then does a write depend on what others of its row write. */
    private final boolean needsRowLocks;
    /** Of our own, since HBase's row locks are shared among puts. */
    private final RowLocks locks;

    /**
     * Between the hooks of one operation; HBase gives them nothing else in common that a coprocessor may put something
     * into.
     */
    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<@Nullable Batch> running = new ThreadLocal<>();

    /** The write path of a region of this table, where nobody waits for another write's lock longer than this. */
    public WritePath(
            TableName base,
            TablePlan plan,
            RowClock clock,
            ColumnReader reader,
            CellMaker cells,
            SharedSender sender,
            Removals removals,
            FollowingEntries following,
            FailedWrites failed,
            UncertainEntries uncertain,
            Logging logging,
            ComingCells coming,
            long patienceMillis) {
        this.plan = plan;
        this.clock = clock;
        this.reader = reader;
        this.cells = cells;
        this.sender = sender;
        this.removals = removals;
        this.following = following;
        this.failed = failed;
        this.uncertain = uncertain;
        this.logging = logging;
        this.coming = coming;
        this.patienceMillis = patienceMillis;
        this.handlers = sender.handlers(base);
        this.needsRowLocks = plan.indexes().stream().anyMatch(index -> !index.isOfOneColumn());
        this.locks = new RowLocks(patienceMillis);
    }

    /** Makes cells. */
    public interface CellMaker {
        /** A copy of a cell but for its timestamp. */
        Cell at(Cell cell, long timestamp);

        /** A delete in one column. */
        Cell delete(Cell.Type type, byte[] row, ColumnName column, long timestamp);
    }

    /**
     * Before HBase fills in timestamps.
     *
     * <p>Here, and not in {@link #beforeBatch}: by then HBase has filled in its time, and a cell that the client gave
     * this very time looks the same. Only what writes cells itself is marked; an increment or an append has its
     * result's time, which {@link #beforeResult} sees.
     */
    public void beforeTimestamps(Mutation mutation) {
        if (mutation instanceof Put || mutation instanceof Delete) {
            Stamps.mark(mutation);
        }
    }

    /**
     * Under the rows' locks, with timestamps, before anything is written.
     *
     * <p>Here a failure still refuses the write as a whole, before any of it is in the log. So all that may fail is
     * done here: what is read, the calls to the indexes, the marks for a crash. The failure goes to the client, who
     * tries again.
     */
    public void beforeBatch(MiniBatchOperationInProgress<Mutation> operations) throws IOException {
        // The one that an increment or an append of this thread has begun, if it is one.
        Batch batch = batch();
        var pending = new ArrayList<Mutation>(operations.size());
        for (int i = 0; i < operations.size(); i++) {
            Mutation mutation = operations.getOperation(i);
            // What another coprocessor has refused or done already is not written: an entry of it would be in vain.
            boolean runs = operations.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN;
            if (runs && (mutation instanceof Put || mutation instanceof Delete)) {
                pending.add(mutation);
            }
        }
        // All that may wait for an index is inside, so that an index that does not answer keeps no more handlers than
        // its table may have. Reading the own row waits for nobody, but it is done under locks of rows that others wait
        // for.
        handlers.run(() -> {
            // Before the timestamps: writes of a row then arrive in the order of their timestamps.
            batch.lock(pending);
            prepare(batch, pending);
            batch.changes.write();
        });
    }

    /**
     * Gives timestamps and finds out what is to be written, without a call to any index: what is held up here is the
     * watermark of the whole region.
     */
    private void prepare(Batch batch, List<Mutation> pending) throws IOException {
        // A watermark must not pass timestamps that are given but whose entries have no place yet: it would say of
        // entries that nobody has written that all are there.
        following.beginStamping();
        try {
            for (Mutation mutation : pending) {
                batch.changes.add(mutation, stamp(mutation));
            }
            batch.changes.prepare();
        } finally {
            // Also where a row cannot be read: a lock that stays would hold up the region's watermark for ever.
            following.endStamping();
        }
    }

    /**
     * Before the batch is given to the log.
     *
     * <p>Without a batch nothing of the write concerns an index, or another coprocessor has skipped our hook.
     */
    public void beforeLog() {
        Batch batch = running.get();
        if (batch != null) {
            // From here on a crash may bring the cells to life although the write fails: its entries stay until a
            // flush.
            batch.isLogged = true;
        }
    }

    /**
     * At the end of the operation that the batch was part of: a hook of another coprocessor may have failed before
     * ours.
     *
     * <p>HBase calls this for every operation that it began, whatever came of it, so that no batch is left to the next
     * operation that the thread serves.
     */
    public void afterOperation() throws IOException {
        // Nobody said how the batch ended, so it failed; whether its cells are there is asked of the row.
        if (running.get() != null) {
            afterBatch(false);
        }
    }

    /** After the locks were released, whether or not the batch came to be written. */
    public void afterBatch(boolean success) throws IOException {
        Batch batch = running.get();
        // Before anything that may throw: a thread that kept it would add its next write to this batch.
        running.remove();
        if (batch != null) {
            // The locks first: what follows waits for indexes, which other writes of the row need not do.
            batch.release();
            batch.changes.end(success, batch.isLogged);
        }
    }

    /**
     * The cells that an increment or an append results in, under the row's lock; {@link #beforeBatch} follows.
     *
     * <p>HBase computes the result from what the row holds, so cell and timestamp are known only here and not when the
     * client's mutation came.
     *
     * @param results the cell before, which may be null, and the cell after
     * @return the cells to write instead
     */
    public List<Pair<Cell, Cell>> beforeResult(Mutation mutation, List<Pair<Cell, Cell>> results) throws IOException {
        Batch batch = batch();
        // Before the row is read: what it is read for must still hold when the entry is written.
        batch.lock(List.of(mutation));
        var stamped = new ArrayList<Pair<Cell, Cell>>(results.size());
        byte[] row = mutation.getRow();
        // HBase gives the result the time of the cell before, if that is later than now: that one has an entry already.
        for (Pair<Cell, Cell> pair : results) {
            long least = leastAfter(pair);
            // Three cases. Above all that the row had: it may stay. Not above, but no further ahead than the clock
            // follows: it gets the row's next timestamp, so that no other write shares it. Further ahead: it keeps its
            // own, though another write of the row may have that, and is treated as a client's old timestamp.
            boolean isNew = clock.isFirst(row, 0, row.length, least);
            // What lies far ahead is the cell's alone: the clock, and so all other rows, would follow it there.
            boolean isNear = isNew || clock.saw(row, 0, row.length, least);
            long timestamp = isNew || !isNear ? least : clock.next(row, 0, row.length, least);
            Cell after = pair.getSecond();
            if (timestamp != after.getTimestamp()) {
                after = cells.at(after, timestamp);
            }
            stamped.add(Pair.newPair(pair.getFirst(), after));
            // Its timestamp is given before others can be held up: the entry does not follow later.
            batch.changes.add(mutation, after, isNear ? Origin.CLIENT_NEW : Origin.CLIENT_LATE);
        }
        return stamped;
    }

    /**
     * HBase gives a result the time of the cell before, if that is later than now. One more is asked for here, since
     * the entry of the cell before has that time: with one timestamp for two values HBase shows the later one only, and
     * no compaction ever sees the other, whose entry would stay. It ends below the highest timestamp, which stands for
     * "none yet".
     */
    private static long leastAfter(Pair<Cell, Cell> result) {
        Cell before = result.getFirst();
        long given = result.getSecond().getTimestamp();
        return before == null ? given : Math.max(given, Math.min(before.getTimestamp(), LAST_TIME - 1) + 1);
    }

    private Batch batch() {
        Batch batch = running.get();
        if (batch == null) {
            batch = new Batch();
            running.set(batch);
        }
        return batch;
    }

    /**
     * What HBase writes at once: the puts and deletes of one call that it took together, the parts of a
     * {@code RowMutations}, or what an increment or an append results in. It succeeds or fails as a whole as far as
     * entries are concerned. For one thread.
     */
    private final class Batch {

        private final Changes changes = new Changes();
        private final Set<ByteBuffer> locked = new HashSet<>();
        private final List<RowLocks.Hold> holds = new ArrayList<>();
        /** Whether its cells may be in a log file, whatever the client is told. */
        private boolean isLogged;

        void lock(List<Mutation> mutations) throws IOException {
            // An entry over one column says nothing of the others, so writes of one row need not know of each other.
            if (!needsRowLocks) {
                return;
            }
            var rows = new HashSet<ByteBuffer>();
            // Only those that the batch does not hold yet: who waits for himself waits in vain.
            mutations.stream()
                    .map(mutation -> ByteBuffer.wrap(mutation.getRow()))
                    .filter(locked::add)
                    .forEach(rows::add);
            if (!rows.isEmpty()) {
                holds.add(locks.lock(rows));
            }
        }

        /** May come without any lock having been taken: a batch whose {@link #lock} failed ends as all others do. */
        void release() {
            holds.forEach(RowLocks.Hold::release);
        }
    }

    /**
     * Where the timestamps of a mutation come from. It decides what is read before the write: a timestamp that the row
     * never had replaces nothing, and hides or reveals nothing that is not known from the mutation alone.
     */
    private enum Origin {
        /** All from the server: no other write of the row has them. */
        SERVER,
        /** From the client, but above all that the row had. */
        CLIENT_NEW,
        /** From the client; the row may have had them. */
        CLIENT_LATE
    }

    /**
     * Gives the cells that have the server's time one that the row never had.
     *
     * <p>All cells of a mutation get the same: HBase would give them one time too, and readers may rely on a row's
     * cells of one write bearing one timestamp. If the clock has not moved the cells stay as they are, so the common
     * case makes no copies.
     */
    private Origin stamp(Mutation mutation) {
        byte[] row = mutation.getRow();
        // Which cells had no timestamp is known from before HBase filled it in: they look like those of a client now.
        Stamps stamps = Stamps.of(mutation);
        if (!stamps.areNone()) {
            long now = stamps.serverTime(mutation);
            long timestamp = clock.next(row, 0, row.length, now);
            if (timestamp != now) {
                stamps.restamp(mutation, cell -> cells.at(cell, timestamp));
            }
        }
        return stamps.areAll() ? Origin.SERVER : observe(mutation, stamps);
    }

    /**
     * Tells the clock of the client's timestamps, and whether the row may have had one of them. The clock must know of
     * all: the next server's time of the row has to be above. Cells in a row mostly share one timestamp, so only
     * changes are told.
     */
    private Origin observe(Mutation mutation, Stamps fromServer) {
        byte[] row = mutation.getRow();
        // One timestamp that the row may have had is enough: the mutation may then replace a cell whose entry differs.
        boolean late = false;
        int at = 0;
        long last = Long.MIN_VALUE;
        for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
            for (Cell cell : ofFamily) {
                if (!fromServer.has(at++) && cell.getTimestamp() != last) {
                    last = cell.getTimestamp();
                    late |= !clock.isFirst(row, 0, row.length, last);
                }
            }
        }
        return late ? Origin.CLIENT_LATE : Origin.CLIENT_NEW;
    }

    /**
     * What one batch changes in the indexes. Its life: {@link #add} for each cell, {@link #prepare} when all are known,
     * {@link #write} before the base cells, {@link #end} when HBase has said what became of these. The last comes
     * always, the others may be left out by a failure; {@link #isSending} and {@link #isComplete} say how far it came.
     */
    private final class Changes {

        // Taken before anything is read: what is revived after that is left out of the removals that follow from it.
        private final long knowledge = removals.knowledge();
        // The same for bulk loads: an entry that one brings back after this was read must not be removed for what was
        // there before.
        private final long loadsEnded = coming.ended();
        // Entries that are written before the base cells.
        private final List<NewEntry> puts = new ArrayList<>();
        // By index, row and timestamp: of two values at one place in a batch HBase keeps the later, and so does the
        // map.
        private final Map<Place, List<NewEntry>> putsByPlace = new LinkedHashMap<>();
        // By row and timestamp, since of two values there the later one holds.
        private final Map<Place, List<NewEntry>> laterByPlace = new LinkedHashMap<>();
        // What the batch does to a column or a row as a whole, since what becomes fresh follows from all its cells
        // together.
        private final Map<Place, ColumnChange> columns = new LinkedHashMap<>();
        private final Map<Place, Row> rows = new LinkedHashMap<>();
        // Entries that may be gone though their versions become fresh: written again.
        private final List<Entry> revived = new ArrayList<>();
        // Entries that stay, of which running compactions must know all the same.
        private final List<Entry> hidden = new ArrayList<>();
        // Compactions find these too; only mode sync removes them.
        private final Set<Entry> obsolete = new LinkedHashSet<>();
        // No compaction finds these, so every mode removes them, and a failure is remembered.
        private final Set<Entry> unfindable = new LinkedHashSet<>();
        // Entries that may follow after the base cells, as far as there is a place for them.
        private final List<NewEntry> later = new ArrayList<>();
        // Entries of states that a row has only if files that are being loaded come, or do not.
        private final List<Entry> maybeInVain = new ArrayList<>();
        private PendingEntries.@Nullable Ticket ticket;
        // What the index's table was told is uncertain because of this batch; each is to be ended once, whatever
        // happens.
        private final List<UncertainEntries.Begun> begun = new ArrayList<>(1);
        // Whether a part of the batch may be lost though it is acknowledged; then all of it is treated so.
        private boolean isUnsynced;
        // Whether a call to an index was begun; from then on its entries may be there.
        private boolean isSending;
        // Whether all entries are there; what fails later fails in HBase.
        private boolean isComplete;

        void add(Mutation mutation, Origin origin) throws IOException {
            for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
                for (int i = 0; i < ofFamily.size(); i++) {
                    add(mutation, ofFamily.get(i), origin);
                }
            }
        }

        void add(Mutation mutation, Cell cell, Origin origin) throws IOException {
            for (IndexPlan index : plan.indexes()) {
                // Most cells of a table with an index are of other columns: nothing is allocated for them.
                if (!index.concerns(cell)) {
                    continue;
                }
                // Asked before the durability is changed below: an ASYNC_WAL that we chose may be lost as much as the
                // client's SKIP_WAL.
                isUnsynced |= logging.mayBeLost(mutation);
                if (index.isOfOneColumn()) {
                    add(index, mutation, cell, origin);
                } else {
                    logging.require(mutation);
                    addToRow(index, mutation, cell, origin);
                }
            }
        }

        /**
         * A cell of an index over several columns. Whether its timestamp counts as new depends on the clock too: one
         * that lags behind a cell far in the future (see {@code hindex.clock.max-ahead}) cannot say what stands above
         * all of the row.
         */
        private void addToRow(IndexPlan index, Mutation mutation, Cell cell, Origin origin) {
            // When the cell expires nobody writes, so nobody would write the entry of the state that comes to light.
            if (mutation.getTTL() != Long.MAX_VALUE) {
                throw new IllegalArgumentException("a put with a time to live of its own in a column of index "
                        + index.name()
                        + ", which has several: what the row shows afterwards would have no entry; set the"
                        + " time to live of the family instead");
            }
            Row row = rows.computeIfAbsent(
                    new Place(index.name(), ByteBuffer.wrap(mutation.getRow()), 0),
                    place -> new Row(new RowChange(index, mutation.getRow()), mutation));
            row.change.add(
                    Fact.written(index, cell),
                    origin != Origin.CLIENT_LATE && !clock.isBehind(),
                    origin == Origin.SERVER);
        }

        /**
         * A cell of an index over one column. In mode sync what is visible is enough, since obsolete is what was
         * visible; where old versions may come to light everything that is stored is read, and that once for all cells
         * of the column in the batch.
         */
        private void add(IndexPlan index, Mutation mutation, Cell cell, Origin origin) throws IOException {
            // Mode deferred reads nothing unless it must: that is what it is for.
            boolean readsAll = needsAll(cell.getType(), origin);
            if (readsAll || index.isSync()) {
                ColumnChange column = columns.computeIfAbsent(
                        new Place(index.name(), ByteBuffer.wrap(mutation.getRow()), 0),
                        place -> new ColumnChange(index, mutation.getRow()));
                if (readsAll) {
                    column.readAll(reader);
                } else {
                    column.readVisible(reader);
                }
                column.add(Fact.written(index, cell));
            }
            if (cell.getType() == Cell.Type.Put) {
                put(index, mutation, cell, origin);
            }
        }

        /**
         * One value may have several entries, or none where it cannot be encoded; all of them share the cell's fate.
         */
        private void put(IndexPlan index, Mutation mutation, Cell cell, Origin origin) {
            byte[] row = mutation.getRow();
            long timeToLive = mutation.getTTL();
            List<Entry> entries = index.newEntries(row, CellUtil.cloneValue(cell), cell.getTimestamp());
            // Only what has a new timestamp and lasts: the next life of the region finds rows without entries by their
            // timestamps, and must find the cell still there.
            boolean mayFollow = origin == Origin.SERVER && timeToLive == Long.MAX_VALUE && following.mayFollow(index);
            // The common case, in which no two values can meet at one timestamp: no map, no key.
            if (origin == Origin.SERVER && mutation.size() == 1) {
                add(entries, timeToLive, mayFollow ? later : puts);
            } else {
                // Of two values at one timestamp in one batch HBase keeps the later.
                var written = new ArrayList<NewEntry>(entries.size());
                add(entries, timeToLive, written);
                (mayFollow ? laterByPlace : putsByPlace)
                        .put(new Place(index.name(), ByteBuffer.wrap(row), cell.getTimestamp()), written);
            }
        }

        private static void add(List<Entry> entries, long timeToLive, List<NewEntry> to) {
            for (Entry entry : entries) {
                to.add(new NewEntry(entry, timeToLive));
            }
        }

        /** Finds out what is to be written, and finds a place for what may follow later. */
        void prepare() throws IOException {
            // Revived entries may be gone, so they are written; hidden ones are there, but a compaction at work may be
            // about to drop them; obsolete ones can wait for a compaction; unfindable ones cannot, no compaction will
            // come upon them.
            for (ColumnChange change : columns.values()) {
                revived.addAll(change.revived());
                hidden.addAll(change.hidden());
                obsolete.addAll(change.obsolete());
                unfindable.addAll(change.unfindable());
            }
            for (Row row : rows.values()) {
                prepare(row);
            }
            if (isUnsynced) {
                // Should it be lost, these are needed, and a build that has not come to them yet does not see them now.
                unfindable.stream().filter(entry -> !entry.index().isReadable()).forEach(revived::add);
            }
            laterByPlace.values().forEach(later::addAll);
            if (!later.isEmpty()) {
                // Before the write, so that an acknowledged one always has its place; without one it waits, as in mode
                // deferred.
                // All or none of a batch: a place for some would make two kinds of ends of one write.
                ticket = following.reserve(later);
                if (ticket == null) {
                    puts.addAll(later);
                }
            }
        }

        /**
         * Sends what must be there before the base cells, in an order that a crash may cut anywhere: running
         * compactions are told, then the index's table what will be uncertain, then the entries go. After each step a
         * crash leaves at most entries too many, and a timestamp from which on they are found.
         */
        void write() throws IOException {
            // First known, then written: removals that are on their way are waited for, and later ones leave these
            // entries.
            if (!revived.isEmpty() || !hidden.isEmpty()) {
                hidden.addAll(revived);
                removals.revive(hidden);
                revived.forEach(entry -> puts.add(NewEntry.of(entry)));
            }
            putsByPlace.values().forEach(puts::addAll);
            isSending = !puts.isEmpty();
            // Told before the entries are sent: a server that is killed in between must find them by their timestamps.
            if (isSending || !unfindable.isEmpty() || isUnsynced) {
                begun.add(uncertain.begin(puts, unfindable, isUnsynced));
            }
            if (isSending) {
                sender.putOfWrite(puts);
            }
            // They are sent after the write, but the write may be lost from when it is acknowledged on, and with it all
            // that would tell their rows: so the timestamp has to cover them now.
            if (isUnsynced && !later.isEmpty()) {
                begun.add(uncertain.begin(later, List.of(), true));
            }
            // What fails behind this fails in HBase, where cells may be in the table all the same.
            isComplete = true;
        }

        /**
         * When HBase has ended the batch. A failure of what follows here is not the write's: it stands, and is
         * acknowledged by HBase, or refused, as it was decided before.
         */
        void end(boolean success, boolean isLogged) throws IOException {
            // They follow all the same, since the cells may be there; until they are looked at they are uncertain.
            if (!success && isComplete && ticket != null) {
                begun.add(uncertain.begin(later));
            }
            boolean isCertain = false;
            try {
                // Told first, ended then: in between both know of it, never nobody.
                tellWhatIsLeft(success, isLogged);
                // Only if nothing is left to anybody may the timestamp of what is uncertain pass this batch.
                isCertain = success && remove() && maybeInVain.isEmpty();
            } finally {
                // Also after a failure: one that never ends would hold the timestamp for the region's whole life.
                for (UncertainEntries.Begun each : begun) {
                    uncertain.end(each, isCertain);
                }
            }
        }

        /**
         * Removes what the batch has made obsolete, or leaves it to others. It is left alone where what made it
         * obsolete may be lost, and where a load has ended since the row was read. In all other cases a failure is no
         * loss: compactions find what is obsolete, and what they would not find is remembered.
         *
         * @return whether that leaves nothing to those who look at what writes have left
         */
        private boolean remove() throws IOException {
            if (isUnsynced) {
                // Should it be lost, they are needed again.
                return leave(unfindable, true);
            }
            if (!obsolete.isEmpty() && uncertain.hasUnsynced()) {
                // Perhaps they are obsolete only together with what may be lost.
                obsolete.clear();
            }
            obsolete.addAll(unfindable);
            if (obsolete.isEmpty()) {
                return true;
            }
            if (coming.ended() != loadsEnded) {
                // What came with a load may need one of them.
                return leave(obsolete, false);
            }
            try {
                // The write is done, but its handler waits for the index once more: it counts as one that does.
                return handlers.get(() -> {
                    if (obsolete.stream().anyMatch(entry -> entry.index().isAsync())) {
                        // A removal that overtook the entry of an earlier write would be without effect, and the entry
                        // stay for ever.
                        following.await(Wait.REMOVAL, patienceMillis);
                    }
                    return leave(removals.remove(obsolete, knowledge), false);
                });
            } catch (IOException | RuntimeException e) {
                // Compactions find the others.
                leave(unfindable, false);
                throw e;
            }
        }

        /** Whether there are none. */
        private boolean leave(Collection<Entry> entries, boolean mayBeNeeded) {
            if (!entries.isEmpty()) {
                failed.add(entries, false, mayBeNeeded);
            }
            return entries.isEmpty();
        }

        /**
         * Gives over to {@link FailedWrites} what may be in vain now. Of a batch that failed:
         *
         * <ul>
         *   <li>entries that were to follow are sent all the same once the batch was complete, and looked at
         *       afterwards;
         *   <li>entries that were sent are looked at; where the call itself failed they may still arrive, which takes
         *       longer;
         *   <li>entries that were to be removed may have to go after all, if the cells are there in spite of the
         *       failure.
         * </ul>
         *
         * <p>Of one that succeeded only those of states that depend on a load that is on its way.
         */
        private void tellWhatIsLeft(boolean success, boolean isLogged) {
            if (ticket != null) {
                // Not complete: HBase has not seen the cells, so nothing can need these entries, and the place is free
                // again.
                following.end(ticket, success || isComplete);
                if (!success && isComplete) {
                    failed.add(entries(later), true, isLogged);
                }
            }
            if (success && !maybeInVain.isEmpty()) {
                failed.add(maybeInVain, false, false);
            }
            if (!success && isSending) {
                failed.add(entries(puts), !isComplete, isLogged);
            }
            if (!success && isComplete) {
                leave(unfindable, isLogged || isUnsynced);
            }
        }

        private static List<Entry> entries(List<NewEntry> written) {
            return written.stream().map(NewEntry::entry).toList();
        }

        /**
         * Resolves one row of an index over several columns. Deletes that it asks for go into the same mutation, so
         * that they are written with it or not at all; they get no entries of their own.
         */
        private void prepare(Row row) throws IOException {
            RowChange change = row.change;
            change.resolve(reader, coming.of(change.index(), row.mutation.getRow()));
            for (RowChange.Deletion deletion : change.deletions()) {
                Cell delete = cells.delete(
                        deletion.type(), row.mutation.getRow(), change.column(deletion), deletion.timestamp());
                row.mutation
                        .getFamilyCellMap()
                        .computeIfAbsent(CellUtil.cloneFamily(delete), none -> new ArrayList<>())
                        .add(delete);
            }
            List<Entry> entries = change.entries();
            // A state that the row had before: its removal may be on its way.
            if (change.areRevived(entries)) {
                revived.addAll(entries);
            } else {
                boolean mayFollow = change.hasServerTime()
                        && following.mayFollow(change.index())
                        && change.maybeInVain().isEmpty();
                entries.forEach(entry -> (mayFollow ? later : puts).add(NewEntry.of(entry)));
            }
            // Whichever comes first, the files or this write: both states have their entry.
            for (Entry entry : change.entriesWhenLoaded()) {
                if (change.isNew(entry)) {
                    puts.add(NewEntry.of(entry));
                } else {
                    revived.add(entry);
                }
            }
            maybeInVain.addAll(change.maybeInVain());
            obsolete.addAll(change.obsolete());
            unfindable.addAll(change.unfindable());
        }
    }

    /** Whether what readers do not see matters too, so that all that is stored of the column has to be read. */
    private static boolean needsAll(Cell.Type type, Origin origin) {
        // A put at a timestamp of its own hides nothing; one at a known timestamp may replace what is hidden as well. A
        // delete of one version may bring back any that stands behind it; one of all versions brings back none.
        return switch (type) {
            case Put -> origin == Origin.CLIENT_LATE;
            case Delete, DeleteFamilyVersion -> true;
            case DeleteColumn, DeleteFamily -> false;
        };
    }

    /** With the first mutation of the row in the batch, which takes the deletes that are added. */
    private record Row(RowChange change, Mutation mutation) {}

    /** The timestamp is 0 where all of the row's belong together. */
    private record Place(String index, ByteBuffer row, long timestamp) {}
}
