package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.ColumnIndex;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row in a worker's own cache, with what the worker did to it since its last clock. Used by the worker's thread,
 * without locks.
 */
final class CachedRow implements RowView {

    /*
     * An update goes to two places: into the log, which the process gets at the end of the clock, and into the values,
     * so that the worker reads its own writes. Two searches for one column would cost more than the rest, so the second
     * is mostly left out, in one of two ways: the log has its cells in the places of the row's ("beside", for rows of
     * which most cells are updated), or the row remembers for each of its places where the log had the column last.
     * Both are guesses that are looked at before they are used (isBeside, isAt), so a stale one costs a search and
     * nothing else.
     *
     * In a row that was never read there are no values: updates are logged only, and NOT_READ stands for them, without
     * a null to look for.
     *
     * Which of a row's values are good for what is said by three fields: dataClock, with checkedAt, for reads by
     * clocks; radius, with ballAt, for reads within one. A row read in one way is not good for the other (tookBall,
     * tookShared).
     */

    private static final Row NOT_READ = new Row(TableSpec.sparse(CellType.DOUBLE));
    private static final int[] NO_PLACES = {};
    /**
     * Once in so many clocks is looked at how much a dense log has. A clock is a moment of work, and a look goes
     * through the whole log.
     */
    private static final int LOOKS = 16;

    final ClientTable table;
    final long key;

    /** Holds the worker's updates, too. */
    Row values = NOT_READ;

    /** The values' own, of a sparse row that was read. */
    private @Nullable ColumnIndex finder;

    /** Where the worker has the log of what it did since its last clock, see {@link Logs}. */
    int logAt = Logs.NONE;

    /** How many cells the log had that was handed over last, and some more: about so many the next one will have. */
    private int expected;

    /**
     * Of a sparse row whose log is not beside it: for each place in it the place of its column in the log, or in one
     * before it, so that instead of a second search there is a look at whether that is still so.
     */
    private int[] logPlaces = NO_PLACES;

    /**
     * Of an {@linkplain ClientTable#ordered ordered} table, the values without what the worker did since its last
     * clock, if {@link #hasBase}. What it did becomes one value a cell in the log, and a copy made later gets that one:
     * (b + (u + v)), where updates as they come make ((b + u) + v). Which of both a read finds must not depend on when
     * the row came, so cells are made anew of base and log at each update.
     */
    private @Nullable Row base;

    private boolean hasBase;

    int dataClock = ProcessRow.NOTHING;
    /** The version of the shared row that the values were copied from. */
    long version = -1;
    /** The worker's clock in which the shared cache was looked at last. */
    int checkedAt = -1;
    /**
     * In how many clocks before the worker looked there ahead of a read: since then it is not known whether it reads
     * the row.
     */
    int aheadTimes;

    /**
     * The worker's clock in which the values were read within a radius; {@link ProcessRow#NOTHING} if they were not.
     */
    private int ballAt = ProcessRow.NOTHING;

    private int ballDataClock;
    private double radius = Double.POSITIVE_INFINITY;

    CachedRow(ClientTable table, long key) {
        this.table = table;
        this.key = key;
    }

    boolean wasRead() {
        return values != NOT_READ;
    }

    /** Whether the values are good for a read within this radius at this clock. */
    boolean isWithin(int clock, double allowed) {
        return ballAt == clock && radius <= allowed;
    }

    /** Takes note that the values were read within a radius; for other reads they are good no more. */
    void tookBall(int clock, int held, double within) {
        ballAt = clock;
        ballDataClock = held;
        radius = within;
        checkedAt = clock;
        dataClock = ProcessRow.NOTHING;
        version = -1;
    }

    /** Takes note that the values were copied from the shared row. */
    void tookShared() {
        // A row by clocks may be further from what it will be than any radius.
        ballAt = ProcessRow.NOTHING;
        radius = Double.POSITIVE_INFINITY;
    }

