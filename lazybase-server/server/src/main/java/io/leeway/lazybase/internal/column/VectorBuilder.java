package io.leeway.lazybase.internal.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Grows one column row by row or range by range. Not thread-safe. */
public final class VectorBuilder {

    private final boolean isLong;
    private int size;
    private long[] longs = {};
    private byte[] bytes = {};
    private int[] offsets = {0};
    private byte @Nullable [] states;

    public VectorBuilder(boolean isLong, int capacity) {
        this.isLong = isLong;
        if (isLong) {
            longs = new long[capacity];
        } else {
            offsets = new int[capacity + 1];
            bytes = new byte[capacity * 16];
        }
    }

    /** Number of rows so far. */
    public int size() {
        return size;
    }

    /** Number of bytes so far. */
    public long weight() {
        return isLong ? 8L * size : offsets[size] + 4L * size;
    }

    /** One more row with a long. */
    public void addLong(long value) {
        room(1, 0);
        longs[size++] = value;
    }

    /** One more row that is to be added to. */
    public void addDelta(long value) {
        room(1, 0);
        setState(size, Vector.ADD);
        longs[size++] = value;
    }

    /** One more row with bytes. */
    public void addBytes(byte[] source, int from, int length) {
        room(1, length);
        System.arraycopy(source, from, bytes, offsets[size], length);
        offsets[size + 1] = offsets[size] + length;
        size++;
    }

    /** One more row with bytes. */
    public void addBytes(byte[] source) {
        addBytes(source, 0, source.length);
    }

    /** One more row that is NULL. */
    public void addNull() {
        addEmpty(Vector.NULL);
    }

    /** One more row that was not touched. */
    public void addAbsent() {
        addEmpty(Vector.ABSENT);
    }

    private void addEmpty(byte state) {
        room(1, 0);
        setState(size, state);
        if (!isLong) {
            offsets[size + 1] = offsets[size];
        }
        size++;
    }

    /** One more row, copied. */
    public void add(Vector from, int row) {
        byte state = from.state(row);
        if (state == Vector.NULL || state == Vector.ABSENT) {
            addEmpty(state);
        } else if (isLong) {
            room(1, 0);
            if (state != Vector.SET) {
                setState(size, state);
            }
            longs[size++] = from.getLong(row);
        } else {
            addBytes(from.bytes(), from.offsets()[row], from.length(row));
        }
    }

    /** Some more rows, copied. */
    public void addRange(Vector from, int begin, int end) {
        int count = end - begin;
        if (isLong) {
            room(count, 0);
            System.arraycopy(from.longs(), begin, longs, size, count);
        } else {
            int[] source = from.offsets();
            int length = source[end] - source[begin];
            room(count, length);
            int shift = offsets[size] - source[begin];
            System.arraycopy(from.bytes(), source[begin], bytes, offsets[size], length);
            for (int i = 1; i <= count; i++) {
                offsets[size + i] = source[begin + i] + shift;
            }
        }
        copyStates(from.states(), begin, count);
        size += count;
    }

    /** Some more rows, picked in an order. */
    public void addAll(Vector from, int[] rows, int count) {
        byte[] given = from.states();
        if (isLong) {
            room(count, 0);
            long[] source = from.longs();
            for (int i = 0; i < count; i++) {
                longs[size + i] = source[rows[i]];
            }
        } else {
            int length = 0;
            for (int i = 0; i < count; i++) {
                length += from.length(rows[i]);
            }
            room(count, length);
            byte[] source = from.bytes();
            int[] begins = from.offsets();
            int at = offsets[size];
            for (int i = 0; i < count; i++) {
                int begin = begins[rows[i]];
                int many = begins[rows[i] + 1] - begin;
                System.arraycopy(source, begin, bytes, at, many);
                at += many;
                offsets[size + i + 1] = at;
            }
        }
        if (given != null) {
            for (int i = 0; i < count; i++) {
                if (given[rows[i]] != Vector.SET) {
                    setState(size + i, given[rows[i]]);
                }
            }
        }
        size += count;
    }

    private void copyStates(byte @Nullable [] source, int begin, int count) {
        if (source == null) {
            return;
        }
        byte[] mine = statesFor(size + count);
        System.arraycopy(source, begin, mine, size, count);
    }

    /** Takes back the last rows. */
    public void truncate(int newSize) {
        if (states != null) {
            Arrays.fill(states, Math.min(newSize, states.length), Math.min(size, states.length), Vector.SET);
        }
        size = newSize;
    }

    /** What was built; the builder is empty afterwards and may go on. */
    public Vector build() {
        byte[] kept = null;
        if (states != null) {
            for (int i = 0; i < size && i < states.length; i++) {
                if (states[i] != Vector.SET) {
                    kept = Arrays.copyOf(states, size);
                    break;
                }
            }
        }
        Vector result = isLong
                ? Vector.ofLongs(size, Arrays.copyOf(longs, size), kept)
                : Vector.ofBytes(size, Arrays.copyOf(bytes, offsets[size]), Arrays.copyOf(offsets, size + 1), kept);
        size = 0;
        states = null;
        return result;
    }

    private void setState(int row, byte state) {
        statesFor(row + 1)[row] = state;
    }

    private byte[] statesFor(int rows) {
        byte[] mine = states;
        if (mine == null) {
            mine = new byte[Math.max(rows, isLong ? longs.length : offsets.length - 1)];
        } else if (mine.length < rows) {
            mine = Arrays.copyOf(mine, Math.max(rows, mine.length * 2));
        }
        states = mine;
        return mine;
    }

    private void room(int rows, int more) {
        if (isLong) {
            if (size + rows > longs.length) {
                longs = Arrays.copyOf(longs, Math.max(size + rows, longs.length * 2));
            }
            return;
        }
        if (size + rows + 1 > offsets.length) {
            offsets = Arrays.copyOf(offsets, Math.max(size + rows + 1, offsets.length * 2));
        }
        long need = (long) offsets[size] + more;
        if (need > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("a column of more than 2 GB in one batch");
        }
        if (need > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(need, bytes.length * 2L)));
        }
    }
}
