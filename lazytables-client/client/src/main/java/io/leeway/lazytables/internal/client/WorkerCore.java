package io.leeway.lazytables.internal.client;

import static io.leeway.lazytables.LazyTablesException.Code.WRONG_TYPE;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.RowMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A worker's own cache and log, used by its thread without locks. What it logs goes to the process at its clock.
 *
 * <p>A cached row is good in the clock in which it was compared with the shared cache, if its data clock is what the
 * read requires; so a read that hits costs a search in a map of primitives.
 */
public final class WorkerCore {

    /*
     * James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.4.4 "Thread Caches and
     * Logs", names the price of caches for each thread: memory, and copies in vain where a row is used once. Here the
     * copy is also what the worker's own updates of the present clock are made to, so it is needed anyway. Where a row
     * has not changed in the process's cache since it was copied (one number says so), it is not copied again.
     *
     * Threads: all but what follows is the worker's own thread's, without a lock. Under the process's lock, and so for
     * others to see: clock, ended, history, and what the process looks at while the worker's thread is in it. Counters
     * have a copy for others (WorkerCounters).
     *
     * Invariant: "dirty" and "logs" belong together, place by place; a row is in them if and only if its logAt is not
     * Logs.NONE. Both are emptied at the end of a clock and never in between.
     *
     * A method that updates checks all that it was given before the first cell changes: an update is done whole or not
     * at all, and what fails has nothing logged.
     */

    private static final Cache[] NO_TABLES = {};

    final int index;
    /** Clocks completed. */
    int clock;
    /** Whether it completes no more clocks, and nobody waits for it. */
    private boolean ended;

    private final WorkerCounters counters = new WorkerCounters();

    /** Of strict tables: own logs that a read may have to do again, the oldest first. */
    final ArrayDeque<WorkerLog> history = new ArrayDeque<>();

    // By the table's number; null where the worker has touched none of its rows.
    private @Nullable Cache[] tables = NO_TABLES;
    /** The rows with updates since the last clock, and at the same places the logs of these. */
    // Lists, and no flags in rows that would have to be searched for at the end of the clock.
    private final List<CachedRow> dirty = new ArrayList<>();

    private final Logs logs = new Logs();
    /** The rows read in this clock, and with which slack, in their order; only kept for prefetching that learns. */
    private final List<CachedRow> read = new ArrayList<>();

    private final IntArrayList readWith = new IntArrayList();
    private int rows;

    /** Of the rows that it looks for in the shared cache. */
    final RowOrder order = new RowOrder();

    WorkerCore(int index) {
        this.index = index;
    }

    public int index() {
        return index;
    }

    /** The clocks that this worker has completed. */
    public int clock() {
        return clock;
    }

    /** Whether it has ended. */
    public boolean hasEnded() {
        return ended;
    }

    /** The clock beyond which this worker lets the process go no further. */
    int holdsBackAt() {
        return ended ? Integer.MAX_VALUE : clock;
    }

    /**
     * Ends it, behind its last clock. Without a cache its next use is noticed where caches are made, so that those that
     * hit need not look.
     */
    void end() {
        // Its counters and its clock stay, for those who ask.
        ended = true;
        tables = NO_TABLES;
        rows = 0;
        // Others of the process look at none of it.
        history.clear();
        read.clear();
        readWith.clear();
    }

