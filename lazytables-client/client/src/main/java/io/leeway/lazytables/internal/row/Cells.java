package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import org.jspecify.annotations.Nullable;

/**
 * An array of primitive cells, with the operation that updates them. Cells that were not written hold the operation's
 * identity.
 *
 * <p>Loops over cells are in the subclasses, one for each type, and not here: they are the innermost of all, where a
 * call for each cell that a processor cannot foresee costs more than the cell. Not for several threads at once.
 */
public abstract class Cells {

    static final int ADD = 0;
    static final int MIN = 1;
    static final int MAX = 2;
    /** An operation of a program's own, which has to be called. */
    static final int OTHER = 3;

    /** Bytes that processors fetch from memory at once. */
    private static final int LINE = 64;
    /** So many cells are fetched before they are used; those behind them follow by themselves. */
    private static final int AHEAD = 128;

    /** So many cells are listed for what it costs to count them. */
    private static final int SMALL = 128;

    final CombineOp op;
    final int kind;
    private final int wireBytes;
    /** How many cells are in a line. */
    private final int inLine;

    Cells(CombineOp op, CellType type) {
        this.op = op;
        wireBytes = leastWireBytes(type);
        inLine = LINE / (type == CellType.INT || type == CellType.FLOAT ? Integer.BYTES : Long.BYTES);
        // Asked in the innermost loops, where a number costs less than a call of an interface: the built-in operations
        // are done in place, and only others are called.
        kind = op == Combine.ADD ? ADD : op == Combine.MIN ? MIN : op == Combine.MAX ? MAX : OTHER;
    }

    /** That many cells of a type. */
    public static Cells of(CellType type, CombineOp op, int size) {
        return switch (type) {
            case INT -> new IntCells(op, size);
            case LONG -> new LongCells(op, size);
            case FLOAT -> new FloatCells(op, size);
            case DOUBLE -> new DoubleCells(op, size);
        };
    }

    /** How many there is room for; how many of them mean something is known to the row. */
    public abstract int size();

    /** Of integers the nearest double, which for longs beyond 2<sup>53</sup> is another number. */
    public abstract double getDouble(int at);

    public abstract long getLong(int at);

    public abstract void setDouble(int at, double value);

    public abstract void setLong(int at, long value);

    /** Combines the cell with a value. */
    public abstract void updateDouble(int at, double value);

    /** Combines the cell with a value. */
    public abstract void updateLong(int at, long value);

    /** Combines a cell with one of another array of the same type. */
    public abstract void update(int at, Cells other, int from);

    /** Sets a cell to one of another array of the same type. */
    public abstract void set(int at, Cells other, int from);

    /** Combines some cells with successive ones of another array of the same type. */
    abstract void update(int[] entries, Cells other, int from, int count);

    /** Combines some cells with those at the same places of another array of the same type. */
    abstract void updateSame(int[] places, Cells other);

    /** Combines the first cells with those of another array of the same type. */
    public abstract void updateAll(Cells other, int count);

    /** Combines the first cells with as many values as there are. */
    public abstract void updateAll(double[] values);

    /** Combines the first cells with as many values as there are. */
    public abstract void updateAll(long[] values);

    /** Sets the first cells to those of another array of the same type, growing if that is needed. */
    public abstract void setAll(Cells other, int count);

    /**
     * Whether the cell holds the operation's identity.
     *
     * <p>By the bits: of floating point, -0.0 is another number than 0.0.
     */
    public abstract boolean isIdentity(int at);

    /** How many of the first cells hold something else than the operation's identity. */
    abstract int filled(int count);

    /**
     * Lists, in an array of so many, which of the first cells hold something else than the operation's identity;
     * returns how many do.
     */
    abstract int filled(int count, int[] entries);

    /**
     * Writes the first cells in the shorter of both ways: 0 and all, of a dense row; or 1 and those that hold something
     * else than the operation's identity, how many, their columns and their values.
     *
     * <p>Which way is shorter is told by how many are filled. That is counted first where listing them would cost room,
     * and found out by listing where there are few, since that is then as cheap.
     *
     * @param index of the cells' columns, which are their own numbers without one
     */
    final void writeShorter(WireBuffer out, int count, @Nullable ColumnIndex index) {
        if (count == 0) {
            out.putByte(1);
            out.putVar(0);
            out.putPacked(new int[0], 0);
            return;
        }
        if (index == null && count > SMALL && isShortAsAll(filled(count), count)) {
            out.putByte(0);
            writeAll(out, count);
            return;
        }
        if (index != null && filled(count) == count) {
            writeListed(out, index.columns(), count);
            return;
        }
        // Those of larger rows are too many to be kept.
        int[] entries = count <= SMALL ? out.scratch(SMALL) : new int[count];
        int filled = filled(count, entries);
        if (index == null && isShortAsAll(filled, count)) {
            out.putByte(0);
            writeAll(out, count);
            return;
        }
        int[] columns = entries;
        if (index != null) {
            columns = new int[filled];
            index.columnsAt(entries, filled, columns);
        }
        out.putByte(1);
        out.putVar(filled);
        out.putPacked(columns, filled);
        write(out, entries, filled);
    }

    /** Writes the first cells, all of them filled, with their columns. */
    private void writeListed(WireBuffer out, int[] columns, int count) {
        out.putByte(1);
        out.putVar(count);
        out.putPacked(columns, count);
        writeAll(out, count);
    }

    /** Whether all cells are no longer than those that are filled with their columns, which take about two bytes. */
    private boolean isShortAsAll(int filled, int count) {
        return filled * (wireBytes + 2L) >= (long) count * wireBytes;
    }

    /** What a cell holds that nobody wrote. */
    public abstract double identityDouble();

    /** What a cell holds that nobody wrote. */
    public abstract long identityLong();

    /**
     * Makes room for that many cells.
     *
     * <p>Those that are new hold the identity.
     */
    public abstract void grow(int size);

    /** Writes the operation's identity to cells, up to the last one without it. */
    public abstract void clear(int from, int to);

    abstract void write(WireBuffer out, int at);

    /** Writes some cells. */
    abstract void write(WireBuffer out, int[] entries, int count);

    abstract void read(WireReader in, int at);

    /** Reads some cells. */
    abstract void read(WireReader in, int[] entries, int count);

    /** The sum of the cells at multiples of a distance up to a limit: for their memory, see {@link Row#approach}. */
    abstract long approach(int distance, int limit);

    /** Looks at a cell in each line of the first ones. */
    final long approach() {
        return approach(inLine, AHEAD);
    }

    /** The least bytes that a cell takes in a message. */
    final int wireBytes() {
        return wireBytes;
    }

    /** The least bytes that a cell of a type takes in a message. */
    static int leastWireBytes(CellType type) {
        return switch (type) {
            case INT, LONG -> 1;
            case FLOAT -> Float.BYTES;
            case DOUBLE -> Double.BYTES;
        };
    }

    /**
     * Goes behind so many cells of a type in a message.
     *
     * <p>Without making any: for rows of tables that nobody here wants.
     */
    static void pass(CellType type, WireReader in, int count) {
        switch (type) {
            case INT, LONG -> in.passSigned(count);
            case FLOAT, DOUBLE -> in.pass(count, leastWireBytes(type));
        }
    }

    /** Writes the first cells. */
    abstract void writeAll(WireBuffer out, int count);

    /** Reads the first cells. */
    abstract void readAll(WireReader in, int count);
}
