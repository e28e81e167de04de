package io.leeway.lazytables.internal.row;

import java.util.Arrays;

/**
 * Columns of a row that are looked for again and again. Not thread-safe. Bits where they are near each other, since
 * each column of a log is asked for; a binary search where most of the bits would be of columns that are not in it.
 */
public final class ColumnSet {

    /** If columns lie further apart on average than so many words of bits, they are searched. */
    private static final int MOST_WORDS = 4;

    private static final long[] NOT_MADE = {};

    private final int[] ascending;
    /** One for each column up to the last; not made before it is needed, or at all. */
    private long[] bits = NOT_MADE;

    /** Of columns that ascend. */
    public ColumnSet(int[] ascending) {
        this.ascending = ascending;
    }

    /** Then the answer holds all of this process's updates, and nobody asks further. */
    public boolean isEmpty() {
        return ascending.length == 0;
    }

    /** All of them; to be read. */
    int[] ascending() {
        return ascending;
    }

    boolean contains(int column) {
        // Tried each time where it is not worth it: that is one comparison.
        if (bits == NOT_MADE && !makeBits()) {
            // Far apart: bits would be mostly of columns that are not here, and take longer to make than these
            // searches.
            return Arrays.binarySearch(ascending, column) >= 0;
        }
        int word = column >> 6;
        return word < bits.length && (bits[word] >>> column & 1) != 0;
    }

    /** Makes the bits where they are no longer than a few words for each column; says whether it has. */
    private boolean makeBits() {
        int words = isEmpty() ? 0 : (ascending[ascending.length - 1] >> 6) + 1;
        if (words == 0 || words > (long) MOST_WORDS * ascending.length) {
            return false;
        }
        // At the first question, since an answer that holds all of this process's updates asks none.
        bits = new long[words];
        for (int column : ascending) {
            bits[column >> 6] |= 1L << column;
        }
        return true;
    }
}
