package io.leeway.lazytables.internal.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow while they are written: little endian, with integers that are mostly small as variable length. */
public final class WireBuffer {

    /*
     * Variable length: most numbers are small, such as differences of keys, clocks and counts, and take a byte. Where
     * many of one size follow each other (columns, values), they are written packed, as many bytes for each as the
     * greatest needs: a loop over them has no branch, and is as short where they are small.
     *
     * Little endian, as the processors have it on which this runs; frames around it are big-endian (Wire), as is usual
     * on networks.
     *
     * What is written is never checked here: lengths and limits are checked by who reads.
     */

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    static final int VARINT = 10;
    private static final int VARINT_OF_INT = 5;

    private static final int LEAST = 64;
    /** In bytes. Below it an array doubles. */
    private static final int LARGE = 1 << 26;
    /** About the largest array of the JDK. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    private byte[] bytes;
    private int size;
    private int[] scratch = {};

    public WireBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    /**
     * The array that holds the bytes; another one after the next write. To be sent from without a copy.
     */
    public byte[] array() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /**
     * Room for so many numbers that are of use until the next call, such as what is to be written. Kept with the
     * buffer, as what is written to it is used by one thread at a time.
     */
    public int[] scratch(int count) {
        if (scratch.length < count) {
            scratch = new int[count];
        }
        return scratch;
    }

    public void putByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void putInt(int value) {
        ensure(Integer.BYTES);
        INT.set(bytes, size, value);
        size += Integer.BYTES;
    }

    /**
     * Writes over a number that was put before. A length, once what it is of was written.
     */
    public void setInt(int at, int value) {
        INT.set(bytes, at, value);
    }

    public void putLong(long value) {
        ensure(Long.BYTES);
        LONG.set(bytes, size, value);
        size += Long.BYTES;
    }

    /** Seven bits a byte, the lowest first; negative numbers take ten bytes. */
    public void putVar(long value) {
        ensure(VARINT);
        long rest = value;
        int at = size;
        // Room was made for the longest, so nothing is asked in the loop.
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        size = at;
    }

    /**
     * Like {@link #putVar}, short for numbers near 0 on both sides. The sign goes to the lowest bit, so that small
     * negative numbers are short, too.
     */
    public void putSigned(long value) {
        putVar(value << 1 ^ value >> 63);
    }

    /** Writes numbers at some places as {@link #putSigned(long)} does. */
    public void putSigned(int[] source, int[] places, int count) {
        // For the longest that they can be, once: too much is not written, and stays as room for what follows.
        ensure(Math.multiplyExact(count, VARINT_OF_INT));
        byte[] to = bytes;
        int at = size;
        for (int i = 0; i < count; i++) {
            at = putSigned(source[places[i]], to, at);
        }
        size = at;
    }

    /** Writes the first numbers as {@link #putSigned(long)} does. */
    public void putSigned(int[] source, int count) {
        ensure(Math.multiplyExact(count, VARINT_OF_INT));
        byte[] to = bytes;
        int at = size;
        for (int i = 0; i < count; i++) {
            at = putSigned(source[i], to, at);
        }
        size = at;
    }

    private static int putSigned(int value, byte[] to, int from) {
        int rest = value << 1 ^ value >> 31;
        int at = from;
        while ((rest & ~0x7F) != 0) {
            to[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[at++] = (byte) rest;
        return at;
    }

    /**
     * Writes the first numbers, which are not negative, in as many bytes each as the greatest of them needs, and before
     * them how many these are: 1, 2 or 4.
     */
    public void putPacked(int[] source, int count) {
        int all = 0;
        for (int i = 0; i < count; i++) {
            // The bits that any of them has: how wide the greatest is, without comparing.
            all |= source[i];
        }
        // Not three: no array of the JDK has elements of that size to copy from.
        int width = all >>> 8 == 0 ? 1 : all >>> 16 == 0 ? Short.BYTES : Integer.BYTES;
        putByte(width);
        switch (width) {
            case 1 -> putBytes(source, count);
            case Short.BYTES -> {
                ShortBuffer shorts = next(Math.multiplyExact(count, width)).asShortBuffer();
                for (int i = 0; i < count; i++) {
                    shorts.put(i, (short) source[i]);
                }
            }
            default -> next(Math.multiplyExact(count, width)).asIntBuffer().put(source, 0, count);
        }
    }

    private void putBytes(int[] source, int count) {
        ensure(count);
        byte[] to = bytes;
        int at = size;
        for (int i = 0; i < count; i++) {
            to[at + i] = (byte) source[i];
        }
        size = at + count;
    }

    /** Writes the first numbers, four bytes each. */
    public void putFloats(float[] source, int count) {
        next(Math.multiplyExact(count, Float.BYTES)).asFloatBuffer().put(source, 0, count);
    }

    /** Writes the first numbers, eight bytes each. */
    public void putDoubles(double[] source, int count) {
        next(Math.multiplyExact(count, Double.BYTES)).asDoubleBuffer().put(source, 0, count);
    }

    public void putText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        putVar(utf8.length);
        putBytes(utf8, 0, utf8.length);
    }

    public void putBytes(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** The next bytes, which count as written. */
    private ByteBuffer next(int length) {
        ensure(length);
        ByteBuffer room = ByteBuffer.wrap(bytes, size, length).order(ByteOrder.LITTLE_ENDIAN);
        size += length;
        return room;
    }

    private void ensure(int more) {
        // By difference: the sum could overflow.
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, grown(bytes.length, size, more));
        }
    }

    /**
     * The size that an array becomes so that more fits behind what it has: twice as large, and large ones half as large
     * again, so that much is written in few copies.
     */
    static int grown(int capacity, int size, int more) {
        long needed = (long) size + more;
        // Such as a snapshot of 2 GB: refused with its size, instead of an array that Java cannot make.
        if (needed > MOST) {
            throw new IllegalStateException(needed + " bytes do not fit into one array, which holds " + MOST);
        }
        long grown = Math.max(LEAST, (long) capacity + (capacity < LARGE ? capacity : capacity / 2));
        // Half as large again where it is large, since old and new array are there together while one is copied.
        return (int) Math.min(MOST, Math.max(needed, grown));
    }
}