    /** The values, which are about to become others than the log, if there is one, may be beside. */
    Row writable(@Nullable RowLog log) {
        if (log != null) {
            // The values take other cells next, in other places.
            log.leave();
        }
        Row row = values;
        if (row == NOT_READ) {
            row = new Row(table.spec);
            // Not before it is read: of rows that are only updated there are often many more.
            values = row;
            finder = row.finder();
        }
        return row;
    }

    /** Takes what the worker did since its last clock into values that were copied from elsewhere. */
    void addOwn(@Nullable RowLog log) {
        hasBase = false;
        if (log != null) {
            // Before the log is added, as this is what cells are made anew of.
            if (table.ordered) {
                base();
            }
            log.applyTo(values);
        }
    }

    /** The values as they are without the log; to be called before the first of its updates is in them. */
    private Row base() {
        Row known = base;
        if (known == null) {
            known = new Row(table.spec);
            base = known;
        }
        if (!hasBase) {
            // Once in a clock, and only of rows that are updated in it.
            known.copyFrom(values);
            hasBase = true;
        }
        return known;
    }

    /** Makes a cell anew, after the log has changed. */
    private void show(RowLog log, int column) {
        values.copyFrom(base(), column);
        log.applyTo(values, column);
    }

    /** Makes cells anew, after the log has changed. */
    private void show(RowLog log, int[] columns) {
        for (int column : columns) {
            show(log, column);
        }
    }

    /** Makes all cells anew, after the log has changed. */
    private void show(RowLog log) {
        values.copyFrom(base());
        log.applyTo(values);
    }

    /** A log for updates of cells that the row has or will have. */
    RowLog newLog() {
        // Where few of many cells are updated, a log that lists them is shorter, and is gone through sooner at the end
        // of the clock.
        return isMostlyUpdated() ? RowLog.beside(table.spec, key, values) : newLog(0);
    }

    /**
     * Whether the last log had half of a sparse row's cells or more: to go through all of them to find those that were
     * updated is nothing beside that.
     */
    private boolean isMostlyUpdated() {
        return table.spec.sparse()
                && !table.ordered
                && values != NOT_READ
                && values.entries() > 0
                && 2L * expected >= values.entries();
    }

    /** A log with room for about so many cells, or as many as the last one had. */
    RowLog newLog(int least) {
        return new RowLog(table.spec, key, Math.max(least, expected));
    }

    /** A log of these columns, which ascend. */
    RowLog newLog(int[] columns) {
        return RowLog.ofColumns(table.spec, key, columns.clone());
    }

    /** Nothing is added to the log any more, at the end of this clock: the next one will have about as much. */
    void endLog(RowLog done, int clock) {
        if (done.beganBeside()) {
            // A little more than the last time, as logs that are too short grow by copying.
            expected = done.writtenCells() * 5 / 4;
        } else if (!done.isDense()) {
            expected = done.entries() * 5 / 4;
        } else if (clock % LOOKS == 0) {
            // How little a dense one has is not seen without going through it.
            expected = done.writtenCells();
        } else {
            expected = table.columns;
        }
        logAt = Logs.NONE;
        // What it did is not among what comes next: of the next clock the values are copied anew.
        hasBase = false;
    }

    /** Updates a cell, in the log of this row and where reads see it. */
    void updateDouble(RowLog to, int column, double value) {
        Row row = values;
        if (row == NOT_READ) {
            to.updateDouble(column, value);
        } else if (table.ordered) {
            to.updateDouble(column, value);
            show(to, column);
        } else {
            // The values first: the search for their place is the one that is made, and the log's follows from it.
            int place = place(row, column);
            row.updateDoubleAt(place, value);
            to.updateDoubleAt(logPlace(to, place, column), value);
        }
    }

    /** Updates a cell, in the log of this row and where reads see it. */
    void updateLong(RowLog to, int column, long value) {
        Row row = values;
        if (row == NOT_READ) {
            to.updateLong(column, value);
        } else if (table.ordered) {
            to.updateLong(column, value);
            show(to, column);
        } else {
            int place = place(row, column);
            row.updateLongAt(place, value);
            to.updateLongAt(logPlace(to, place, column), value);
        }
    }

