package io.leeway.hindex.internal.query;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an index table from a start, included, to a stop, which is not; an empty stop is the end of the table.
 *
 * <p>Immutable, but for the arrays that are handed to it within the package, which nobody changes.
 */
public final class ScanRange {

    private static final byte[] TABLE_END = {};
    /** Empty, whatever it is asked: an empty stop alone would be the end of the table. */
    private static final ScanRange NOTHING = new ScanRange(new byte[] {0}, new byte[] {0});

    private final byte[] start;
    private final byte[] stop;

    ScanRange(byte[] start, byte[] stop) {
        this.start = start;
        this.stop = stop;
    }

    /** From a start, included, to a stop, excluded; copies. */
    public static ScanRange of(byte[] start, byte[] stop) {
        return new ScanRange(start.clone(), stop.clone());
    }

    /** All rows that begin so. */
    public static ScanRange startingWith(byte[] prefix) {
        return new ScanRange(prefix.clone(), successor(prefix));
    }

    /** The first row; a copy. */
    public byte[] start() {
        return start.clone();
    }

    /** The row behind the last; a copy. */
    public byte[] stop() {
        return stop.clone();
    }

    /** Whether a row is within. */
    public boolean contains(byte[] row) {
        return Arrays.compareUnsigned(row, start) >= 0 && isBeforeStop(row);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScanRange range && Arrays.equals(start, range.start) && Arrays.equals(stop, range.stop);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(start) + Arrays.hashCode(stop);
    }

    @Override
    public String toString() {
        return "[" + HexFormat.of().formatHex(start) + ", " + HexFormat.of().formatHex(stop) + ")";
    }

    /**
     * The first key behind all that begin with this one; empty if there is none.
     *
     * <p>By counting up the last byte that can be; those behind it that cannot are left out.
     */
    static byte[] successor(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != -1) {
                byte[] next = Arrays.copyOf(prefix, i + 1);
                next[i]++;
                return next;
            }
        }
        return TABLE_END;
    }

    /** Whether no row can be within. */
    public boolean isEmpty() {
        return stop.length > 0 && Arrays.compareUnsigned(start, stop) >= 0;
    }

    boolean isBeforeStop(byte[] row) {
        return stop.length == 0 || Arrays.compareUnsigned(row, stop) < 0;
    }

    /** Whether this one, which starts first, reaches another. */
    boolean reaches(ScanRange next) {
        return stop.length == 0 || Arrays.compareUnsigned(stop, next.start) >= 0;
    }

    /** Both, where this one starts first and reaches the other. */
    ScanRange joined(ScanRange next) {
        boolean further = stop.length == 0 || next.stop.length > 0 && Arrays.compareUnsigned(stop, next.stop) >= 0;
        return new ScanRange(start, further ? stop : next.stop);
    }

    /** What is left after a row. */
    public ScanRange after(byte[] row) {
        return Arrays.compareUnsigned(row, start) < 0 ? this : new ScanRange(Arrays.copyOf(row, row.length + 1), stop);
    }

    /** What is left before a row. */
    public ScanRange before(byte[] row) {
        return isBeforeStop(row) ? new ScanRange(start, row.clone()) : this;
    }

    /** The part that another range has, too. */
    public ScanRange within(ScanRange other) {
        byte[] from = Arrays.compareUnsigned(start, other.start) < 0 ? other.start : start;
        boolean ownStop = other.stop.length == 0 || stop.length > 0 && Arrays.compareUnsigned(stop, other.stop) <= 0;
        return new ScanRange(from, ownStop ? stop : other.stop);
    }

    /** The part that is behind another range. */
    public ScanRange behind(ScanRange other) {
        return other.stop.length == 0 ? NOTHING : within(new ScanRange(other.stop, TABLE_END));
    }

    /** The part that is before another range. */
    public ScanRange aheadOf(ScanRange other) {
        return other.start.length == 0 ? NOTHING : within(new ScanRange(TABLE_END, other.start));
    }
}
