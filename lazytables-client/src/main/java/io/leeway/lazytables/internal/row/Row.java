package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.ints.IntSet;
import org.jspecify.annotations.Nullable;

/** A row's values: all columns, or those that were written. */
public final class Row {

    private static final int FIRST_ENTRIES = 4;

    private final TableSpec spec;
    private final Cells cells;
    private final @Nullable ColumnIndex index;

    public Row(TableSpec spec) {
        this.spec = spec;
        index = spec.sparse() ? new ColumnIndex(FIRST_ENTRIES) : null;
        cells = Cells.of(spec.type(), spec.op(), spec.sparse() ? FIRST_ENTRIES : spec.columns());
    }

    public double getDouble(int column) {
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

    /** Combines all cells of a dense row with values. */
    public void updateAll(double[] values) {
        cells.updateAll(values);
    }

    /** Combines all cells of a dense row with values. */
    public void updateAll(long[] values) {
        cells.updateAll(values);
    }

    public void setDouble(int column, double value) {
        cells.setDouble(place(column), value);
    }

    public void setLong(int column, long value) {
        cells.setLong(place(column), value);
    }

    public int entries() {
        return index == null ? spec.columns() : index.size();
    }

    public int columnAt(int entry) {
        return index == null ? entry : index.columnAt(entry);
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

    /** Takes the values of another row of the table. */
    public void copyFrom(Row other) {
        if (index != null && other.index != null) {
            index.copyFrom(other.index);
            cells.clear(cells.size());
            cells.setAll(other.cells, other.index.size());
        } else {
            cells.setAll(other.cells, spec.columns());
        }
    }

    /** Empties the row. */
    public void clear() {
        cells.clear(cells.size());
        if (index != null) {
            index.clear();
        }
    }

    /** Writes the values, in the shorter of both ways: all, or those that are not the identity with their columns. */
    public void write(WireBuffer out) {
        int entries = entries();
        int filled = cells.filled(entries);
        // A column takes about two bytes.
        if (index == null && filled * (cells.wireBytes() + 2L) >= (long) entries * cells.wireBytes()) {
            out.putByte(0);
            cells.writeAll(out, entries);
            return;
        }
        out.putByte(1);
        out.putVar(filled);
        cells.writeFilled(out, entries, index);
    }

    /** Takes the values that {@link #write} wrote. */
    public void read(WireReader in) {
        clear();
        if (in.getByte() == 0) {
            if (index != null) {
                throw new WireException("A sparse row came as a dense one");
            }
            cells.readAll(in, spec.columns());
            return;
        }
        int filled = in.getCount("The number of cells", 1 + cells.wireBytes());
        for (int i = 0; i < filled; i++) {
            cells.read(in, place(in.getInt("The column", 0, spec.columns() - 1)));
        }
    }

    /** Writes the values of some columns. */
    public void writeColumns(IntSet columns, WireBuffer out) {
        out.putVar(columns.size());
        columns.forEach((int column) -> {
            out.putVar(column);
            cells.write(out, place(column));
        });
    }

    /** Takes the values that {@link #writeColumns} wrote, and adds their columns to the set. */
    public void readColumns(WireReader in, IntSet columns) {
        int count = in.getCount("The number of cells", 1 + cells.wireBytes());
        for (int i = 0; i < count; i++) {
            int column = in.getInt("The column", 0, spec.columns() - 1);
            cells.read(in, place(column));
            columns.add(column);
        }
    }

    Cells cells() {
        return cells;
    }

    /** Where the row has the column's cell, which it has from now on; good until the row is cleared or takes other values. */
    public int place(int column) {
        if (index == null) {
            return column;
        }
        int known = index.size();
        int at = index.add(column);
        if (at == known && at >= cells.size()) {
            cells.grow(at * 2);
        }
        return at;
    }
}
