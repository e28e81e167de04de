package io.leeway.lazybase.internal.column;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one column of an extent: encoded (nothing but the least value if all are the same, differences to the least or to the row
 * before in as few bytes as they need), compressed, with a checksum.
 *
 * <pre>
 * chunk = crc32c:4 (of what follows) codec:1 plainLength:4 storedLength:4 stored
 * plain = size:4 states:1 [size bytes] longs | bytes
 * longs = way:1 width:1 least:8 [size * width bytes]
 * bytes = lengths as longs, then all bytes
 * </pre>
 */
public final class Chunks {

    /** How a chunk is compressed. */
    public enum Codec {
        NONE(0),
        LZ4(1),
        ZSTD(2);

        private final byte number;

        Codec(int number) {
            this.number = (byte) number;
        }
    }

    private static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();
    private static final int HEADER = 13;
    private static final int ZSTD_LEVEL = 1;
    private static final byte DIRECT = 0;
    private static final byte STEPS = 1;

    private Chunks() {}

    /** What a chunk's bytes were not when they were written. */
    public static final class CorruptChunkException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CorruptChunkException(String message) {
            super(message);
        }
    }

    /** Encodes and compresses some rows of a column. */
    public static byte[] encode(Vector column, int from, int to, Codec codec) {
        int size = to - from;
        int text = column.isLong() ? 0 : column.offsets()[to] - column.offsets()[from];
        byte[] plain = new byte[4 + 1 + size + 10 + 8 * size + text];
        ByteBuffer out = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(size);
        writeStates(out, column.states(), from, to);
        if (column.isLong()) {
            writeLongs(out, column.longs(), from, to);
        } else {
            long[] lengths = new long[size];
            for (int i = 0; i < size; i++) {
                lengths[i] = column.length(from + i);
            }
            writeLongs(out, lengths, 0, size);
            out.put(column.bytes(), column.offsets()[from], text);
        }
        return pack(plain, out.position(), codec);
    }

    private static void writeStates(ByteBuffer out, byte @Nullable [] states, int from, int to) {
        boolean plain = true;
        for (int i = from; states != null && i < to && plain; i++) {
            plain = states[i] == Vector.SET;
        }
        out.put((byte) (plain ? 0 : 1));
        if (states != null && !plain) {
            out.put(states, from, to - from);
        }
    }

    private static void writeLongs(ByteBuffer out, long[] values, int from, int to) {
        if (from == to) {
            out.put(DIRECT).put((byte) 0).putLong(0);
            return;
        }
        long least = values[from];
        long most = least;
        long leastStep = Long.MAX_VALUE;
        long mostStep = Long.MIN_VALUE;
        long before = values[from];
        // Differences may overflow; they are right again when they are added up, since longs wrap the same way back.
        for (int i = from + 1; i < to; i++) {
            long value = values[i];
            least = Math.min(least, value);
            most = Math.max(most, value);
            long step = value - before;
            leastStep = Math.min(leastStep, step);
            mostStep = Math.max(mostStep, step);
            before = value;
        }
        int direct = width(most - least);
        int steps = to - from == 1 ? 8 : width(mostStep - leastStep);
        if (steps < direct) {
            out.put(STEPS).put((byte) steps).putLong(leastStep).putLong(values[from]);
            long last = values[from];
            for (int i = from + 1; i < to; i++) {
                write(out, values[i] - last - leastStep, steps);
                last = values[i];
            }
        } else {
            out.put(DIRECT).put((byte) direct).putLong(least);
            for (int i = from; i < to; i++) {
                write(out, values[i] - least, direct);
            }
        }
    }

    /** Bytes for differences up to this one, which counts as unsigned. */
    private static int width(long range) {
        if (range == 0) {
            return 0;
        }
        int bits = 64 - Long.numberOfLeadingZeros(range);
        return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    }

    private static void write(ByteBuffer out, long value, int width) {
        switch (width) {
            case 0 -> {}
            case 1 -> out.put((byte) value);
            case 2 -> out.putShort((short) value);
            case 4 -> out.putInt((int) value);
            default -> out.putLong(value);
        }
    }

    /** Compresses bytes and puts the header before them. */
    public static byte[] pack(byte[] plain, int length, Codec codec) {
        byte[] stored;
        Codec used = length < 64 ? Codec.NONE : codec;
        int size;
        switch (used) {
            case LZ4 -> {
                var compressor = LZ4.fastCompressor();
                stored = new byte[HEADER + compressor.maxCompressedLength(length)];
                size = compressor.compress(plain, 0, length, stored, HEADER);
            }
            case ZSTD -> {
                stored = new byte[HEADER + (int) Zstd.compressBound(length)];
                size = (int)
                        Zstd.compressByteArray(stored, HEADER, stored.length - HEADER, plain, 0, length, ZSTD_LEVEL);
            }
            default -> {
                stored = new byte[HEADER + length];
                System.arraycopy(plain, 0, stored, HEADER, length);
                size = length;
            }
        }
        if (size >= length && used != Codec.NONE) {
            return pack(plain, length, Codec.NONE);
        }
        ByteBuffer header = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
        header.put(4, used.number).putInt(5, length).putInt(9, size);
        header.putInt(0, checksum(stored, 4, HEADER - 4 + size));
        return Arrays.copyOf(stored, HEADER + size);
    }

    private static int checksum(byte[] bytes, int from, int length) {
        var crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** The plain bytes of a packed piece. */
    public static byte[] unpack(byte[] chunk, int from, int length) {
        if (length < HEADER) {
            throw new CorruptChunkException("a piece of " + length + " bytes");
        }
        ByteBuffer header = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        int size = header.getInt(from + 9);
        int plainLength = header.getInt(from + 5);
        int codec = header.get(from + 4);
        if (size != length - HEADER
                || plainLength < 0
                || codec < 0
                || codec > 2
                || header.getInt(from) != checksum(chunk, from + 4, HEADER - 4 + size)) {
            throw new CorruptChunkException("the checksum is wrong");
        }
        byte[] plain = new byte[plainLength];
        switch (Codec.values()[codec]) {
            case LZ4 -> LZ4.fastDecompressor().decompress(chunk, from + HEADER, plain, 0, plainLength);
            case ZSTD -> {
                long many = Zstd.decompressByteArray(plain, 0, plainLength, chunk, from + HEADER, size);
                if (many != plainLength) {
                    throw new CorruptChunkException("zstd: " + Zstd.getErrorName(many));
                }
            }
            default -> System.arraycopy(chunk, from + HEADER, plain, 0, plainLength);
        }
        return plain;
    }

    /** Decodes a column. */
    public static Vector decode(byte[] chunk, int from, int length, boolean isLong) {
        byte[] plain = unpack(chunk, from, length);
        ByteBuffer in = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        int size = in.getInt();
        byte[] states = null;
        if (in.get() != 0) {
            states = new byte[size];
            in.get(states);
        }
        long[] longs = readLongs(in, size);
        if (isLong) {
            return Vector.ofLongs(size, longs, states);
        }
        int[] offsets = new int[size + 1];
        for (int i = 0; i < size; i++) {
            offsets[i + 1] = offsets[i] + (int) longs[i];
        }
        byte[] bytes = Arrays.copyOfRange(plain, in.position(), in.position() + offsets[size]);
        return Vector.ofBytes(size, bytes, offsets, states);
    }

    private static long[] readLongs(ByteBuffer in, int size) {
        byte way = in.get();
        int width = in.get();
        long least = in.getLong();
        long[] values = new long[size];
        if (way == STEPS) {
            long value = in.getLong();
            values[0] = value;
            read(in, values, 1, size, width, least);
            for (int i = 1; i < size; i++) {
                value += values[i];
                values[i] = value;
            }
        } else {
            read(in, values, 0, size, width, least);
        }
        return values;
    }

    private static void read(ByteBuffer in, long[] values, int from, int to, int width, long least) {
        switch (width) {
            case 0 -> Arrays.fill(values, from, to, least);
            case 1 -> {
                for (int i = from; i < to; i++) {
                    values[i] = least + (in.get() & 0xFF);
                }
            }
            case 2 -> {
                for (int i = from; i < to; i++) {
                    values[i] = least + (in.getShort() & 0xFFFF);
                }
            }
            case 4 -> {
                for (int i = from; i < to; i++) {
                    values[i] = least + (in.getInt() & 0xFFFFFFFFL);
                }
            }
            default -> {
                for (int i = from; i < to; i++) {
                    values[i] = least + in.getLong();
                }
            }
        }
    }
}
