package io.leeway.hindex.internal.encode;

import java.util.Arrays;

/** A growing buffer of key bytes, reused from key to key. Not thread-safe. */
public final class KeyWriter {

    /** Enough for most keys, and doubled when not. */
    private byte[] bytes = new byte[64];

    private int length;

    /** Appends the lowest eight bits. */
    public void put(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    /** Appends bytes as they are. */
    public void put(byte[] source, int offset, int count) {
        reserve(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    /** Appends the lowest {@code width} bytes of a number, the highest first. */
    public void putNumber(long value, int width) {
        reserve(width);
        for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    /** How many bytes there are. */
    public int length() {
        return length;
    }

    /**
     * Forgets all bytes after the first {@code newLength}.
     *
     * <p>So a part that turned out to be malformed leaves nothing behind.
     */
    public void truncate(int newLength) {
        length = newLength;
    }

    /**
     * Turns the order round of all that was written from here on.
     *
     * <p>All bits are turned, so unsigned order becomes the opposite.
     */
    public void complementFrom(int start) {
        for (int i = start; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
    }

    /** The buffer itself; valid up to {@link #length()} and until the next write. */
    public byte[] buffer() {
        return bytes;
    }

    /** A copy of all bytes. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** A copy of the bytes from an offset on. */
    public byte[] toBytesFrom(int start) {
        return Arrays.copyOfRange(bytes, start, length);
    }

    private void reserve(int count) {
        if (count > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), bytes.length * 2));
        }
    }
}
