package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 with buffers that are used again and again. For one thread. */
final class Compressor {

    /*
     * For the network thread, which all connections of one side share: so is this, and with it its buffers, which are
     * large. What unpack returns is good until the next call, as a frame's bytes are anyway.
     *
     * A stranger may say any length. It is refused before room is made for it, by the limit and by what that many bytes
     * can hold at most: a few bytes cannot have a megabyte made.
     */

    /** No LZ4 block holds more than this many times its own length. */
    private static final int MOST_RATIO = 256;

    private static final int KEPT = 4 << 20;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private byte[] packed = new byte[0];
    private byte[] unpacked = new byte[0];

    /** Leaves the compressed bytes in {@link #packed}; their length, or -1 if that saves less than an eighth. */
    int pack(byte[] bytes, int offset, int length) {
        packed = sized(packed, compressor.maxCompressedLength(length));
        int result = compressor.compress(bytes, offset, length, packed, 0);
        // Less would cost the other side more time than the network takes for it.
        return result <= length - (length >> 3) ? result : -1;
    }

    byte[] packed() {
        return packed;
    }

    /**
     * The message of a frame, from the start of an array that is used again.
     *
     * @param length of the whole message, checked before anything is allocated
     */
    byte[] unpack(String peer, byte[] bytes, int offset, int packedLength, int length, int limit) {
        if (length < 0 || length > limit) {
            throw Faults.of(
                    Code.FRAME_TOO_LARGE,
                    peer + " announces a compressed message of " + Integer.toUnsignedLong(length)
                            + " bytes; the limit is " + limit);
        }
        if (length > (long) packedLength * MOST_RATIO) {
            throw malformed(peer, packedLength + " compressed bytes cannot hold " + length);
        }
        unpacked = sized(unpacked, length);
        int found;
        try {
            found = decompressor.decompress(bytes, offset, packedLength, unpacked, 0, length);
        } catch (LZ4Exception e) {
            throw Faults.of(Code.MALFORMED, peer + " sent a compressed message that cannot be read", e);
        }
        if (found != length) {
            throw malformed(peer, "a compressed message has " + found + " bytes and announces " + length);
        }
        return unpacked;
    }

    private static LazyTablesException malformed(String peer, String what) {
        return Faults.of(Code.MALFORMED, peer + ": " + what);
    }

    private static byte[] sized(byte[] buffer, int length) {
        // One large message is not to keep its memory for ever.
        boolean fits = buffer.length >= length && (buffer.length <= KEPT || buffer.length / 4 < length);
        return fits ? buffer : new byte[Math.max(length, 1 << 12)];
    }
}
