package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row's values: all columns, or those that were written. */
public final class Row {

    /*
     * A dense row has a cell for each column, in its place. A sparse one has cells in the order in which columns came,
     * and an index that finds them; cells behind the last entry hold the identity, so that a column that is added
     * starts as what nobody wrote. That is kept by whoever shortens a row (clear, copyFrom).
     *
     * A blank row stands for one that nobody wrote. It has no cells, so it must not be written to or asked for one; it
     * can be copied from and written to a message.
     *
     * Places (place(), finder()) are for who updates the same cell in a row and in a log beside it: they are good until
     * the row is cleared or takes other values.
     *
     * Not for several threads at once. On the server all rows are the network thread's; on a client a worker's own or
     * under the process's lock.
     */

    /** For so many rows {@link #approach} is best called together, before they are used. */
    public static final int AT_ONCE = 8;

    private static final String COLUMN = "The column";
    /** Of a sparse row; doubled when they do not do. */
    private static final int FIRST_ENTRIES = 4;
    /** So many cells are updated at once. Their places fit into the nearest cache beside the cells. */
    private static final int STRETCH = 256;

    private final TableSpec spec;
    private final Cells cells;
    private final @Nullable ColumnIndex index;
    /** Whether it stands for a row that nobody wrote, without cells of its own. */
    private final boolean isBlank;

    private Row(TableSpec spec, Cells none) {
        this.spec = spec;
        index = null;
        cells = none;
        isBlank = true;
    }

    /**
     * A row that nobody wrote, which takes no memory for its cells: to be written to messages and copied from, and for
     * nothing else.
     */
    public static Row blank(TableSpec spec) {
        return new Row(spec, Cells.of(spec.type(), spec.op(), 0));
    }

    /** About how many bytes the cells of a new row take. */
    public static long memory(TableSpec spec) {
        return (long) (spec.sparse() ? FIRST_ENTRIES : spec.columns())
                * (spec.type() == CellType.INT || spec.type() == CellType.FLOAT ? Integer.BYTES : Long.BYTES);
    }

    /** A row that nobody wrote, with room for what will be. */
    public Row(TableSpec spec) {
        this.spec = spec;
        isBlank = false;
        index = spec.sparse() ? new ColumnIndex(FIRST_ENTRIES) : null;
        cells = Cells.of(spec.type(), spec.op(), spec.sparse() ? FIRST_ENTRIES : spec.columns());
    }

    /**
     * The least bytes of a row of which all columns are written; of sparse rows, whose columns never are, none. By
     * which a table is refused whose rows fit into no frame.
     */
    public static long leastWireBytes(TableSpec spec) {
        return spec.sparse() ? 0 : (long) spec.columns() * Cells.leastWireBytes(spec.type());
    }

    public double getDouble(int column) {
        // Looked for, and not added: a read makes no cell.
        int at = index == null ? column : index.find(column);
        return at < 0 ? cells.identityDouble() : cells.getDouble(at);
    }

    public long getLong(int column) {
        int at = index == null ? column : index.find(column);
        return at < 0 ? cells.identityLong() : cells.getLong(at);
    }

    public void updateDouble(int column, double value) {
        cells.updateDouble(place(column), value);
    }

    public void updateLong(int column, long value) {
        cells.updateLong(place(column), value);
    }

    /** Combines a cell, by its {@link #place}, with a value. */
    public void updateDoubleAt(int place, double value) {
        cells.updateDouble(place, value);
    }

    /** Combines a cell, by its {@link #place}, with a value. */
    public void updateLongAt(int place, long value) {
        cells.updateLong(place, value);
    }

    /** Combines some cells with values, best in the order in which the row has them. */
    public void update(int[] columns, double[] values) {
        int next = 0;
        for (int i = 0; i < columns.length; i++) {
            // Programs mostly update the same columns in the same order, so each is looked for behind the one before:
            // then no hash is computed.
            int at = isAt(next, columns[i]) ? next : place(columns[i]);
            cells.updateDouble(at, values[i]);
            next = at + 1;
        }
    }

    /** Combines some cells with values, best in the order in which the row has them. */
    public void update(int[] columns, long[] values) {
        int next = 0;
        for (int i = 0; i < columns.length; i++) {
            int at = isAt(next, columns[i]) ? next : place(columns[i]);
            cells.updateLong(at, values[i]);
            next = at + 1;
        }
    }

    private boolean isAt(int place, int column) {
        return index == null ? place == column : index.isAt(place, column);
    }

