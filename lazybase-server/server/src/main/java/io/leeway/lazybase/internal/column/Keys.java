package io.leeway.lazybase.internal.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of some rows, so that they can be compared quickly: the first eight bytes of each as a long whose order is that of the bytes,
 * and, unless these say all, the bytes themselves. Immutable, thread-safe.
 */
public final class Keys {

    private final int size;
    private final long[] prefixes;
    private final byte @Nullable [] bytes;
    private final int @Nullable [] offsets;

    private Keys(int size, long[] prefixes, byte @Nullable [] bytes, int @Nullable [] offsets) {
        this.size = size;
        this.prefixes = prefixes;
        this.bytes = bytes;
        this.offsets = offsets;
    }

    /** Keys that are one long each. */
    static Keys exact(int size, long[] values) {
        return new Keys(size, values, null, null);
    }

    /** Keys of bytes. */
    static Keys ofBytes(int size, byte[] bytes, int[] offsets) {
        long[] prefixes = new long[size];
        for (int i = 0; i < size; i++) {
            prefixes[i] = prefix(bytes, offsets[i], offsets[i + 1]);
        }
        return new Keys(size, prefixes, bytes, offsets);
    }

    /** The first eight bytes as a long of the same order, as if zeros followed. */
    static long prefix(byte[] bytes, int from, int to) {
        long value = 0;
        int end = Math.min(to, from + 8);
        for (int i = from; i < end; i++) {
            value = value << 8 | (bytes[i] & 0xFF);
        }
        int missing = 8 - (end - from);
        // A shift by 64 would be one by 0.
        value = missing == 8 ? 0 : value << (8 * missing);
        return value ^ Long.MIN_VALUE;
    }

    /** Number of keys. */
    public int size() {
        return size;
    }

    /** The first eight bytes of a key. */
    public long prefix(int row) {
        return prefixes[row];
    }

    /** All of them; not to be changed. */
    public long[] prefixes() {
        return prefixes;
    }

    /** Whether the prefixes say all. */
    public boolean isExact() {
        return bytes == null;
    }

    /** Compares keys of two sets of the same kind. */
    public int compare(int row, Keys other, int otherRow) {
        int result = Long.compare(prefixes[row], other.prefixes[otherRow]);
        if (result != 0 || bytes == null) {
            return result;
        }
        return compareRest(row, other, otherRow);
    }

    @SuppressWarnings("NullAway")
    private int compareRest(int row, Keys other, int otherRow) {
        return Arrays.compareUnsigned(
                bytes,
                offsets[row],
                offsets[row + 1],
                other.bytes,
                other.offsets[otherRow],
                other.offsets[otherRow + 1]);
    }

    /** Compares a key with bytes. */
    @SuppressWarnings("NullAway")
    public int compare(int row, byte[] key) {
        int result = Long.compare(prefixes[row], prefix(key, 0, key.length));
        if (result != 0) {
            return result;
        }
        if (bytes == null) {
            // A bound shorter than the key lies before it.
            return Integer.compare(8, key.length);
        }
        return Arrays.compareUnsigned(bytes, offsets[row], offsets[row + 1], key, 0, key.length);
    }

    /** The bytes of a key. */
    @SuppressWarnings("NullAway")
    public byte[] get(int row) {
        if (bytes == null) {
            byte[] key = new byte[8];
            long value = prefixes[row] ^ Long.MIN_VALUE;
            for (int i = 7; i >= 0; i--) {
                key[i] = (byte) value;
                value >>>= 8;
            }
            return key;
        }
        return Arrays.copyOfRange(bytes, offsets[row], offsets[row + 1]);
    }

    /** The first row from {@code from} whose key is not below the given one; {@code to} if all are. Gallops, so a near answer is cheap. */
    public int seek(int from, int to, Keys other, int otherRow) {
        int low = from;
        int step = 1;
        int high = from;
        while (high < to && compare(high, other, otherRow) < 0) {
            low = high + 1;
            high += step;
            step <<= 1;
        }
        high = Math.min(high, to);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, other, otherRow) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first row from {@code from} whose key is not below the given bytes; {@code to} if all are. */
    public int seek(int from, int to, byte[] key) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The keys of picked rows. */
    @SuppressWarnings("NullAway")
    public Keys pick(int[] rows, int count) {
        long[] picked = new long[count];
        for (int i = 0; i < count; i++) {
            picked[i] = prefixes[rows[i]];
        }
        if (bytes == null) {
            return new Keys(count, picked, null, null);
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length += offsets[rows[i] + 1] - offsets[rows[i]];
        }
        byte[] all = new byte[length];
        int[] begins = new int[count + 1];
        for (int i = 0; i < count; i++) {
            int many = offsets[rows[i] + 1] - offsets[rows[i]];
            System.arraycopy(bytes, offsets[rows[i]], all, begins[i], many);
            begins[i + 1] = begins[i] + many;
        }
        return new Keys(count, picked, all, begins);
    }

    /** About how much memory it takes, in bytes; nothing for those that share the array of their column. */
    @SuppressWarnings("NullAway")
    public long memory() {
        return bytes == null ? 0 : 8L * size + bytes.length + 4L * offsets.length;
    }
}