    /** Updates all cells of a dense row, in its log and where reads see them. */
    void updateAll(RowLog to, double[] updates) {
        to.updateAll(updates);
        if (isShownAnew()) {
            show(to);
        } else if (wasRead()) {
            values.updateAll(updates);
        }
    }

    /** Updates all cells of a dense row, in its log and where reads see them. */
    void updateAll(RowLog to, long[] updates) {
        to.updateAll(updates);
        if (isShownAnew()) {
            show(to);
        } else if (wasRead()) {
            values.updateAll(updates);
        }
    }

    /** Updates some cells, in the log of this row and where reads see them. */
    void update(RowLog to, int[] columns, double[] updates) {
        to.update(columns, updates);
        if (isShownAnew()) {
            show(to, columns);
        } else if (wasRead()) {
            values.update(columns, updates);
        }
    }

    /** Updates some cells, in the log of this row and where reads see them. */
    void update(RowLog to, int[] columns, long[] updates) {
        to.update(columns, updates);
        if (isShownAnew()) {
            show(to, columns);
        } else if (wasRead()) {
            values.update(columns, updates);
        }
    }

    /** Puts a value into a cell, in the log of this row and where reads see it. */
    void putDouble(RowLog to, int column, double value) {
        to.putDouble(column, value);
        if (isShownAnew()) {
            show(to, column);
        } else if (wasRead()) {
            values.setDouble(column, value);
        }
    }

    /** Puts a value into a cell, in the log of this row and where reads see it. */
    void putLong(RowLog to, int column, long value) {
        to.putLong(column, value);
        if (isShownAnew()) {
            show(to, column);
        } else if (wasRead()) {
            values.setLong(column, value);
        }
    }

    private boolean isShownAnew() {
        return table.ordered && wasRead();
    }

    private int place(Row row, int column) {
        ColumnIndex of = finder;
        return of == null ? column : row.place(of, column);
    }

    private int logPlace(RowLog to, int place, int column) {
        // Asked first: it is one comparison.
        if (to.isBeside(place)) {
            return place;
        }
        // Places of the last log, or of one before: whether the present one has the column there, too, is looked at.
        int[] known = logPlaces;
        if (place < known.length && to.isAt(known[place], column)) {
            return known[place];
        }
        return found(to, place, column);
    }

    private int found(RowLog to, int place, int column) {
        // The row has got new columns since the log began beside it, which the log takes over with their places.
        if (to.follow(values)) {
            return place;
        }
        // The log leaves the row's side with this, if it was there: one cell of another place is enough.
        int found = to.place(column);
        // Of a dense row that would be another array of its size, for searches that its log soon does without.
        if (table.spec.sparse()) {
            if (place >= logPlaces.length) {
                logPlaces = Arrays.copyOf(logPlaces, Math.max(2 * (place + 1), values.entries()));
            }
            logPlaces[place] = found;
        }
        return found;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public int dataClock() {
        return ballAt == ProcessRow.NOTHING ? dataClock : ballDataClock;
    }

    @Override
    public double radius() {
        return radius;
    }

    @Override
    public double get(int column) {
        table.checkColumn(column);
        return values.getDouble(column);
    }

    @Override
    public long getLong(int column) {
        table.checkColumn(column);
        return values.getLong(column);
    }

    @Override
    public int entries() {
        return values.entries();
    }

    @Override
    public int[] filledColumns() {
        return values.filledColumns();
    }

    @Override
    public int columnAt(int entry) {
        checkEntry(entry);
        return values.columnAt(entry);
    }

    @Override
    public double valueAt(int entry) {
        checkEntry(entry);
        return values.doubleAt(entry);
    }

    @Override
    public long longAt(int entry) {
        checkEntry(entry);
        return values.longAt(entry);
    }

    private void checkEntry(int entry) {
        if (entry < 0 || entry >= values.entries()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.OUT_OF_RANGE,
                    "Row " + key + " of table " + table.name + " holds " + values.entries()
                            + " cells, so there is none of number " + entry + ": go from 0 to entries() - 1");
        }
    }

    @Override
    public void copyTo(double[] target) {
        values.copyTo(target, table.name, key);
    }
}
