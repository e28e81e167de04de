package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import java.util.Arrays;

/**
 * Cells of 32-bit floating point numbers. Each step is rounded to 32 bits, as cells are everywhere: a sum that is kept
 * wider in one place would be another one where an update went another way. Values beyond the type were refused before
 * (ClientTable.checkValue); sums may become infinite.
 */
final class FloatCells extends Cells {

    private final float identity;
    /** By which cells are told from it: nought with a sign is another number, and what is none is equal to nothing. */
    private final int identityBits;

    private float[] cells;

    FloatCells(CombineOp op, int size) {
        super(op, CellType.FLOAT);
        identity = (float) op.identityDouble();
        identityBits = Float.floatToRawIntBits(identity);
        cells = new float[size];
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
        float[] of = cells;
        int end = Math.min(of.length, limit);
        float sum = 0;
        for (int at = 0; at < end; at += distance) {
            sum += of[at];
        }
        return (long) sum;
    }

    @Override
    public double getDouble(int at) {
        return cells[at];
    }

    @Override
    public long getLong(int at) {
        return (long) cells[at];
    }

    @Override
    public void setDouble(int at, double value) {
        cells[at] = (float) value;
    }

    @Override
    public void setLong(int at, long value) {
        cells[at] = (float) value;
    }

    @Override
    public void updateDouble(int at, double value) {
        if (kind == ADD) {
            cells[at] += (float) value;
        } else {
            cells[at] = combine(cells[at], (float) value);
        }
    }

    @Override
    public void updateLong(int at, long value) {
        if (kind == ADD) {
            cells[at] += (float) value;
        } else {
            cells[at] = combine(cells[at], (float) value);
        }
    }

    @Override
    public void update(int at, Cells other, int from) {
        cells[at] = combine(cells[at], ((FloatCells) other).cells[from]);
    }

    @Override
    public void set(int at, Cells other, int from) {
        cells[at] = ((FloatCells) other).cells[from];
    }

    @Override
    void update(int[] entries, Cells other, int from, int count) {
        float[] source = ((FloatCells) other).cells;
        float[] to = cells;
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
        float[] source = ((FloatCells) other).cells;
        float[] to = cells;
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
        float[] from = ((FloatCells) other).cells;
        float[] to = cells;
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
        float[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += (float) values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], (float) values[i]);
            }
        }
    }

    @Override
    public void updateAll(long[] values) {
        float[] to = cells;
        if (kind == ADD) {
            for (int i = 0; i < values.length; i++) {
                to[i] += (float) values[i];
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                to[i] = combine(to[i], (float) values[i]);
            }
        }
    }

    @Override
    public void setAll(Cells other, int count) {
        grow(count);
        System.arraycopy(((FloatCells) other).cells, 0, cells, 0, count);
    }

    @Override
    public boolean isIdentity(int at) {
        return Float.floatToRawIntBits(cells[at]) == identityBits;
    }

    @Override
    int filled(int count) {
        int filled = 0;
        for (int at = 0; at < count; at++) {
            filled += Float.floatToRawIntBits(cells[at]) == identityBits ? 0 : 1;
        }
        return filled;
    }

    @Override
    int filled(int count, int[] entries) {
        int filled = 0;
        for (int at = 0; at < count; at++) {
            // Always written, and overwritten by the next if it does not count: no branch to be guessed.
            entries[filled] = at;
            filled += Float.floatToRawIntBits(cells[at]) == identityBits ? 0 : 1;
        }
        return filled;
    }

    @Override
    public double identityDouble() {
        return identity;
    }

    @Override
    public long identityLong() {
        return (long) identity;
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
        out.putInt(Float.floatToRawIntBits(cells[at]));
    }

    @Override
    void write(WireBuffer out, int[] entries, int count) {
        for (int i = 0; i < count; i++) {
            write(out, entries[i]);
        }
    }

    @Override
    void read(WireReader in, int at) {
        cells[at] = Float.intBitsToFloat(in.getInt());
    }

    @Override
    void read(WireReader in, int[] entries, int count) {
        for (int i = 0; i < count; i++) {
            read(in, entries[i]);
        }
    }

    @Override
    void writeAll(WireBuffer out, int count) {
        out.putFloats(cells, count);
    }

    @Override
    void readAll(WireReader in, int count) {
        in.getFloats(cells, count);
    }

    private float combine(float a, float b) {
        return switch (kind) {
            case ADD -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> (float) op.combine((double) a, (double) b);
        };
    }
}