    /** Combines all cells of a dense row with values. */
    public void updateAll(double[] values) {
        cells.updateAll(values);
    }

    /** Combines all cells of a dense row with values. */
    public void updateAll(long[] values) {
        cells.updateAll(values);
    }

    /** Replaces what is there, as a put does; of a sparse row the cell is there from now on. */
    public void setDouble(int column, double value) {
        cells.setDouble(place(column), value);
    }

    public void setLong(int column, long value) {
        cells.setLong(place(column), value);
    }

    /** How many cells there are: all of a dense row, of a sparse one those that were ever touched. */
    public int entries() {
        return index == null ? spec.columns() : index.size();
    }

    public int columnAt(int entry) {
        return index == null ? entry : index.columnAt(entry);
    }

    /** The columns of the cells that hold something else than the operation's identity, ascending. */
    public int[] filledColumns() {
        if (isBlank) {
            return new int[0];
        }
        int[] places = new int[entries()];
        int filled = cells.filled(places.length, places);
        if (index == null) {
            return Arrays.copyOf(places, filled);
        }
        // Sparse rows have their columns in the order in which they came, which is another one elsewhere.
        int[] columns = new int[filled];
        index.columnsAt(places, filled, columns);
        // Alike everywhere, whatever order the row has them in here.
        Arrays.sort(columns);
        return columns;
    }

    public double doubleAt(int entry) {
        return cells.getDouble(entry);
    }

    public long longAt(int entry) {
        return cells.getLong(entry);
    }

    /** What a cell holds that nobody wrote. */
    public double identityDouble() {
        return cells.identityDouble();
    }

    /**
     * Writes the values to an array, by column; what the row does not hold gets the identity. The table and the key are
     * for the messages.
     */
    public void copyTo(double[] target, String table, long key) {
        if (spec.sparse()) {
            Arrays.fill(target, identityDouble());
        } else if (target.length < spec.columns()) {
            throw LazyTablesException.of(
                    Code.OUT_OF_RANGE,
                    "A row of table " + table + " has " + spec.columns() + " columns; the array has " + target.length);
        }
        for (int i = 0; i < entries(); i++) {
            int column = columnAt(i);
            if (column >= target.length) {
                throw LazyTablesException.of(
                        Code.OUT_OF_RANGE,
                        "Row " + key + " of table " + table + " has a value in column " + column
                                + "; the array ends at " + target.length);
            }
            target[column] = doubleAt(i);
        }
    }

    /**
     * Takes the values of another row of the table. Whatever this one had is gone; its memory is used again, since a
     * row is copied again in each clock.
     */
    public void copyFrom(Row other) {
        if (other.isBlank) {
            clear();
            return;
        }
        if (index != null && other.index != null) {
            int before = index.size();
            int now = other.index.size();
            index.copyFrom(other.index);
            cells.setAll(other.cells, now);
            // Behind its entries a row holds the identity.
            if (before > now) {
                cells.clear(now, before);
            }
        } else {
            cells.setAll(other.cells, spec.columns());
        }
    }

    /** Takes one cell of another row of the table, which is no blank one. */
    public void copyFrom(Row other, int column) {
        int at = place(column);
        int from = other.index == null ? column : other.index.find(column);
        if (from < 0) {
            cells.clear(at, at + 1);
        } else {
            cells.set(at, other.cells, from);
        }
    }

    /** Empties the row. */
    public void clear() {
        cells.clear(0, entries());
        if (index != null) {
            index.clear();
        }
    }

    /** Writes the values, in the shorter of both ways: all, or those that are not the identity with their columns. */
    public void write(WireBuffer out) {
        if (isBlank) {
            // No cell holds anything.
            cells.writeShorter(out, 0, null);
            return;
        }
        cells.writeShorter(out, entries(), index);
    }

    /**
     * Takes the values that {@link #write} wrote. What a message does not list is the identity from then on: a row is
     * whole in it.
     */
    public void read(WireReader in) {
        // Before anything is read. What fails below leaves a row that is neither the one before nor the one that came:
        // whoever reads gives all of it up (a client ends, a server does not go on from that snapshot).
        clear();
        if (in.getByte() == 0) {
            checkDense(spec);
            cells.readAll(in, spec.columns());
            return;
        }
        // As many as there can be in the bytes that are left, before room is made for them.
        int filled = in.getCount("The number of cells", 1 + cells.wireBytes());
        if (index == null) {
            cells.read(in, in.getPackedForNow(COLUMN, filled, spec.columns()), filled);
        } else {
            cells.read(in, places(columns(in, filled)), filled);
        }
    }

