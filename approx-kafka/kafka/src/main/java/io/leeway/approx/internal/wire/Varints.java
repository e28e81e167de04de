package io.leeway.approx.internal.wire;

import java.nio.ByteBuffer;

/** Whole numbers of 31 bits in as few bytes as go, seven bits each, lowest first; all but the last have the highest bit set. */
final class Varints {

    private Varints() {}

    static void put(ByteBuffer out, int value) {
        int left = value;
        while ((left & ~0x7F) != 0) {
            out.put((byte) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        out.put((byte) left);
    }

    static int size(int value) {
        return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none, or has more than 31 bits
     * @throws java.nio.BufferUnderflowException if it is cut short
     */
    static int get(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                if (value > Integer.MAX_VALUE) {
                    break;
                }
                return (int) value;
            }
        }
        throw new IllegalArgumentException("a number of more than 31 bits");
    }
}
