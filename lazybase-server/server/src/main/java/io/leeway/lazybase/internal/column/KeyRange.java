package io.leeway.lazybase.internal.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys from one on to below another.
 *
 * @param from the least bytes that belong to it; null for all from the beginning
 * @param to the least bytes above it; null for all to the end
 */
@SuppressWarnings("ArrayRecordComponent")
public record KeyRange(byte @Nullable [] from, byte @Nullable [] to) {

    /** All keys. */
    public static final KeyRange ALL = new KeyRange(null, null);

    /** Whether no key can be in it. */
    public boolean isEmpty() {
        return from != null && to != null && Arrays.compareUnsigned(from, to) >= 0;
    }

    /** Whether keys from min to max, both included, may be in it. */
    public boolean overlaps(byte[] min, byte[] max) {
        return (to == null || Arrays.compareUnsigned(min, to) < 0)
                && (from == null || Arrays.compareUnsigned(max, from) >= 0);
    }

    /** What both have. */
    public KeyRange and(KeyRange other) {
        byte[] low = from;
        if (low == null || (other.from != null && Arrays.compareUnsigned(other.from, low) > 0)) {
            low = other.from;
        }
        byte[] high = to;
        if (high == null || (other.to != null && Arrays.compareUnsigned(other.to, high) < 0)) {
            high = other.to;
        }
        return new KeyRange(low, high);
    }
}