    /**
     * Goes behind the values of a row of a table that {@link #read} would take, and refuses what it would refuse: what
     * is kept as it came, to be read when somebody wants it, must not turn out to be damaged only then.
     */
    public static void pass(TableSpec spec, WireReader in) {
        if (in.getByte() == 0) {
            checkDense(spec);
            Cells.pass(spec.type(), in, spec.columns());
            return;
        }
        passListed(spec, in);
    }

    /** Goes behind the values of some columns that {@link #readColumns} would take. */
    public static void passColumns(TableSpec spec, WireReader in) {
        passListed(spec, in);
    }

    /** The same checks as where they are taken: what passes here must not fail there. */
    private static void passListed(TableSpec spec, WireReader in) {
        int filled = in.getCount("The number of cells", 1 + Cells.leastWireBytes(spec.type()));
        in.passPacked(COLUMN, filled, spec.columns());
        Cells.pass(spec.type(), in, filled);
    }

    /** A sparse table may have two thousand million columns: who says "all" must not have room made for them. */
    private static void checkDense(TableSpec spec) {
        if (spec.sparse()) {
            throw new WireException("A sparse row came as a dense one");
        }
    }

    /** Writes the values of some columns, which ascend. */
    public void writeColumns(int[] columns, WireBuffer out) {
        out.putVar(columns.length);
        out.putPacked(columns, columns.length);
        cells.write(out, places(columns), columns.length);
    }

    /** Takes the values that {@link #writeColumns} wrote; returns their columns, which ascend. */
    public int[] readColumns(WireReader in) {
        int count = in.getCount("The number of cells", 1 + cells.wireBytes());
        int[] columns = columns(in, count);
        for (int i = 1; i < count; i++) {
            // Whoever takes them asks for them by a binary search.
            if (columns[i] <= columns[i - 1]) {
                throw new WireException("Column " + columns[i] + " came behind " + columns[i - 1]);
            }
        }
        cells.read(in, places(columns), count);
        return columns;
    }

    /**
     * Looks at the values, for their memory to be in the processor's caches when they are used; what it returns is to
     * be kept somewhere. Rows are many and each is used once in a clock, so its memory is far away then, and to find it
     * takes several steps of which each waits for the one before: done for {@link #AT_ONCE} rows together, they wait
     * together.
     */
    public long approach() {
        return cells.approach();
    }

    Cells cells() {
        return cells;
    }

    /** What finds the columns of a sparse row, the same as long as there is the row; null of a dense one. */
    public @Nullable ColumnIndex finder() {
        return index;
    }

    /** Of a sparse row. */
    ColumnIndex index() {
        return Objects.requireNonNull(index);
    }

    /** Combines the cells of some columns with values. */
    void update(ColumnIndex columns, Cells values) {
        int count = columns.size();
        if (index == null) {
            cells.update(columns.columns(), values, 0, count);
            return;
        }
        int[] places = new int[Math.min(count, STRETCH)];
        for (int from = 0; from < count; from += STRETCH) {
            int length = Math.min(STRETCH, count - from);
            // First all places, then all cells: two short loops, of which the second is what processors do best.
            index.addAll(columns, from, length, places);
            makeRoom(index.size());
            cells.update(places, values, from, length);
        }
    }

    private int[] columns(WireReader in, int count) {
        return in.getPacked(COLUMN, count, spec.columns());
    }

    /**
     * The places of columns, as {@link #place} tells them; the same array where they are the columns.
     *
     * <p>Of a sparse row they are made where they are not there, so that what is read has a place.
     */
    private int[] places(int[] columns) {
        if (index == null) {
            return columns;
        }
        int[] places = new int[columns.length];
        index.addAll(ColumnIndex.ofList(columns), 0, columns.length, places);
        makeRoom(index.size());
        return places;
    }

    private void makeRoom(int entries) {
        if (entries > cells.size()) {
            // Doubled, so that each cell of a row that grows is copied about once.
            cells.grow(Math.max(entries, 2 * cells.size()));
        }
    }

    /**
     * Where the row has the column's cell, which it has from now on; good until the row is cleared or takes other
     * values.
     */
    public int place(int column) {
        return index == null ? column : place(index, column);
    }

    /**
     * As {@link #place(int)}, for those who have the {@link #finder} at hand: a step less to what is far away in
     * memory.
     */
    public int place(ColumnIndex finder, int column) {
        int at = finder.add(column);
        makeRoom(at + 1);
        return at;
    }
}
