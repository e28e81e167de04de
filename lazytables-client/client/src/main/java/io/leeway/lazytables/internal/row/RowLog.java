package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a row: for each cell that was touched, one value that is combined with it or, after a put, one that
 * replaces it.
 *
 * <p>Updates of one cell become one, since the table's operation is associative. A put makes what was logged before it
 * void; updates behind it go into its value. So a log of any length takes no more than a value for a cell. It begins
 * sparse and becomes dense when a quarter of a dense row is touched; that of a row with few columns begins dense. One
 * of a sparse row that is known, most of whose cells will be updated, has its cells where the row has them
 * ({@link #beside}), so that who has found a cell in the row has found it in the log.
 */
public final class RowLog {

    /*
     * Three shapes. Listed: cells in the order in which columns came, with an index. Dense: a cell for each column of a
     * dense row, without one (index is null); what was not touched holds the identity, and combining with that changes
     * nothing, which is what makes going through all of them right. Beside: listed, with all of a sparse row's columns
     * and in its places, touched or not.
     *
     * It goes from listed to dense when a quarter of a dense row was touched: then columns take as much as the cells
     * that are left out. It never goes back.
     *
     * Puts break the rule that values are combined: a cell that was put replaces what was there, and updates behind it
     * have gone into it. They are rare, so they are a set of bits beside the cells, which is not there before the
     * first; where it is null, the short ways are taken.
     *
     * A log belongs to the worker that fills it until its clock ends, and is not changed any more once it was handed
     * over, but for joining (append) of logs that no one else has. Applying it twice would count twice: who keeps it
     * must know by numbers where it was applied.
     */

    /** Most logs are of a few cells, and there is one for each row that a worker touches in a clock. */
    private static final int FIRST_ENTRIES = 4;
    /** A row of which a quarter is touched is logged densely: a cell listed takes its column, and a search for it. */
    private static final int DENSE_SHARE = 4;
    /** Dense rows up to this size are logged as such: to list columns costs more than it saves. */
    private static final int FEW_COLUMNS = 32;
    /** Room is made for more cells of a message only when they come. A count in a message is believed only so far. */
    private static final int MOST_EXPECTED = 1 << 14;

    private final long key;
    private final TableSpec spec;
    private final Cells cells;
    /** Null where cells are in the places of their columns. */
    private @Nullable ColumnIndex index;
    /** By places; null before the first put. */
    private @Nullable BitSet puts;
    /** Whether it began with cells that were not touched. */
    private final boolean beganBeside;
    /** Up to here, cells are in the places of the row's. */
    private int beside;

    /** For a row of which nothing is known, and of which a few cells are expected. */
    public RowLog(TableSpec spec, long key) {
        this(spec, key, FIRST_ENTRIES);
    }

    /** With room for about so many cells. */
    public RowLog(TableSpec spec, long key, int expected) {
        this.spec = spec;
        this.key = key;
        beganBeside = false;
        boolean dense = isDense(spec, expected);
        int room = Math.max(FIRST_ENTRIES, expected);
        index = dense ? null : index(spec, room);
        // All identities, so that the first update of a cell is combined with nothing.
        cells = Cells.of(spec.type(), spec.op(), dense ? spec.columns() : room);
    }

    /**
     * No more than a quarter of a small row's columns is listed, so that they are found sooner without what finds them
     * in long lists.
     */
    private static ColumnIndex index(TableSpec spec, int room) {
        return !spec.sparse() && spec.columns() <= ColumnIndex.SMALL ? ColumnIndex.ofFew(room) : new ColumnIndex(room);
    }

    /**
     * Of these columns, which ascend, and are this log's own from now on, or dense if they are many of a row; nothing
     * is logged yet.
     */
    public static RowLog ofColumns(TableSpec spec, long key, int[] columns) {
        return isDense(spec, columns.length) ? new RowLog(spec, key, columns.length) : new RowLog(spec, key, columns);
    }

    /**
     * Of all cells of a sparse row, in its places; nothing is logged yet. The row goes on to have its cells where they
     * are until {@link #leave} is called.
     */
    public static RowLog beside(TableSpec spec, long key, Row row) {
        return new RowLog(spec, key, row);
    }

    private RowLog(TableSpec spec, long key, Row row) {
        this.spec = spec;
        this.key = key;
        beganBeside = true;
        // The same array of columns as the row's: nothing is copied for each clock.
        index = ColumnIndex.ofThose(row.index());
        cells = Cells.of(spec.type(), spec.op(), row.cells().size());
        beside = row.entries();
    }

    private static boolean isDense(TableSpec spec, int expected) {
        return !spec.sparse() && (spec.columns() <= FEW_COLUMNS || expected >= spec.columns() / DENSE_SHARE);
    }

    /** Of these columns, whose cells are still to be set. */
    private RowLog(TableSpec spec, long key, int[] columns) {
        this.spec = spec;
        this.key = key;
        beganBeside = false;
        index = ColumnIndex.ofList(columns);
        cells = Cells.of(spec.type(), spec.op(), columns.length);
    }

    public long key() {
        return key;
    }

    public void updateDouble(int column, double value) {
        cells.updateDouble(place(column), value);
    }

    public void updateLong(int column, long value) {
        cells.updateLong(place(column), value);
    }

    /** Adds an update of a cell by its {@link #place}. */
    public void updateDoubleAt(int place, double value) {
        cells.updateDouble(place, value);
    }

    /** Adds an update of a cell by its {@link #place}. */
    public void updateLongAt(int place, long value) {
        cells.updateLong(place, value);
    }

    /** Adds an update of each of some cells, best in the order in which they came before. */
    public void update(int[] columns, double[] values) {
        int next = 0;
        for (int i = 0; i < columns.length; i++) {
            // Behind the one before, where it mostly is.
            int at = isAt(next, columns[i]) ? next : place(columns[i]);
            cells.updateDouble(at, values[i]);
            next = at + 1;
        }
    }

    /** Adds an update of each of some cells, best in the order in which they came before. */
    public void update(int[] columns, long[] values) {
        int next = 0;
        for (int i = 0; i < columns.length; i++) {
            int at = isAt(next, columns[i]) ? next : place(columns[i]);
            cells.updateLong(at, values[i]);
            next = at + 1;
        }
    }

    /** Adds an update of each cell of a dense row. */
    public void updateAll(double[] values) {
        expectAllColumns();
        cells.updateAll(values);
    }

    /** Adds an update of each cell of a dense row. */
    public void updateAll(long[] values) {
        expectAllColumns();
        cells.updateAll(values);
    }

    /** The cell has this value from now on, whatever it had: the log's value replaces, and is not combined. */
    public void putDouble(int column, double value) {
        int at = place(column);
        // What was logged of the cell is void.
        cells.setDouble(at, value);
        markPut(at);
    }

    public void putLong(int column, long value) {
        int at = place(column);
        cells.setLong(at, value);
        markPut(at);
    }

    /** Makes the log dense, before many columns are updated. */
    private void expectAllColumns() {
        if (index != null && !spec.sparse()) {
            makeDense(index);
        }
    }

    /**
     * Does to the row what was logged.
     *
     * <p>Three ways, from the fastest on: both dense; listed without puts; and with puts, cell by cell.
     */
    public void applyTo(Row row) {
        // Both dense: one loop without columns. What was not touched is the identity.
        if (index == null && puts == null) {
            row.cells().updateAll(cells, spec.columns());
            return;
        }
        int entries = entries();
        // Where the log lists cells of which nothing is logged (one that began beside a row), these hold the identity,
        // too.
        if (index != null && puts == null) {
            row.update(index, cells);
            return;
        }
        for (int i = 0; i < entries; i++) {
            int at = row.place(columnAt(i));
            if (isPut(i)) {
                row.cells().set(at, cells, i);
            } else {
                row.cells().update(at, cells, i);
            }
        }
    }

    /** Does to one cell of the row what was logged of it. */
    public void applyTo(Row row, int column) {
        int from = index == null ? column : index.find(column);
        if (from < 0) {
            return;
        }
        int at = row.place(column);
        if (isPut(from)) {
            row.cells().set(at, cells, from);
        } else {
            row.cells().update(at, cells, from);
        }
    }

    /** Does to some columns of the row what was logged. */
    public void applyTo(Row row, ColumnSet columns) {
        if (index == null && puts == null) {
            // Both are dense, and what was not touched is the identity.
            row.cells().updateSame(columns.ascending(), cells);
            return;
        }
        int entries = entries();
        for (int i = 0; i < entries; i++) {
            int column = columnAt(i);
            // Not those that were not touched: of a sparse row they would make a cell.
            if (columns.contains(column) && isWritten(i)) {
                int at = row.place(column);
                if (isPut(i)) {
                    row.cells().set(at, cells, i);
                } else {
                    row.cells().update(at, cells, i);
                }
            }
        }
    }

    /**
     * How many cells hold more than the identity.
     *
     * <p>Those that were touched and hold the identity again are left out of messages: combining with them changes
     * nothing.
     */
    public int writtenCells() {
        int entries = entries();
        if (puts == null) {
            // No put: a cell is written if and only if it is not the identity.
            return cells.filled(entries);
        }
        int written = 0;
        for (int i = 0; i < entries; i++) {
            if (isWritten(i)) {
                written++;
            }
        }
        return written;
    }

    /** Whether it has all cells of a dense row, touched or not. */
    public boolean isDense() {
        return index == null;
    }

    /** How many cells were touched, or all of a dense log, or of one that began beside a row. */
    public int entries() {
        return index == null ? spec.columns() : index.size();
    }

    /**
     * The columns of the cells that hold more than the identity, as many as {@link #writtenCells} says, and perhaps
     * more behind; to be read.
     */
    public int[] writtenColumns(int written) {
        int entries = entries();
        if (index != null && written == entries) {
            return index.columns();
        }
        int[] columns = new int[written];
        int count = 0;
        for (int i = 0; i < entries; i++) {
            if (isWritten(i)) {
                columns[count++] = columnAt(i);
            }
        }
        return columns;
    }

    /** Adds what was logged later, elsewhere. */
    public void append(RowLog later) {
        // Of a dense one all columns come: better made room for at once.
        if (later.index == null) {
            expectAllColumns();
        }
        if (index == null && later.index == null && puts == null && later.puts == null) {
            cells.updateAll(later.cells, spec.columns());
            return;
        }
        int entries = later.entries();
        for (int i = 0; i < entries; i++) {
            int at = place(later.columnAt(i));
            if (later.isPut(i)) {
                cells.set(at, later.cells, i);
                // What was logged before is void, as for a put here.
                markPut(at);
            } else {
                cells.update(at, later.cells, i);
            }
        }
    }

    /**
     * A log of its own with the same content. Cells that were not touched are left out, or become none: they are the
     * identity.
     */
    public RowLog copy() {
        var copy = new RowLog(spec, key, entries());
        copy.append(this);
        return copy;
    }

    /**
     * The Euclidean length of what is added; infinite or not a number where a value or its square is.
     *
     * <p>Of the sums as they are logged, so several updates of a cell that cancel each other count for nothing. Asked
     * of tables with limited steps, whose logs have no puts.
     */
    public double length() {
        double squares = 0;
        int entries = entries();
        for (int i = 0; i < entries; i++) {
            double value = cells.getDouble(i);
            squares += value * value;
        }
        return Math.sqrt(squares);
    }

    public boolean hasPuts() {
        return puts != null;
    }

    /**
     * No less than the bytes that {@link #write} writes, roughly. Without looking at the cells: it is asked at the end
     * of each clock for each row, and divides messages.
     */
    public int wireBytes() {
        return 16 + entries() * 12;
    }

    /** Writes the key and the cells that hold more than the identity. */
    public void write(WireBuffer out) {
        int entries = entries();
        out.putVar(key);
        if (puts == null) {
            cells.writeShorter(out, entries, index);
            return;
        }
        // Flags: 1 listed, 2 with puts. The shorter ways have no room for a bit for each cell.
        out.putByte(3);
        out.putVar(writtenCells());
        for (int i = 0; i < entries; i++) {
            if (isWritten(i)) {
                // The lowest bit says whether it is a put, where there are any.
                out.putVar((long) columnAt(i) << 1 | (isPut(i) ? 1 : 0));
                cells.write(out, i);
            }
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * <p>What comes may be from anybody who reached the server: counts and columns are checked before room is made for
     * them.
     */
    public static RowLog read(TableSpec spec, WireReader in) {
        long key = in.getVar("The row's key", 0, spec.rows() - 1);
        int flags = in.getInt("The flags of a row", 0, 3);
        if ((flags & 1) == 0) {
            // See Row.checkDense: nobody may have room made for all columns of a sparse row.
            if (spec.sparse() || flags != 0) {
                throw new WireException("Updates of a sparse row, or puts, came as a dense row");
            }
            var dense = new RowLog(spec, key, spec.columns());
            dense.cells.readAll(in, spec.columns());
            return dense;
        }
        boolean puts = (flags & 2) != 0;
        // As many as can be there.
        int filled = in.getCount("The number of cells", 1 + Cells.leastWireBytes(spec.type()));
        return puts ? readPuts(spec, key, filled, in) : readUpdates(spec, key, filled, in);
    }

    private static RowLog readUpdates(TableSpec spec, long key, int filled, WireReader in) {
        var log = new RowLog(spec, key, in.getPacked("The column", filled, spec.columns()));
        log.cells.readAll(in, filled);
        return log;
    }

    /** Columns come in any order, each with its bit, so each is looked for. */
    private static RowLog readPuts(TableSpec spec, long key, int filled, WireReader in) {
        var log = new RowLog(spec, key, Math.min(filled, MOST_EXPECTED));
        for (int i = 0; i < filled; i++) {
            long column = in.getVar();
            int at = log.place(checked(column >>> 1, spec));
            log.cells.read(in, at);
            if ((column & 1) != 0) {
                log.markPut(at);
            }
        }
        return log;
    }

    private static int checked(long column, TableSpec spec) {
        if (column < 0 || column >= spec.columns()) {
            throw new WireException("The column is " + column + ", not 0 to " + (spec.columns() - 1));
        }
        return (int) column;
    }

    /** Whether it began beside a row, and so lists cells that were not touched. */
    public boolean beganBeside() {
        return beganBeside;
    }

    /** Whether what the row has at this place is logged at the same place. */
    public boolean isBeside(int place) {
        return place < beside;
    }

    /**
     * Takes the cells that the row has by now; returns whether it was beside it until now, and so is for all of them.
     * For the worker that goes on to update a row which has got new columns.
     */
    public boolean follow(Row row) {
        if (beside == 0 || index == null) {
            return false;
        }
        index.follow(row.index());
        cells.grow(row.cells().size());
        beside = row.entries();
        return true;
    }

    /** Has its cells where they are from now on, whatever becomes of the row. */
    public void leave() {
        beside = 0;
    }

    private int columnAt(int entry) {
        return index == null ? entry : index.columnAt(entry);
    }

    /** Nearly always there are none, and a comparison with null is all. */
    private boolean isPut(int at) {
        return puts != null && puts.get(at);
    }

    /** A put of the identity is written, too: it replaces what is there. */
    private boolean isWritten(int at) {
        return !cells.isIdentity(at) || isPut(at);
    }

    private void markPut(int at) {
        BitSet marks = puts;
        if (marks == null) {
            marks = new BitSet();
            puts = marks;
        }
        marks.set(at);
    }

    /** Whether this is the column's place; anything from 0 on may be asked. */
    public boolean isAt(int place, int column) {
        ColumnIndex columns = index;
        return columns == null ? place == column : columns.isAt(place, column);
    }

    /** Where the log has what happened to the column's cell; good while {@link #isAt} says so. */
    public int place(int column) {
        ColumnIndex columns = index;
        if (columns == null) {
            return column;
        }
        // A column that was looked for may be added now, in a place that the row does not have it in.
        leave();
        int known = columns.size();
        int at = columns.add(column);
        // It was there, or there is room. Behind the known ones cells hold the identity.
        if (at < known || at < cells.size()) {
            return at;
        }
        if (!spec.sparse() && at >= spec.columns() / DENSE_SHARE) {
            makeDense(columns);
            return column;
        }
        cells.grow(at * 2);
        return at;
    }

    /** Moves each value to its column. */
    private void makeDense(ColumnIndex columns) {
        int count = columns.size();
        Cells sparse = Cells.of(spec.type(), spec.op(), count);
        sparse.setAll(cells, Math.min(count, cells.size()));
        BitSet marks = puts == null ? null : new BitSet();
        cells.grow(spec.columns());
        // They held listed cells, in other places.
        cells.clear(0, spec.columns());
        for (int i = 0; i < count; i++) {
            int column = columns.columnAt(i);
            cells.set(column, sparse, i);
            if (marks != null && isPut(i)) {
                marks.set(column);
            }
        }
        puts = marks;
        index = null;
    }
}
