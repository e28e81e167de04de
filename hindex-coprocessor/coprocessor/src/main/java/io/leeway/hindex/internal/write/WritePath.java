package io.leeway.hindex.internal.write;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.repair.Removals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
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

    private final RowClock clock;
    private final CellMaker cells;
    private final FollowingEntries following;
    private final BatchChanges changes;
    private final BatchWrites writes;
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
        this.clock = clock;
        this.cells = cells;
        this.following = following;
        this.handlers = sender.handlers(base);
        this.changes = new BatchChanges(plan, clock, reader, cells, following, logging, coming);
        this.writes = new BatchWrites(sender, handlers, removals, following, failed, uncertain, coming, patienceMillis);
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
            batch.writes.write();
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
            batch.writes.prepare(batch.changes.resolve());
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
            batch.writes.end(success, batch.isLogged);
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
            batch = new Batch(writes.begin(), changes.begin());
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

        private final BatchWrites.OfBatch writes;
        private final BatchChanges.OfBatch changes;
        private final Set<ByteBuffer> locked = new HashSet<>();
        private final List<RowLocks.Hold> holds = new ArrayList<>();
        /** Whether its cells may be in a log file, whatever the client is told. */
        private boolean isLogged;

        Batch(BatchWrites.OfBatch writes, BatchChanges.OfBatch changes) {
            this.writes = writes;
            this.changes = changes;
        }

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
}