    /** Refuses what only a worker may do that has not ended. */
    public void checkGoesOn() {
        if (ended) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.MISUSED,
                    "Worker " + index + " of this process has ended, after " + clock + " clocks: read before it ends");
        }
    }

    /** What it counts. */
    public WorkerCounters counters() {
        return counters;
    }

    /**
     * The clock of which a read with this slack needs all updates. The paper counts the clock that a thread is in, from
     * 1, and requires c - s - 1 (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section
     * 4.3.2); here clocks are those completed, from 0, and that is the same. Not below 0: of the clocks before the
     * first nothing is needed.
     */
    public int required(int slack) {
        return Math.max(0, clock - slack);
    }

    /** The row if the worker's own cache has it as fresh as is required, else null. */
    public @Nullable RowView cached(ClientTable table, long key, int required) {
        CachedRow row = cache(table).get(key);
        // The path of nearly all reads: no lock, no object, two comparisons beside the search.
        if (row != null && isGood(row, required)) {
            // A row that is ahead of the worker counts as 0 clocks behind.
            counters.served(clock - row.dataClock);
            return row;
        }
        return null;
    }

    /**
     * The row if the worker's own cache has it within the radius, else null. Counted by who returns it, unlike reads by
     * clocks.
     */
    public @Nullable RowView cachedWithin(ClientTable table, long key, double radius) {
        CachedRow row = cache(table).get(key);
        return row != null && row.isWithin(clock, radius) ? row : null;
    }

    public void updateDouble(ClientTable table, long key, int column, double value) {
        if (table.integral) {
            throw wrongType(table, "integers: update it with them");
        }
        table.checkColumn(column);
        if (table.narrow) {
            table.checkValue(value);
        }
        CachedRow row = row(table, key);
        row.updateDouble(log(row), column, value);
    }

    public void updateLong(ClientTable table, long key, int column, long value) {
        table.checkColumn(column);
        if (table.narrow) {
            table.checkValue(value);
        }
        CachedRow row = row(table, key);
        row.updateLong(log(row), column, value);
    }

    public void putDouble(ClientTable table, long key, int column, double value) {
        if (table.integral) {
            throw wrongType(table, "integers: put them");
        }
        checkPut(table);
        table.checkColumn(column);
        if (table.narrow) {
            table.checkValue(value);
        }
        CachedRow row = row(table, key);
        row.putDouble(log(row, 1), column, value);
    }

    public void putLong(ClientTable table, long key, int column, long value) {
        checkPut(table);
        table.checkColumn(column);
        if (table.narrow) {
            table.checkValue(value);
        }
        CachedRow row = row(table, key);
        row.putLong(log(row, 1), column, value);
    }

    public void updateRow(ClientTable table, long key, double[] values) {
        if (table.integral) {
            throw wrongType(table, "integers: update it with them");
        }
        checkLength(table, values.length);
        if (table.narrow) {
            table.checkValues(values);
        }
        CachedRow row = row(table, key);
        row.updateAll(log(row, values.length), values);
    }

    public void updateRow(ClientTable table, long key, long[] values) {
        checkLength(table, values.length);
        if (table.narrow) {
            table.checkValues(values);
        }
        CachedRow row = row(table, key);
        row.updateAll(log(row, values.length), values);
    }

    /** Combines some cells of a row with values: all of them, or none if one cannot be. */
    public void updateCells(ClientTable table, long key, int[] columns, double[] values) {
        if (table.integral) {
            throw wrongType(table, "integers: update it with them");
        }
        boolean ascend = table.checkColumns(columns, values.length);
        if (table.narrow) {
            table.checkValues(values);
        }
        CachedRow row = row(table, key);
        if (columns.length == 0) {
            return;
        }
        row.update(log(row, columns, ascend), columns, values);
    }

    /** Combines some cells of a row with values: all of them, or none if one cannot be. */
    public void updateCells(ClientTable table, long key, int[] columns, long[] values) {
        boolean ascend = table.checkColumns(columns, values.length);
        if (table.narrow) {
            table.checkValues(values);
        }
        CachedRow row = row(table, key);
        if (columns.length == 0) {
            return;
        }
        row.update(log(row, columns, ascend), columns, values);
    }

    /** Checks that updates of the table are increments. */
    public static void checkAdds(ClientTable table) {
        if (!table.adds) {
            throw wrongType(table, "updates of operation " + table.spec.op().name() + ": use update");
        }
    }

    /** Checks that the table's rows can be read within the radius. */
    public static void checkRadius(ClientTable table, double radius) {
        if (table.spec.maxStep() == 0) {
            throw LazyTablesException.of(
                    WRONG_TYPE,
                    "Table " + table.name
                            + " has no limit to steps, so nobody knows how far a row is from what it will be: define it with maxStep");
        }
        if (!(radius >= 0)) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "Nothing is within a radius of " + radius + ": choose 0 (BSP) or more");
        }
    }

    /** The row in the worker's cache, as it is. */
    CachedRow row(ClientTable table, long key) {
        Cache cache = cache(table);
        CachedRow row = cache.get(key);
        if (row == null) {
            // Only when the row is made: one that is there has a key that was checked.
            table.checkKey(key);
            row = new CachedRow(table, key);
            cache.put(key, row);
            rows++;
        }
        return row;
    }

    /** The row, if the worker's cache has it. */
    @Nullable
    CachedRow known(ClientTable table, long key) {
        return cache(table).get(key);
    }

    /** Ends the clock: what was done in it. */
    WorkerLog endClock() {
        var log = new WorkerLog(clock + 1);
        // Counted first, so that lists are made with the room that they need.
        int[] ofTable = new int[tables.length];
        for (CachedRow row : dirty) {
            ofTable[row.table.id]++;
        }
        for (CachedRow row : dirty) {
            RowLog done = Objects.requireNonNull(logs.get(row.logAt));
            row.endLog(done, clock);
            log.add(row.table.id, done, ofTable[row.table.id]);
        }
        return log;
    }

    /** The rows that the worker has updated since its last clock, or in the one that ends. */
    List<CachedRow> dirty() {
        return dirty;
    }

    /** The log of one of the {@link #dirty} rows, by its place among them. */
    RowLog logOfDirty(int place) {
        return Objects.requireNonNull(logs.get(place));
    }

    /** What the worker did to the row since its last clock, which is in no shared cache yet. */
    @Nullable
    RowLog logOf(CachedRow row) {
        return logs.get(row.logAt);
    }

    /**
     * Forgets what it updated in the clock that ends. Rows were told in {@link CachedRow#endLog} that they have no log
     * any more.
     */
    void clearDirty() {
        dirty.clear();
        logs.clear();
    }

    /**
     * Whether the row needs no look at the shared cache. A strict table's row must be of exactly the clock that is
     * required; any other may be newer. One that was compared in an earlier clock is not good, though it may be fresh
     * enough: the process may have a newer one by now, and to look is cheap, once for a row and clock.
     */
    boolean isGood(CachedRow row, int required) {
        return row.checkedAt == clock && (row.dataClock == required || row.dataClock > required && !row.table.strict);
    }

    /**
     * Keeps what was read, for prefetching that learns. A row that is read with two slacks is there twice; the second
     * question finds the first.
     */
    void remember(CachedRow row, int slack) {
        read.add(row);
        readWith.add(slack);
    }

    /** Passes what was remembered, and forgets it. */
    void forEachRemembered(ObjIntConsumer<CachedRow> action) {
        for (int i = 0; i < read.size(); i++) {
            action.accept(read.get(i), readWith.getInt(i));
        }
        read.clear();
        readWith.clear();
    }

    /** Brings the cache to a size, at the end of a clock: first go rows that were not read in it. */
    void trim(int most) {
        if (rows <= most) {
            return;
        }
        // Twice: a program mostly reads again what it read last, so that goes only if the rest is not enough.
        for (int before : new int[] {clock - 1, Integer.MAX_VALUE}) {
            for (Cache cache : tables) {
                if (rows > most && cache != null) {
                    // Rows have no log now: this is the end of a clock, behind clearDirty. So nothing is lost but a
                    // copy.
                    rows -= cache.removeIf(rows - most, row -> row.checkedAt < before);
                }
            }
        }
    }

    /**
     * The rows with these keys that the cache has are about to be used, see {@link Row#approach}. Rows that it does not
     * have are passed over.
     */
    long approach(ClientTable table, long from, long to) {
        Cache cache = cache(table);
        long sum = 0;
        for (long key = from; key < to; key++) {
            CachedRow row = cache.get(key);
            sum += row == null ? 0 : row.values.approach();
        }
        return sum;
    }

    /** How many rows the cache has. */
    int cachedRows() {
        return rows;
    }

    private RowLog log(CachedRow row) {
        RowLog log = logs.get(row.logAt);
        return log == null ? begin(row, row.newLog()) : log;
    }

    private RowLog log(CachedRow row, int expected) {
        RowLog log = logs.get(row.logAt);
        return log == null ? begin(row, row.newLog(expected)) : log;
    }

    /** Columns that ascend are all different, so that a new log of them needs no search for each. */
    private RowLog log(CachedRow row, int[] columns, boolean ascend) {
        // Where there is a log already, its columns must be searched for, however they come.
        return row.logAt == Logs.NONE && ascend ? begin(row, row.newLog(columns)) : log(row, columns.length);
    }

    private RowLog begin(CachedRow row, RowLog log) {
        dirty.add(row);
        row.logAt = logs.add(log);
        return log;
    }

    private Cache cache(ClientTable table) {
        int id = table.id;
        Cache cache = id < tables.length ? tables[id] : null;
        return cache == null ? newCache(table) : cache;
    }

    private Cache newCache(ClientTable table) {
        // Here, where a cache is made: a worker that has ended has none, so those that hit are not asked each time.
        checkGoesOn();
        if (table.id >= tables.length) {
            // Some more than needed, since tables are mostly defined one after the other.
            tables = Arrays.copyOf(tables, table.id + 8);
        }
        var cache = new Cache();
        tables[table.id] = cache;
        return cache;
    }

    private static void checkPut(ClientTable table) {
        if (table.spec.maxStep() > 0) {
            throw LazyTablesException.of(
                    WRONG_TYPE,
                    "Table " + table.name
                            + " limits steps, and nobody knows how far a put moves a row: increment, or use a table without maxStep");
        }
    }

    private static void checkLength(ClientTable table, int length) {
        if (table.spec.sparse() || length != table.spec.columns()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.OUT_OF_RANGE,
                    "A row of table " + table.name
                            + (table.spec.sparse()
                                    ? " is sparse: update its cells"
                                    : " has " + table.spec.columns() + " columns, not " + length));
        }
    }

    private static LazyTablesException wrongType(ClientTable table, String text) {
        return LazyTablesException.of(WRONG_TYPE, "Table " + table.name + " holds " + text);
    }

    /** The worker's rows of a table. */
    private static final class Cache extends RowMap<CachedRow> {}
}
