package io.leeway.lazytables.internal.upkeep;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A snapshot as it is stored: eight bytes that say what it is, the CRC-32C of the rest, the rest. */
final class SnapshotFile {

    private static final long MAGIC = 0x4C5A59545F534E50L; // "LZYT_SNP"
    private static final int HEADER = Long.BYTES + Integer.BYTES;

    private SnapshotFile() {}

    static byte[] wrap(byte[] snapshot) {
        return ByteBuffer.allocate(Math.addExact(HEADER, snapshot.length))
                .putLong(MAGIC)
                .putInt(checksum(snapshot, 0))
                .put(snapshot)
                .array();
    }

    /** The snapshot in a file; null if the file was cut or changed. */
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
