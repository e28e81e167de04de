package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import java.util.Arrays;

/**
 * Cells of 64-bit integers. Sums wrap around, as of Java's long. The simplest of the four kinds of cells, which are
 * alike in form: see {@link Cells} for why there is no common loop.
 */
final class LongCells extends Cells {

    private final long identity;
    private long[] cells;

    LongCells(CombineOp op, int size) {
        super(op, CellType.LONG);
        identity = op.identityLong();
        cells = new long[size];
        // A new array holds zeros, which are the identity of addition: only others cost a pass over it.
        if (identity != 0) {
            clear(0, size);
        }
    }

    @Override
    public int size() {
        return cells.length;
    }

    /**
     * The sum is of no use but that it must be computed: a loop whose result nobody takes would be left out by the
     * compiler.
     */
    @Override
    long approach(int distance, int limit) {
        long[] of = cells;
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
        cells[at] = (long) value;
    }

    @Override
    public void setLong(int at, long value) {
        cells[at] = value;
    }

    @Override
    public void updateDouble(int at, double value) {
        if (kind == ADD) {
            cells[at] += (long) value;
        } else {
            cells[at] = combine(cells[at], (long) value);
        }
    }

    @Override
    public void updateLong(int at, long value) {
        if (kind == ADD) {
            cells[at] += value;
        } else {
            cells[at] = combine(cells[at], value);
        }
    }

    /**
     * One table has one type and one operation, so the other's class is known; were it another, the cast fails at once.
     */
    @Override
    public void update(int at, Cells other, int from) {
        cells[at] = combine(cells[at], ((LongCells) other).cells[from]);
    }

    @Override
    public void set(int at, Cells other, int from) {
        cells[at] = ((LongCells) other).cells[from];
    }

    @Override
    void update(int[] entries, Cells other, int from, int count) {
        long[] source = ((LongCells) other).cells;
        long[] to = cells;
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
        long[] source = ((LongCells) other).cells;
        long[] to = cells;
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
        long[] from = ((LongCells) other).cells;
        long[] to = cells;
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
        long[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += (long) values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], (long) values[i]);
            }
        }
    }

    @Override
    public void updateAll(long[] values) {
        long[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], values[i]);
            }
        }
    }

    @Override
    public void setAll(Cells other, int count) {
        grow(count);
        System.arraycopy(((LongCells) other).cells, 0, cells, 0, count);
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
            // Always written, and overwritten by the next if it does not count: no branch to be guessed.
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
        for (int i = 0; i < count; i++) {
            write(out, entries[i]);
        }
    }

    /** A value of any length, as it was written: small numbers take a byte. */
    @Override
    void read(WireReader in, int at) {
        cells[at] = in.getSigned();
    }

    @Override
    void read(WireReader in, int[] entries, int count) {
        for (int i = 0; i < count; i++) {
            read(in, entries[i]);
        }
    }

    @Override
    void writeAll(WireBuffer out, int count) {
        for (int at = 0; at < count; at++) {
            out.putSigned(cells[at]);
        }
    }

    @Override
    void readAll(WireReader in, int count) {
        for (int at = 0; at < count; at++) {
            cells[at] = in.getSigned();
        }
    }

    /** 1 if it is not the identity, else 0; without a branch, since which cells are is not to be predicted. */
    private int differs(long value) {
        long apart = value ^ identity;
        return (int) ((apart | -apart) >>> Long.SIZE - 1);
    }

    private long combine(long a, long b) {
        return switch (kind) {
            case ADD -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> op.combine(a, b);
        };
    }
}
