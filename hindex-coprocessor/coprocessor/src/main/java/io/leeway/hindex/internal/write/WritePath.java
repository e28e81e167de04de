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
/** What happens to writes of one region. Thread-safe. */
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
    private final boolean needsRowLocks;
    private final RowLocks locks;

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

    /** Before HBase fills in timestamps. */
    public void beforeTimestamps(Mutation mutation) {
        if (mutation instanceof Put || mutation instanceof Delete) {
            Stamps.mark(mutation);
        }
    }

    /** Under the rows' locks, with timestamps, before anything is written. */
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
        handlers.run(() -> {
            // Before the timestamps: writes of a row then arrive in the order of their timestamps.
            batch.lock(pending);
            prepare(batch, pending);
            batch.changes.write();
        });
    }

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
            following.endStamping();
        }
    }

    /** Before the batch is given to the log. */
    public void beforeLog() {
        Batch batch = running.get();
        if (batch != null) {
            // From here on a crash may bring the cells to life although the write fails: its entries stay until a
            // flush.
            batch.isLogged = true;
        }
    }

    /** At the end of the operation that the batch was part of: a hook of another coprocessor may have failed before ours. */
    public void afterOperation() throws IOException {
        // Nobody said how the batch ended, so it failed; whether its cells are there is asked of the row.
        if (running.get() != null) {
            afterBatch(false);
        }
    }

    /** After the locks were released, whether or not the batch came to be written. */
    public void afterBatch(boolean success) throws IOException {
        Batch batch = running.get();
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

    /** HBase gives a result the time of the cell before, if that is later than now. */
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

    /** What HBase writes at once. For one thread. */
    private final class Batch {

        private final Changes changes = new Changes();
        private final Set<ByteBuffer> locked = new HashSet<>();
        private final List<RowLocks.Hold> holds = new ArrayList<>();
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

        void release() {
            holds.forEach(RowLocks.Hold::release);
        }
    }

    /** Where the timestamps of a mutation come from. */
    private enum Origin {
        /** All from the server: no other write of the row has them. */
        SERVER,
        /** From the client, but above all that the row had. */
        CLIENT_NEW,
        /** From the client; the row may have had them. */
        CLIENT_LATE
    }

    /** Gives the cells that have the server's time one that the row never had. */
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

    /** What one batch changes in the indexes. */
    private final class Changes {

        // Taken before anything is read: what is revived after that is left out of the removals that follow from it.
        private final long knowledge = removals.knowledge();
        private final long loadsEnded = coming.ended();
        // Entries that are written before the base cells.
        private final List<NewEntry> puts = new ArrayList<>();
        private final Map<Place, List<NewEntry>> putsByPlace = new LinkedHashMap<>();
        // By row and timestamp, since of two values there the later one holds.
        private final Map<Place, List<NewEntry>> laterByPlace = new LinkedHashMap<>();
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
        private final List<NewEntry> later = new ArrayList<>();
        // Entries of states that a row has only if files that are being loaded come, or do not.
        private final List<Entry> maybeInVain = new ArrayList<>();
        private PendingEntries.@Nullable Ticket ticket;
        private final List<UncertainEntries.Begun> begun = new ArrayList<>(1);
        private boolean isUnsynced;
        private boolean isSending;
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
                if (!index.concerns(cell)) {
                    continue;
                }
                isUnsynced |= logging.mayBeLost(mutation);
                if (index.isOfOneColumn()) {
                    add(index, mutation, cell, origin);
                } else {
                    logging.require(mutation);
                    addToRow(index, mutation, cell, origin);
                }
            }
        }

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
                ticket = following.reserve(later);
                if (ticket == null) {
                    puts.addAll(later);
                }
            }
        }

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
            if (isUnsynced && !later.isEmpty()) {
                begun.add(uncertain.begin(later, List.of(), true));
            }
            // What fails behind this fails in HBase, where cells may be in the table all the same.
            isComplete = true;
        }

        void end(boolean success, boolean isLogged) throws IOException {
            // They follow all the same, since the cells may be there; until they are looked at they are uncertain.
            if (!success && isComplete && ticket != null) {
                begun.add(uncertain.begin(later));
            }
            boolean isCertain = false;
            try {
                // Told first, ended then: in between both know of it, never nobody.
                tellWhatIsLeft(success, isLogged);
                isCertain = success && remove() && maybeInVain.isEmpty();
            } finally {
                for (UncertainEntries.Begun each : begun) {
                    uncertain.end(each, isCertain);
                }
            }
        }

        /** Whether that leaves nothing to those who look at what writes have left. */
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
                return handlers.get(() -> {
                    if (obsolete.stream().anyMatch(entry -> entry.index().isAsync())) {
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

        private void tellWhatIsLeft(boolean success, boolean isLogged) {
            if (ticket != null) {
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

    /** Whether what readers do not see matters too. */
    private static boolean needsAll(Cell.Type type, Origin origin) {
        // A put at a timestamp of its own hides nothing; one at a known timestamp may replace what is hidden as well. A
        // delete of one version may bring back any that stands behind it; one of all versions brings back none.
        return switch (type) {
            case Put -> origin == Origin.CLIENT_LATE;
            case Delete, DeleteFamilyVersion -> true;
            case DeleteColumn, DeleteFamily -> false;
        };
    }

    private record Row(RowChange change, Mutation mutation) {}

    private record Place(String index, ByteBuffer row, long timestamp) {}
}
