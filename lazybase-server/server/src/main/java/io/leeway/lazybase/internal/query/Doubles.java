package io.leeway.lazybase.internal.query;

/** Doubles as longs of the same order, as they are stored. There is one zero, and NaN is the greatest, as in PostgreSQL. */
public final class Doubles {

    private Doubles() {}

    /** The long of a double. */
    public static long bits(double value) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** The double of a long. */
    public static double of(long bits) {
        return Double.longBitsToDouble(bits ^ ((bits >> 63) & Long.MAX_VALUE));
    }
}
