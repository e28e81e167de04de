package io.leeway.lazytables.internal.upkeep;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A snapshot as it is stored: eight bytes that say what it is, the CRC-32C of the rest, the rest. */
final class SnapshotFile {

    /*
     * A checksum, since what comes back from a disk may be cut (a file system that was full or lost power) or changed,
     * and a snapshot that is read wrongly would be a run with wrong numbers, which nobody would notice. CRC-32C is
     * computed by an instruction of the processor, and finds all changes of up to 32 bits in a row. It is no protection
     * against somebody who wants to deceive: whoever may write there may write anything.
     *
     * In whole arrays: a snapshot is one, and is below 2 GB (see limits.md).
     */

    private static final long MAGIC = 0x4C5A59545F534E50L; // "LZYT_SNP"
    private static final int HEADER = Long.BYTES + Integer.BYTES;

    private SnapshotFile() {}

    static byte[] wrap(byte[] snapshot) {
        // Too long for an array is an exception here, and not a negative size.
        return ByteBuffer.allocate(Math.addExact(HEADER, snapshot.length))
                .putLong(MAGIC)
                .putInt(checksum(snapshot, 0))
                .put(snapshot)
                .array();
    }

    /**
     * The snapshot in a file; null if the file was cut or changed. Why it is not sound is not told apart: an older one
     * is looked for in each case.
     */
    static byte @Nullable [] unwrap(byte[] file) {
        if (file.length < HEADER) {
            return null;
        }
        ByteBuffer header = ByteBuffer.wrap(file);
        boolean sound = header.getLong() == MAGIC && header.getInt() == checksum(file, HEADER);
        return sound ? Arrays.copyOfRange(file, HEADER, file.length) : null;
    }

    private static int checksum(byte[] bytes, int from) {
        var checksum = new CRC32C();
        checksum.update(bytes, from, bytes.length - from);
        return (int) checksum.getValue();
    }
}
