package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import java.util.Arrays;

/**
 * Cells of 32-bit integers. Sums wrap around, as of Java's int; values that a cell does not hold were refused before
 * they come here (ClientTable.checkValue), so the casts lose nothing of what a program gives. The identity of an
 * operation of wider numbers is clamped: of MIN it is the greatest that there is here.
 */
final class IntCells extends Cells {

    private final int identity;
    private int[] cells;

    IntCells(CombineOp op, int size) {
        super(op, CellType.INT);
        identity = clamp(op.identityLong());
        cells = new int[size];
        if (identity != 0) {
            clear(0, size);
        }
    }

    @Override
    public int size() {
        return cells.length;
    }

    @Override
    long approach(int distance, int limit) {
        int[] of = cells;
        int end = Math.min(of.length, limit);
        long sum = 0;
        for (int at = 0; at < end; at += distance) {
            sum += of[at];
        }
        return sum;
    }

    @Override
    public double getDouble(int at) {
        return cells[at];
    }

    @Override
    public long getLong(int at) {
        return cells[at];
    }

    @Override
    public void setDouble(int at, double value) {
        cells[at] = (int) value;
    }

    @Override
    public void setLong(int at, long value) {
        cells[at] = (int) value;
    }

    @Override
    public void updateDouble(int at, double value) {
        if (kind == ADD) {
            cells[at] += (int) value;
        } else {
            cells[at] = combine(cells[at], (int) value);
        }
    }

    @Override
    public void updateLong(int at, long value) {
        if (kind == ADD) {
            cells[at] += (int) value;
        } else {
            cells[at] = combine(cells[at], (int) value);
        }
    }

    @Override
    public void update(int at, Cells other, int from) {
        cells[at] = combine(cells[at], ((IntCells) other).cells[from]);
    }

    @Override
    public void set(int at, Cells other, int from) {
        cells[at] = ((IntCells) other).cells[from];
    }

    @Override
    void update(int[] entries, Cells other, int from, int count) {
        int[] source = ((IntCells) other).cells;
        int[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < count; i++) {
                to[entries[i]] += source[from + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[entries[i]] = combine(to[entries[i]], source[from + i]);
            }
        }
    }

    @Override
    void updateSame(int[] places, Cells other) {
        int[] source = ((IntCells) other).cells;
        int[] to = cells;
        if (kind == ADD) {
            for (int at : places) {
                to[at] += source[at];
            }
        } else {
            for (int at : places) {
                to[at] = combine(to[at], source[at]);
            }
        }
    }

    @Override
    public void updateAll(Cells other, int count) {
        int[] from = ((IntCells) other).cells;
        int[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < count; i++) {
                to[i] += from[i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[i] = combine(to[i], from[i]);
            }
        }
    }

    @Override
    public void updateAll(double[] values) {
        int[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += (int) values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], (int) values[i]);
            }
        }
    }

    @Override
    public void updateAll(long[] values) {
        int[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += (int) values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], (int) values[i]);
            }
        }
    }

    @Override
    public void setAll(Cells other, int count) {
        grow(count);
        System.arraycopy(((IntCells) other).cells, 0, cells, 0, count);
    }

    @Override
    public boolean isIdentity(int at) {
        return cells[at] == identity;
    }

    @Override
    int filled(int count) {
        int filled = 0;
        for (int at = 0; at < count; at++) {
            filled += differs(cells[at]);
        }
        return filled;
    }

    @Override
    int filled(int count, int[] entries) {
        int filled = 0;
        for (int at = 0; at < count; at++) {
            // Always written, and overwritten by the next if it does not count: without a branch that a processor would
            // guess wrongly every other time.
            entries[filled] = at;
            filled += differs(cells[at]);
        }
        return filled;
    }

    @Override
    public double identityDouble() {
        return identity;
    }

    @Override
    public long identityLong() {
        return identity;
    }

    @Override
    public void grow(int size) {
        int before = cells.length;
        if (size > before) {
            cells = Arrays.copyOf(cells, size);
            Arrays.fill(cells, before, size, identity);
        }
    }

    @Override
    public void clear(int from, int to) {
        Arrays.fill(cells, from, to, identity);
    }

    @Override
    void write(WireBuffer out, int at) {
        out.putSigned(cells[at]);
    }

    @Override
    void write(WireBuffer out, int[] entries, int count) {
        out.putSigned(cells, entries, count);
    }

    /** A value of any length, as it was written: small numbers take a byte. */
    @Override
    void read(WireReader in, int at) {
        cells[at] = (int) in.getSigned();
    }

    @Override
    void read(WireReader in, int[] entries, int count) {
        in.getSigned(cells, entries, count);
    }

    @Override
    void writeAll(WireBuffer out, int count) {
        out.putSigned(cells, count);
    }

    @Override
    void readAll(WireReader in, int count) {
        in.getSigned(cells, count);
    }

    /** 1 if it is not the identity, else 0; without a branch, since which cells are is not to be predicted. */
    private int differs(int value) {
        int apart = value ^ identity;
        return (apart | -apart) >>> Integer.SIZE - 1;
    }

    private int combine(int a, int b) {
        return switch (kind) {
            case ADD -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> clamp(op.combine((long) a, (long) b));
        };
    }

    private static int clamp(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }
}
